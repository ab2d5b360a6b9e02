/* SPDX-License-Identifier: BSD-3-Clause */
/* What UPC forbids for pointers-to-shared and the C compiler accepts: comparing block sizes, casting integers. */
#include <upc.h>
struct s {
	int x, y;
};
shared int cyclic[10 * THREADS], *p;
shared [2] int two[10 * THREADS], *q;
shared [] int *flat;
shared [2] struct s pairs[2 * THREADS];
shared void *v;
struct unknown;
shared struct unknown *u;
long l;
int wrong(int i)
{
	i = p == q; /* refuse: 8 different block sizes */
	i = q != p; /* refuse: 8 different block sizes */
	i = p == flat || p < flat; /* refuse: 8 different block sizes */
	i = (flat) >= (q + 1); /* refuse: 13 different block sizes */
	i = &cyclic[3] == &two[i]; /* refuse: 17 different block sizes */
	i = &cyclic[3] == &two[2] || cyclic == two; /* refuse: 17 different block sizes */
	i = (p) < &pairs[i].y; /* refuse: 10 different block sizes */
	p = (shared int *)l; /* refuse: 6 an integer cannot be converted */
	q = (shared [2] int *)3; /* refuse: 4 an integer cannot be converted */
	v = (shared void *)l; /* refuse: 6 an integer cannot be converted */
	v = 1; /* refuse: 4 an integer cannot be converted */
	v = l; /* refuse: 6 an integer cannot be converted */
	i = v == 2; /* refuse: 8 an integer cannot be converted */
	i = (int)upc_threadof(3); /* refuse: 11 an integer cannot be converted */
	i = upc_localsizeof(p); /* refuse: 6 must be shared */
	i = upc_blocksizeof(wrong); /* refuse: 6 must be shared */
	v = v + 1; /* refuse: 8 an incomplete type */
	i = v - v; /* refuse: 8 an incomplete type */
	/* Right: */
	i = p == (shared int *)q && (shared [] int *)p == flat && flat == (shared [] int *)&two[1] && v == q;
	i = &pairs[1].x == flat && flat <= &pairs[0].y && (shared [2] int *)&pairs[1].x == q && p < p + 1;
	i = v == v || v != p || v == NULL || u == u || v == u;
	return &cyclic[1] == (shared int *)two + 1 && (shared [2] int *)cyclic != two;
}
