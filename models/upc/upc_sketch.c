/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sketch of an access is found by the access's node, through a small cache: all accesses with the same node have
 * the same innermost loop.
 */
#include "models/upc/upc_sketch.h"

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/threads/region.h"
#include "core/threads/shadow_stack.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_names.h"

#define CACHED 64u

/* The sketch of one loop and variable. */
struct sketch {
	struct heddle_access_sketch accesses;
	struct sketch *next_open;
	uint32_t loop, object;
	bool open; /* in the list of sketches with accesses in this execution of their loop */
};

struct heddle_upc_sketches {
	struct {
		uint32_t leaf; /* node; 0: free */
		struct sketch *sketch;
	} cache[CACHED];
	struct sketch *all[HEDDLE_UPC_SKETCHES];
	struct sketch *open;
	unsigned int count;
};

static struct heddle_upc_sketches *sketches_of(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	if (handles && !handles->sketches)
		handles->sketches = heddle__alloc(sizeof(*handles->sketches));
	return handles ? handles->sketches : NULL;
}

/* Returns the node of the innermost open upc_forall; 0: none is open, or control is off. */
static uint32_t innermost_loop(const struct heddle_thread *thread)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__upc_kinds[HEDDLE_UPC_FORALL].event->id);
	uint32_t found = heddle__find_open(&thread->stack, meta);
	const struct heddle_region *region = found ? heddle__region_at(&thread->stack, found - 1) : NULL;
	return region && !region->deferred ? region->node : 0;
}

/* Returns NULL if memory is exhausted, or if there are too many sketches. */
static struct sketch *find_sketch(struct heddle_upc_sketches *sketches, uint32_t loop, uint32_t object)
{
	for (unsigned int i = 0; i < sketches->count; i++)
		if (sketches->all[i]->loop == loop && sketches->all[i]->object == object)
			return sketches->all[i];
	if (sketches->count == HEDDLE_UPC_SKETCHES)
		return NULL;
	struct sketch *sketch = heddle__alloc(sizeof(*sketch));
	if (!sketch)
		return NULL;
	sketch->loop = loop;
	sketch->object = object;
	sketches->all[sketches->count++] = sketch;
	return sketch;
}

static struct sketch *find_and_cache(
	struct heddle_thread *thread, struct heddle_upc_sketches *sketches, const struct heddle_upc_sketched *access)
{
	uint32_t loop = innermost_loop(thread);
	struct sketch *sketch = loop ? find_sketch(sketches, loop, access->object) : NULL;
	sketches->cache[access->leaf % CACHED].leaf = access->leaf;
	sketches->cache[access->leaf % CACHED].sketch = sketch;
	return sketch;
}

void heddle__upc_sketch_access(struct heddle_thread *thread, const struct heddle_upc_sketched *access)
{
	struct heddle_upc_sketches *sketches = sketches_of(thread);
	struct sketch *sketch;
	if (!sketches)
		return;
	if (HEDDLE_LIKELY(sketches->cache[access->leaf % CACHED].leaf == access->leaf))
		sketch = sketches->cache[access->leaf % CACHED].sketch;
	else
		sketch = find_and_cache(thread, sketches, access);
	if (!sketch)
		return;
	if (!sketch->open) {
		sketch->open = true;
		sketch->next_open = sketches->open;
		sketches->open = sketch;
	}
	heddle__sketch_access(&sketch->accesses, access->element, access->size, access->use);
}

/* Adds one execution of the loop to the metrics of the variable's node below the loop's. */
static void add_execution(struct heddle_thread *thread, struct sketch *sketch)
{
	struct heddle_sketch_summary summary = heddle__sketch_end_execution(&sketch->accesses);
	struct heddle_slot *slot =
		heddle__event_slot(thread, sketch->loop, HEDDLE_NODE_META(HEDDLE_NODE_OBJECT, 0), sketch->object - 1);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_EXECUTIONS, 1);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_GETS, summary.reads);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_PUTS, summary.writes);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_ELEMENTS, summary.elements.all);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_ELEMENTS_GOT, summary.elements.read);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_ELEMENTS_PUT, summary.elements.written);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_LINES, summary.lines);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_RUNS, summary.runs);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_REGULAR, summary.regular);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_NEAR, summary.distances[0]);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_FAR, summary.distances[1]);
	heddle__slot_add(slot, HEDDLE_METRIC_LOOP_FARTHER, summary.distances[2]);
	sketch->open = false;
}

/* Ends the executions of that loop (0: of all loops); sketches of other loops stay in the list. */
static void end_loops(struct heddle_thread *thread, struct heddle_upc_sketches *sketches, uint32_t loop)
{
	struct sketch **at = &sketches->open, *sketch;
	while ((sketch = *at) != NULL) {
		if (loop && sketch->loop != loop) {
			at = &sketch->next_open;
			continue;
		}
		*at = sketch->next_open;
		add_execution(thread, sketch);
	}
}

void heddle__upc_sketch_loop_end(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	const struct heddle_region *popped = heddle__last_popped(&thread->stack);
	if (handles && handles->sketches && handles->sketches->open && popped && !popped->deferred)
		end_loops(thread, handles->sketches, popped->node);
}

void heddle__upc_sketch_thread_end(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	if (handles && handles->sketches)
		end_loops(thread, handles->sketches, 0);
}

void heddle__upc_sketch_forget(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	while (handles && handles->sketches && handles->sketches->open) {
		struct sketch *sketch = handles->sketches->open;
		handles->sketches->open = sketch->next_open;
		heddle__sketch_end_execution(&sketch->accesses);
		sketch->open = false;
	}
}
