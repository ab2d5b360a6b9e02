/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters by call path. A thread's counters are read when regions begin and end and when samples arrive, and the
 * counts since the last reading are charged to one node. Without HEDDLE_METRICS this code does not run:
 * thread->counting is NULL.
 */
#ifndef HEDDLE_CORE_COUNTING_H
#define HEDDLE_CORE_COUNTING_H

#include "core/base/likely.h"
#include "core/threads/thread.h"
#include "perf/counter.h"

#define HEDDLE_PERF_TERMS 32 /* perf events of one thread */

/* The counters of a thread. */
struct heddle_counting {
	uint64_t last[HEDDLE_COUNTER_LIMIT]; /* values up to which counts are charged */
	uint64_t ticks, clock;               /* ticks and heddle__measured_clock when those were read */
	struct {
		int fd; /* -1: not available */
		uint64_t id;
		uint32_t members; /* of the group that it leads, including itself; 0: not a leader */
	} perf[HEDDLE_PERF_TERMS];
};

/* Sets up the counters of HEDDLE_METRICS; writes a line about each that is not available. Context: init. */
void heddle__counting_init(void);

/* The number of counters of this process, and a counter by index. Context: any thread, signal. */
unsigned int heddle__counters(void);
const struct heddle_counter *heddle__counter(unsigned int index);

/* Returns the source of a counter's values: "perf", "getrusage", ... Context: any thread, signal. */
const char *heddle__counter_source(const struct heddle_counter *counter);

/* Begin and end counting for the calling thread. Context: owner thread, inside. */
void heddle__counting_begin(struct heddle_thread *thread);
void heddle__counting_end(struct heddle_thread *thread);

/* Discard the counts since the last reading. Context: owner thread, inside. */
void heddle__counting_skip(struct heddle_thread *thread);

/* Close the events inherited from the parent, and open the child's own. Context: the child's only thread. */
void heddle__counting_after_fork(void);

/* Charges the counts since the last reading to `node`. Context: owner thread, inside. */
void heddle__charge_counters(struct heddle_thread *thread, uint32_t node);

/*
 * Returns the node that counts are charged to now: that of the innermost open region; outside all regions, while
 * sampling, that of the last sample. Context: owner thread, signal; any thread when frozen.
 */
uint32_t heddle__counting_node(const struct heddle_thread *thread);

/*
 * Sets `rest` to the counts of a running thread, not necessarily the caller, that are not charged yet. Returns false if
 * the thread has no counters. Context: any thread, signal, measurement frozen.
 */
bool heddle__counting_rest(const struct heddle_thread *thread, uint64_t rest[HEDDLE_COUNTER_LIMIT]);

/* Charges counts to the innermost region before it changes. Context: owner thread, inside. */
static inline void heddle__count_innermost(struct heddle_thread *thread)
{
	if (HEDDLE_UNLIKELY(thread->counting) && !thread->off)
		heddle__charge_counters(thread, heddle__counting_node(thread));
}

#endif
