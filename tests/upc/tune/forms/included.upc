/* --variable x,y */
#include <stdio.h>
#include <upc_relaxed.h>
#include "included.h"
#define N (24 * THREADS)
static shared unsigned x[N], y[N];
static shared double sum[N];
static unsigned look(unsigned i) { return y[mixed(i) % N]; }
static void run(void)
{
	upc_forall (int i = 0; i < N; i++; i) { /* here */
		unsigned k = mixed(i + 3) % N;
		sum[i] = halved(x[k]) + look(i);
	}
}
int main(void)
{
	upc_forall (int i = 0; i < N; i++; i)
		x[i] = y[i] = mixed(i);
	upc_barrier;
	run();
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%g\n", sum[i]);
	return 0;
}
/* has: heddle_cache_hint\(x_cache, k\); */
