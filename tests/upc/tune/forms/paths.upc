/* --variable now->next,now->rank,w->tree->nodes,w->field[0].cell,g.levels[k+1].u,levels_k_plus_1_u */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
struct node { int left, weight; };
struct tree { int root; shared struct node *nodes; };
struct field { shared [2] double *cell; };
struct world { int n; struct tree *tree; struct field field[2]; };
struct level { shared int *u, *r; };
struct grid { struct level *levels; };
struct list { shared int *next, *rank; };
static struct grid g;
static shared int *levels_k_plus_1_u;
static shared double sum[N];
static int climb(const struct tree *t, int v)
{
	while (t->nodes[v].left > t->root)
		v = t->nodes[v].left;
	return t->nodes[v].weight;
}
static double weigh(struct world *w, int v) { return climb(w->tree, v) + (*w).field[0].cell[v]; }
static void run(struct world *w, struct list *now, struct list *then, int k)
{
	upc_forall (int i = 0; i < w->n; i++; i) { /* here */
		sum[i] += weigh(w, (i * 5 + 3) % N) + w->tree->nodes[(i + 1) % N].weight;
		w->field[1].cell[i] = w->field[0].cell[(i * 11 + 1) % N];
		g.levels[k].u[i] = g.levels[k + 1].u[i / 2] + levels_k_plus_1_u[N - 1 - i];
		then->rank[i] = now->rank[i] + now->rank[now->next[i]];
		then->next[i] = now->next[now->next[i]];
	}
	upc_barrier;
}
static shared int *numbers(int factor)
{
	shared int *p = upc_all_alloc(N, sizeof(int));
	upc_forall (int i = 0; i < N; i++; i)
		p[i] = i * factor % N;
	return p;
}
int main(void)
{
	struct tree tree = {.root = 2};
	struct world world = {.n = N - 1, .tree = &tree}, *w = &world;
	struct list lists[2];
	g.levels = malloc(3 * sizeof(struct level));
	for (int k = 0; k < 3; k++)
		g.levels[k].u = numbers(k + 2);
	for (int k = 0; k < 2; k++) {
		w->field[k].cell = upc_all_alloc(N / 2, 2 * sizeof(double));
		lists[k].next = numbers(7);
		lists[k].rank = numbers(3);
	}
	levels_k_plus_1_u = numbers(5);
	tree.nodes = upc_all_alloc(N, sizeof(struct node));
	upc_forall (int i = 0; i < N; i++; i) {
		tree.nodes[i].left = i / 2;
		tree.nodes[i].weight = i;
		w->field[0].cell[i] = i * 0.5;
	}
	upc_barrier;
	for (int k = 0; k < 2; k++)
		run(w, &lists[k], &lists[1 - k], k);
	if (MYTHREAD == 0)
		for (int i = 0; i < N; i++)
			printf("%g %g %d %d %d\n", sum[i], w->field[1].cell[i], g.levels[0].u[i], lists[0].rank[i], lists[1].next[i]);
	return 0;
}
/* has: static int climb_cached\(heddle_cache_t \*t_nodes_cache, const struct tree \*t, int v\) */
/* has: heddle_cache_open\(g.levels\[k \+ 1\].u, i_chunk */
