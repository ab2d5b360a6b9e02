/* --variable y */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
#define FAST 1
static shared int x[N], y[N], z[N];
int main(void)
{
	srand(3);
	upc_forall (int i = 0; i < N; i++; &x[i])
		y[i] = i * 7 % 5;
	upc_barrier;
	upc_forall (int i = 0; i < N; i++; &x[i]) { /* here */
		int k = (i * 5 + 1) % N;
#ifdef DEBUG
		printf("%d reads %d\n", i, y[k]);
#endif
#if FAST
		x[i] = y[k];
		if (y[k] > 100) {
			printf("%d is wrong\n", y[k]);
			exit(1);
		}
# else
		x[i] = y[k] / 2 * 2 + y[k] % 2;
#endif
		if (i % THREADS == 0)
			z[i] = rand() % N;
	}
	upc_barrier;
	if (!MYTHREAD) {
		long sum = 0;
		for (int i = 0; i < N; i++)
			sum += x[i] * i + z[i];
		printf("%ld\n", sum);
	}
	return 0;
}
/* has: heddle_cache_hint\(y_cache, k\); */
/* has: printf\("%d reads %d\\n", i, y\[k\]\); */
/* has: printf\("%d is wrong\\n", heddle_cache_at\(y_cache, k, int\)\); */
/* has: x\[i\] = y\[k\] / 2 */
/* lacks: hint.*rand */
