/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of shared structures and unions; shared pointers in private and shared structures. */
#include "check.h"

#include <stddef.h>

struct inner {
	char c;
	double d[4];
};
struct node {
	int value;
	struct inner in[2];
	short tail[5];
	unsigned low : 3, high : 5;
	shared struct node *next;
	shared [2] int *blocked;
};
union both {
	long whole;
	int half[2];
	char byte[8];
};

shared struct node nodes[4 * THREADS];
shared [3] struct node grouped[6 * THREADS];
shared [2] union both unions[4 * THREADS];
shared [2] int numbers[8 * THREADS];
shared struct node one;
struct {
	shared [3] struct node *first;
	shared void *any;
	int i;
} privates;

static shared [] int *address_of(int i)
{
	return &grouped[i].value;
}

static int read(shared [] const int *p, shared void *any)
{
	return any == p ? *p : -1;
}

/* A member's address converts to a pointer to an indefinitely blocked type, wherever one is expected. */
static void check_addresses(int i)
{
	shared [] int *p, *q = &(grouped[i].value);
	shared [] short *tail = (&grouped[i])->tail, *second = grouped[i].tail + 1;
	p = q = &grouped[i].value;
	CHECK(p == address_of(i) && read(&grouped[i].value, &grouped[i].value) == i);
	CHECK(p == &grouped[i].value && &grouped[i].value == q && tail + 1 == second && *second == 10 * i + 1);
	p = i ? &grouped[i].value : NULL;
	q = i ? p : &grouped[0].value;
	CHECK(p == (i ? q : NULL) && upc_phaseof(q) == 0 && q == address_of(i));
	CHECK(*((i % 2 ? grouped[i].tail : grouped[0].tail) + 2) == (i % 2 ? 10 * i + 2 : 2));
	second = grouped[i].tail;
	CHECK(second == tail && second[4] == 10 * i + 4);
}

int main(void)
{
	int last = 6 * THREADS - 1;
	if (MYTHREAD == THREADS - 1) {
		for (int i = 0; i <= last; i++) {
			grouped[i].value = i;
			for (int k = 0; k < 4; k++)
				grouped[i].in[1].d[k] = i + k / 4.0;
			for (int k = 0; k < 5; k++)
				grouped[i].tail[k] = (short)(10 * i + k);
			grouped[i].low = (unsigned)i;
			grouped[i].high = (unsigned)(i + 1);
			grouped[i].blocked = &numbers[i];
		}
		for (int i = 0; i < 4 * THREADS; i++) {
			nodes[i].next = &nodes[(i + 1) % (4 * THREADS)];
			nodes[i].value = i;
			unions[i].half[0] = i;
			unions[i].half[1] = -i;
		}
		for (int i = 0; i < 8 * THREADS; i++)
			numbers[i] = 3 * i;
	}
	upc_barrier;
	for (int i = 0; i <= last; i++) {
		shared [3] struct node *p = &grouped[i];
		CHECK(p->value == i && p->in[1].d[3] == i + 0.75 && (*p).tail[4] == 10 * i + 4);
		CHECK(p->low == (i & 7) && p->high == ((i + 1) & 31));
		/* Inside an element, addresses are linear and indefinitely blocked. */
		shared [] short *tail = p->tail;
		shared [] double *d = &p->in[1].d[1];
		CHECK(tail[3] == 10 * i + 3 && *(tail + 1) == 10 * i + 1 && d[2] == i + 0.75 && d[-1] == i);
		CHECK(upc_threadof(&p->tail[4]) == upc_threadof(p) && upc_phaseof(d) == 0);
		CHECK(upc_addrfield(&p->in[1].d[2]) - upc_addrfield(p) == offsetof(struct node, in[1].d[2]));
		shared [] int *value = &grouped[i].value;
		CHECK(*value == i && value == &p->value && *(p->tail + 2) == 10 * i + 2);
		CHECK(p->blocked == numbers + i && p->blocked[2] == 3 * (i + 2) && upc_phaseof(p->blocked) == i % 2);
	}
	for (int i = 0; i < 4 * THREADS; i++) {
		CHECK(unions[i].half[1] == -i && unions[i].whole == (-i * (1l << 32) | i));
		shared [] int *half = unions[i].half;
		CHECK(half[1] == -i && upc_threadof(&unions[i].byte[7]) == i / 2 % THREADS);
		CHECK(unions[i].byte[0] == (char)i);
	}
	for (int i = 0; i <= last; i++)
		check_addresses(i);
	int sum = 0;
	shared struct node *at = nodes;
	do {
		sum += at->value;
		at = at->next;
	} while (at != nodes);
	CHECK(sum == 4 * THREADS * (4 * THREADS - 1) / 2 && nodes[0].next->next->value == 2 % (4 * THREADS));
	/* Whole structures. */
	struct node copy = grouped[last];
	CHECK(copy.value == last && copy.in[1].d[2] == last + 0.5 && copy.tail[0] == 10 * last);
	upc_barrier;
	if (MYTHREAD == 0) {
		copy.value = 1000;
		one = copy;
		grouped[0] = one;
		nodes[1 % THREADS] = grouped[last];
	}
	upc_barrier;
	CHECK(one.value == 1000 && grouped[0].value == 1000 && grouped[0].tail[4] == 10 * last + 4);
	CHECK(nodes[1 % THREADS].value == last);
	privates.first = grouped + 4;
	privates.any = privates.first;
	CHECK(privates.first->value == 4 && privates.any == &grouped[4] && ((shared [3] struct node *)privates.any)->value == 4);
	CHECK(upc_phaseof(privates.first) == 1 && upc_blocksizeof(grouped[0].tail) == 0);
	return failures != 0;
}
