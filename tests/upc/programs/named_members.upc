/* SPDX-License-Identifier: BSD-3-Clause */
/* The address of a member converts to a pointer with an indefinite block size also where a typedef names its type. */
#include <upc.h>
#include "check.h"

struct cell { int a, m, list[3]; };
typedef struct cell cell;
typedef shared [] int *pointer;
typedef shared [4] cell *cells_pointer;
shared [4] cell cells[4 * THREADS];
pointer result(shared [4] struct cell *p);
pointer result(shared [4] struct cell *p)
{
	return &p->m;
}
static int value(pointer p)
{
	return *p;
}
int main(void)
{
	if (MYTHREAD == 0)
		for (int i = 0; i < 4 * THREADS; i++)
			cells[i] = (cell){i, 100 + i, {200 + i, 300 + i, 400 + i}};
	upc_barrier;
	int last = 4 * THREADS - 1;
	cells_pointer p = &cells[last];
	pointer initial = &cells[last].m, assigned, pointers[2] = {&p->a, &p->list[1]};
	assigned = &p->list[2];
	CHECK(*result(&cells[last]) == 100 + last && *result(p) == 100 + last);
	CHECK(*initial == 100 + last && *assigned == 400 + last);
	CHECK(*pointers[0] == last && *pointers[1] == 300 + last);
	CHECK(value(&p->m) == 100 + last && value(&cells[1].list[0]) == 201);
	assigned = MYTHREAD >= 0 ? &p->m : &p->a;
	CHECK(assigned == initial && initial == &p->m && &p->a != initial);
	assigned = p->list;
	CHECK(assigned[1] == 300 + last);
	return failures != 0;
}
