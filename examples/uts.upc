/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Search of an unbalanced tree, in UPC: threads without work steal some.
 *
 *     uts [-n UPC-THREADS] [CHILDREN-OF-ROOT [SEED]]
 *
 * A node's number of children follows from its random state alone, and some subtrees are very much larger than others.
 * Each thread works on a private stack, and moves surplus nodes to a shared one, under a lock, from which other threads
 * take them. The counts of nodes and leaves and the depth are compared with those of a serial search.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define CHUNK 16    /* nodes that are moved at once */
#define MANY 8      /* children, of one node in slightly more than MANY: the tree is almost infinite */
#define ROOM 100000 /* nodes per stack */

struct node {
	uint64_t state;
	int depth;
};

struct counts {
	uint64_t nodes, leaves, stolen;
	int depth;
};

struct stack {
	struct node *nodes;
	int size;
};

static int root_children;

/*
 * What other threads may take from each thread. `offered` is read without the lock, to see whether locking is
 * worthwhile.
 */
static shared [] struct node *shared offers[THREADS];
static shared strict int offered[THREADS];
static upc_lock_t *shared locks[THREADS];
static upc_lock_t *idle_lock;
static shared strict int idle; /* threads without work: when all are, the search is complete */

static shared struct counts results[THREADS];

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static int children_of(const struct node *node)
{
	if (node->depth == 0)
		return root_children;
	return node->state % 1000 < 1000 / MANY - 1 ? MANY : 0;
}

static void push(struct stack *stack, struct node node)
{
	if (stack->size == ROOM) {
		fputs("uts: the stack is full\n", stderr);
		upc_global_exit(1);
	}
	stack->nodes[stack->size++] = node;
}

/* Pops a node from the stack, and pushes its children. */
__attribute__((noinline)) static void visit(struct stack *stack, struct counts *counts)
{
	struct node node = stack->nodes[--stack->size];
	int children = children_of(&node);

	counts->nodes++;
	counts->leaves += children == 0;
	counts->depth = node.depth > counts->depth ? node.depth : counts->depth;
	for (int i = 1; i <= children; i++)
		push(stack, (struct node){mix(node.state + i * UINT64_C(0x9e3779b97f4a7c15)), node.depth + 1});
}

/* Offers the oldest nodes to other threads: their subtrees tend to be the largest. */
static void offer(struct stack *stack)
{
	upc_lock(locks[MYTHREAD]);
	if (offered[MYTHREAD] + CHUNK <= ROOM) {
		upc_memput(offers[MYTHREAD] + offered[MYTHREAD], stack->nodes, CHUNK * sizeof(struct node));
		offered[MYTHREAD] += CHUNK;
		stack->size -= CHUNK;
		for (int i = 0; i < stack->size; i++)
			stack->nodes[i] = stack->nodes[i + CHUNK];
	}
	upc_unlock(locks[MYTHREAD]);
}

/* Takes up to a chunk of the nodes that `victim`, possibly this thread, offers; returns their number. */
static int take(struct stack *stack, int victim)
{
	int count = 0;

	if (offered[victim] == 0)
		return 0;
	upc_lock(locks[victim]);
	count = offered[victim] < CHUNK ? offered[victim] : CHUNK;
	if (count > 0) {
		upc_memget(stack->nodes, offers[victim] + offered[victim] - count, count * sizeof(struct node));
		offered[victim] -= count;
		stack->size = count;
	}
	upc_unlock(locks[victim]);
	return count;
}

static int steal(struct stack *stack, struct counts *counts)
{
	for (int i = 1; i < THREADS; i++) {
		int count = take(stack, (MYTHREAD + i) % THREADS);

		counts->stolen += count;
		if (count > 0)
			return 1;
	}
	return 0;
}

static int change_idle(int by)
{
	int now;

	upc_lock(idle_lock);
	idle += by;
	now = idle;
	upc_unlock(idle_lock);
	return now;
}

static int any_offer(void)
{
	for (int thread = 0; thread < THREADS; thread++) {
		if (offered[thread] > 0)
			return 1;
	}
	return 0;
}

/*
 * Returns true if this thread got work before all were idle. A thread is idle only while it has no nodes, and not while
 * it steals: so when all are idle, no thread has any.
 */
static int find_work(struct stack *stack, struct counts *counts)
{
	if (take(stack, MYTHREAD) || steal(stack, counts))
		return 1;
	change_idle(1);
	while (idle < THREADS) {
		if (any_offer()) {
			change_idle(-1);
			if (steal(stack, counts))
				return 1;
			change_idle(1);
		}
	}
	return 0;
}

static struct counts search(struct stack *stack)
{
	struct counts counts = {0};

	do {
		while (stack->size > 0) {
			visit(stack, &counts);
			if (stack->size > 4 * CHUNK)
				offer(stack);
		}
	} while (find_work(stack, &counts));
	return counts;
}

static struct counts search_alone(struct stack *stack, struct node root)
{
	struct counts counts = {0};

	push(stack, root);
	while (stack->size > 0)
		visit(stack, &counts);
	return counts;
}

static int judge(struct stack *stack, struct node root)
{
	struct counts alone = search_alone(stack, root), all = {0};
	int good;

	for (int thread = 0; thread < THREADS; thread++) {
		struct counts one = results[thread];

		all.nodes += one.nodes;
		all.leaves += one.leaves;
		all.stolen += one.stolen;
		all.depth = one.depth > all.depth ? one.depth : all.depth;
	}
	good = all.nodes == alone.nodes && all.leaves == alone.leaves && all.depth == alone.depth;
	printf("uts: %d UPC threads, %lu nodes, %lu leaves, depth %d, %lu nodes stolen: %s\n", THREADS, all.nodes,
		all.leaves, all.depth, all.stolen, good ? "verified" : "WRONG");
	return good;
}

int main(int argc, char **argv)
{
	static shared int good;
	struct node root = {argc > 2 ? strtoull(argv[2], NULL, 0) : 42, 0};
	struct stack stack = {malloc(ROOM * sizeof(struct node)), 0};

	root_children = argc > 1 ? atoi(argv[1]) : 60000;
	if (stack.nodes == NULL || root_children < 0 || root_children > ROOM) {
		if (MYTHREAD == 0)
			fprintf(stderr, "usage: uts [CHILDREN-OF-ROOT [SEED]], up to %d children\n", ROOM);
		return 2;
	}
	offers[MYTHREAD] = upc_alloc(ROOM * sizeof(struct node));
	locks[MYTHREAD] = upc_global_lock_alloc();
	idle_lock = upc_all_lock_alloc();
	if (MYTHREAD == 0)
		push(&stack, root);
	upc_barrier;
	results[MYTHREAD] = search(&stack);
	upc_barrier;
	if (MYTHREAD == 0)
		good = judge(&stack, root);
	upc_barrier;
	return good ? 0 : 1;
}
