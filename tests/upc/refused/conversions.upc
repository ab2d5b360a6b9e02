/* SPDX-License-Identifier: BSD-3-Clause */
/* Each line with a `refuse` comment is wrong: the comment has the column, and words of the message. */
#include <stddef.h>
shared int cyclic[10 * THREADS];
shared [5] int blocked[10 * THREADS];
shared [] int flat[10];
int own;
shared [5] int *shared pointer;
struct s {
	int x;
	shared [5] int *p;
};
shared [5] struct s structures[10 * THREADS];
void take(shared void *p);
void take_private(int *p);
shared void *give(void);

void wrong(int c, shared void *v, void *pv)
{
	int *a = cyclic; /* refuse: 7 without a cast */
	shared int *b = &own; /* refuse: 14 without a cast */
	shared int *d = blocked; /* refuse: 14 without a cast */
	shared [] int *e = blocked; /* refuse: 17 without a cast */
	shared [] int *f = structures[0].p; /* refuse: 17 without a cast */
	shared void *g = &own; /* refuse: 15 converts a private pointer */
	take(&own); /* refuse: 7 converts a private pointer */
	take(pv); /* refuse: 7 converts a private pointer */
	take_private(cyclic); /* refuse: 15 without a cast */
	take_private(v); /* refuse: 15 to a private pointer without a cast */
	int *h = give(); /* refuse: 7 to a private pointer without a cast */
	a = v; /* refuse: 4 to a private pointer without a cast */
	c = v == a; /* refuse: 8 private pointer */
	c = v < b; /* refuse: 8 have no order */
	c = blocked >= v; /* refuse: 14 have no order */
	b = c ? cyclic : a; /* refuse: 8 of private and shared */
	e = &own; /* refuse: 4 without a cast */
	e = (c++, blocked); /* refuse: 4 without a cast */
	e = (structures[0].x++, &blocked[1]); /* refuse: 4 without a cast */
	shared [5] int *shared [] *i = &pointer; /* refuse: 29 without a cast */
	shared [] int *shared [] *j = &structures[0].p; /* refuse: 28 without a cast */
	shared [5] int **k = &structures[0].p; /* refuse: 19 without a cast */
	shared [] float *l = &structures[0].x; /* refuse: 19 without a cast */
	i = &structures[0].p;
	e = c ? &structures[0].x : c > 1 ? &structures[1].x : &blocked[1]; /* refuse: 4 without a cast */
}
