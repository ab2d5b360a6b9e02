/* --no-alias --variable far,p,q,now,then,level,made,to */
#include <stdio.h>
#include <upc_relaxed.h>
#define N (24 * THREADS)
struct graph { shared int *now, *then; };
struct level { int n; shared int *level; };
static shared int a[2 * N], b[2 * N], out[N];
static shared [] int *shared all[THREADS], *shared into[THREADS];
static struct level levels[3];
static shared int *get(int k) { return k ? get(k - 1) : &a[MYTHREAD]; }
static void set(shared int **r) { *r = &b[2 * MYTHREAD + 1]; }
static void swap(struct graph *g)
{
	shared int *t = g->now;
	g->now = g->then;
	g->then = t;
}
static void run(struct graph *g, shared [] int *far, shared [] int *to, shared int *p, shared int *q, int me)
{
	shared int *made;
	set(&made);
	upc_forall (int i = 0; i < N; i++; i) { /* here */
		int sum = far[i / THREADS] + p[(i * 7) % N] - q[i + 1];
		sum += levels[me].level[i * 5 % N] + made[i] * 3;
		out[i] += sum;
		g->then[N - 1 - i] = g->now[i] + sum;
		to[i / THREADS] = sum + i;
	}
}
int main(void)
{
	struct graph g;
	shared int *p = a;
	int next = (MYTHREAD + 1) % THREADS;
	g.now = upc_global_alloc(N, sizeof(int));
	g.then = upc_global_alloc(N, sizeof(int));
	if (MYTHREAD % 2) {
		p = b;
		swap(&g);
	}
	all[MYTHREAD] = upc_alloc(24 * sizeof(int));
	into[MYTHREAD] = upc_alloc(24 * sizeof(int));
	for (int k = 0; k < 3; k++)
		levels[k].level = upc_global_alloc(N, sizeof(int));
	for (int i = 0; i < N; i++) {
		g.now[i] = i * 3 + MYTHREAD;
		for (int k = 0; k < 3; k++)
			levels[k].level[i] = 100 * MYTHREAD + 10 * k + i;
	}
	upc_forall (int i = 0; i < 2 * N; i++; i) {
		a[i] = i * 11 % 64;
		b[i] = i * 13 % 64;
	}
	for (int i = 0; i < 24; i++)
		all[MYTHREAD][i] = 1000 * MYTHREAD + i;
	upc_barrier;
	run(&g, all[next], into[next], p, get(3), MYTHREAD % 3);
	upc_barrier;
	for (int t = 0; t < THREADS; t++) {
		if (t == MYTHREAD)
			for (int i = 0; i < N; i++)
				printf("%d %d %d %d\n", t, out[i], g.then[i], into[t][i % 24]);
		fflush(stdout);
		upc_barrier;
	}
	return 0;
}
