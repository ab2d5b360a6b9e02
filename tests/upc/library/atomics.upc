/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_atomic.h: every operation of every type, strict and relaxed; values fetched; none lost among all threads. */
#include <stdbool.h>
#include <stdint.h>
#include <upc_atomic.h>

#include "../programs/check.h"

#define ROUNDS 300

typedef void atomic_function(upc_atomicdomain_t *, void *restrict, upc_op_t, shared void *restrict, const void *restrict,
	const void *restrict);
static atomic_function *const functions[] = {upc_atomic_strict, upc_atomic_relaxed};

#define ACCESSES (UPC_GET | UPC_SET | UPC_CSWAP)
#define NUMBERS (UPC_ADD | UPC_SUB | UPC_MULT | UPC_MIN | UPC_MAX | UPC_INC | UPC_DEC)
#define BITS (UPC_AND | UPC_OR | UPC_XOR)

#define ONE(name, ...) one_##name(atomic, domain, mine, __VA_ARGS__)

#define BITS_1(name, type)                                                \
	ONE(name, UPC_AND, 12, 10, 0, 8);                           \
	ONE(name, UPC_OR, 12, 10, 0, 14);                           \
	ONE(name, UPC_XOR, 12, 10, 0, 6);                           \
	ONE(name, UPC_MULT, (type)-1, (type)-1, 0, 1);              \
	ONE(name, UPC_ADD, (type)-1, 1, 0, 0);                      \
	ONE(name, UPC_INC, (type)-1, 0, 0, 0);                      \
	ONE(name, UPC_MIN, (type)-1, 1, 0, (type)-1 < 1 ? (type)-1 : 1); \
	ONE(name, UPC_MAX, (type)-1, 1, 0, (type)-1 < 1 ? 1 : (type)-1)
#define BITS_0(name, type)                            \
	ONE(name, UPC_ADD, 1.5, 0.25, 0, 1.75); \
	ONE(name, UPC_MIN, -1, 1, 0, -1);       \
	ONE(name, UPC_CSWAP, 0.0, -0.0, 3, 3)

#define TEST(name, code, type, integer) \
	shared type target_##name[THREADS], sum_##name; \
	/* One operation by this thread alone: what it fetches, what is there afterwards. */ \
	static __attribute__((noinline)) void one_##name(atomic_function *atomic, upc_atomicdomain_t *domain, \
		shared type *mine, upc_op_t op, type before, type operand1, type operand2, type wanted) \
	{ \
		bool alone = op == UPC_GET || op == UPC_INC || op == UPC_DEC; \
		type *first = alone ? NULL : &operand1, *second = op == UPC_CSWAP ? &operand2 : NULL, fetched = 77; \
		*mine = before; \
		atomic(domain, &fetched, op, mine, first, second); \
		CHECK(fetched == before); \
		CHECK(*mine == wanted); \
		if (op == UPC_GET) \
			return; \
		*mine = before; \
		atomic(domain, NULL, op, mine, first, second); \
		CHECK(*mine == wanted); \
	} \
	static void alone_##name(atomic_function *atomic, upc_atomicdomain_t *domain) \
	{ \
		shared type *mine = &target_##name[(MYTHREAD + 1) % THREADS]; \
		ONE(name, UPC_GET, 5, 0, 0, 5); \
		ONE(name, UPC_SET, 5, 9, 0, 9); \
		ONE(name, UPC_CSWAP, 5, 5, 8, 8); \
		ONE(name, UPC_CSWAP, 5, 6, 8, 5); \
		ONE(name, UPC_ADD, 5, 3, 0, 8); \
		ONE(name, UPC_SUB, 5, 3, 0, 2); \
		ONE(name, UPC_MULT, 5, 3, 0, 15); \
		ONE(name, UPC_INC, 5, 0, 0, 6); \
		ONE(name, UPC_DEC, 5, 0, 0, 4); \
		ONE(name, UPC_MIN, 5, 3, 0, 3); \
		ONE(name, UPC_MIN, 5, 9, 0, 5); \
		ONE(name, UPC_MAX, 5, 3, 0, 5); \
		ONE(name, UPC_MAX, 5, 9, 0, 9); \
		BITS_##integer(name, type); \
	} \
	/* All at once: each of them counts. */ \
	static void together_##name(atomic_function *atomic, upc_atomicdomain_t *domain) \
	{ \
		type one = 1, two = 2, seen, next; \
		if (MYTHREAD == 0) \
			sum_##name = 0; \
		upc_barrier; \
		for (int i = 0; i < ROUNDS; i++) { \
			atomic(domain, NULL, UPC_ADD, &sum_##name, &two, NULL); \
			atomic(domain, i % 2 ? &seen : NULL, UPC_INC, &sum_##name, NULL, NULL); \
			atomic(domain, &seen, UPC_SUB, &sum_##name, &one, NULL); \
			atomic(domain, NULL, UPC_DEC, &sum_##name, NULL, NULL); \
			do { \
				atomic(domain, &seen, UPC_GET, &sum_##name, NULL, NULL); \
				type expected = seen; \
				next = expected + 1; \
				atomic(domain, &seen, UPC_CSWAP, &sum_##name, &expected, &next); \
			} while (seen + 1 != next); \
		} \
		upc_barrier; \
		CHECK(sum_##name == 2 * ROUNDS * THREADS); \
		upc_barrier; \
	} \
	static void test_##name(void) \
	{ \
		upc_op_t operations = ACCESSES | NUMBERS | (integer ? BITS : 0); \
		upc_atomicdomain_t *domain = \
			upc_all_atomicdomain_alloc(code, operations, UPC_ATOMIC_HINT_DEFAULT); \
		CHECK(domain != NULL); \
		for (int f = 0; f < 2; f++) { \
			alone_##name(functions[f], domain); \
			together_##name(functions[f], domain); \
		} \
		CHECK(upc_atomic_isfast(code, operations, &sum_##name) == upc_atomic_isfast(code, operations, NULL)); \
		upc_all_atomicdomain_free(domain); \
	}

TEST(int, UPC_INT, int, 1)
TEST(uint, UPC_UINT, unsigned int, 1)
TEST(long, UPC_LONG, long, 1)
TEST(ulong, UPC_ULONG, unsigned long, 1)
TEST(int32, UPC_INT32, int32_t, 1)
TEST(uint32, UPC_UINT32, uint32_t, 1)
TEST(int64, UPC_INT64, int64_t, 1)
TEST(uint64, UPC_UINT64, uint64_t, 1)
TEST(float, UPC_FLOAT, float, 0)
TEST(double, UPC_DOUBLE, double, 0)

/* Pointers-to-shared: fetched with thread and phase, compared without. */
shared [3] int array[6 * THREADS];
shared void *shared pointer;

static void pointers(void)
{
	upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_PTS, ACCESSES, UPC_ATOMIC_HINT_LATENCY);
	shared void *seen, *first = &array[4], *second = &array[5], *null = NULL;

	if (MYTHREAD == 0) {
		upc_atomic_strict(domain, NULL, UPC_SET, &pointer, &first, NULL);
		upc_atomic_relaxed(domain, &seen, UPC_GET, &pointer, NULL, NULL);
		CHECK(seen == first && upc_phaseof(seen) == 1 && upc_threadof(seen) == 1 % THREADS);
		upc_atomic_relaxed(domain, &seen, UPC_CSWAP, &pointer, &second, &null);
		CHECK(seen == first && pointer == first);
		upc_atomic_relaxed(domain, &seen, UPC_CSWAP, &pointer, &first, &second);
		CHECK(seen == first && pointer == second && upc_phaseof(pointer) == 2);
		upc_atomic_strict(domain, &seen, UPC_SET, &pointer, &null, NULL);
		CHECK(seen == second && pointer == NULL);
	}
	upc_barrier;
	/* Exactly one thread's swap succeeds. */
	shared void *mine = &array[MYTHREAD];
	upc_atomic_strict(domain, &seen, UPC_CSWAP, &pointer, &null, &mine);
	if (seen == NULL)
		CHECK(pointer == mine);
	upc_barrier;
	CHECK(pointer != NULL && (seen == NULL) == (pointer == mine));
	upc_barrier;
	upc_all_atomicdomain_free(domain);
	upc_all_atomicdomain_free(NULL);
}

/* Several domains at a time; a domain for a single operation; strict operations order accesses around them. */
shared int flag;
relaxed shared [] int payload[16];

static void ordered(void)
{
	upc_atomicdomain_t *sets = upc_all_atomicdomain_alloc(UPC_INT, UPC_SET | UPC_GET, UPC_ATOMIC_HINT_THROUGHPUT);
	upc_atomicdomain_t *adds = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
	CHECK(sets != adds);
	for (int round = 1; round <= 50; round++) {
		int seen = 0;
		if (MYTHREAD == 0) {
			for (int i = 0; i < 16; i++)
				payload[i] = round * 100 + i;
			upc_atomic_strict(sets, NULL, UPC_SET, &flag, &round, NULL);
		} else {
			while (seen != round)
				upc_atomic_strict(sets, &seen, UPC_GET, &flag, NULL, NULL);
			for (int i = 0; i < 16; i++)
				CHECK(payload[i] == round * 100 + i);
		}
		upc_barrier;
	}
	upc_all_atomicdomain_free(adds);
	upc_all_atomicdomain_free(sets);
}

int main(void)
{
	test_int();
	test_uint();
	test_long();
	test_ulong();
	test_int32();
	test_uint32();
	test_int64();
	test_uint64();
	test_float();
	test_double();
	pointers();
	ordered();
	return failures != 0;
}
