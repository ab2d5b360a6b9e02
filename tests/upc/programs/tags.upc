/* SPDX-License-Identifier: BSD-3-Clause */
/* A tag or a member may have the same name as a typedef or an array, without a conflict. */
#include <upc.h>
#include "check.h"

typedef shared struct counter counter;
struct counter { int value; };
shared struct counter total;
shared struct counter each[THREADS];

typedef shared struct node node;
struct node { int value; node *next; };
struct node make(int value);
struct node make(int value)
{
	struct node made = {value, NULL};
	return made;
}
static struct node locals[10];
shared struct node nodes[2 * THREADS];

typedef shared [3] struct packed packed;
struct __attribute__((packed)) packed { char kind; int value; };
static struct packed three[3];
shared [2] struct __attribute__((packed)) packed pairs[2 * THREADS];

shared [2] int list[2 * THREADS];
struct lists { int list[4], nodes; };

int main(void)
{
	struct node first = make(3), more[4];
	struct lists lists = {.list = {1, 2, 3, 4}, .nodes = 5}, *p = &lists;
	if (MYTHREAD == 0)
		total.value = 42;
	each[MYTHREAD].value = MYTHREAD;
	more[1] = first;
	locals[2] = more[1];
	nodes[MYTHREAD] = locals[2];
	three[1].value = 7;
	pairs[2 * MYTHREAD + 1] = three[1];
	upc_barrier;
	CHECK(total.value == 42);
	for (int i = 0; i < THREADS; i++)
		CHECK(each[i].value == i && nodes[i].value == 3 && !nodes[i].next && pairs[2 * i + 1].value == 7);
	node *next = &nodes[THREADS - 1];
	nodes[MYTHREAD + THREADS].next = next;
	CHECK(nodes[MYTHREAD + THREADS].next->value == 3 && upc_threadof(next) == THREADS - 1u);
	CHECK(sizeof(lists.list) == 16 && sizeof p->list / sizeof p->list[0] == 4 && sizeof lists.nodes == 4);
	CHECK(upc_threadof(&pairs[1]) == 0 && upc_blocksizeof(pairs) == 2 && sizeof(struct packed) == 5);
	CHECK(upc_blocksizeof(packed) == 3 && upc_blocksizeof(list) == 2);
	return failures != 0;
}
