/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns are those of the source, with macros and tabs in the line. */
#define WRONG(x) (x)
shared int a[10 * THREADS];
int *first(void)
{
	int n = 0;	shared int *p = a; int *q =   p; /* refuse: 37 without a cast */
	q = WRONG(WRONG(a)); /* refuse: 4 without a cast */
	undeclared = 3; /* refuse: 2 undeclared identifier */
	upc_barrier /* refuse: 2 expected ';' */
}
