/* SPDX-License-Identifier: BSD-3-Clause */
/* Connected components by union-find: smaller roots win, chains are shortened, until nothing changes. */
#include "seconds.h"

static shared int *parent, *from, *to;
static shared int changed[THREADS];

static int root(shared int *p, int v)
{
	while (p[v] != v)
		v = p[v];
	return v;
}

static int join(int m)
{
	int any = 0;

	upc_forall (int e = 0; e < m; e++; &from[e]) { /* by hand: --variable parent --policy arbitrary */
		int a = root(parent, from[e]), b = root(parent, to[e]);

		if (a < b)
			parent[b] = a;
		else if (b < a)
			parent[a] = b;
		any |= a != b;
	}
	upc_barrier;
	return any;
}

static void shorten(int n)
{
	upc_forall (int v = 0; v < n; v++; &parent[v]) { /* by hand: --variable parent --policy arbitrary */
		while (parent[v] != parent[parent[v]])
			parent[v] = parent[parent[v]];
	}
	upc_barrier;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2000, m = 2 * n, any = 1;

	parent = upc_all_alloc(n, sizeof(int));
	from = upc_all_alloc(m, sizeof(int));
	to = upc_all_alloc(m, sizeof(int));
	upc_forall (int v = 0; v < n; v++; &parent[v])
		parent[v] = v;
	upc_forall (int e = 0; e < m; e++; &from[e]) {
		from[e] = MIXED(e) % n;
		to[e] = MIXED(e + m) % (n / 2) * 2 % n;
	}
	upc_barrier;
	double begin = seconds();
	while (any) {
		changed[MYTHREAD] = join(m);
		upc_barrier;
		any = 0;
		for (int t = 0; t < THREADS; t++)
			any |= changed[t];
		upc_barrier;
		if (any)
			shorten(n);
	}
	print_seconds(begin);
	if (MYTHREAD == 0) {
		long sum = 0, roots = 0;

		for (int v = 0; v < n; v++) {
			int r = root(parent, v);

			sum += r;
			roots += r == v;
		}
		printf("%ld roots, %ld\n", roots, sum);
	}
	upc_barrier;
	return 0;
}
