/* SPDX-License-Identifier: BSD-3-Clause */
/* Possible positions of shared in a declarator, and their meanings: private and shared pointers to both kinds. */
#include "check.h"

typedef shared [3] int block_of_three;
typedef shared int (*row_pointer)[4];
typedef int plain_row[4];
typedef shared plain_row shared_row;
typedef int *shared shared_pointer;
typedef shared int *to_shared;

shared int a[12 * THREADS], *to_a = a, single;
int shared b[THREADS];
shared [2] int two[4 * THREADS], (*two_rows)[4 * THREADS] = &two;
int own = 5, *shared to_own;                                   /* shared pointer to private */
shared int *shared to_single = &single;                        /* shared to shared */
shared [2] int *shared [3] pointers[6 * THREADS];              /* blocks of 3 of pointers to blocks of 2 */
shared int *shared *shared chain = &to_single;                 /* three levels */
shared int *(*choose)(int);                                    /* a private pointer to a function */
int (*shared called)(int);                                     /* a shared pointer to a function */
shared int *table[3] = {&a[1], NULL, a + 2};                   /* private array of pointers */
const shared int constant = 3, *const to_constant = &constant; /* qualifiers on either side */
shared const volatile int both;
block_of_three threes[6 * THREADS], *to_three = threes + 4;
shared_row rows[THREADS];
row_pointer at_row = rows;
shared_pointer shared_private;
to_shared last = &a[7];
shared struct pair {
	int x;
	struct pair *own;
	shared struct pair *next;
} pair, *to_pair = &pair, pairs[2 * THREADS];
extern shared [] int later[];
static shared int hidden;
shared [] struct {
	shared [2] int *p;
	int *q;
	int plain[3];
} anonymous;

static shared int *pick(int i)
{
	return &a[i];
}

static int twice(int x)
{
	return 2 * x;
}

shared [2] int *(*find(int which))(shared [2] int *, int);

static shared [2] int *step(shared [2] int *p, int n)
{
	return p + n;
}

shared [2] int *(*find(int which))(shared [2] int *, int)
{
	return which ? step : NULL;
}

static int sum(shared int *const *list, int n)
{
	int all = 0;
	for (int i = 0; i < n; i++)
		all += list[i] != NULL ? *list[i] : 0;
	return all;
}

/* Typedefs of shared void, hidden by names of members and variables. */
typedef shared void anything, *to_anything;
typedef anything same;
static anything *kept = &a[3];
struct hides {
	anything *p;
	int anything;
};
static int all_are_equal(const same *p, anything *const q, to_anything r)
{
	return p == q && q == r;
}

static int count_anything(void)
{
	anything *const list[] = {&a[3], (same *)&a[4]};
	shared anything *first = list[0];
	struct hides hides = {first, 3};
	{
		int anything = hides.anything + 1;
		hides.anything = anything;
	}
	return all_are_equal(first, hides.p, kept) && list[1] == (anything *)&a[4] ? hides.anything : 0;
}

static int count(void)
{
	static shared int calls;
	extern shared int single;
	static shared [2] int *at = &two[3];
	return upc_phaseof(at) == 1 && &single == to_single && upc_threadof(&calls) == 0;
}

int main(void)
{
	CHECK(sizeof to_own == 8 && sizeof(to_single) == 8 && sizeof pointers == 6 * 8 * (size_t)THREADS);
	CHECK(upc_blocksizeof(pointers) == 3 && upc_blocksizeof(*pointers[0]) == 2 && upc_blocksizeof(b) == 1);
	CHECK(upc_blocksizeof(threes) == 3 && upc_phaseof(to_three) == 1 && to_three - threes == 4);
	if (MYTHREAD == 0) {
		single = 11;
		for (int i = 0; i < 12 * THREADS; i++)
			a[i] = i;
		for (int i = 0; i < 6 * THREADS; i++)
			pointers[i] = &two[i % (4 * THREADS)];
		to_own = &own;
		called = twice;
		shared_private = &own;
		pair.next = &pairs[1 % THREADS];
		pairs[1 % THREADS].x = 77;
		anonymous.p = two + 1;
		anonymous.plain[2] = 9;
		hidden = 21;
		later[1] = 4;
	}
	rows[MYTHREAD][3] = MYTHREAD;
	upc_barrier;
	CHECK(*to_single == 11 && **chain == 11 && upc_threadof(chain) == 0 && *to_a == 0 && *table[0] == 1 && sum(table, 3) == 3);
	CHECK(upc_threadof(&pointers[5]) == 1 % THREADS && pointers[5] == &two[5 % (4 * THREADS)]);
	CHECK(upc_phaseof(pointers[5]) == 5 % 2 && upc_phaseof(&pointers[5]) == 2);
	CHECK(called(4) == 8 && (*called)(1) == 2 && *last == 7);
	CHECK(constant == 3 && *to_constant == 3 && both == 0 && later[1] == 4 && hidden == 21);
	choose = pick;
	CHECK(choose(5) == &a[5] && *choose(5) == 5 && find(0) == NULL && find(1)(two, 3) == &two[3]);
	CHECK((*two_rows) + 3 == &two[3] && at_row[THREADS - 1][3] == THREADS - 1 && (*at_row)[3] == 0);
	CHECK(to_pair->next->x == 77 && pair.next == &pairs[1 % THREADS] && pair.own == NULL);
	CHECK(anonymous.p == &two[1] && anonymous.q == NULL && anonymous.plain[2] == 9 && count());
	/* Each thread has that private variable at the same address; only thread 0 may dereference these pointers. */
	if (MYTHREAD == 0)
		CHECK(*to_own == 5 && *shared_private == 5);
	shared int **pp = &to_a, ***ppp = &pp;
	(*pp)++;
	CHECK(to_a == &a[1] && **pp == 1 && ***ppp == 1 && &**ppp == &to_a);
	shared int *array[THREADS + 1];
	for (int i = 0; i <= THREADS; i++)
		array[i] = &a[i];
	CHECK(*array[THREADS] == THREADS && sizeof array == 8 * (size_t)(THREADS + 1));
	for (shared int *p = a, *end = a + 12 * THREADS; p != end; p += 4)
		CHECK(*p % 4 == 0);
	upc_barrier;
	if (MYTHREAD == THREADS - 1) {
		pointers[4]++;
		*pointers[4] = 44;
		(*pointers[4])++;
		++**chain;
		**chain += 2;
		*chain = &a[3];
	}
	upc_barrier;
	CHECK(pointers[4] == two + 4 % (4 * THREADS) + 1 && two[4 % (4 * THREADS) + 1] == 45 && single == 14 && *to_single == 3);
	CHECK(count_anything() == 4 && sizeof(anything *) == 8);
	return failures != 0;
}
shared [] int later[3];
