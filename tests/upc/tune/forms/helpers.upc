/* --variable g->dist,old */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
#define SWAP(T, a, b) do { T tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)
typedef struct graph { int n; shared int *dist, *next; } graph;
static shared double *rank, *rank_new;
static void new_ints(shared int **p, int n)
{
	*p = upc_all_alloc(n, sizeof(int));
	upc_forall (int i = 0; i < n; i++; i)
		(*p)[i] = i * 7 % n;
	upc_barrier;
}
static graph *new_graph(int n)
{
	graph *g = malloc(sizeof *g);
	*g = (graph){0};
	g->n = n;
	new_ints(&g->dist, n);
	new_ints(&(g->next), n);
	return g;
}
static void run(graph *g)
{
	shared double *old = rank, *new = rank_new;
	upc_forall (int i = 0; i < g->n; i++; i) { /* here */
		g->next[i] = g->dist[(i * 5 + 1) % N] + 1;
		new[i] = old[(i * 11 + 1) % N] / 2;
	}
	upc_barrier;
	SWAP(shared double *, rank, rank_new);
	SWAP(shared int *, g->dist, g->next);
	upc_barrier;
}
int main(void)
{
	graph *g = new_graph(N);
	rank = upc_all_alloc(N, sizeof(double));
	rank_new = upc_all_alloc(N, sizeof(double));
	upc_forall (int i = 0; i < N; i++; i)
		rank[i] = i;
	upc_barrier;
	for (int k = 0; k < 3; k++)
		run(g);
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d %g\n", g->dist[i], rank[i]);
	return 0;
}
