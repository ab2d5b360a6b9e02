/* --variable y */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
static shared int x[N], y[N];
static int side[24];
int main(void)
{
	for (int i = 0; i < 24; i++)
		side[i] = i * 7 % 3;
	upc_forall (int i = 0; i < N; i++; &x[i])
		y[i] = i * 11 % 17;
	upc_barrier;
	upc_forall (int i = 0; i < N - 8; i++; &x[i]) { /* here */
		shared int *p = side[i % 24] ? &y[i + 1] : y;
		shared int *q;
		q = (i % 2 ? &y[i + 3] : side[i % 24] == 2 ? &y[2] : &y[i + side[i % 24]]);
		x[i] = *p + q[1] * 3;
		q = x[i] % 2 ? q + 1 : q;
		x[i] += *q;
	}
	upc_barrier;
	if (!MYTHREAD) {
		long sum = 0;
		for (int i = 0; i < N; i++)
			sum += x[i] * (i % 13);
		printf("%ld\n", sum);
	}
	return 0;
}
/* has: size_t p_first = side\[i % 24\] \? i \+ 1 : 0; */
/* has: q_first = \(i % 2\) \? i \+ 3 : \(side\[i % 24\] == 2\) \? 2 : i \+ side\[i % 24\]; */
/* has: heddle_cache_hint\(y_cache, p_first\) */
