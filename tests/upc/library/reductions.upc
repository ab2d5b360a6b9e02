/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_all_reduce and upc_all_prefix_reduce (UPC library 7.4.3) of every type with every operation: any first element, block
 * size and number of elements, compared with the same done by one thread.
 */
#include <limits.h>
#include <upc_collective.h>

#include "../programs/check.h"

#define MOST 40

static const upc_flag_t flags[] = {0, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
	UPC_IN_NOSYNC | UPC_OUT_NOSYNC, UPC_IN_NOSYNC, UPC_OUT_NOSYNC, UPC_IN_ALLSYNC | UPC_OUT_MYSYNC,
	UPC_IN_MYSYNC | UPC_OUT_NOSYNC};
static int turn;

static const upc_op_t real_operations[] = {
	UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC};
static const upc_op_t integer_operations[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC,
	UPC_NONCOMM_FUNC, UPC_AND, UPC_OR, UPC_XOR};

/* Where arrays begin: also in the middle of a block, and not on thread 0. */
static const int counts[] = {1, 2, 7, 8, 19, MOST};
#define COUNT(a) (int)(sizeof(a) / sizeof(*(a)))

/* Returns small whole numbers, so that floating-point results are exact. */
static int number(int i, int salt)
{
	return (i * 5 + salt * 3) % 7 - (salt % 2 ? 3 : 0);
}

/* Both are associative; the second one does not commute. */
#define COMBINE(a, b) ((a) > (b) ? (a) : (b))
#define SECOND(a, b) (b)

#define BITS_1(type, op, a, b) (op == UPC_AND ? (type)(a & b) : op == UPC_OR ? (type)(a | b) : (type)(a ^ b))
#define BITS_0(type, op, a, b) 0

#define REDUCTION(suffix, type, integer)                                                                              \
	static type greater_##suffix(type a, type b)                                                                  \
	{                                                                                                             \
		return COMBINE(a, b);                                                                                 \
	}                                                                                                             \
	static type second_##suffix(type a, type b)                                                                   \
	{                                                                                                             \
		return SECOND(a, b);                                                                                  \
	}                                                                                                             \
	static type apply_##suffix(upc_op_t op, type a, type b)                                                       \
	{                                                                                                             \
		switch (op) {                                                                                         \
		case UPC_ADD:                                                                                         \
			return (type)(a + b);                                                                         \
		case UPC_MULT:                                                                                        \
			return (type)(a * b);                                                                         \
		case UPC_LOGAND:                                                                                      \
			return (type)(a && b);                                                                        \
		case UPC_LOGOR:                                                                                       \
			return (type)(a || b);                                                                        \
		case UPC_MIN:                                                                                         \
			return a < b ? a : b;                                                                         \
		case UPC_MAX:                                                                                         \
		case UPC_FUNC:                                                                                        \
			return a > b ? a : b;                                                                         \
		case UPC_NONCOMM_FUNC:                                                                                \
			return b;                                                                                     \
		default:                                                                                              \
			return BITS_##integer(type, op, a, b);                                                        \
		}                                                                                                     \
	}                                                                                                             \
	shared type result_##suffix[THREADS];                                                                         \
	shared [3] type from3_##suffix[3 * 20 * THREADS], to3_##suffix[3 * 20 * THREADS];                             \
	shared type from1_##suffix[60 * THREADS], to1_##suffix[60 * THREADS];                                         \
	shared [] type from0_##suffix[60], to0_##suffix[60];                                                          \
	static __attribute__((noinline)) void check_##suffix(shared const void *from, shared void *to, shared const type *(*at)(int, int),      \
		size_t block, int first, int count, upc_op_t op)                                                      \
	{                                                                                                             \
		type (*function)(type, type) = op == UPC_NONCOMM_FUNC ? second_##suffix                               \
					       : op == UPC_FUNC	      ? greater_##suffix                              \
								      : NULL;                                         \
		upc_flag_t how = flags[turn++ % COUNT(flags)];                                                        \
		shared type *result = &result_##suffix[turn % THREADS];                                               \
		type wanted = 0;                                                                                      \
		if (how & UPC_IN_NOSYNC)                                                                              \
			upc_barrier;                                                                                  \
		upc_all_reduce##suffix(result, from, op, count, block, function, how);                                \
		if (how & UPC_OUT_NOSYNC || how & UPC_OUT_MYSYNC)                                                     \
			upc_barrier;                                                                                  \
		for (int i = 0; i < count; i++)                                                                       \
			wanted = i ? apply_##suffix(op, wanted, *at(0, first + i)) : *at(0, first);                   \
		CHECK(*result == wanted);                                                                             \
		upc_barrier;                                                                                          \
		upc_all_prefix_reduce##suffix(to, from, op, count, block, function, how);                             \
		upc_barrier;                                                                                          \
		for (int i = 0; i < count; i++) {                                                                     \
			wanted = i ? apply_##suffix(op, wanted, *at(0, first + i)) : *at(0, first);                   \
			CHECK(*at(1, first + i) == wanted);                                                           \
		}                                                                                                     \
		upc_barrier;                                                                                          \
	}                                                                                                             \
	static shared const type *at3_##suffix(int to, int i)                                                         \
	{                                                                                                             \
		return (shared const type *)(to ? &to3_##suffix[i] : &from3_##suffix[i]);                             \
	}                                                                                                             \
	static shared const type *at1_##suffix(int to, int i)                                                         \
	{                                                                                                             \
		return to ? &to1_##suffix[i] : &from1_##suffix[i];                                                    \
	}                                                                                                             \
	static shared const type *at0_##suffix(int to, int i)                                                         \
	{                                                                                                             \
		return (shared const type *)(to ? &to0_##suffix[i] : &from0_##suffix[i]);                             \
	}                                                                                                             \
	static void test_##suffix(void)                                                                               \
	{                                                                                                             \
		const upc_op_t *operations = integer ? integer_operations : real_operations;                          \
		for (int o = 0; o < (integer ? COUNT(integer_operations) : COUNT(real_operations)); o++) {            \
			upc_forall (int i = 0; i < 60; i++; i) {                                                      \
				from3_##suffix[i] = (type)number(i, o);                                               \
				from1_##suffix[i] = (type)number(i, o + 1);                                           \
				from0_##suffix[i] = (type)number(i, o + 2);                                           \
			}                                                                                             \
			upc_barrier;                                                                                  \
			for (int c = o % 3; c < COUNT(counts); c += 3) {                                              \
				int first = (o + 4 * c) % 20;                                                         \
				check_##suffix(&from3_##suffix[first], &to3_##suffix[first], at3_##suffix, 3, first,  \
					counts[c], operations[o]);                                                    \
				check_##suffix(&from1_##suffix[first], &to1_##suffix[first], at1_##suffix, 1, first,  \
					counts[c], operations[o]);                                                    \
				check_##suffix(&from0_##suffix[first], &to0_##suffix[first], at0_##suffix, 0, first,  \
					counts[c], operations[o]);                                                    \
			}                                                                                             \
		}                                                                                                     \
	}

REDUCTION(C, signed char, 1)
REDUCTION(UC, unsigned char, 1)
REDUCTION(S, short, 1)
REDUCTION(US, unsigned short, 1)
REDUCTION(I, int, 1)
REDUCTION(UI, unsigned int, 1)
REDUCTION(L, long, 1)
REDUCTION(UL, unsigned long, 1)
REDUCTION(F, float, 0)
REDUCTION(D, double, 0)
REDUCTION(LD, long double, 0)

/* An associative function that does not commute: joins counts, and the last digits. */
static long join(long a, long b)
{
	return (a / 100 + b / 100) * 100 + (b % 100 ? b % 100 : a % 100);
}

shared [4] long digits[4 * 3 * THREADS], joined[4 * 3 * THREADS];
shared long sum;

static void in_order(void)
{
	int count = 12 * THREADS - 1;

	upc_forall (int i = 0; i < 12 * THREADS; i++; &digits[i])
		digits[i] = 100 + i % 9;
	upc_all_reduceL(&sum, digits, UPC_NONCOMM_FUNC, count, 4, join, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	long wanted = 100;
	for (int i = 0; i < count; i++)
		wanted = i ? join(wanted, 100 + i % 9) : 100;
	CHECK(sum == wanted);
	upc_all_prefix_reduceL(joined, digits, UPC_NONCOMM_FUNC, count, 4, join, 0);
	for (int i = 0; i < count; i++) {
		wanted = i ? join(wanted, 100 + i % 9) : 100;
		CHECK(joined[i] == wanted);
	}
	upc_barrier;
}

/* The phase of the first elements determines where the next ones are, on whichever thread. */
static void many(void)
{
	static shared [11] double numbers[11 * 50 * THREADS];
	static shared double total;

	upc_forall (int i = 0; i < 550 * THREADS; i++; &numbers[i])
		numbers[i] = i;
	upc_barrier;
	for (int first = 0; first < 550 * THREADS; first += 37) {
		int count = 550 * THREADS - first - first % 13;
		if (count <= 0)
			break;
		upc_all_reduceD(&total, &numbers[first], UPC_ADD, count, 11, NULL, 0);
		CHECK(total == (double)count * (2.0 * first + count - 1) / 2);
		upc_barrier;
	}
}

int main(void)
{
	test_C();
	test_UC();
	test_S();
	test_US();
	test_I();
	test_UI();
	test_L();
	test_UL();
	test_F();
	test_D();
	test_LD();
	in_order();
	many();
	return failures != 0;
}
