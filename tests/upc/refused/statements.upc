/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that UPC doesn't have, and operators on what isn't shared. */
shared int a[10 * THREADS];
void f(void)
{
	int i;
	upc_forall (i = 0; i < 3; i++) /* refuse: 31 needs three ';' */
		;
	upc_forall (i = 0; i < 3; i++; i; i) /* refuse: 34 needs three ';' */
		;
	upc_forall i; /* refuse: 13 expected '(' */
	upc_forall (i = 0; i < 3; i++; continue i) /* refuse: 42 expected ')' */
		;
}
