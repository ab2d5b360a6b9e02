/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by front ends whose events come from wrappers of a library by which ranks communicate (MPI, OpenSHMEM). This
 * code must not depend on any such library: an event identifies the call, and the front end handles what a call
 * transfers.
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

/* Registers a model's events; profiles contain those that were used. False: nothing is measured. Context: init. */
bool heddle__library_attach(struct heddle_event *events, unsigned int number);

/* The origin of a call: its caller's path if sampling is on, else only the call's place. */
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
 * Returns true if the thread (NULL: there is none) was entered, and may use heddle__region_begin_shortest. Context of
 * the two functions: any thread, not nested. errno is preserved.
 */
static inline bool heddle__library_enter_shortest(struct heddle_thread *thread)
{
	if (!HEDDLE_LIKELY(thread && !heddle__storage_is_shared() && heddle__takes_shortest_path(thread) &&
			   !atomic_load_explicit(&thread->inside, memory_order_relaxed)))
		return false;
	heddle__enter(thread);
	return true;
}

/* The slow path of heddle__library_leave_shortest(): heddle__leave_late(), with errno preserved. */
void heddle__library_leave_late(struct heddle_thread *thread);

static inline void heddle__library_leave_shortest(struct heddle_thread *thread)
{
	if (HEDDLE_UNLIKELY(heddle__leave_inner(thread)))
		heddle__library_leave_late(thread);
}

/*
 * Records attributes of the region that was just begun: its communicator (0: none, or unknown), the rank that sends to
 * all or receives from all (negative: none), whether the communicator has two groups (HEDDLE_TRACE_ACROSS; 0: one), and
 * whether all ranks wait for each other. Context: as above, of traced threads.
 */
void heddle__library_record_meeting(
	struct heddle_thread *thread, uint64_t communicator, int32_t root, uint32_t across, bool meets_all);

/* Counts a call without duration. Context of this and the following: any thread, not nested. errno is preserved. */
void heddle__library_count(const struct heddle_event *event);

/* Returns the number of the text in the string table plus 1, or 0 if memory is exhausted. */
uint32_t heddle__library_text(const char *text);

/*
 * Records that this process is one of `number` ranks of the model. `takes`: replaces a rank that another model has set;
 * otherwise a thread that already has a number keeps it.
 */
void heddle__library_ranks(const struct heddle_model *model, uint32_t rank, uint32_t number, bool takes);

/* Controls measurement: 0 pauses, 1 continues, 2 writes the profile as it stands. */
void heddle__library_control(int level);

/* Resets the rank: a child of a fork is not a rank. Context: its only thread. */
void heddle__library_forget_rank(const struct heddle_model *model);

#endif
