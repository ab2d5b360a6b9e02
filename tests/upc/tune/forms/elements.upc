/* --variable y,e,g --no-alias */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (20 * THREADS)
#define AT(k) (y + (k))
struct e { int from, to; };
static shared int x[N], y[N];
static shared [3] struct e e[N];
static shared [4] int g[N][4];
static shared int sum[THREADS];
int main(void)
{
	int j = 1;
	shared int *const p = y;
	upc_forall (int i = 0; i < N; i++; &x[i]) {
		y[i] = i * 7 % 5; e[i].from = i; e[i].to = 3; g[i][2] = i; g[i][1] = 5;
	}
	upc_barrier;
	upc_forall (int i = 0; i < N - 4; i++; &x[i]) { /* here */
		int k = i + 1;
		x[i] = *y + *(k + y) + k[y] + (y + k)[j] /* c */ * *(y + k - 1);
		*(x + i) += (&e[k])->from * (e + k)->to - e -> from + *AT(k) - *AT(j) + (k + y - j)[2];
		x[i] += *g[k] + *(*(g + k) + 2) + (*(g + k))[1] + (g + j)[k][1];
		sum[MYTHREAD] += *p + p[k];
	}
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d\n", x[i]);
	return 0;
}
/* has: \(size_t\)k - j \+ 2, int\) */
/* has: heddle_cache_at\(e_cache, 0, struct e\)\.from */
/* lacks: [^i]\(y \+ .*heddle_cache_at */
