/* --variable y,z,w,g --policy arbitrary */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (12 * THREADS)
#define PUT(array, k, v) (array)[k] = (v)
#define SWAP(p, q) do { int t = p; p = q; q = t; } while (0)
#define BUMP(k) w[k]++
#define ROW(r) (&g[r][0])
#define DECLARE(name, value) shared int *name = value
#define AT(p) (*(p))
#define REST(...) sum_of(__VA_ARGS__)
#define EMPTY()
#define FOR_ALL(k, n) upc_forall (int k = 0; k < n; k++; k)
#define WORK(i) x[i] += y[i + 1]; \
	if (x[i] > 3) { \
		x[i] -= z[i]; }
static shared int x[N], y[N], z[N], w[N];
static shared [4] int g[N][4];
static int sum_of(shared [4] int *row, int n, int by)
{
	return row[n] + row[0] * by;
}
int main(void)
{
	upc_forall (int i = 0; i < N; i++; &x[i]) {
		x[i] = i; y[i] = i * 3 % 5; z[i] = 2 * i; g[i][1] = i; g[i][0] = 3;
	}
	upc_barrier;
	upc_forall (int i = 0; i < N / 2 - 2; i++; &x[i]) { /* here */
		DECLARE(p, &y[2 * i]); EMPTY()
		DECLARE(q, y + 2 * i + 1);
		WORK(i)
		PUT(z, N - 1 - i, AT(p) + x[i]);
		SWAP(x[i], z[N - 1 - i]);
		BUMP(2 * i + 0);
		BUMP(2 * i + 1) /* statement */;
		x[i] += REST(ROW(i + 1), 1, 2) + REST(g[i], 1, (3)) + AT(q);
		FOR_ALL(k, 2)
			x[i] += AT(&g[i][k]) + AT(g[k] + 1);
	}
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d %d %d\n", x[i], z[i], w[i]);
	return 0;
}
/* has: DECLARE\(p, &y\[2 \* i\]\) */
/* has: size_t p_first = 2 \* i; */
/* has: sum_of_cached\(g_cache, \(size_t\)\(i \+ 1\) \* 4 \+ 0, 1, 2\) */
/* has: FOR_ALL\(k, 2\)$ */
