/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/profile/upc_model.h"

#include <math.h>
#include <stdlib.h>

/* The nodes of UPC_PROGRAM (trace_programs.h). */
enum { BARRIER = 2, NOTIFY, WAIT, LOCK, UNLOCK, ATTEMPT, GATHER_ALL };

#define START_NS 1000000000u /* so that no clock is negative */

static uint64_t some(uint64_t from, uint64_t to)
{
	return from + (uint64_t)rand() % (to - from);
}

static void add(struct model *model, size_t rank, struct model_event event)
{
	size_t *count = &model->ranks[rank].count;
	if (*count == MODEL_EVENTS)
		abort();
	model->ranks[rank].events[(*count)++] = event;
	model->end_ns = event.true_ns > model->end_ns ? event.true_ns : model->end_ns;
}

static void add_region(struct model *model, size_t rank, uint32_t node, uint64_t from, uint64_t to)
{
	add(model, rank, (struct model_event){.kind = MODEL_OTHER, .node = node, .true_ns = from});
	add(model, rank, (struct model_event){.kind = MODEL_OTHER, .true_ns = to});
}

/* Acquires the lock, from `at` on, and releases it. Returns the time of the release. */
static uint64_t use_lock(struct model *model, size_t rank, uint64_t at, uint64_t *free_at)
{
	uint32_t node = rand() % 3 ? LOCK : ATTEMPT, number = model->owners++;
	uint64_t begun = at;
	at = (at > *free_at ? at : *free_at) + some(200, 2000);
	add(model, rank, (struct model_event){.kind = MODEL_OTHER, .node = node, .true_ns = begun});
	add(model, rank, (struct model_event){.kind = MODEL_ACQUIRE, .number = number, .true_ns = at});
	at += some(30000, 60000);
	*free_at = at;
	add(model, rank, (struct model_event){.kind = MODEL_RELEASE, .node = UNLOCK, .number = number, .true_ns = at});
	at += some(100, 300);
	add(model, rank, (struct model_event){.kind = MODEL_OTHER, .true_ns = at});
	return at;
}

/* All ranks meet. `at`: the times of their arrivals, replaced by those at which they have left. */
static void meet(struct model *model, uint64_t *at)
{
	uint64_t last = 0;
	uint32_t node = (uint32_t[]){BARRIER, NOTIFY, GATHER_ALL}[rand() % 3], number = model->meetings++;
	for (size_t r = 0; r < MODEL_RANKS; r++) {
		struct model_event enter = {.kind = MODEL_ENTER, .node = node, .number = number, .true_ns = at[r]};
		add(model, r, enter);
		last = at[r] > last ? at[r] : last;
		if (node != NOTIFY)
			continue;
		add(model, r, (struct model_event){.kind = MODEL_OTHER, .true_ns = at[r] += some(100, 200)});
		add(model, r,
			(struct model_event){.kind = MODEL_OTHER, .node = WAIT, .true_ns = at[r] += some(100, 9000)});
	}
	for (size_t r = 0; r < MODEL_RANKS; r++) {
		at[r] = (at[r] > last ? at[r] : last) + some(300, 3000);
		add(model, r, (struct model_event){.kind = MODEL_LEAVE, .number = number, .true_ns = at[r]});
	}
}

void model_run(struct model *model, unsigned int seed, uint32_t meetings, int locks)
{
	uint64_t at[MODEL_RANKS], free_at = 0;
	srand(seed);
	for (size_t r = 0; r < MODEL_RANKS; r++)
		at[r] = START_NS + some(0, 1000);
	for (uint32_t i = 0; i < meetings; i++) {
		for (size_t r = 0; r < MODEL_RANKS; r++) {
			at[r] += some(500, 4000000);
			if (rand() % 4 == 0)
				add_region(model, r, GATHER_ALL, at[r], at[r] + 50); /* does not synchronize */
			at[r] += 60;
			if (locks && rand() % 3 == 0)
				at[r] = use_lock(model, r, at[r], &free_at);
		}
		meet(model, at);
	}
}

uint64_t model_local_ns(const struct model *model, size_t machine, uint64_t true_ns)
{
	const struct model_clock *clock = &model->clocks[machine];
	double passed = (double)(true_ns - START_NS);
	double wave = clock->wave_period_ns > 0 ? clock->wave_ns * sin(2 * M_PI * passed / clock->wave_period_ns) : 0;
	return (uint64_t)((int64_t)true_ns + clock->offset_ns + (int64_t)(passed * clock->drift + wave));
}

/* ---- files ---- */

static void put_event(struct trace_builder *builder, const struct model_event *event, uint64_t ns)
{
	if (event->node)
		trace_begin(builder, ns - builder->tick, event->node, true);
	else
		trace_end(builder, ns - builder->tick);
	if (event->kind == MODEL_ENTER && event->node == GATHER_ALL)
		trace_attribute(builder, HEDDLE_TRACE_MEETS, 1);
	if (event->kind == MODEL_ACQUIRE || event->kind == MODEL_RELEASE)
		trace_attribute(builder, HEDDLE_TRACE_LOCK, 77);
}

static void put_offsets(struct trace_builder *builder, const struct model *model, size_t machine)
{
	uint64_t ends[] = {START_NS, model->end_ns};
	struct heddle_trace_offset offsets[2];
	for (size_t i = 0; i < 2; i++) {
		uint64_t own = model_local_ns(model, machine, ends[i]), first = model_local_ns(model, 0, ends[i]);
		offsets[i] = (struct heddle_trace_offset){own, (int64_t)(first - own), 1000};
	}
	trace_offsets(builder, offsets, 2);
}

void model_trace(const struct model *model, size_t rank, int measured, struct trace_builder *builder)
{
	size_t machine = rank % MODEL_MACHINES;
	const struct model_event *events = model->ranks[rank].events;
	trace_start(builder);
	trace_simple_info(builder);
	trace_chain(builder, GATHER_ALL + 1);
	if (measured && machine)
		put_offsets(builder, model, machine);
	trace_begin_chunk(builder, 0, 0, model_local_ns(model, machine, events->true_ns) - 5, 0);
	trace_stack(builder, 0, 0, NULL, 0);
	trace_mark(builder, 0, HEDDLE_TRACE_THREAD_BEGIN, 1);
	for (size_t i = 0; i < model->ranks[rank].count; i++)
		put_event(builder, &events[i], model_local_ns(model, machine, events[i].true_ns));
	trace_end_chunk(builder);
}
