/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a UPC thread in a Berkeley UPC program (compiled with --inst --inst-functions), with Berkeley's
 * numbers. */
#ifndef HEDDLE_TESTS_GASP_STREAM_BERKELEY_H
#define HEDDLE_TESTS_GASP_STREAM_BERKELEY_H

#include "stream.h"

#define BOTH(number, file, line, shape, a, b)                   \
	{number, GASP_START, file, line, shape, a, b, NULL},    \
	{                                                       \
		number, GASP_END, file, line, shape, a, b, NULL \
	}

/* Before user_main; sent by the run-time system. */
static const struct step berkeley_startup[] = {
	BOTH(1002, "_STARTUP", 0, SIZES, 4, 64),
	BOTH(1100, "_STARTUP", 0, INTS, 0, 0),
	BOTH(1101, "_STARTUP", 0, INTS, 0, 0),
};

static const struct step berkeley_main[] = {
	{1023, GASP_START, "cg.upc", 20, NAME, 0, 0, "user_main"},
	{1011, GASP_START, "cg.upc", 22, NOTHING, 0, 0, NULL},
	{1011, GASP_END, "cg.upc", 22, POINTER, 0, 0, NULL},
	{1023, GASP_START, "cg.upc", 40, NAME, 0, 0, "solve"},
	BOTH(1111, "cg.upc", 57, ACCESS, 8, 0),
	BOTH(1111, "cg.upc", 57, ACCESS, 8, 0),
	BOTH(1110, "cg.upc", 31, ACCESS, 4, 0), /* lines are not in order */
	BOTH(1030, "(unknown)", 0, COPY, 4096, 0),
	BOTH(1031, NULL, 0, COPY, 512, 0),
	{1400, GASP_START, "cg.upc", 60, NOTHING, 0, 0, NULL},
	BOTH(1100, "cg.upc", 60, INTS, 0, 0),
	BOTH(1101, "cg.upc", 60, INTS, 0, 0),
	BOTH(1000, "cg.upc", 60, ALLOCATED, 128, 0),
	BOTH(1003, "cg.upc", 60, POINTER, 0, 0),
	{1400, GASP_END, "cg.upc", 60, NOTHING, 0, 0, NULL},
	BOTH(1100, "cg.upc", 63, INTS, 1, 7),
	BOTH(1101, "cg.upc", 63, INTS, 1, 7),
	{1023, GASP_END, "cg.upc", 65, NAME, 0, 0, "solve"},
	{1023, GASP_END, "cg.upc", 25, NAME, 0, 0, "user_main"},
};

/* The events inside a lock's allocation, on thread 0. */
static const struct step berkeley_lock[] = {
	{1011, GASP_START, "cg.upc", 24, NOTHING, 0, 0, NULL},
	BOTH(1000, "cg.upc", 24, ALLOCATED, 64, 0),
	{1011, GASP_END, "cg.upc", 24, POINTER, 0, 0, NULL},
};

static const struct step berkeley_exit[] = {
	{1210, GASP_START, "_FINAL_BARRIER", 0, INTS, 0, 0, NULL},
	BOTH(1100, "_FINAL_BARRIER", 0, INTS, 0, 0),
	BOTH(1101, "_FINAL_BARRIER", 0, INTS, 0, 0),
	{1210, GASP_END, "_FINAL_BARRIER", 0, INTS, 0, 0, NULL},
};

/* The start-up barrier of threads in one process. */
static void (*berkeley_barrier)(void);

static inline void berkeley_thread(int mythread)
{
	gasp_context_t context = init_upc();
	unsigned int step = gasp_create_event(context, "step", "step=%d");
	REQUIRE(step >= 100 && step <= 999);
	PLAY(context, berkeley_startup, 0);
	if (berkeley_barrier)
		berkeley_barrier();
	struct step user[] = {
		{step, GASP_START, "cg.upc", 21, INTS, 5, 0, NULL}, {step, GASP_END, "cg.upc", 24, INTS, 5, 0, NULL}};
	play_step(context, &user[0], user[0].file, 1);
	if (mythread == 0)
		PLAY(context, berkeley_lock, 0);
	PLAY(context, berkeley_main, 0);
	play_step(context, &user[1], user[1].file, 1);
	PLAY(context, berkeley_exit, 0);
}

/* Expects the profile of `threads` such threads. */
static inline void berkeley_expect(int threads)
{
	EXPECT("visits", "GASP_UPC_ALL_ALLOC @_STARTUP:0", threads);
	EXPECT("visits", "GASP_UPC_NOTIFY @_STARTUP:0", threads);
	EXPECT("visits", "step", threads);
	EXPECT_VALUES("step", 1, (uint64_t)threads, 5, 5, 5 * threads);
	EXPECT("visits", "step;user_main;solve", threads);
	EXPECT("visits", "step;user_main;solve;GASP_UPC_GET @cg.upc:57", 2 * threads);
	EXPECT("bytes-got", "step;user_main;solve;GASP_UPC_GET @cg.upc:57", 16 * threads);
	EXPECT("bytes-put", "step;user_main;solve;GASP_UPC_PUT @cg.upc:31", 4 * threads);
	EXPECT("bytes-got", "step;user_main;solve;GASP_UPC_MEMGET @(unknown):0", 4096 * threads);
	EXPECT("bytes-put", "step;user_main;solve;GASP_UPC_MEMPUT", 512 * threads);
	/* Nested library events: exclusive, and inclusive. */
	EXPECT("visits", "step;GASP_UPC_ALL_LOCK_ALLOC @cg.upc:24", 1);
	EXPECT("visits", "step;GASP_UPC_ALL_LOCK_ALLOC @cg.upc:24;GASP_UPC_ALLOC @cg.upc:24", 1);
	EXPECT("visits", "step;user_main;GASP_UPC_ALL_LOCK_ALLOC @cg.upc:22", threads);
	EXPECT("visits", "*GASP_UPC_ALL_LOCK_ALLOC*", threads + 2);
	EXPECT("visits", "step;user_main;solve;GASP_UPC_ALL_REDUCE @cg.upc:60", threads);
	EXPECT("visits", "step;user_main;solve;GASP_UPC_ALL_REDUCE @cg.upc:60;*", 4 * threads);
	EXPECT("shared-bytes", "*GASP_UPC_ALL_REDUCE*;GASP_UPC_ALLOC @cg.upc:60", 128 * threads);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @_FINAL_BARRIER:0", threads);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @_FINAL_BARRIER:0;GASP_UPC_WAIT @_FINAL_BARRIER:0", threads);
	/* 3 + 1 + 2 functions + lock + 2 gets, 3 accesses + reduce and 4 + barrier 2 + exit 3, and the lock of thread 0
	 */
	EXPECT("visits", "*", 22 * threads + 2);
	EXPECT_GENERATED("*", 0);
}

#endif
