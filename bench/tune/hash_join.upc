/* SPDX-License-Identifier: BSD-3-Clause */
/* A join of two tables: the keys of one are in a hash table with open addressing, those of the other are looked up. */
#include "seconds.h"

struct row {
	int key, value;
};

static shared struct row *table;
static shared int *probe;
static shared long total[THREADS];

static int find(shared struct row *t, int size, int key)
{
	int at = MIXED(key) % size;

	while (t[at].key && t[at].key != key)
		at = at + 1 < size ? at + 1 : 0;
	return t[at].key == key ? t[at].value : 0;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10000, size = 2 * n;
	long sum = 0;

	table = upc_all_alloc(size, sizeof(struct row));
	probe = upc_all_alloc(n, sizeof(int));
	if (MYTHREAD == 0) {
		for (int key = 1; key <= n; key++) {
			int at = MIXED(key) % size;

			while (table[at].key)
				at = at + 1 < size ? at + 1 : 0;
			table[at].key = key;
			table[at].value = key * 3;
		}
	}
	upc_forall (int i = 0; i < n; i++; &probe[i])
		probe[i] = MIXED(i + 77) % (2 * n) + 1;
	upc_barrier;
	double begin = seconds();
	upc_forall (int i = 0; i < n; i++; &probe[i]) /* by hand: --variable table */
		sum += find(table, size, probe[i]);
	total[MYTHREAD] = sum;
	upc_barrier;
	print_seconds(begin);
	if (MYTHREAD == 0) {
		sum = 0;
		for (int t = 0; t < THREADS; t++)
			sum += total[t];
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
