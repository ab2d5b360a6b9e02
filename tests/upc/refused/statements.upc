/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that do not exist in UPC, and operators on objects that are not shared. */
shared int a[10 * THREADS];
shared struct s {
	int x;
} structure;
void nothing(void);
#pragma upc strict; /* refuse: 1 nothing may follow '#pragma upc strict' */
#pragma upc relaxed
#pragma pupc off on /* refuse: 1 nothing may follow '#pragma pupc off' */
#pragma pupc on
#pragma upc stricter
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
	upc_barrier structure; /* refuse: 2 must be a number or a pointer */
	upc_notify &i;
	upc_wait a;
	upc_barrier nothing(); /* refuse: 2 must be a number or a pointer */
	const int *address = &MYTHREAD; /* refuse: 24 not a variable */
	address = 1 ? &(THREADS) : address; /* refuse: 18 not a variable */
	i = i & MYTHREAD & (THREADS);
	upc_fence 3; /* refuse: 12 expected ';' */
	upc_forall (i = 0; i < 3; i++; structure) /* refuse: 31 must be an integer or a pointer-to-shared */
		;
	upc_forall (i = 0; i < 3; i++; undeclared) /* refuse: 33 undeclared identifier */
		;
	upc_forall (i = 0; i < 3; i++; nothing()) /* refuse: 31 is incomplete */
		;
}
