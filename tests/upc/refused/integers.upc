/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers and pointers-to-shared do not convert to each other without a cast; only 0 is a null pointer. */
#include <upc.h>
shared int *p, **pp;
shared [2] int **pp2;
shared int a[THREADS];
shared void *v;
long l;
int i;
void takes(shared int *);
shared int *gives(void)
{
	return 3; /* refuse: 9 incompatible integer to pointer conversion */
}
void wrong(void)
{
	shared int *q = 5; /* refuse: 14 incompatible integer to pointer conversion */
	p = l; /* refuse: 4 incompatible integer to pointer conversion */
	p = a[0]; /* refuse: 4 incompatible integer to pointer conversion */
	takes(1); /* refuse: 8 incompatible integer to pointer conversion */
	l = p; /* refuse: 4 incompatible pointer to integer conversion */
	a[0] = p; /* refuse: 7 incompatible pointer to integer conversion */
	i = p == 1; /* refuse: 8 comparison between pointer and integer */
	i = l != p; /* refuse: 8 comparison between pointer and integer */
	pp = pp2; /* refuse: 5 mixes pointers to different shared types */
	i = -p; /* refuse: 6 invalid argument type */
	i = p % 2; /* refuse: 8 invalid operands */
	p = p + p; /* refuse: 8 invalid operands */
	*v; /* refuse: 2 indirection requires pointer operand */
	i = sizeof(shared void); /* refuse: 24 incomplete type */
	upc_memget(p, p, 4); /* refuse: 13 without a cast */
	upc_free(&i); /* refuse: 11 converts a private pointer */
	/* Right: */
	p = 0, p = NULL, v = (void *)0, p = (shared int *)0, takes(0), takes(NULL);
	l = (long)p, l = (long)v, i = p == 0 || v != NULL || !p;
}
