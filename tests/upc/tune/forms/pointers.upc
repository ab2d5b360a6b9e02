/* --variable y,g,e --policy arbitrary */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
struct pair { int first, second; };
static shared int x[N], y[N], next[N];
static shared [4] int g[N][4];
static shared [3] struct pair e[N];
static int second(shared int *p) { return *p + p[1]; }
static int at(shared int *q, int k)
{
	shared int *r = &q[2], *s = r;
	s += k;
	return second(q) + second(&q[k]) + second(r) + *s;
}
static int sum_of(shared [4] int *row, int n)
{
	int sum = 0;
	for (int j = 0; j < n; j++)
		sum += row[j]; /* of a row */
	return sum;
}
static void put(shared [3] struct pair *p, int v) { p->first = v; (p + 0)->first += p->second; }
int main(void)
{
	shared int *later;
	upc_forall (int i = 0; i < N; i++; &x[i]) {
		y[i] = i * 7 % 5; next[i] = (i + 3) % (N - 8); g[i][2] = i; g[i][1] = 5; e[i].first = i;
	}
	upc_barrier;
	upc_forall (int i = 0; i < N - 8; i++; &x[i]) { /* here */
		shared int *p = &y[i + 1], *q = p; // two of them
		shared [4] int *row = g[next[i]];
		shared [4] int *cell = &g[i][1];
		x[i] = at(y, 3) + at(y + i, 2) + at(&y[next[i]], 1) + at(p, 2) + second(&p[1]);
		x[i] += sum_of(row, 4) + sum_of(g[i + 1], 3) + sum_of(cell, 2) + row[1] + *(cell + 1);
		for (int j = 0; j < 3; j++, q++)
			x[i] += *q + p[-1];
		later = &y[next[i]];
		if (x[i] % 2)
			later += 2;
		x[i] += later[1];
		put(&e[i], x[i]);
		for (shared int *z = y; z[2] && x[i] % 7; z++)
			x[i]++;
	}
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d %d %d\n", x[i], e[i].first, e[i].second);
	return 0;
}
/* has: second_cached_2\(heddle_cache_t \*p_cache, size_t p_first\) */
/* has: heddle_cache_hint\(y_cache, \(size_t\)1 \+ p_first\); */
