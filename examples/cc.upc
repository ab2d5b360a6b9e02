/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connected components of a random graph, in UPC.
 *
 *     cc [-n UPC-THREADS] [VERTICES [EDGES]]
 *
 * Each vertex belongs to the tree of the vertex that label[] names. Round by round, an edge between two trees grafts
 * the one with the greater root onto the other; then each vertex climbs to its root. Nothing is optimized for locality:
 * nearly all accesses are to single elements of other threads, as its profile shows, line by line. The result is
 * compared with that of a serial union-find.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

struct edge {
	int from, to;
};

static int vertices, edges;
static shared struct edge *edge;
static shared int *label; /* a vertex of the same tree, never greater than the vertex itself */
static shared int *above; /* what a root was last grafted onto; not used by the algorithm */

/* Depends on `index` only: the graph is the same for any number of threads. */
static int random_vertex(uint64_t index)
{
	uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (int)((z ^ z >> 31) % (uint64_t)vertices);
}

static int any(int mine)
{
	static shared int parts[THREADS], sum;

	parts[MYTHREAD] = mine;
	upc_all_reduceI(&sum, parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return sum != 0;
}

/*
 * Threads may write the label of one root at the same time. Any of these grafts is valid: edges whose grafts were lost
 * are found again in the next round.
 */
static int graft(void)
{
	int grafted = 0;

	upc_forall (int i = 0; i < edges; i++; &edge[i]) {
		int from = label[edge[i].from];
		int to = label[edge[i].to];

		if (from < to) {
			label[to] = from;
			above[to] = from;
			grafted = 1;
		} else if (to < from) {
			label[from] = to;
			above[from] = to;
			grafted = 1;
		}
	}
	return grafted;
}

static void climb(void)
{
	upc_forall (int i = 0; i < vertices; i++; &label[i]) {
		while (label[i] != label[label[i]])
			label[i] = label[label[i]];
	}
}

static int root(const int *parent, int vertex)
{
	while (parent[vertex] != vertex)
		vertex = parent[vertex];
	return vertex;
}

/*
 * Returns the number of components; 0 if a label differs from that of a serial union-find, which each thread computes.
 * Roots are the least vertices of their components, as above.
 */
static int verified_components(void)
{
	int *parent = malloc(sizeof *parent * vertices);
	int count = 0, bad = parent == NULL;

	for (int i = 0; i < vertices && parent != NULL; i++)
		parent[i] = i;
	for (int i = 0; i < edges && parent != NULL; i++) {
		int from = root(parent, random_vertex(2 * (uint64_t)i));
		int to = root(parent, random_vertex(2 * (uint64_t)i + 1));

		parent[from < to ? to : from] = from < to ? from : to;
	}
	for (int i = 0; i < vertices && parent != NULL; i++) {
		count += parent[i] == i;
		bad |= (int)upc_threadof(&label[i]) == MYTHREAD && label[i] != root(parent, i);
	}
	free(parent);
	return any(bad) ? 0 : count;
}

int main(int argc, char **argv)
{
	int go_on, components;

	vertices = argc > 1 ? atoi(argv[1]) : 100000;
	edges = argc > 2 ? atoi(argv[2]) : 4 * vertices;
	if (vertices < 1 || edges < 0) {
		if (MYTHREAD == 0)
			fputs("usage: cc [VERTICES [EDGES]]\n", stderr);
		return 2;
	}
	edge = upc_all_alloc(edges + 1, sizeof(struct edge));
	label = upc_all_alloc(vertices, sizeof(int));
	above = upc_all_alloc(vertices, sizeof(int));
	upc_forall (int i = 0; i < edges; i++; &edge[i]) {
		edge[i].from = random_vertex(2 * (uint64_t)i);
		edge[i].to = random_vertex(2 * (uint64_t)i + 1);
	}
	upc_forall (int i = 0; i < vertices; i++; &label[i]) {
		label[i] = i;
		above[i] = i;
	}
	upc_barrier;
	do {
		go_on = any(graft());
		climb();
		upc_barrier;
	} while (go_on);
	components = verified_components();
	if (MYTHREAD == 0)
		printf("cc: %d UPC threads, %d vertices, %d edges, %d components: %s\n", THREADS, vertices, edges,
			components, components > 0 ? "verified" : "WRONG");
	return components > 0 ? 0 : 1;
}
