/* SPDX-License-Identifier: BSD-3-Clause */
/* PageRank with integers, so that sums do not depend on their order: each page gathers from pages that refer to it. */
#include "seconds.h"

#define DEGREE 8

static shared long *weight, *new_weight;

static void gather(int n, shared long *old, shared long *new, shared [DEGREE] int *edge)
{
	upc_forall (int v = 0; v < n; v++; &new[v]) { /* by hand: --variable old */
		long sum = 0;

		for (int k = 0; k < DEGREE; k++)
			sum += old[edge[v * DEGREE + k]] / DEGREE;
		new[v] = 150000 + sum * 85 / 100;
	}
	upc_barrier;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2000;
	shared [DEGREE] int *edge = upc_all_alloc(n, DEGREE * sizeof(int));

	weight = upc_all_alloc(n, sizeof(long));
	new_weight = upc_all_alloc(n, sizeof(long));
	upc_forall (int v = 0; v < n; v++; &weight[v]) {
		weight[v] = 1000000;
		for (int k = 0; k < DEGREE; k++)
			edge[v * DEGREE + k] = MIXED(v * DEGREE + k) % n;
	}
	upc_barrier;
	double begin = seconds();
	for (int round = 0; round < 4; round++) {
		gather(n, weight, new_weight, edge);
		gather(n, new_weight, weight, edge);
	}
	print_seconds(begin);
	if (MYTHREAD == 0) {
		long sum = 0;

		for (int v = 0; v < n; v++)
			sum += weight[v] * (v % 11);
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
