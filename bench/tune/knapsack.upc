/* SPDX-License-Identifier: BSD-3-Clause */
/* The knapsack problem: a row of the table of values for each item, computed from the row before. */
#include "seconds.h"

static shared int *total;

static void add_item(int capacity, int row, int weight, int value)
{
	int next = row + capacity + 1;

	upc_forall (int c = 0; c < weight; c++; &total[row + c])
		total[next + c] = total[row + c];
	upc_forall (int c = weight; c <= capacity; c++; &total[row + c]) { /* by hand: --variable total --policy arbitrary */
		int with = total[row + c - weight] + value;

		total[next + c] = total[row + c] > with ? total[row + c] : with;
	}
	upc_barrier;
}

int main(int argc, char **argv)
{
	int capacity = argc > 1 ? atoi(argv[1]) : 2000, items = 8;

	total = upc_all_alloc((size_t)(items + 1) * (capacity + 1), sizeof(int));
	upc_forall (int c = 0; c <= capacity; c++; c)
		total[c] = 0;
	upc_barrier;
	double begin = seconds();
	for (int i = 0; i < items; i++)
		add_item(capacity, i * (capacity + 1), 3 + MIXED(i) % 400, 1 + MIXED(i + 100) % 1000);
	print_seconds(begin);
	if (MYTHREAD == 0) {
		long sum = 0;

		for (int c = 0; c <= capacity; c++)
			sum += (long)total[items * (capacity + 1) + c] * (c % 23);
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
