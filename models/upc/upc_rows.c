/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of effects, and the acts of events for which only visits and time are measured. The other acts are in the
 * files whose headers declare them.
 */
#include "models/upc/upc_rows.h"

#include "core/base/string_table.h"
#include "core/blame/blame.h"
#include "core/process/process.h"
#include "core/tree/tree.h"
#include "models/upc/upc_access.h"
#include "models/upc/upc_allocated.h"
#include "models/upc/upc_arguments.h"
#include "models/upc/upc_clock.h"
#include "models/upc/upc_context.h"
#include "models/upc/upc_effect.h"
#include "models/upc/upc_locks.h"
#include "models/upc/upc_nonblocking.h"
#include "models/upc/upc_sketch.h"

/* ---- visits and time ---- */

static void start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	heddle__upc_begin(thread, notice);
}

static void end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	heddle__region_end(thread, notice->kind->event);
}

static void atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	heddle__upc_count(thread, notice);
}

static void ignore(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	(void)thread, (void)notice;
}

/* ---- while control is off, a region only has to nest ---- */

static void defer(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	if (!heddle__defer_source_region(
		    thread, notice->kind->event, notice->file, notice->line, heddle__upc_stack_of(notice)))
		start(thread, notice);
}

static void end_deferred(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	if (!heddle__end_deferred_region(thread, notice->kind->event))
		notice->kind->row->act[0][GASP_END](thread, notice);
}

/* ---- functions are found by name; those without a name are regions ---- */

static bool describe(struct heddle_upc_notice *notice, struct heddle_activation *activation)
{
	struct heddle_upc_arguments arguments;
	heddle__upc_decode(notice->kind, notice->type != GASP_START, &notice->list, &arguments);
	uint32_t name = arguments.function ? heddle__string_number(arguments.function) : UINT32_MAX;
	*activation = (struct heddle_activation){
		.meta = HEDDLE_NODE_META(HEDDLE_NODE_FUNCTION, 0), .place = name, .function = name};
	return name != UINT32_MAX;
}

static void function_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_activation activation;
	struct heddle_upc_location at;
	heddle__upc_locate(thread, notice, &at);
	if (!describe(notice, &activation)) {
		heddle__upc_begin_at(thread, notice, &at, 0);
		return;
	}
	activation.below = at.found ? &at.found->node : NULL;
	heddle__activation_begin(thread, &activation);
}

static void function_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_activation activation;
	if (describe(notice, &activation))
		heddle__activation_end(thread, &activation);
	else
		end(thread, notice);
}

static void function_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_activation activation;
	if (!describe(notice, &activation))
		atomic(thread, notice);
}

/* ---- loops, barriers, exits ---- */

static void loop_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	end(thread, notice);
	heddle__upc_sketch_loop_end(thread);
}

static void after_barrier(const struct heddle_upc_notice *notice)
{
	if (notice->type == GASP_END)
		heddle__upc_clock_measure_again();
}

/*
 * A thread of the program has reported its exit. Writes the profile now, since there may be no later opportunity
 * (destructors that do not run, sudden death). With several UPC threads in a process, the last one writes.
 */
static void after_exit(const struct heddle_upc_notice *notice)
{
	bool single = notice->kind == &heddle__upc_kinds[HEDDLE_UPC_NONCOLLECTIVE_EXIT];
	if (notice->type == GASP_START && !single)
		heddle__upc_clock_measure();
	if (notice->type == GASP_START)
		return;
	heddle__upc_context_ended(notice->context);
	if (single || !heddle__upc_contexts_open())
		heddle__write_now(single ? "upc global exit" : "upc exit");
}

/* ---- the table ---- */

/* Conditions of a row. */
enum {
	SELECTED = 1,    /* the event is selected */
	NONBLOCKING = 2, /* its End has a handle */
	VARIABLES = 4,   /* accesses are measured by variable */
	BLAMED = 8,      /* waiting is charged to its culprit */
	TRACED = 16,
	FOLLOWED = 32, /* nonblocking accesses are selected */
};

#define OF(effect) (1u << HEDDLE_UPC_EFFECT_##effect)
#define ACCESSES (OF(GET) | OF(PUT) | OF(COPY))
#define SHARED (OF(SHARED) | OF(SHARED_BLOCKS) | OF(SHARED_ONCE))
#define OBJECTS (OF(FREE) | SHARED)
#define COLLECTIVES (OF(BROADCAST) | OF(GATHER) | OF(GATHER_ALL) | OF(EXCHANGE) | OF(PERMUTE) | OF(REDUCE))
#define ANY UINT32_MAX

/*
 * The acts at Start, End and Atomic, and those while control is off. NESTS: the region only has to nest. CLOSES: its
 * own End closes it, since something else was opened with it. TRACKS: the same acts, since more than visits, time and
 * values depends on them.
 */
#define NESTS(start, end, atomic) .act = {{start, end, atomic}, {defer, end_deferred, ignore}}
#define CLOSES(start, end, atomic) .act = {{start, end, atomic}, {defer, end, ignore}}
#define TRACKS(start, end, atomic) .act = {{start, end, atomic}, {start, end, atomic}}
#define IGNORES TRACKS(ignore, ignore, ignore)

/* The first row whose conditions hold is chosen. If there is none, the event is ignored. */
static const struct rule {
	uint32_t effects;
	uint8_t conditions;
	struct heddle_upc_row row;
} rules[] = {
	{OF(FUNCTION), SELECTED, {TRACKS(function_start, function_end, function_atomic)}},
	{OF(LOOP), SELECTED | VARIABLES, {CLOSES(start, loop_end, atomic)}},
	{OF(MEET), SELECTED | TRACED, {NESTS(start, end, atomic), .after = after_barrier}},
	{OF(MEET), TRACED, {IGNORES, .after = after_barrier}},
	{OF(EXIT), SELECTED, {NESTS(start, end, atomic), .after = after_exit}},
	{OF(EXIT), 0, {IGNORES, .after = after_exit}},

	{OF(ALLOCATE), SELECTED, {NESTS(start, heddle__upc_allocation_end, heddle__upc_allocation_atomic)}},
	{OBJECTS, SELECTED | VARIABLES,
		{TRACKS(heddle__upc_object_start, heddle__upc_object_end, heddle__upc_object_atomic)}},
	{OBJECTS, VARIABLES, {TRACKS(heddle__upc_object_follow, heddle__upc_object_follow, heddle__upc_object_follow)}},
	{SHARED, SELECTED, {NESTS(start, heddle__upc_allocation_end, heddle__upc_allocation_atomic)}},

	{ACCESSES, SELECTED | VARIABLES | NONBLOCKING,
		{TRACKS(heddle__upc_variable_nb_start, heddle__upc_variable_nb_end, heddle__upc_variable_nb_atomic)}},
	{ACCESSES, SELECTED | VARIABLES,
		{CLOSES(heddle__upc_variable_start, heddle__upc_variable_end, heddle__upc_variable_atomic)}},
	{ACCESSES, SELECTED | NONBLOCKING, {TRACKS(heddle__upc_nb_start, heddle__upc_nb_end, heddle__upc_nb_atomic)}},
	{ACCESSES, SELECTED, {NESTS(heddle__upc_access_start, end, heddle__upc_access_atomic)}},
	{OF(ARRIVE), SELECTED, {TRACKS(heddle__upc_data_start, heddle__upc_data_end, heddle__upc_data_atomic)}},
	{OF(SYNC), SELECTED, {TRACKS(heddle__upc_sync_start, heddle__upc_sync_end, heddle__upc_sync_atomic)}},
	{OF(ARRIVE) | OF(SYNC), FOLLOWED, {TRACKS(ignore, heddle__upc_nb_follow, heddle__upc_nb_follow)}},

	{COLLECTIVES, SELECTED, {NESTS(heddle__upc_collective_start, end, heddle__upc_collective_atomic)}},
	{OF(CACHE), SELECTED, {NESTS(heddle__upc_cache_start, end, heddle__upc_cache_atomic)}},

	{OF(LOCK), SELECTED | BLAMED, {TRACKS(heddle__upc_lock_start, heddle__upc_lock_end, heddle__upc_lock_atomic)}},
	{OF(LOCK), SELECTED | TRACED, {NESTS(heddle__upc_lock_start, heddle__upc_lock_end, heddle__upc_lock_atomic)}},
	{OF(LOCK), BLAMED, {TRACKS(ignore, heddle__upc_lock_hold, heddle__upc_lock_hold)}},
	{OF(ATTEMPT), SELECTED | BLAMED,
		{TRACKS(heddle__upc_attempt_start, heddle__upc_attempt_end, heddle__upc_attempt_atomic)}},
	{OF(ATTEMPT), SELECTED | TRACED,
		{NESTS(heddle__upc_attempt_start, heddle__upc_attempt_end, heddle__upc_attempt_atomic)}},
	{OF(ATTEMPT), BLAMED, {TRACKS(ignore, heddle__upc_attempt_hold, heddle__upc_attempt_hold)}},
	{OF(UNLOCK), SELECTED | BLAMED,
		{TRACKS(heddle__upc_unlock_start, heddle__upc_unlock_end, heddle__upc_unlock_atomic)}},
	{OF(UNLOCK), SELECTED | TRACED,
		{NESTS(heddle__upc_unlock_start, heddle__upc_unlock_end, heddle__upc_unlock_atomic)}},
	{OF(UNLOCK), BLAMED, {TRACKS(heddle__upc_lock_release, ignore, heddle__upc_lock_release)}},

	{ANY, SELECTED, {NESTS(start, end, atomic)}},
};

static uint8_t conditions_of(const struct heddle_upc_kind *kind)
{
	return (uint8_t)((kind->event->selected ? SELECTED : 0) | (*kind->more == 'h' ? NONBLOCKING : 0) |
			 (heddle__upc_accesses ? VARIABLES : 0) | (heddle__blames ? BLAMED : 0) |
			 (heddle__tracing ? TRACED : 0) | (heddle__upc_follows_handles ? FOLLOWED : 0));
}

const struct heddle_upc_row *heddle__upc_row_of(const struct heddle_upc_kind *kind)
{
	uint8_t conditions = conditions_of(kind);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *rule = &rules[i];
		if (rule->effects >> kind->effect & 1 && (rule->conditions & ~conditions) == 0)
			return &rule->row;
	}
	return NULL;
}

void heddle__upc_rows_choose(void)
{
	for (size_t i = 0; i < HEDDLE_UPC_KIND_COUNT; i++)
		heddle__upc_kinds[i].row = heddle__upc_row_of(&heddle__upc_kinds[i]);
}
