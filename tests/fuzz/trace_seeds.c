/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_seeds DIR: writes trace files with records of all kinds, from which a fuzzer starts. */
#include "tests/profile/trace_random.h"

#include <stdio.h>
#include <stdlib.h>

#define NODES 16

static void put_events(struct trace_builder *builder, uint32_t thread, uint32_t order)
{
	struct trace_random random = {.nodes = NODES, .texts = 3, .counter = HEDDLE_COUNTER_FIRST + 1};
	trace_begin_chunk(builder, thread, order, (uint64_t)order * 2000000 + 5, order * 10);
	trace_stack(builder, trace_some(5), 0, NULL, 0);
	for (uint32_t i = trace_some(16); i > 0; i--)
		trace_random_record(builder, &random);
	trace_end_chunk(builder);
}

static void make(struct trace_builder *builder)
{
	struct heddle_trace_info info = {.ns_per_tick = (uint64_t)3 << 30,
		.start_ticks = 4,
		.start_mono_ns = 1000000,
		.end_ticks = trace_some(2) * 90000000};
	trace_info(builder, &info);
	trace_chain(builder, NODES);
	for (uint32_t order = 0; order < 1 + trace_some(2); order++)
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
