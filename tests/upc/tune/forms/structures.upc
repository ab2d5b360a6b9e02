/* --variable g->parent,size,w->weight */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
struct forest { shared int *parent; int n; shared [2] int *size; };
struct world { struct forest trees; shared double *weight; int seen; };
static shared double sum[N];
static int root(const struct forest *f, int v)
{
	while (f->parent[v] != v)
		v = f->parent[v];
	return v;
}
static double heavy(struct world w, int v) { return w.weight[root(&w.trees, v)]; }
static int twice(struct forest *h, int v) { return root(h, root(h, v)) + h->size[v]; }
static void run(struct forest *g, struct world *w)
{
	upc_forall (int i = 0; i < g->n; i++; &sum[i]) { /* here */
		shared [2] int *row = &g->size[i];
		sum[i] = root(g, (i * 5 + 3) % N) + twice(g, i * 7 % N) + (*g).parent[(i + 1) % N] + row[i % 2 ? 0 : 1];
		sum[i] += heavy(*w, (i * 3 + 1) % N) + *(w->weight + i * 11 % N);
	}
}
static void fill(struct world *w)
{
	w->trees.parent = upc_all_alloc(N, sizeof(int));
	w->trees.size = upc_all_alloc(N / 2, 2 * sizeof(int));
	w->weight = upc_all_alloc(N, sizeof(double));
	w->trees.n = N - 1;
}
int main(void)
{
	struct world w = {0};
	fill(&w);
	upc_forall (int i = 0; i < N; i++; &w.weight[i]) {
		w.trees.parent[i] = i > 4 ? i / 2 : i;
		w.trees.size[i] = i;
		w.weight[i] = i * 0.5;
	}
	upc_barrier;
	run(&w.trees, &w);
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%g\n", sum[i]);
	return 0;
}
/* has: heddle_cache_open\(g->parent, i_chunk */
/* has: static int root_cached\(heddle_cache_t \*f_parent_cache, const struct forest \*f, int v\) */
/* has: twice_cached\(g_size_cache, g_parent_cache, g, i \* 7 % N\) */
/* has: heddle_cache_hint\(g_size_cache, i \* 7 % N\); */
