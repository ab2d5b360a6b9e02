/* --variable row */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (40 * THREADS)
static shared int table[4 * N], doubled[N];
static void fill(shared int *row, int weight)
{
	upc_forall (int i = weight; i < N; i++; &doubled[i]) /* here */
		doubled[i] = row[i - weight] * 2;
	upc_barrier;
}
static long sum(shared int *from)
{
	long all = 0;
	upc_forall (int i = 5; i < N; i++; &from[i])
		all += from[i - 5] + from[i - 4];
	return all;
}
int main(void)
{
	upc_forall (int i = 0; i < N; i++; i)
		table[i] = i * 7 % 13;
	upc_barrier;
	for (int j = 0; j < 3; j++)
		fill(table + j * N, 3 + j);
	long all = sum(table + N);
	if (MYTHREAD == 0)
		printf("%d %d\n", doubled[7], doubled[N - 1]);
	return all < 0;
}
/* has: cache_at\(row_cache, i - weight, int\) */
