/* SPDX-License-Identifier: BSD-3-Clause */
/* THREADS, MYTHREAD, UPC_MAX_BLOCK_SIZE and the predefined macros, in every place where they may stand. */
#include "check.h"

#if !defined __UPC__ || __UPC__ != 1 || __UPC_VERSION__ != 201311L
#error __UPC__ and __UPC_VERSION__
#endif
#if defined __UPC_STATIC_THREADS__ == defined __UPC_DYNAMIC_THREADS__
#error one of both environments
#endif
#if UPC_MAX_BLOCK_SIZE < 65535
#error UPC_MAX_BLOCK_SIZE
#endif
#if __UPC_COLLECTIVE__ != 1 || __UPC_TICK__ != 1 || __UPC_NB__ != 1 || __UPC_ATOMIC__ != 1 || __UPC_CASTABLE__ != 1
#error libraries
#endif

shared int per_thread[THREADS];
shared [UPC_MAX_BLOCK_SIZE] char widest[UPC_MAX_BLOCK_SIZE * THREADS];
enum { LARGEST = UPC_MAX_BLOCK_SIZE };
char row[UPC_MAX_BLOCK_SIZE > 0 ? 3 : -1];

#ifdef __UPC_STATIC_THREADS__
/* With static THREADS it is an integer constant expression. */
#if THREADS < 1
#error THREADS
#endif
int private_array[THREADS];
enum { COUNT = THREADS };
struct uses {
	int member[THREADS];
	unsigned bits : THREADS;
};
shared [THREADS] int blocks[THREADS * THREADS];
shared [] int indefinite[THREADS];
static int initial = THREADS + 1;
_Static_assert(THREADS >= 1, "a constant");
shared int odd[5], plus[THREADS + 1];
#endif

static int which(int thread)
{
	int found = -1;
	for (int i = 0; i < THREADS; i++)
		found = i == thread ? i : found;
	return found;
}

int main(void)
{
	CHECK(THREADS >= 1 && MYTHREAD >= 0 && MYTHREAD < THREADS && which(MYTHREAD) == MYTHREAD);
	CHECK(sizeof(THREADS) == sizeof(int) && sizeof MYTHREAD == sizeof(int));
	CHECK(_Generic(THREADS, int: 1, default: 0) && _Generic(MYTHREAD, int: 1, default: 0));
	CHECK(-MYTHREAD <= 0 && (double)THREADS / 2 == THREADS / 2.0 && MYTHREAD % THREADS == MYTHREAD);
	CHECK(LARGEST == UPC_MAX_BLOCK_SIZE && sizeof row == 3 && upc_blocksizeof(widest) == UPC_MAX_BLOCK_SIZE);
	CHECK(sizeof widest == (size_t)UPC_MAX_BLOCK_SIZE * THREADS);
	CHECK(upc_threadof(&widest[(size_t)UPC_MAX_BLOCK_SIZE * THREADS - 1]) == THREADS - 1);
	CHECK(upc_phaseof(&widest[UPC_MAX_BLOCK_SIZE - 1]) == UPC_MAX_BLOCK_SIZE - 1);
	widest[(size_t)UPC_MAX_BLOCK_SIZE * MYTHREAD + UPC_MAX_BLOCK_SIZE - 1] = (char)(MYTHREAD + 1);
	int local[THREADS], square[THREADS][THREADS];
	local[THREADS - 1] = 5;
	square[THREADS - 1][MYTHREAD] = 6;
	CHECK(sizeof local == THREADS * sizeof(int) && local[THREADS - 1] == 5);
	CHECK(sizeof square == THREADS * sizeof local && square[THREADS - 1][MYTHREAD] == 6);
	per_thread[MYTHREAD] = MYTHREAD;
	upc_barrier;
	for (int i = 0; i < THREADS; i++) {
		CHECK(per_thread[i] == i);
		CHECK(widest[(size_t)UPC_MAX_BLOCK_SIZE * i + UPC_MAX_BLOCK_SIZE - 1] == (char)(i + 1));
	}
#ifdef __UPC_STATIC_THREADS__
	struct uses uses = {.bits = 1};
	CHECK(sizeof private_array == THREADS * sizeof(int) && COUNT == THREADS && initial == THREADS + 1);
	CHECK(sizeof uses.member == sizeof private_array && uses.bits == 1);
	CHECK(upc_blocksizeof(blocks) == THREADS && upc_blocksizeof(indefinite) == 0);
	CHECK(upc_threadof(&blocks[THREADS * MYTHREAD]) == MYTHREAD && upc_threadof(&odd[4]) == 4 % THREADS);
	CHECK(sizeof plus / sizeof plus[0] == THREADS + 1 && sizeof odd == 20);
	switch (THREADS) {
	case THREADS:
		break;
	default:
		CHECK(!"a constant");
	}
#endif
	return failures != 0;
}
