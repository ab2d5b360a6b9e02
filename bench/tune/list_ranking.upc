/* SPDX-License-Identifier: BSD-3-Clause */
/* List ranking by pointer jumping; the arrays change roles each round, as arguments of a function. */
#include "seconds.h"

static shared int *next, *rank, *new_next, *new_rank;

static void jump(int n, shared int *from, shared int *distance, shared int *new_from, shared int *new_distance)
{
	upc_forall (int i = 0; i < n; i++; &new_distance[i]) { /* by hand: --variable from,distance */
		new_distance[i] = distance[i] + distance[from[i]];
		new_from[i] = from[from[i]];
	}
	upc_barrier;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4000, rounds = 0;

	next = upc_all_alloc(n, sizeof(int));
	rank = upc_all_alloc(n, sizeof(int));
	new_next = upc_all_alloc(n, sizeof(int));
	new_rank = upc_all_alloc(n, sizeof(int));
	upc_forall (int p = 0; p < n; p++; p) {
		int last = p == n - 1, at = p * 1009L % n;

		next[at] = last ? at : (int)((p + 1) * 1009L % n);
		rank[at] = !last;
	}
	upc_barrier;
	double begin = seconds();
	for (int d = 1; d < n; d *= 2, rounds++) {
		if (rounds % 2)
			jump(n, new_next, new_rank, next, rank);
		else
			jump(n, next, rank, new_next, new_rank);
	}
	print_seconds(begin);
	if (MYTHREAD == 0) {
		shared int *result = rounds % 2 ? new_rank : rank;
		long sum = 0;

		for (int i = 0; i < n; i++)
			sum += (long)result[i] * (i % 13);
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
