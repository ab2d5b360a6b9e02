/* --variable a,y,e */
#include <stdio.h>
#include <upc_relaxed.h>
#define ROWS 7
#define N (ROWS * 4 * THREADS)
#define A(i, j) a[(i) * 4 + (j)]
#define SET(x, v) x = v
#define ADD(x, v) do { (x) += (v); } while (0)
#define LARGER(p, q) ((p) > (q) ? (p) : (q))
#define CALL(f, v) f(y, v)
#define FIND find
#define ARGUMENTS y, i
#define NOTHING
#define MARK(x)
#define LONG(p, q) \
	((p) + \
	 (q))
#define FIELD(k) e[k].from
#define DOT .
#define PLUS +
#define POINTER(k) (y + (k))
#define NEXT ->to
#define INDEX [i + 1]
#define LINE 0x2a
#define EACH(j) for (int j = 0; j < 3; j++)
#define OF_TWO(i, j) A(i, j) + A(i, (j) + 1)
struct edge { int from, to; };
static shared int x[N], a[N], y[N];
static shared [3] struct edge e[N];
static int find(shared int *p, int v) { return p[v] + p[LINE % ROWS]; }
int main(void)
{
	upc_forall (int i = 0; i < N; i++; &x[i]) {
		a[i] = i * 7; y[i] = i * 3 % 5; FIELD(i) = i; e[i].to = 3;
	}
	upc_barrier;
	upc_forall (int i = 0; i < N - ROWS; i++; &x[i]) { /* here */
		SET(x[i], A(i % ROWS, 2)); MARK(y[i])
		ADD(x[i], a[i + 1] PLUS y[ROWS]); NOTHING
		x[i] += LARGER(y[i + 1], ROWS) + LARGER(x[i], ROWS); // the second one stays
		x[i] += CALL(find, i) + FIND(y, ROWS) + find(ARGUMENTS) + LARGER(find(y, i), find(y, i + 1));
		x[i] += LONG(y[i + 2],
			x[i]) + LONG(x[i],
			ROWS);
		x[i] += FIELD(i + 1) + e[i + 1] DOT from + e[i + ROWS].from + (&e[i]) NEXT;
		x[i] += *POINTER(i) + y INDEX * ROWS + *(y PLUS ROWS) + OF_TWO(i % ROWS, 0);
		EACH(j)
			x[i] += LARGER(A(i % ROWS, j), A(0, j)) /* two */;
		int k = y[LARGER(i, ROWS)] + y[LARGER(y[i] % 3, NOTHING 1)];
		x[i] += k;
	}
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d\n", x[i]);
	return 0;
}
/* has: SET\(x\[i\], A\(i % ROWS, 2\)\); MARK\(y\[i\]\)$ */
/* has: \+ LARGER\(x\[i\], ROWS\); // the second one stays */
/* has: x\[i\] = heddle_cache_at\(a_cache, \(i % 7\) \* 4 \+ \(2\), int\); MARK\(y\[i\]\)$ */
/* has: find_cached\(y_cache, i\) \+ find_cached\(y_cache, (ROWS|7)\) */
/* has: struct edge\) DOT from \+ heddle_cache_at\(e_cache, i \+ ROWS, struct edge\)\.from \+ heddle_cache_at\(e_cache, i, struct edge\)\.to; */
/* has: \+ LONG\(x\[i\],$ */
/* has: y_cache, i \+ 1, int\) \* ROWS */
/* has: ^					EACH\(j\)$ */
/* has: for \(int j = 0; j < 3; j \+\+\) \{ */
/* lacks: heddle_cache_at\(heddle_cache */
