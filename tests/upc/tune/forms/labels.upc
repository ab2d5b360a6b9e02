/* --variable label */
/* Labels of connected components: the smaller one wins, until nothing changes. */
/* has: heddle_cache_set\(label_cache, b, int, a\) */
#include <stdio.h>
#include <upc_relaxed.h>
#define VERTICES 120
#define EDGES 150
static shared int label[VERTICES * THREADS], from[EDGES * THREADS], to[EDGES * THREADS], more[THREADS];

static int root(shared int *p, int v)
{
	while (p[v] != v)
		v = p[v];
	return v;
}

static int join(void)
{
	int any = 0, a, b;

	upc_forall (int e = 0; e < EDGES; e++; &from[e]) { /* here */
		a = root(label, from[e]);
		b = root(label, to[e]);
		if (a < b) {
			label[b] = a;
			any = 1;
		} else if (b < a) {
			label[a] = b;
			any = 1;
		}
	}
	return any;
}

int main(void)
{
	int any = 1;

	upc_forall (int v = 0; v < VERTICES; v++; &label[v])
		label[v] = v;
	upc_forall (int e = 0; e < EDGES; e++; &from[e]) {
		from[e] = e * 31 % VERTICES;
		to[e] = (e * 17 + e / 9) % VERTICES;
	}
	upc_barrier;
	while (any) {
		more[MYTHREAD] = join();
		upc_barrier;
		any = 0;
		for (int t = 0; t < THREADS; t++)
			any |= more[t];
		upc_barrier;
	}
	if (MYTHREAD == 0)
		for (int v = 0; v < VERTICES; v++)
			printf("%d\n", root(label, v));
	return 0;
}
