/* --variable g->front,w->rank.now,from */
#include <stdio.h>
#include <string.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
typedef struct { int n; shared int *front, *next; } graph;
struct ranks { shared double *now, *then; };
struct web { struct ranks rank; int depth; };
static shared int *from, *to;
static shared int *make(int n)
{
	shared int *p = upc_all_alloc(n, sizeof(int));
	upc_forall (int i = 0; i < n; i++; i)
		p[i] = i * 5 % n;
	upc_barrier;
	return p;
}
static void exchange(shared int **x, shared int **y)
{
	shared int *t = *x;
	*x = *y;
	*y = t;
}
static void turn(graph *g, struct web *w)
{
	shared int *was;
	was = g->front;
	g->front = g->next;
	g->next = was;
	shared double *then = (w->rank).now;
	(w->rank).now = w->rank.then;
	w->rank.then = then;
	exchange(&from, &to);
}
static void run(graph *g, struct web *w)
{
	upc_forall (int i = 0; i < g->n; i++; i) { /* here */
		g->next[i] = g->front[(i * 7 + 3) % N] + w->depth;
		w->rank.then[i] = w->rank.now[(i * 5 + 1) % N] + 0.5;
		to[i] = from[(i * 11 + 1) % N] + 1;
	}
	upc_barrier;
}
int main(void)
{
	graph g = {.n = N};
	struct web w;
	memset(&w, 0, sizeof w);
	g.front = make(N);
	g.next = make(N);
	from = make(N);
	to = make(N);
	w.rank.now = upc_all_alloc(N, sizeof(double));
	w.rank.then = (shared double *)upc_all_alloc(N, sizeof(double));
	upc_forall (int i = 0; i < N; i++; i)
		w.rank.now[i] = i;
	upc_barrier;
	for (int k = 0; k < 3 && !ferror(stdout); k++) { /* a function of another file: all threads meet in the loop */
		run(&g, &w);
		turn(&g, &w);
		upc_barrier;
	}
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d %g %d\n", g.front[i], w.rank.now[i], from[i]);
	return 0;
}
