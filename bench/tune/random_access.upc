/* SPDX-License-Identifier: BSD-3-Clause */
/* Gets at random indices, which the loop computes, like the index gather of communication benchmarks. */
#include "seconds.h"

static shared int *table, *result;

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 20000;

	table = upc_all_alloc(n, sizeof(int));
	result = upc_all_alloc(n, sizeof(int));
	upc_forall (int i = 0; i < n; i++; &table[i])
		table[i] = MIXED(i);
	upc_barrier;
	double begin = seconds();
	upc_forall (int i = 0; i < n; i++; &result[i]) /* by hand: --variable table */
		result[i] = table[MIXED(i) % n] & 0xffff;
	upc_barrier;
	print_seconds(begin);
	if (MYTHREAD == 0) {
		long sum = 0;

		for (int i = 0; i < n; i++)
			sum += (long)result[i] * (i % 29);
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
