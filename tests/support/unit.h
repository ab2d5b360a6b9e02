/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of the in-process parts share: cmocka, and a calling thread that is measured without the full start. */
#ifndef HEDDLE_TESTS_SUPPORT_UNIT_H
#define HEDDLE_TESTS_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/host/host_functions.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/thread.h"
#include "core/tree/tree.h"
#include "tests/support/sanitizers.h"

/* Gives the calling thread a context and starts measurement, without any output. */
static inline struct heddle_thread *be_measured(void)
{
	static int prepared;
	if (!prepared) {
		heddle__clock_init();
		assert_int_equal(heddle__threads_init(), 0);
		atomic_store(&heddle__run_state, HEDDLE_RUNNING);
		prepared = 1;
	}
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	assert_non_null(thread);
	return thread;
}

/* The sum of a metric over all of a thread's slots. */
static inline uint64_t sum_of(const struct heddle_thread *thread, enum heddle_metric metric)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < heddle__slot_count(thread); i++)
		sum += heddle__slot_at(thread, i)->value[metric];
	return sum;
}

/* Returns the value of one node. Reading it does not add a slot. */
static inline uint64_t value_of(const struct heddle_thread *thread, uint32_t node, enum heddle_metric metric)
{
	for (uint32_t i = 0; i < heddle__slot_count(thread); i++) {
		if (heddle__slot_at(thread, i)->node == node)
			return heddle__slot_at(thread, i)->value[metric];
	}
	return 0;
}

/* Starts a thread that Heddle does not know. */
static inline pthread_t start_plain(void *(*routine)(void *), void *argument)
{
	pthread_t thread;
	assert_int_equal(HEDDLE_REAL(pthread_create)(&thread, NULL, routine, argument), 0);
	return thread;
}

#endif
