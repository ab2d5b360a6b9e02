/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared void *, which is an integer for the C compiler, where a number is expected; private pointers compared. */
#include <upc.h>
int array[10], *own;
shared int *p;
long number;
shared void **several;
void take(shared void *v);
shared void *give(shared void *v);
int take_long(long l);

int wrong(shared void *v)
{
	own = array + v; /* refuse: 14 without a cast */
	float f = v; /* refuse: 12 to a number */
	f = (float)v; /* refuse: 6 to a number */
	number = v; /* refuse: 11 without a cast */
	number = number + v; /* refuse: 20 without a cast */
	take_long(v); /* refuse: 12 without a cast */
	number = (v); /* refuse: 11 without a cast */
	number = give(v); /* refuse: 11 without a cast */
	number = number ? v : (shared void *)p; /* refuse: 11 without a cast */
	number = (p = v, v); /* refuse: 11 without a cast */
	number = (v = p); /* refuse: 11 without a cast */
	number = *several; /* refuse: 11 without a cast */
	v += 1; /* refuse: 4 an incomplete type */
	number = ~v; /* refuse: 11 an incomplete type */
	switch (v) { /* refuse: 2 to a number */
	default:
		break;
	}
	if (own == p) /* refuse: 10 a private pointer and a pointer-to-shared */
		return array[v]; /* refuse: 10 without a cast */
	if (own != &p[1]) /* refuse: 10 a private pointer and a pointer-to-shared */
		return number == v; /* refuse: 20 without a cast */
	return v; /* refuse: 9 without a cast */
}

int right(shared void *v)
{
	number = (long)v + (long)(v);
	take(number ? v : (shared void *)p);
	take((v));
	p = give(v);
	own = (int *)v;
	array[(int)(number % 10)] = (int)(long)v;
	return !v || v == p || v == NULL || own == (int *)p || own == (int *)&p[1] || v == give(p);
}
