/* --variable level */
/* Breadth-first search: what others write in the same round changes no comparison. */
/* has: heddle_cache_at\(level_cache, edge\[v \* 3 \+ k\], int\) == depth */
#include <stdio.h>
#include <upc_relaxed.h>
#define VERTICES 200
static shared int level[VERTICES * THREADS];
static shared [3] int edge[3 * VERTICES * THREADS];
static shared int found[THREADS];

static int visit(int depth)
{
	int any = 0;

	upc_forall (int v = 0; v < VERTICES; v++; &level[v]) { /* here */
		if (level[v] >= 0)
			continue;
		for (int k = 0; k < 3; k++)
			if (level[edge[v * 3 + k]] == depth) {
				level[v] = depth + 1;
				any = 1;
				break;
			}
	}
	return any;
}

int main(void)
{
	int more = 1;

	upc_forall (int v = 0; v < VERTICES; v++; &level[v]) {
		level[v] = v ? -1 : 0;
		for (int k = 0; k < 3; k++)
			edge[v * 3 + k] = (v * (k + 5) + 17 * k + v / 7) % VERTICES;
	}
	upc_barrier;
	for (int depth = 0; more; depth++) {
		found[MYTHREAD] = visit(depth);
		upc_barrier;
		more = 0;
		for (int t = 0; t < THREADS; t++)
			more |= found[t];
		upc_barrier;
	}
	if (MYTHREAD == 0)
		for (int v = 0; v < VERTICES; v++)
			printf("%d\n", level[v]);
	return 0;
}
