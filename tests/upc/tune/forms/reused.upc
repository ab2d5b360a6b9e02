/* --variable y,g */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
static shared int x[N], y[N], next[N];
static shared [4] int g[N][4];
int main(void)
{
	shared int *p = x, *q;
	shared [4] int *row;
	long sum = 0;
	upc_forall (int i = 0; i < N; i++; &x[i]) {
		p = &y[i];
		*p = i * 7 % 5; next[i] = (i + 3) % (N - 8);
		for (row = g[i]; row < &g[i][4]; row++)
			*row = i;
	}
	upc_barrier;
	for (int round = 0; round < 2; round++) {
		q = &next[round];
		sum += *q;
		upc_forall (int i = 0; i < N - 8; i++; &x[i]) { /* here */
			p = &y[next[i]]; // of this loop
			row = g[i + 1];
			q = p + 2;
			x[i] = p[1] + *q + row[3];
		}
		upc_barrier;
		for (p = x; p < x + N; p++)
			sum += *p;
		upc_barrier;
	}
	row = g[0];
	sum += row[2];
	upc_barrier;
	if (!MYTHREAD)
		printf("%ld\n", sum);
	return 0;
}
/* has: size_t p_first; */
/* has: heddle_cache_hint\(y_cache, p_first \+ 1\); */
/* has: q_first = p_first \+ 2; */
/* lacks: hint.*next */
