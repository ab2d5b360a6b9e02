/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread of a measurement: its description, and its values by state. */
#ifndef HEDDLE_PROFILE_THREAD_H
#define HEDDLE_PROFILE_THREAD_H

#include "profile/file/call_tree.h"
#include "profile/file/exchanges.h"
#include "profile/file/partners.h"

#include "heddle_profile.pb-c.h"

/* One row of a process's thread table, with the sums of its columns. Owns its strings. */
struct profile_thread {
	uint32_t id;
	uint64_t tid;
	char *role, *name;
	uint32_t threads; /* number of threads, one after the other */
	int32_t number;   /* its last known number in a team of threads; -1: none */
	uint64_t start_ns, end_ns, wall_ns, cpu_ns;
	uint64_t samples, samples_in_heddle;
	uint32_t rank;            /* rank in the whole program + 1; 0: none */
	char *model, *rank_model; /* of the runtime that created it, and of the one that numbered it; "": none */
	uint64_t **values;        /* HEDDLE_METRIC_LIMIT arrays by state, NULL: no values; NULL: none at all */
	struct profile_partners partners;
	struct profile_exchanges exchanges;
	/* NULL, or values of a part of the run, used instead of the file's section; see profile_decode_thread. */
	Heddle__Profile__Thread *part;
};

/* Return a thread's value of a metric in one state, and in all states. */
static inline uint64_t profile_thread_value(
	const struct profile_thread *thread, enum heddle_metric metric, enum heddle_state state)
{
	return thread->values && thread->values[metric] ? thread->values[metric][state] : 0;
}
uint64_t profile_thread_total(const struct profile_thread *thread, enum heddle_metric metric);

/* Returns the values of a metric by state, allocated on first use; NULL: no memory. */
uint64_t *profile_thread_values_by_state(struct profile_thread *thread, uint32_t metric);

/* Computes the derived metrics from the others. Returns 0 or -ENOMEM. */
int profile_thread_derive(struct profile_thread *thread);
void profile_thread_forget_values(struct profile_thread *thread);

/* True if the rank is the thread's own: a thread of another model's runtime has the rank of the thread it works for. */
bool profile_thread_is_rank(const struct profile_thread *thread);

/* True if it is in a team or has a rank: other threads, such as helpers, are not expected to work. */
static inline bool profile_thread_is_worker(const struct profile_thread *thread)
{
	return thread->number >= 0 || thread->rank != 0;
}

/* Returns how many of the program's threads a row represents; 0 for the keeper, which is not one of them. */
uint32_t profile_thread_number(const struct profile_thread *thread);

void profile_threads_free(struct profile_thread *threads, size_t count);

#endif
