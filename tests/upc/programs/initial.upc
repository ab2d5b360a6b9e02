/* SPDX-License-Identifier: BSD-3-Clause */
/* Static initialization: of shared data, and of private data with addresses of shared data. */
#include "check.h"

struct pair {
	int a;
	shared [3] int *p;
	double d;
};
shared int scalar = 17;
shared double real = 2.5;
shared [] int plain[6] = {1, 2, 3};
shared [] struct pair pair = {5, NULL, 1.5};
shared [3] int blocked[10 * THREADS];
shared [4] struct pair pairs[8 * THREADS];
shared [] char text[] = "shared text";
shared [] const int odd[] = {1, 3, 5, 7, [9] = 19};
#ifdef __UPC_STATIC_THREADS__
shared [2] short table[4 * THREADS] = {10, 11, 12};
#endif
static shared [3] int *start = blocked;
static shared [3] int *fifth = &blocked[5];
static shared [3] int *table_of[] = {blocked + 1, NULL, &blocked[8]};
static shared void *any = &blocked[7];
static shared [] double *member = &pairs[6].d;
struct {
	int i;
	shared [4] struct pair *p;
	shared [] int *q;
} privates = {3, pairs + 3, &plain[2]};
shared [] int *shared pointer = &plain[4];
shared [3] int *shared [2] pointers[2 * THREADS];

static int counter(void)
{
	static shared int calls = 100;
	static shared [3] int *at = &blocked[2];
	CHECK(at == blocked + 2 && upc_phaseof(at) == 2);
	return calls;
}

int main(void)
{
	CHECK(scalar == 17 && real == 2.5 && plain[0] == 1 && plain[2] == 3 && plain[3] == 0);
	CHECK(pair.a == 5 && pair.p == NULL && pair.d == 1.5 && blocked[3] == 0);
	CHECK(text[0] == 's' && text[10] == 't' && text[11] == 0 && sizeof text == 12);
	CHECK(odd[3] == 7 && odd[4] == 0 && odd[9] == 19);
#ifdef __UPC_STATIC_THREADS__
	CHECK(table[0] == 10 && table[1] == 11 && table[2] == 12 && table[3] == 0);
#endif
	CHECK(start == &blocked[0] && fifth - start == 5 && upc_phaseof(fifth) == 2 && upc_threadof(fifth) == 1 % THREADS);
	CHECK(table_of[0] == &blocked[1] && table_of[1] == NULL && table_of[2] - start == 8);
	CHECK(any == &blocked[7] && upc_phaseof(any) == 1 && upc_threadof(any) == 2 % THREADS);
	CHECK(upc_threadof(member) == 1 % THREADS && member == &pairs[6].d);
	CHECK(privates.p == &pairs[3] && *privates.q == 3 && pointer == plain + 4);
	CHECK(counter() == 100);
	if (MYTHREAD == 0)
		pointers[1] = fifth, *pointer = 77;
	upc_barrier;
	CHECK(pointers[1] == fifth && plain[4] == 77 && upc_threadof(&pointers[1]) == 0);
	return failures != 0;
}
