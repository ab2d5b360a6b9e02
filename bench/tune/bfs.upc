/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search, from unvisited vertices to those of the level before; the edges are in blocks of DEGREE. */
#include "seconds.h"

#define DEGREE 8

static shared int *level;
static shared [DEGREE] int *edge;
static shared int visited[THREADS];

static int visit(int n, int depth)
{
	int found = 0;

	upc_forall (int v = 0; v < n; v++; &level[v]) { /* by hand: --variable level --policy arbitrary */
		if (level[v] >= 0)
			continue;
		for (int k = 0; k < DEGREE; k++) {
			if (level[edge[v * DEGREE + k]] == depth) {
				level[v] = depth + 1;
				found = 1;
				break;
			}
		}
	}
	upc_barrier;
	return found;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3000, any = 1;

	level = upc_all_alloc(n, sizeof(int));
	edge = upc_all_alloc(n, DEGREE * sizeof(int));
	upc_forall (int v = 0; v < n; v++; &level[v]) {
		level[v] = v ? -1 : 0;
		for (int k = 0; k < DEGREE; k++)
			edge[v * DEGREE + k] = MIXED(v * DEGREE + k) % n;
	}
	upc_barrier;
	double begin = seconds();
	for (int depth = 0; any; depth++) {
		visited[MYTHREAD] = visit(n, depth);
		upc_barrier;
		any = 0;
		for (int t = 0; t < THREADS; t++)
			any |= visited[t];
		upc_barrier;
	}
	print_seconds(begin);
	if (MYTHREAD == 0) {
		long sum = 0;

		for (int v = 0; v < n; v++)
			sum += (long)level[v] * (v % 17);
		printf("%ld\n", sum);
	}
	upc_barrier;
	return 0;
}
