/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread times batches of calls of each function: the time between two hooks belongs to the innermost function. It is
 * elapsed time, so a batch that was interrupted may seem long; the next batch decides again. Runs in the program's
 * signal handlers, if they call instrumented functions.
 */
#include "models/c/c_brief.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/likely.h"
#include "core/base/memory.h"
#include "core/base/settings.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/tree/tree.h"
#include "format/quantity.h"

#define BATCH 1024u /* calls */
#define ENTRIES (1u << HEDDLE_BRIEF_BITS)
#define PROBES 8u /* a function that finds no entry within so many is never switched off */

bool heddle__c_brief_wanted;
static uint64_t least_ns;

void heddle__c_brief_start(void)
{
	const char *text = heddle__setting_text(HEDDLE_SETTING_INST_MIN_TIME);
	heddle__c_brief_wanted = *text && heddle__read_time(text, &least_ns);
}

/* Resets the entry if another function has been loaded at this address. */
static void check_place(struct heddle_brief *entry)
{
	uint64_t place = heddle__place_of(entry->function);
	if (place != entry->place)
		*entry = (struct heddle_brief){.function = entry->function, .place = place};
	entry->version = heddle__modules_version();
}

/* Returns the entry of a function, created if necessary; NULL: no free entry. */
static inline struct heddle_brief *entry_of(struct heddle_c_functions *functions, uintptr_t function)
{
	uint64_t first = heddle__hash(function) >> (64 - HEDDLE_BRIEF_BITS);
	for (uint32_t i = 0; i < PROBES; i++) {
		struct heddle_brief *entry = &functions->entries[(first + i) % ENTRIES];
		if (!entry->function)
			*entry = (struct heddle_brief){.function = function,
				.place = heddle__place_of(function),
				.version = heddle__modules_version()};
		if (entry->function != function)
			continue;
		if (HEDDLE_UNLIKELY(entry->version != heddle__modules_version()))
			check_place(entry);
		return entry;
	}
	return NULL;
}

/* Returns NULL if memory is exhausted. */
static struct heddle_c_functions *functions_of(struct heddle_c_functions **functions)
{
	if (HEDDLE_UNLIKELY(!*functions))
		*functions = heddle__map(sizeof(**functions));
	return *functions;
}

static const struct heddle_region *innermost_function(const struct heddle_thread *thread)
{
	const struct heddle_region *open = heddle__innermost_of_task(&thread->stack);
	while (open && open->kind != HEDDLE_KIND_ACTIVATION)
		open = heddle__around(&thread->stack, open);
	return open;
}

/* Adds the time up to now to the innermost function, and returns its entry. */
static struct heddle_brief *account(struct heddle_thread *thread, struct heddle_c_functions *functions)
{
	const struct heddle_region *open = innermost_function(thread);
	struct heddle_brief *entry = open ? entry_of(functions, open->activation.function) : NULL;
	uint64_t now = heddle__ticks();
	if (entry && functions->since)
		entry->ticks += now - functions->since;
	functions->since = now;
	return entry;
}

/* ---- calls that are not events ---- */

static void add_calls(struct heddle_brief *entry)
{
	if (entry->slot && entry->uncounted)
		heddle__slot_add(entry->slot, HEDDLE_METRIC_UNCOUNTED_CALLS, entry->uncounted);
	entry->uncounted = 0;
}

static void count(struct heddle_thread *thread, struct heddle_brief *entry)
{
	if (HEDDLE_UNLIKELY(!heddle__is_counting(thread)))
		return;
	uint32_t parent = heddle__current_node(thread);
	if (HEDDLE_UNLIKELY(parent != entry->parent || !entry->slot)) {
		add_calls(entry);
		entry->parent = parent;
		entry->slot = heddle__event_slot(thread, parent, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), entry->place);
	}
	heddle__c_brief_count(entry);
}

bool heddle__c_brief_enter(struct heddle_thread *thread, struct heddle_c_functions **own, uintptr_t function)
{
	struct heddle_c_functions *functions = functions_of(own);
	struct heddle_brief *entry = functions ? entry_of(functions, function) : NULL;
	if (!entry)
		return false;
	if (entry->off && !thread->stack.lost_depth) {
		count(thread, entry);
		return true;
	}
	account(thread, functions);
	return false;
}

/* True if the function may have been entered before it was switched off: in that frame, or in one that has ended. */
static bool may_be_open(const struct heddle_thread *thread, uintptr_t function, uintptr_t end)
{
	const struct heddle_region *open = heddle__innermost_of_task(&thread->stack);
	for (; open; open = heddle__around(&thread->stack, open)) {
		if (open->kind != HEDDLE_KIND_ACTIVATION)
			continue;
		if (open->cfa > end)
			return false;
		if (open->cfa < end || open->activation.function == function)
			return true;
	}
	return false;
}

/* Returns the index of the outermost activation of the function, in any task, plus 1; 0: none. */
static uint32_t outermost_of(const struct heddle_thread *thread, uintptr_t function)
{
	for (uint32_t i = 0; i < heddle__open_count(&thread->stack); i++) {
		const struct heddle_region *open = heddle__region_at(&thread->stack, i);
		if (open->kind == HEDDLE_KIND_ACTIVATION && open->activation.function == function)
			return i + 1;
	}
	return 0;
}

/*
 * Decides, at the end of a batch, whether to switch the function off: only if its frame is known, and its module, since
 * a function without a module has no name.
 */
static void decide(const struct heddle_thread *thread, struct heddle_brief *entry, uintptr_t end)
{
	entry->off = heddle__ticks_to_ns(entry->ticks) < BATCH * least_ns && end && HEDDLE_PLACE_MODULE(entry->place);
	entry->open = outermost_of(thread, entry->function);
	entry->calls = 0;
	entry->ticks = 0;
}

/* True if this is the end of a call from before the function was switched off. */
static bool ends_open(const struct heddle_thread *thread, struct heddle_brief *entry, uintptr_t end)
{
	if (entry->open > heddle__open_count(&thread->stack))
		entry->open = outermost_of(thread, entry->function);
	return entry->open && may_be_open(thread, entry->function, end);
}

bool heddle__c_brief_exit(
	struct heddle_thread *thread, struct heddle_c_functions **own, uintptr_t function, uintptr_t end)
{
	struct heddle_c_functions *functions = functions_of(own);
	struct heddle_brief *entry = functions ? entry_of(functions, function) : NULL;
	if (!entry)
		return false;
	if (entry->off && !thread->stack.lost_depth)
		return !ends_open(thread, entry, end);
	if (account(thread, functions) == entry && ++entry->calls == BATCH)
		decide(thread, entry, end);
	return false;
}

void heddle__c_brief_add(struct heddle_thread *thread, struct heddle_c_functions *functions)
{
	if (!functions || (thread != heddle__thread_self() && !heddle__is_read_at_rest()))
		return;
	for (uint32_t i = 0; i < ENTRIES; i++)
		add_calls(&functions->entries[i]);
}

void heddle__c_brief_forget(struct heddle_c_functions *functions)
{
	for (uint32_t i = 0; functions && i < ENTRIES; i++)
		functions->entries[i].uncounted = 0;
}
