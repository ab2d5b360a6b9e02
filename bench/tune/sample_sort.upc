/* SPDX-License-Identifier: BSD-3-Clause */
/* The search of a sample sort: each key finds its bucket by bisection in the sorted splitters. */
#include "seconds.h"

static shared int *key, *splitter, *bucket;

static int search(shared int *s, int count, int k)
{
	int low = 0, high = count;

	while (low < high) {
		int middle = (low + high) / 2;

		if (s[middle] <= k)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4000, count = 1000;

	key = upc_all_alloc(n, sizeof(int));
	bucket = upc_all_alloc(n, sizeof(int));
	splitter = upc_all_alloc(count, sizeof(int));
	upc_forall (int i = 0; i < n; i++; &key[i])
		key[i] = MIXED(i) % 1000000;
	upc_forall (int i = 0; i < count; i++; &splitter[i])
		splitter[i] = (i + 1) * (1000000 / count);
	upc_barrier;
	double begin = seconds();
	upc_forall (int i = 0; i < n; i++; &bucket[i]) /* by hand: --variable splitter */
		bucket[i] = search(splitter, count, key[i]);
	upc_barrier;
	print_seconds(begin);
	if (MYTHREAD == 0) {
		long sum = 0;

		for (int i = 0; i < n; i++)
			sum += (long)bucket[i] * (i % 19);
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
