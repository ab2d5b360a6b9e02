/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters that are shared arrays are pointers, also in definitions of the old style and with a type's name. */
#include "check.h"
typedef shared[4] int row[4];
typedef shared[4] int element;
typedef shared int all[THREADS];
typedef row *row_pointer;
typedef int plain_row[4];
shared[4] int table[THREADS][4];
shared int cyclic[THREADS];
shared[] double flat[3];

int old(a, n, b, c) shared[] double a[];
int n;
shared int *b, c[];
{
	return (int)a[n] + b[n] + c[n];
}
int old_rows(n, rows, last)
int n;
shared[4] int rows[][4];
row last;
{
	return rows[n][1] + last[3];
}
static shared int *old_generic(p)
shared void *p;
{
	return (shared int *)p;
}
shared int between[THREADS];
int no_parameters();
shared int between_too[THREADS];

int prototype(row, int (*)(row), const all);
int prototype(row a, int (*f)(row), const all b)
{
	return f(a) + b[THREADS - 1];
}
/* Without names: the last word before the bounds is a type. */
typedef int number;
int unnamed(shared number [], shared[4] number [][4], shared const number [THREADS], number);
int unnamed(shared number a[], shared[4] number b[][4], shared const number c[THREADS], number d)
{
	return a[0] + b[0][1] + c[THREADS - 1] + d;
}
static int (*pointer_to_unnamed)(shared number [], shared[4] number [][4], shared const number [], number) = unnamed;
static int first(row a)
{
	return a[0];
}
static int constant(const row a, element b[], row c[2])
{
	return a[1] + b[2] + c[0][3];
}
static int pointers(row_pointer a, element *b)
{
	return (*a)[1] + b[2];
}
static int plain(shared[4] plain_row a, shared[4] plain_row b[])
{
	return a[1] + b[0][2];
}
static int moved(row a)
{
	a++;
	return *a;
}
/* clang refuses restrict on the replacement for shared void *; all other qualifiers have an effect. */
typedef shared void *const restrict fixed;
static int qualified(shared void *__restrict__ a, shared const void *const restrict b, __const__ row c,
	shared int *__restrict__ d, shared __volatile int *restrict __const e, void shared *__restrict volatile f)
{
	shared void *const restrict g = b, *const restrict h = a, *(*__restrict j) = NULL;
	fixed i = f;
	*(shared int *)a = *(shared const int *)b + c[1] + *d + *e + *(shared int *)f;
	return !j && g == b && h == a && i == f && _Generic(&g, shared void *const * : 1, default : 0);
}

/* Names in parentheses. */
static int bracketed(shared int (a)[], shared [2] int (b)[4], shared int (*c), int n)
{
	return a[n] + c[n] + upc_blocksizeof(*b);
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		table[MYTHREAD][i] = 10 * MYTHREAD + i;
	cyclic[MYTHREAD] = 100;
	if (MYTHREAD == 0)
		flat[THREADS == 1 ? 0 : 1] = 0.5;
	between[MYTHREAD] = between_too[MYTHREAD] = 1;
	upc_barrier;
	int t = THREADS - 1;
	CHECK(old(flat, 0, cyclic, cyclic) == 200);
	CHECK(old_rows(t, table, table[0]) == 10 * t + 1 + 3);
	CHECK(old_generic(&cyclic[t]) == &cyclic[t]);
	CHECK(prototype(table[t], first, cyclic) == 10 * t + 100);
	CHECK(unnamed(cyclic, table, cyclic, 1) == cyclic[0] + table[0][1] + cyclic[THREADS - 1] + 1);
	CHECK(pointer_to_unnamed == unnamed);
	CHECK(constant(table[t], table[t], &table[t]) == 30 * t + 6);
	CHECK(pointers(&table[t], table[t]) == 20 * t + 3);
	CHECK(plain(table[t], table) == 10 * t + 3);
	CHECK(moved(table[t]) == 10 * t + 1);
	CHECK(between[t] + between_too[t] == 2);
	CHECK(bracketed(cyclic, NULL, cyclic, t) == 202);
	upc_barrier;
	CHECK(qualified(&between[MYTHREAD], &cyclic[t], table[0], &cyclic[t], &cyclic[t], &cyclic[t]));
	CHECK(between[MYTHREAD] == 401);
	return failures;
}
