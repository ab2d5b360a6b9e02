/* --variable y,w */
/* Pointers that step when they are used. */
/* has: heddle_cache_at\(y_cache, p_first\+\+, int\) */
/* has: heddle_cache_at\(y_cache, --q_first, int\) */
/* has: heddle_cache_set\(w_cache, to_first\+\+, int, i\); */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 48
static shared int x[N * THREADS], y[(N + 8) * THREADS], w[3 * N * THREADS];

static int sum_from(shared int *r, int count)
{
	shared int *s = &r[1];
	int sum = 0;

	while (count-- > 0)
		sum += *s++;
	return sum;
}

int main(void)
{
	upc_forall (int i = 0; i < N + 8; i++; &y[i])
		y[i] = i * 7 % 13;
	upc_barrier;
	upc_forall (int i = 0; i < N; i++; &x[i]) { /* here */
		shared int *p = &y[i], *q = &y[i + 5];
		shared int *to = &w[3 * i];

		x[i] = 0;
		for (int k = 0; k < 4; k++)
			x[i] += *p++ * (k + 1);
		while (*--q > 3 && q[0] < 12 && x[i] < 1000)
			x[i] += (*q) * 100;
		x[i] += sum_from(&y[i], 3);
		*to++ = i;
		*to++ = x[i];
		*to = -i;
	}
	upc_barrier;
	if (MYTHREAD == 0)
		for (int i = 0; i < N; i++)
			printf("%d %d %d %d\n", x[i], w[3 * i], w[3 * i + 1], w[3 * i + 2]);
	return 0;
}
