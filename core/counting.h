/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters by call path: each thread's are read where regions begin and end and where samples land, and what came
 * since the last time is charged to one node. Without HEDDLE_METRICS nothing of this runs: thread->counting is NULL.
 */
#ifndef HEDDLE_CORE_COUNTING_H
#define HEDDLE_CORE_COUNTING_H

#include "core/thread.h"
#include "format/counter.h"

#define HEDDLE_PERF_TERMS 32 /* perf events of one thread */

/* What a thread counts with. */
struct heddle_counting {
	uint64_t last[HEDDLE_COUNTER_LIMIT]; /* up to here it is charged */
	uint64_t ticks, clock;               /* when that was read, and heddle__measured_clock then */
	struct {
		int fd; /* -1: could not be had */
		uint64_t id;
		uint32_t members; /* of the group that it leads, itself included; 0: it leads none */
	} perf[HEDDLE_PERF_TERMS];
};

/* What HEDDLE_METRICS asks for and this machine has; one line about each that it lacks. Context: init. */
void heddle__counting_init(void);

/* The counters of this process. Context: any thread, signal. */
unsigned int heddle__counters(void);
const struct heddle_counter *heddle__counter(unsigned int index);

/* "perf", "getrusage", ...: where the values come from. Context: any thread, signal. */
const char *heddle__counter_source(const struct heddle_counter *counter);

/* Begin and end of the calling thread's. Context: owner thread, inside. */
void heddle__counting_begin(struct heddle_thread *thread);
void heddle__counting_end(struct heddle_thread *thread);

/* Forget what came since the last reading. Context: owner thread, inside. */
void heddle__counting_skip(struct heddle_thread *thread);

/* The parent's events are not ours. Context: the child's only thread. */
void heddle__counting_after_fork(void);

/* Charge what came since the last reading to `node`. Context: owner thread, inside. */
void heddle__charge_counters(struct heddle_thread *thread, uint32_t node);

/*
 * The node that takes what is counted now: that of the innermost open region. Outside of all, while sampling, that of
 * the last sample. Context: owner thread, signal; any thread when frozen.
 */
uint32_t heddle__counting_node(const struct heddle_thread *thread);

/*
 * What is not yet charged of a living thread, perhaps another; false: nothing is counted. Context: any thread, signal,
 * measurement frozen.
 */
bool heddle__counting_rest(const struct heddle_thread *thread, uint64_t rest[HEDDLE_COUNTER_LIMIT]);

/* Before the innermost region changes. Context: owner thread, inside. */
static inline void heddle__count_innermost(struct heddle_thread *thread)
{
	if (__builtin_expect(thread->counting != NULL, 0) && !thread->off)
		heddle__charge_counters(thread, heddle__counting_node(thread));
}

/* Before a region or task becomes the innermost: the code that opens it was the last to run. */
void heddle__charge_opener(struct heddle_thread *thread, const struct heddle_region *opened);

static inline void heddle__count_opener(struct heddle_thread *thread, const struct heddle_region *opened)
{
	if (__builtin_expect(thread->counting != NULL, 0) && !thread->off)
		heddle__charge_opener(thread, opened);
}

/* When measuring is switched on or off for all. Context: any thread, signal. */
void heddle__count_switch(void);

#endif
