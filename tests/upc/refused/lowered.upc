/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that are detected only when types are known: the lowering reports them. */
int own[3];
shared [1000 * 1000] int product[10 * THREADS]; /* refuse: 1 UPC_MAX_BLOCK_SIZE */
shared int *initial = (shared int *)&own[1]; /* refuse: 1 a private address */
shared [2 - 4] int negative[10 * THREADS]; /* refuse: 1 negative */
struct unknown;
shared struct unknown *u, *w;
void f(shared void *v, void *pv, shared int *b, shared void *g)
{
	int i;
	b = (shared int *)&own; /* refuse: 6 a private */
	g = (shared void *)pv; /* refuse: 6 a private */
	upc_forall (i = 0; i < 3; i++; 3.5) /* refuse: 31 integer or a pointer-to-shared */
		;
	upc_forall (i = 0; i < 3; i++; own) /* refuse: 31 integer or a pointer-to-shared */
		;
	i = (int)upc_blocksizeof(own); /* refuse: 11 must be shared */
	i = (int)upc_localsizeof(i); /* refuse: 11 must be shared */
	v = v + 1; /* refuse: 8 incomplete type */
	i = b == own; /* refuse: 8 a private */
	v++; /* refuse: 3 incomplete type */
	i = v < g; /* refuse: 8 have no order */
	i = v >= 0; /* refuse: 8 have no order */
	i = u <= w; /* refuse: 8 have no order */
	i = b < (shared struct unknown *)g; /* refuse: 8 have no order */
}
