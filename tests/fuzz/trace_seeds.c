/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_seeds DIR: trace files with records of all kinds, for a fuzzer to begin with. */
#include "format/ids.h"
#include "tests/profile/trace_builder.h"

#include <stdio.h>
#include <stdlib.h>

#define NODES 16

static uint32_t some(uint32_t limit)
{
	return (uint32_t)rand() % limit;
}

static void put_record(struct trace_builder *builder, uint32_t *depth)
{
	uint32_t kind = some(HEDDLE_TRACE_KINDS), node = some(NODES);
	uint32_t perhaps = some(2) ? node : TRACE_NO_NODE;
	uint64_t entries[] = {trace_entry(node, true), trace_entry(some(NODES), false)};
	switch (kind) {
	case HEDDLE_TRACE_END:
		if (*depth && some(4))
			trace_end(builder, some(1000));
		else if (*depth)
			trace_task_return(builder, some(1000));
		*depth -= *depth != 0;
		break;
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		trace_begin(builder, some(100000), node, kind == HEDDLE_TRACE_BEGIN);
		++*depth;
		break;
	case HEDDLE_TRACE_OPEN:
		trace_open(builder, some(100), node, some(2));
		++*depth;
		break;
	case HEDDLE_TRACE_STACK:
		trace_stack(builder, some(100), 0, entries, 2);
		*depth = 2;
		break;
	case HEDDLE_TRACE_VISIT:
		trace_visit(builder, some(10), node);
		break;
	case HEDDLE_TRACE_SAMPLE:
		trace_sample(builder, some(10), node, 1, some(1000000), some(1000));
		break;
	case HEDDLE_TRACE_IDLE:
		trace_idle(builder, some(1000), node, some(2));
		break;
	case HEDDLE_TRACE_ADD:
		trace_add(builder, perhaps, some(4) ? HEDDLE_METRIC_ALLOCATED : HEDDLE_COUNTER_FIRST + 1, some(5000));
		break;
	case HEDDLE_TRACE_DISTRIBUTE:
		trace_distribute(builder, perhaps, some(3), some(3), some(100) / 3.0);
		break;
	case HEDDLE_TRACE_ACCESS:
		trace_access(builder, perhaps, some(8), (int64_t)some(5) - 1, some(9000));
		break;
	case HEDDLE_TRACE_ATTRIBUTE:
		trace_attribute(builder, 1 + some(HEDDLE_TRACE_ATTRIBUTES - 1), some(1000));
		break;
	case HEDDLE_TRACE_NUMBER:
		trace_number(builder, some(4), 1 + some(1000));
		break;
	case HEDDLE_TRACE_TASK_BEGIN:
		trace_task_begin(builder, some(1000), 1 + some(NODES - 1), some(2), some(5));
		++*depth;
		break;
	default:
		trace_mark(builder, some(100), 1 + some(HEDDLE_TRACE_MARKS - 1), some(1000));
	}
}

static void put_events(struct trace_builder *builder, uint32_t thread, uint32_t order)
{
	uint32_t depth = 0;
	trace_begin_chunk(builder, thread, order, (uint64_t)order * 2000000 + 5, order * 10);
	trace_stack(builder, some(5), 0, NULL, 0);
	for (uint32_t i = some(16); i > 0; i--)
		put_record(builder, &depth);
	trace_end_chunk(builder);
}

static void make(struct trace_builder *builder)
{
	struct heddle_trace_info info = {.ns_per_tick = (uint64_t)3 << 30,
		.start_ticks = 4,
		.start_mono_ns = 1000000,
		.end_ticks = some(2) * 90000000};
	trace_info(builder, &info);
	trace_chain(builder, NODES);
	for (uint32_t order = 0; order < 1 + some(2); order++)
		for (uint32_t thread = 0; thread < 2; thread++)
			put_events(builder, thread, order);
	trace_rest(builder, 1, (struct heddle_trace_value[]){{3, HEDDLE_METRIC_WALL_TIME, 50}, {4, 3, 1}}, 2);
	trace_offsets(builder, (struct heddle_trace_offset[]){{1000, -5, 3}, {2000000, 12, 4}}, 2);
	trace_info(builder, &info);
}

int main(int argc, char **argv)
{
	for (int i = 0; argc == 2 && i < 40; i++) {
		struct trace_builder builder;
		char path[4096];
		srand((unsigned int)i);
		trace_start(&builder);
		make(&builder);
		trace_raw(&builder, (const char *[]){"\0", "\1", "\2", "\3"}[i % 4], 1);
		snprintf(path, sizeof(path), "%s/%d", argv[1], i);
		if (trace_write(&builder, path) != 0)
			return 1;
		trace_free(&builder);
	}
	return argc == 2 ? 0 : 1;
}
