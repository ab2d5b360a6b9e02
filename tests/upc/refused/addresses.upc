/* Uses of shared variables for which clang takes their addresses for private ones. */
/* options: -fopenmp */
#include <upc.h>
struct triple {
	long first, second, third;
};
shared int number; /* refuse: 1 a shared variable cannot have an alias ('other') */
extern shared int other __attribute__((alias("number")));
shared __int128 wide;
shared struct triple triple;
shared _Atomic struct triple atomic_triple;
shared _Atomic long double atomic_number;

void atomics(void)
{
	struct triple copy = atomic_triple; /* refuse: 23 must have 1, 2, 4 or 8 bytes */
	atomic_triple = copy;               /* refuse: 16 must have 1, 2, 4 or 8 bytes */
	atomic_number += 1;                 /* refuse: 16 must have 1, 2, 4 or 8 bytes */
	__atomic_load(&triple, &copy, __ATOMIC_SEQ_CST); /* refuse: 2 must have 1, 2, 4 or 8 bytes */
	__sync_fetch_and_add(&number, 1);
	__sync_fetch_and_add(&wide, 1); /* refuse: 2 must have 1, 2, 4 or 8 bytes */
}

void clauses(void)
{
#pragma omp parallel firstprivate(triple) /* refuse: 1 a clause of OpenMP cannot make a copy of a shared variable */
	triple.first++;
#pragma omp parallel for reduction(+ : number) /* refuse: 1 a clause of OpenMP cannot make a copy of a shared */
	for (int i = 0; i < 10; i++)
		number += i;
#pragma omp parallel
#pragma omp atomic
	number += 1;
}
