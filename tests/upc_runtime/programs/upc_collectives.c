/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares collective functions, with all flags, with the results of sequential code. */
#include "upc_program.h"

UNIT(NULL);

#define TOP 40 /* elements of a thread, at most */

static const int flags[] = {0, HUPC__IN_ALLSYNC | HUPC__OUT_ALLSYNC, HUPC__IN_MYSYNC | HUPC__OUT_MYSYNC,
	HUPC__IN_MYSYNC | HUPC__OUT_ALLSYNC, HUPC__IN_NOSYNC | HUPC__OUT_ALLSYNC, HUPC__IN_ALLSYNC | HUPC__OUT_NOSYNC,
	HUPC__IN_NOSYNC | HUPC__OUT_NOSYNC};

static int *at(upcrt_shared array, int thread, int index)
{
	return UPCRT_ADDRESS(UPCRT_POINTER(0, thread, UPCRT_OFFSET(array) + (uint64_t)index * sizeof(int)));
}

/* Returns the i-th element of a thread. */
static int seed(int thread, int index)
{
	return thread * 1000 + index + 7;
}

static upcrt_shared to, from, permutation;

static void fill(void)
{
	BARRIER();
	for (int i = 0; i < TOP * THREADS; i++) {
		*at(from, MYTHREAD, i) = seed(MYTHREAD, i);
		*at(to, MYTHREAD, i) = -1;
	}
	*at(permutation, MYTHREAD, 0) = (MYTHREAD * 2 + 1) % (THREADS | 1);
	if (THREADS % 2 == 0) /* otherwise 2 t + 1 is not a permutation */
		*at(permutation, MYTHREAD, 0) = THREADS - 1 - MYTHREAD;
	BARRIER();
}

static void check_relocations(int count, int flag)
{
	size_t bytes = (size_t)count * sizeof(int);
	int last = THREADS - 1;
	upcrt_shared of_last = from + UPCRT_POINTER(0, last, 0), to_last = to + UPCRT_POINTER(0, last, 0);

	fill();
	upc_all_broadcast(to, of_last, bytes, flag);
	BARRIER();
	for (int i = 0; i < count; i++)
		CHECK(*at(to, MYTHREAD, i) == seed(last, i));
	CHECK(*at(to, MYTHREAD, count) == -1);

	fill();
	upc_all_scatter(to, of_last, bytes, flag);
	BARRIER();
	for (int i = 0; i < count; i++)
		CHECK(*at(to, MYTHREAD, i) == seed(last, MYTHREAD * count + i));
	CHECK(*at(to, MYTHREAD, count) == -1);

	fill();
	upc_all_gather(to_last, from, bytes, flag);
	BARRIER();
	for (int i = 0; i < count * THREADS; i++)
		CHECK(*at(to, last, i) == seed(i / count, i % count));

	fill();
	upc_all_gather_all(to, from, bytes, flag);
	BARRIER();
	for (int i = 0; i < count * THREADS; i++)
		CHECK(*at(to, MYTHREAD, i) == seed(i / count, i % count));

	fill();
	upc_all_exchange(to, from, bytes, flag);
	BARRIER();
	for (int i = 0; i < count * THREADS; i++)
		CHECK(*at(to, MYTHREAD, i) == seed(i / count, MYTHREAD * count + i % count));

	fill();
	upc_all_permute(to, from, permutation, bytes, flag);
	BARRIER();
	for (int i = 0; i < count; i++)
		CHECK(*at(to, *at(permutation, MYTHREAD, 0), i) == seed(MYTHREAD, i));
	BARRIER();
}

/* Returns element i of `shared [block] int array[]`, whose first element has the given thread and phase. */
static int *element(upcrt_shared array, int block, int thread, int phase, int i)
{
	int j = i + phase, number = thread + (block ? j / block : 0);

	return at(array, number % THREADS, (number / THREADS) * block + (block ? j % block : j));
}

static upcrt_shared pointer(upcrt_shared array, int thread, int phase)
{
	return UPCRT_POINTER(phase, thread, UPCRT_OFFSET(array) + (uint64_t)phase * sizeof(int));
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int apply(int operation, int a, int b)
{
	switch (operation) {
	case HUPC__ADD:
		return a + b;
	case HUPC__MULT:
		return (int)((unsigned int)a * (unsigned int)b);
	case HUPC__AND:
		return a & b;
	case HUPC__OR:
		return a | b;
	case HUPC__XOR:
		return a ^ b;
	case HUPC__LOGAND:
		return a && b;
	case HUPC__LOGOR:
		return a || b;
	case HUPC__MIN:
		return a < b ? a : b;
	case HUPC__NONCOMM_FUNC:
		return (int)((unsigned int)a * 3u - (unsigned int)b);
	default: /* HUPC__MAX, HUPC__FUNC */
		return a > b ? a : b;
	}
}

static int wrapping_minus(int a, int b)
{
	return (int)((unsigned int)a * 3u - (unsigned int)b);
}

static void check_reduction(int operation, int count, int block, int thread, int phase, int flag)
{
	upcrt_shared source = pointer(from, thread, phase), target = pointer(to, thread, phase);
	int (*function)(int, int) = operation == HUPC__NONCOMM_FUNC ? wrapping_minus : larger;
	int expected = *element(from, block, thread, phase, 0);
	upcrt_shared result = to + UPCRT_POINTER(0, THREADS - 1, 0);

	for (int i = 1; i < count; i++)
		expected = apply(operation, expected, *element(from, block, thread, phase, i));
	BARRIER();
	upc_all_reduceI(result, source, operation, (size_t)count, (size_t)block, function, flag);
	BARRIER();
	CHECK(*(int *)UPCRT_ADDRESS(result) == expected);
	BARRIER();
	upc_all_prefix_reduceI(target, source, operation, (size_t)count, (size_t)block, function, flag);
	BARRIER();
	expected = *element(from, block, thread, phase, 0);
	CHECK(*element(to, block, thread, phase, 0) == expected);
	for (int i = 1; i < count; i++) {
		expected = apply(operation, expected, *element(from, block, thread, phase, i));
		CHECK(*element(to, block, thread, phase, i) == expected);
	}
	BARRIER();
}

static void check_reductions(int flag)
{
	static const int operations[] = {HUPC__ADD, HUPC__MULT, HUPC__AND, HUPC__OR, HUPC__XOR, HUPC__LOGAND,
		HUPC__LOGOR, HUPC__MIN, HUPC__MAX, HUPC__FUNC, HUPC__NONCOMM_FUNC};

	fill();
	for (size_t o = 0; o < sizeof(operations) / sizeof(*operations); o++) {
		int operation = operations[o];
		check_reduction(operation, 1, 1, 0, 0, flag);
		check_reduction(operation, 5, 0, THREADS - 1, 0, flag);
		check_reduction(operation, 3 * THREADS + 1, 1, THREADS / 2, 0, flag);
		check_reduction(operation, 8 * THREADS, 4, 0, 0, flag);
		check_reduction(operation, 8 * THREADS + 2, 4, THREADS - 1, 3, flag);
		check_reduction(operation, 2, 7, 0, 6, flag);
	}
}

/* For each type: a reduction and a prefix reduction over one element of each thread. */
#define X(suffix, type, kind)                                                                      \
	static void check_##suffix(void)                                                           \
	{                                                                                          \
		upcrt_shared in = upc_all_alloc((size_t)THREADS, sizeof(type));                    \
		upcrt_shared out = upc_all_alloc((size_t)THREADS, sizeof(type));                   \
		*(type *)UPCRT_ADDRESS(in + UPCRT_POINTER(0, MYTHREAD, 0)) = (type)(MYTHREAD + 1); \
		upc_all_prefix_reduce##suffix(out, in, HUPC__ADD, (size_t)THREADS, 1, NULL, 0);    \
		CHECK(*(type *)UPCRT_ADDRESS(out + UPCRT_POINTER(0, MYTHREAD, 0)) ==               \
			(type)((MYTHREAD + 1) * (MYTHREAD + 2) / 2));                              \
		BARRIER();                                                                         \
		upc_all_reduce##suffix(out, in, HUPC__MAX, (size_t)THREADS, 1, NULL, 0);           \
		CHECK(*(type *)UPCRT_ADDRESS(out) == (type)THREADS);                               \
		upc_all_free(in);                                                                  \
		upc_all_free(out);                                                                 \
	}
HUPC__REDUCTIONS(X)
#undef X

int __upcrt_user_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	to = upc_all_alloc((size_t)THREADS, TOP * (size_t)THREADS * sizeof(int));
	from = upc_all_alloc((size_t)THREADS, TOP * (size_t)THREADS * sizeof(int));
	permutation = upc_all_alloc((size_t)THREADS, sizeof(int));
	for (size_t f = 0; f < sizeof(flags) / sizeof(*flags); f++) {
		check_relocations(1, flags[f]);
		check_relocations(TOP - 1, flags[f]);
		check_reductions(flags[f]);
	}
#define X(suffix, type, kind) check_##suffix();
	HUPC__REDUCTIONS(X)
#undef X
	if (MYTHREAD == 0)
		print_line("passed");
	return 0;
}
