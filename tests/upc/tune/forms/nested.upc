/* --variable y,g,p */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (12 * THREADS)
static shared int x[N], y[N], at[N];
static shared [4] int g[N][4], h[N][4];
static shared int *p;
int main(void)
{
	p = upc_all_alloc(N, sizeof(int));
	upc_forall (int i = 0; i < N; i++; &x[i]) {
		y[i] = i * 7 % 5; at[i] = (i + 3) % (N - 8); p[i] = i;
		upc_forall (int j = 0; j < 4; j++; &x[j])
			g[i][j] = i + j;
	}
	upc_barrier;
	for (int n = 0; n < 2; n++) {
	upc_forall (int round = 0; round < 2; round++; continue) {
	upc_forall (int i = 0; i < N - 8; i++; &x[i]) { /* here */
		upc_forall (int j = 0; j < 4; j++; &y[j + 1]) { // inner
			if (j != i)
				x[i] += y[i + j] + g[at[i]][j];
			upc_forall (int k = at[i]; k < N && k < at[i] + 3; k++; continue)
				x[i] += p[k];
		}
		upc_forall (int j = 0; j < 4; j++; g[at[i]][j])
			h[i][j] = x[i];
	}
	}
	}
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d %d\n", x[i], h[i][3]);
	return 0;
}
/* has: for \(int j = 0; j < 4; j\+\+\) \{ */
/* has: upc_forall \(int j = 0; j < 4; j\+\+; &y\[j \+ 1\]\) \{ // inner */
