/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shadow stack of a thread: the tasks that run on it, one on top of the other, and the regions that events opened
 * in each. An END closes the innermost open region of its kind within the current task; one that was never opened
 * changes nothing. Elapsed time belongs to what is innermost.
 */
#ifndef HEDDLE_CORE_REGION_H
#define HEDDLE_CORE_REGION_H

#include "core/event.h"
#include "core/thread.h"

/* True when events alone give times; else samples do, and events only the time of waits. Set once. Context: init. */
extern bool heddle__events_give_time;

/* The node new regions hang on. Context: owner thread, signal. */
static inline uint32_t heddle__current_node(const struct heddle_thread *thread)
{
	return thread->depth ? thread->regions[thread->depth - 1].node : thread->base;
}

/*
 * Open a region of that kind as a child of what is innermost; counts a visit. `place` is where the program opened it.
 * Context: owner thread, inside.
 */
void heddle__region_begin(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place);

/* Close it. Context: owner thread, inside. */
void heddle__region_end(struct heddle_thread *thread, const struct heddle_event *event);

/*
 * The same for a user phase, by the number of its name; `cfa` is the stack address where it was opened: frames below it
 * stand under the phase, frames above it over it. Ending another phase than the innermost changes nothing and returns
 * false. Context: owner thread, inside.
 */
void heddle__phase_begin(struct heddle_thread *thread, uint32_t name, uintptr_t cfa);
bool heddle__phase_end(struct heddle_thread *thread, uint32_t name);

/*
 * Count a visit of a node that is the context of others (a parallel region, a task). Context: owner thread, inside.
 */
void heddle__visit(struct heddle_thread *thread, uint32_t node);

/* Count an event without duration at the current path. Context: owner thread, inside. */
void heddle__event_count(struct heddle_thread *thread, const struct heddle_event *event, uint64_t place);

/*
 * The thread turns to the task `tag` (not 0), whose context is node `base`: if it is on the stack, what is above it is
 * gone; else it goes on top. `owner` is the model's, kept in the entry's place. Context: owner thread, inside.
 */
void heddle__task_switch(struct heddle_thread *thread, uint64_t tag, uint32_t base, const void *owner);

/* The entry of a task that is on the stack, or NULL. Context: owner thread, signal. */
const struct heddle_region *heddle__find_task(const struct heddle_thread *thread, uint64_t tag);

/* The entry of the task that runs now, or NULL. Context: owner thread, signal. */
const struct heddle_region *heddle__current_task(const struct heddle_thread *thread);

/*
 * The task and what is above it is gone. If that happened at the measured tick `ended` already (0: now), the time since
 * is not its, but that of what is innermost then. Context: owner thread, inside.
 */
void heddle__task_end(struct heddle_thread *thread, uint64_t tag, uint64_t ended);

/* What takes elapsed time while nothing is open; NULL: nothing does. Context: owner thread, inside. */
void heddle__set_idle(struct heddle_thread *thread, struct heddle_slot *slot);

/* Charge elapsed time up to now. Context: owner thread, inside; any thread when frozen. */
void heddle__charge_elapsed(struct heddle_thread *thread, uint64_t now);

#endif
