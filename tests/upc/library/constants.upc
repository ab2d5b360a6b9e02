/* SPDX-License-Identifier: BSD-3-Clause */
/* What the headers define: distinct values for #if, types, names of library parts; headers may be included repeatedly. */
#include <upc_relaxed.h>
#include <upc_types.h>
#include <upc_collective.h>
#include <upc_tick.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_strict.h>
#include <upc_relaxed.h>
#include <upc_types.h>
#include <upc_collective.h>
#include <upc_tick.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_castable.h>

#include "../programs/check.h"

#if __UPC__ != 1 || __UPC_VERSION__ != 201311L || __UPC_COLLECTIVE__ != 1 || __UPC_TICK__ != 1 || __UPC_CASTABLE__ != 1 || \
	__UPC_ATOMIC__ != 1 || __UPC_NB__ != 1
#error feature macros
#endif
#if defined(__UPC_STATIC_THREADS__) == defined(__UPC_DYNAMIC_THREADS__)
#error one of both
#endif
#ifdef __UPC_STATIC_THREADS__
#if THREADS < 1
#error THREADS is a constant for the preprocessor, too
#endif
#endif
#if UPC_MAX_BLOCK_SIZE < 65535
#error a small UPC_MAX_BLOCK_SIZE
#endif

/* The constants can be used in #if, too. */
#if UPC_IN_ALLSYNC <= 0 || UPC_IN_MYSYNC <= 0 || UPC_IN_NOSYNC <= 0 || UPC_OUT_ALLSYNC <= 0 || UPC_OUT_MYSYNC <= 0 || \
	UPC_OUT_NOSYNC <= 0 || UPC_ADD <= 0 || UPC_CHAR <= 0
#error values
#endif

static const upc_flag_t flags[] = {
	UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC, UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
static const upc_op_t operations[] = {UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX,
	UPC_GET, UPC_SET, UPC_CSWAP, UPC_SUB, UPC_INC, UPC_DEC, UPC_FUNC, UPC_NONCOMM_FUNC};
static const upc_type_t types[] = {UPC_CHAR, UPC_UCHAR, UPC_SHORT, UPC_USHORT, UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG,
	UPC_LLONG, UPC_ULLONG, UPC_INT8, UPC_UINT8, UPC_INT16, UPC_UINT16, UPC_INT32, UPC_UINT32, UPC_INT64, UPC_UINT64,
	UPC_FLOAT, UPC_DOUBLE, UPC_LDOUBLE, UPC_PTS};
#define COUNT(a) (int)(sizeof(a) / sizeof(*(a)))

/* Each flag and operation has a separate bit. */
static void bits(const int *values, int count)
{
	int all = 0;

	for (int i = 0; i < count; i++) {
		CHECK(values[i] > 0 && (values[i] & (values[i] - 1)) == 0 && !(all & values[i]));
		all |= values[i];
	}
}

static void distinct(const int *values, int count)
{
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < i; j++)
			CHECK(values[i] != values[j]);
	}
}

static int by_switch(upc_op_t operation)
{
	switch (operation) {
	case UPC_ADD:
		return 1;
	case UPC_MULT:
		return 2;
	case UPC_FUNC:
		return 3;
	default:
		return 0;
	}
}

int main(void)
{
	bits(flags, COUNT(flags));
	bits(operations, COUNT(operations));
	distinct(types, COUNT(types));
	CHECK(by_switch(UPC_FUNC) == 3);
	CHECK(_Generic((upc_flag_t)0, int: 1, default: 0) && _Generic((upc_op_t)0, int: 1, default: 0));
	CHECK(_Generic((upc_type_t)0, int: 1, default: 0) && _Generic((upc_atomichint_t)0, int: 1, default: 0));
	CHECK((upc_tick_t)-1 > 0 && sizeof(upc_tick_t) == 8);
	CHECK(_Generic(upc_threadof(NULL), size_t: 1, default: 0));
	CHECK(_Generic(THREADS, int: 1, default: 0) && _Generic(MYTHREAD, int: 1, default: 0));
	CHECK(MYTHREAD >= 0 && MYTHREAD < THREADS);
	upc_barrier;
	return failures != 0;
}
