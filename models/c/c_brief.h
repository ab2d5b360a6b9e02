/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brief functions: those whose calls take less time of their own than HEDDLE_INST_MIN_TIME are switched off, separately
 * for each thread. Their further calls are not events; only their number is counted, below the innermost function that
 * is not switched off. No function is switched off unless the setting is given.
 */
#ifndef HEDDLE_MODELS_C_C_BRIEF_H
#define HEDDLE_MODELS_C_C_BRIEF_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/hash.h"
#include "core/modules/module_ranges.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"

#define HEDDLE_BRIEF_BITS 11

/* A function on a thread. */
struct heddle_brief {
	uintptr_t function; /* 0: unused */
	uint64_t version;   /* of the list of modules, for `place` */
	uint64_t place;
	uint64_t ticks;           /* own time in this batch */
	uint64_t uncounted;       /* calls not yet added to the slot */
	struct heddle_slot *slot; /* below `parent`; NULL: none yet */
	uint32_t parent;
	uint32_t open;  /* lowest index on the shadow stack at which the function may be open, plus 1; 0: not open */
	uint16_t calls; /* in this batch */
	bool off;
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct heddle_brief) <= 64, "an entry fits a cache line");

/* All functions of a thread. */
struct heddle_c_functions {
	uint64_t since; /* tick of the last hook */
	struct heddle_brief entries[1 << HEDDLE_BRIEF_BITS];
};

/* True if functions may be switched off. Context: any thread, signal. */
extern bool heddle__c_brief_wanted;

/* Reads the setting. Context: init. */
void heddle__c_brief_start(void);

/*
 * A function begins, or ends; `end` is the upper end of its frame, 0: unknown. Both return true if the function is
 * switched off, and this is not an event. `*functions` is the thread's, NULL before the first call. Context: owner
 * thread, inside.
 */
bool heddle__c_brief_enter(struct heddle_thread *thread, struct heddle_c_functions **functions, uintptr_t function);
bool heddle__c_brief_exit(
	struct heddle_thread *thread, struct heddle_c_functions **functions, uintptr_t function, uintptr_t end);

/*
 * The fast paths of the two functions above, for a function that is switched off. The thread need not be inside, which
 * would double the cost of a pair of hooks, but no other event may be. A handler that calls the same function at that
 * moment may change the entry's parent; then this one call is counted there, and none is lost. Return false if the slow
 * path is needed. Context: owner thread.
 */
static inline struct heddle_brief *heddle__c_brief_known(
	const struct heddle_thread *thread, struct heddle_c_functions *functions, uintptr_t function)
{
	struct heddle_brief *entry = &functions->entries[heddle__hash(function) >> (64 - HEDDLE_BRIEF_BITS)];
	bool off = entry->function == function && entry->off && entry->version == heddle__modules_version();
	return off && !thread->stack.lost_depth ? entry : NULL;
}

/* Counts a call by one instruction, since a signal handler may count a call of the same function. */
static inline void heddle__c_brief_count(struct heddle_brief *entry)
{
#if defined(__x86_64__)
	__asm__("addq $1, %0" : "+m"(entry->uncounted) : : "cc");
#else
	__atomic_fetch_add(&entry->uncounted, 1, __ATOMIC_RELAXED);
#endif
}

static inline bool heddle__c_brief_enter_known(
	const struct heddle_thread *thread, struct heddle_c_functions *functions, uintptr_t function)
{
	struct heddle_brief *entry = heddle__c_brief_known(thread, functions, function);
	if (!entry || !entry->slot || !heddle__takes_fast_path(thread) || !heddle__events_are_counted() ||
		entry->parent != heddle__fast_path_node(thread))
		return false;
	heddle__c_brief_count(entry);
	return true;
}

static inline bool heddle__c_brief_exit_known(
	const struct heddle_thread *thread, struct heddle_c_functions *functions, uintptr_t function)
{
	const struct heddle_brief *entry = heddle__c_brief_known(thread, functions, function);
	return entry && !entry->open;
}

/* Adds counted calls to their slots. Context: owner thread, inside; any thread, when the writer reads at rest. */
void heddle__c_brief_add(struct heddle_thread *thread, struct heddle_c_functions *functions);

/* Drops counts from before a fork, which belong to the parent. Context: the child's only thread, after a fork. */
void heddle__c_brief_forget(struct heddle_c_functions *functions);

#endif
