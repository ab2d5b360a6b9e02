/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions on pointers-to-shared (UPC library 7.2.3): thread, phase, address field, reset of the phase, sizes. */
#include "../programs/check.h"

shared int cyclic[4 * THREADS];
shared [5] short blocked[11 * THREADS];
shared [] double indefinite[20];
shared [3] struct three {
	char bytes[3];
} odd[7 * THREADS];
shared int scalar;
shared [*] long whole[6 * THREADS];

static void static_arrays(void)
{
	for (int i = 0; i < 4 * THREADS; i++) {
		CHECK(upc_threadof(&cyclic[i]) == i % THREADS);
		CHECK(upc_phaseof(&cyclic[i]) == 0);
		CHECK(upc_addrfield(&cyclic[i]) - upc_addrfield(&cyclic[i % THREADS]) == i / THREADS * sizeof(int));
	}
	for (int i = 0; i < 11 * THREADS; i++) {
		CHECK(upc_threadof(&blocked[i]) == i / 5 % THREADS);
		CHECK(upc_phaseof(&blocked[i]) == i % 5);
		CHECK(upc_addrfield(&blocked[i]) - upc_addrfield(&blocked[0]) ==
			(i / (5 * THREADS) * 5 + i % 5) * sizeof(short));
	}
	for (int i = 0; i < 20; i++) {
		CHECK(upc_threadof(&indefinite[i]) == 0);
		CHECK(upc_phaseof(&indefinite[i]) == 0);
		CHECK(upc_addrfield(&indefinite[i]) - upc_addrfield(&indefinite[0]) == i * sizeof(double));
	}
	for (int i = 0; i < 7 * THREADS; i++) {
		CHECK(upc_threadof(&odd[i]) == i / 3 % THREADS);
		CHECK(upc_phaseof(&odd[i]) == i % 3);
	}
	for (int i = 0; i < 6 * THREADS; i++) {
		CHECK(upc_threadof(&whole[i]) == i / 6);
		CHECK(upc_phaseof(&whole[i]) == i % 6);
	}
	CHECK(upc_threadof(&scalar) == 0 && upc_phaseof(&scalar) == 0);
}

static void null_pointers(void)
{
	shared [5] short *null = NULL;

	CHECK(upc_threadof(NULL) == 0 && upc_threadof(null) == 0);
	CHECK(upc_phaseof(NULL) == 0 && upc_phaseof(null) == 0);
	CHECK(upc_resetphase(null) == NULL);
	CHECK(upc_addrfield(NULL) == upc_addrfield(null));
}

/* The generic pointer keeps thread and phase; a cast to another block size resets it (6.4.3). */
static void phases(void)
{
	shared [5] short *at = &blocked[8];
	shared void *generic = at;

	CHECK(upc_phaseof(generic) == 3 && upc_threadof(generic) == 1 % THREADS);
	shared [5] short *reset = upc_resetphase(at);
	CHECK(upc_phaseof(reset) == 0);
	CHECK(upc_threadof(reset) == upc_threadof(at));
	CHECK(upc_addrfield(reset) == upc_addrfield(at));
	CHECK(upc_phaseof((shared [4] short *)at) == 0);
	CHECK(upc_phaseof((shared [] short *)at) == 0);
	CHECK(upc_phaseof((shared short *)at) == 0);
	CHECK((shared [] short *)reset == (shared [] short *)at);
	/* From phase zero, a whole block follows. */
	CHECK(upc_threadof(reset + 4) == upc_threadof(at));
	CHECK(upc_threadof(reset + 5) == (upc_threadof(at) + 1) % THREADS);
	CHECK(upc_phaseof(reset + 5) == 0);
	const shared [5] short *constant = at;
	CHECK(upc_phaseof(upc_resetphase(constant)) == 0);
	CHECK(upc_phaseof(upc_resetphase(generic)) == 0 && upc_phaseof(generic) == 3);
}

/* Computes the size by counting elements one by one. */
static size_t counted(size_t total, size_t block, size_t thread)
{
	size_t bytes = 0;

	for (size_t i = 0; i < total; i++)
		bytes += block ? i / block % THREADS == thread : thread == 0;
	return bytes;
}

static void sizes(void)
{
	static const size_t blocks[] = {0, 1, 2, 3, 4, 7, 8, 64, 1000};

	for (int b = 0; b < sizeof(blocks) / sizeof(*blocks); b++) {
		for (size_t total = 0; total < 70; total++) {
			size_t sum = 0;
			for (size_t t = 0; t < THREADS; t++) {
				CHECK(upc_affinitysize(total, blocks[b], t) == counted(total, blocks[b], t));
				sum += upc_affinitysize(total, blocks[b], t);
			}
			CHECK(sum == total);
		}
	}
	/* The sizes of declared arrays, queried as described in 7.2.3.5. */
	CHECK(upc_affinitysize(sizeof(cyclic), sizeof(int), MYTHREAD) == 4 * sizeof(int));
	CHECK(upc_affinitysize(sizeof(whole), 6 * sizeof(long), MYTHREAD) == 6 * sizeof(long));
	CHECK(upc_affinitysize(sizeof(indefinite), 0, MYTHREAD) == (MYTHREAD ? 0 : 20 * sizeof(double)));
	CHECK(upc_affinitysize((size_t)1 << 60, (size_t)1 << 20, THREADS - 1) >= ((size_t)1 << 60) / THREADS - (1 << 20));
}

int main(void)
{
	static_arrays();
	null_pointers();
	phases();
	sizes();
	upc_barrier;
	return failures != 0;
}
