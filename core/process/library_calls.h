/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What front ends share to which a library of wrappers reports the calls of another library, by ranks that communicate.
 * It knows no such library: which call it is, is an event; what a call moves is the front end's.
 */
#ifndef HEDDLE_CORE_LIBRARY_CALLS_H
#define HEDDLE_CORE_LIBRARY_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/frame.h"
#include "core/base/likely.h"
#include "core/modules/model.h"
#include "core/process/thread_life.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/tree/event.h"

/* Register a model's events, of which profiles have those that were used. False: nothing is measured. Context: init. */
bool heddle__library_attach(struct heddle_event *events, unsigned int number);

/* The origin of a call: its caller's path if sampling is on, else only its place. */
struct heddle_library_place {
	uint64_t place;
	uint32_t node;
};

/* Context: owner thread, inside. */
static inline struct heddle_library_place heddle__library_caller(
	struct heddle_thread *thread, const struct heddle_call *from)
{
	struct heddle_captured room;
	if (!heddle__capture)
		return (struct heddle_library_place){
			heddle__call_place(thread, (const void *)from->pc), heddle__current_node(thread)};
	const struct heddle_captured *found = heddle__caller_path_at(thread, from, 0, &room);
	uint64_t place = found->place;
	if (HEDDLE_UNLIKELY(!place))
		place = heddle__call_place(thread, (const void *)from->pc);
	return (struct heddle_library_place){place, found->node};
}

/*
 * Returns true if the thread (NULL: there is none) was entered, and its regions may be opened in the shortest way.
 * Context of the two: any thread, not nested. errno stays.
 */
static inline bool heddle__library_enter_shortest(struct heddle_thread *thread)
{
	if (!HEDDLE_LIKELY(thread && !heddle__storage_is_shared() && heddle__takes_shortest_path(thread) &&
			   !atomic_load_explicit(&thread->inside, memory_order_relaxed)))
		return false;
	heddle__enter(thread);
	return true;
}

/* The slow path of the one below: heddle__leave_late, but errno stays. */
void heddle__library_leave_late(struct heddle_thread *thread);

static inline void heddle__library_leave_shortest(struct heddle_thread *thread)
{
	if (HEDDLE_UNLIKELY(heddle__leave_inner(thread)))
		heddle__library_leave_late(thread);
}

/*
 * What a trace says of the region that was just begun: who meets in it (0: nobody, or not known), which rank gives to
 * all or gets of all (negative: none), whether that is between two groups (HEDDLE_TRACE_ACROSS; 0: it is one), and
 * whether all ranks wait for each other. Context: as above, of traced threads.
 */
void heddle__library_record_meeting(
	struct heddle_thread *thread, uint64_t communicator, int32_t root, uint32_t across, bool meets_all);

/* A call without duration. Context of this and the following: any thread, not nested. errno stays. */
void heddle__library_count(const struct heddle_event *event);

/* The number of a text + 1; 0: no memory. */
uint32_t heddle__library_text(const char *text);

/*
 * This process is a rank, of `number`, of the model. `takes`: also where another model has made it one; else a thread
 * that has a number of its own keeps it.
 */
void heddle__library_ranks(const struct heddle_model *model, uint32_t rank, uint32_t number, bool takes);

/* Measurement: 0 pauses, 1 continues, 2 writes the profile as it stands. */
void heddle__library_control(int level);

/* A child of a fork is no rank. Context: its only thread. */
void heddle__library_forget_rank(const struct heddle_model *model);

#endif
