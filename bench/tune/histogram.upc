/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting sort's last step: each key is put at a free place of its bucket. The loop only puts. */
#include "seconds.h"

static shared int *key, *sorted, *place;

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 40000;

	key = upc_all_alloc(n, sizeof(int));
	sorted = upc_all_alloc(n, sizeof(int));
	place = upc_all_alloc(n, sizeof(int));
	upc_forall (int i = 0; i < n; i++; &key[i]) {
		key[i] = MIXED(i) % 256;
		place[i] = (i * 7919L + 5) % n;
		sorted[i] = -1;
	}
	upc_barrier;
	double begin = seconds();
	upc_forall (int i = 0; i < n; i++; &key[i]) /* by hand: --variable sorted */
		sorted[place[i]] = key[i];
	upc_barrier;
	print_seconds(begin);
	if (MYTHREAD == 0) {
		long sum = 0;

		for (int i = 0; i < n; i += 7)
			sum += (long)sorted[i] * (i % 31);
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
