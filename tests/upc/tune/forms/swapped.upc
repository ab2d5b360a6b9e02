/* --variable nx,rk */
#include <stdio.h>
#include <upc_relaxed.h>
static shared int *next, *rank, *next2, *rank2;
static void jump(int n, shared int *nx, shared int *rk, shared int *nx2, shared int *rk2)
{
	upc_forall (int i = 0; i < n; i++; &rk2[i]) { /* here */
		rk2[i] = rk[i] + rk[nx[i]];
		nx2[i] = nx[nx[i]];
	}
	upc_barrier;
}
int main(void)
{
	int n = 40 * THREADS;
	next = upc_all_alloc(n, sizeof(int));
	rank = upc_all_alloc(n, sizeof(int));
	next2 = upc_all_alloc(n, sizeof(int));
	rank2 = upc_all_alloc(n, sizeof(int));
	upc_forall (int i = 0; i < n; i++; i) {
		next[i] = i + 1 == n ? i : i + 1;
		rank[i] = i + 1 < n;
	}
	upc_barrier;
	for (int d = 1, even = 1; d < n; d *= 2, even = !even)
		if (even)
			jump(n, next, rank, next2, rank2);
		else
			jump(n, next2, rank2, next, rank);
	if (MYTHREAD == 0)
		for (int i = 0; i < n; i++)
			printf("%d %d\n", rank[i], rank2[i]);
	return 0;
}
