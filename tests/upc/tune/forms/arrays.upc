/* --variable t->nodes,x */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
struct node { int weight, child[2]; };
struct tree { int root, n; shared struct node *nodes; };
static shared int x[N], y[N];
static int sum(const struct tree *t, int most)
{
	int stack[16], top = 0, all = 0;
	stack[top++] = t->root;
	while (top > 0) {
		int k = stack[--top];
		all += t->nodes[k].weight;
		for (int c = 0; c < 2; c++)
			if (t->nodes[k].child[c] < most)
				stack[top++] = t->nodes[k].child[c];
	}
	return all;
}
static void run(struct tree *t)
{
	upc_forall (int i = 0; i < t->n; i++; i) { /* here */
		int at[2][2] = {{i, 1}, {2, 3}};
		at[1][0] = i * 7 % N;
		at[i % 2][1] = at[1][0] / 2 + x[(i + 3) % N] % 2;
		y[i] = sum(t, i % 20) + x[at[1][0]] * 3 + x[at[i % 2][1]];
	}
}
int main(void)
{
	struct tree t = {.root = 1, .n = N};
	t.nodes = upc_all_alloc(N, sizeof(struct node));
	upc_forall (int i = 0; i < N; i++; i) {
		x[i] = i * 11 % 64;
		t.nodes[i].weight = i;
		t.nodes[i].child[0] = 2 * i;
		t.nodes[i].child[1] = 2 * i + 1;
	}
	upc_barrier;
	run(&t);
	upc_barrier;
	if (MYTHREAD == 0) for (int i = 0; i < N; i++) printf("%d\n", y[i]);
	return 0;
}
/* has: sum_cached\(t_nodes_cache, t, i % 20\) */
/* lacks: hint\(x_cache, at */
