/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace files (format/trace.h) made by tests: an encoder that shares no code with the one that records, nor with the
 * reader. A builder is a file in memory; records are appended to the chunk that was begun last.
 */
#ifndef HEDDLE_TESTS_TRACE_BUILDER_H
#define HEDDLE_TESTS_TRACE_BUILDER_H

#include "format/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_NO_NODE UINT32_MAX /* for a record whose node is that of the record before */

struct trace_builder {
	uint8_t *bytes;
	size_t size, capacity;
	size_t chunk; /* where the header of the open chunk is */
	uint64_t tick;
	bool random_widths; /* some times and operands are wider than necessary */
};

void trace_start(struct trace_builder *builder);
void trace_free(struct trace_builder *builder);
/* Returns 0 or -1. */
int trace_write(const struct trace_builder *builder, const char *path);

/* Chunks without events. */
void trace_info(struct trace_builder *builder, const struct heddle_trace_info *info);
void trace_tree(struct trace_builder *builder, uint32_t first, const struct heddle_trace_node *nodes, size_t count);
void trace_rest(struct trace_builder *builder, uint32_t thread, const struct heddle_trace_value *values, size_t count);
void trace_offsets(struct trace_builder *builder, const struct heddle_trace_offset *offsets, size_t count);
void trace_groups(struct trace_builder *builder, const struct heddle_trace_group *groups, size_t count);
void trace_raw(struct trace_builder *builder, const void *bytes, size_t size);

/* A tree of that many nodes, each a child of the one before, for files whose profile has the names. */
void trace_chain(struct trace_builder *builder, size_t count);
/* Ticks are ns, and the first tick is time 0 on all clocks. */
void trace_simple_info(struct trace_builder *builder);

/* Begins a chunk of events; its first record must be a STACK record. */
void trace_begin_chunk(struct trace_builder *builder, uint32_t thread, uint32_t order, uint64_t first, uint64_t paused);
void trace_end_chunk(struct trace_builder *builder);

/* Records; `time` is the time since the last record that advanced the time. */
void trace_end(struct trace_builder *builder, uint64_t time);
void trace_task_begin(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed, uint32_t task);
void trace_task_return(struct trace_builder *builder, uint64_t time); /* END_OF_TASK */
void trace_begin(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed);
void trace_open(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed);
void trace_stack(struct trace_builder *builder, uint64_t time, uint32_t stays, const uint64_t *entries, size_t count);
void trace_visit(struct trace_builder *builder, uint64_t time, uint32_t node);
void trace_sample(struct trace_builder *builder, uint64_t time, uint32_t node, uint64_t periods, uint64_t cpu_ns,
	uint64_t wall_ticks);
void trace_idle(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed);
void trace_add(struct trace_builder *builder, uint32_t node, uint32_t metric, uint64_t amount);
void trace_distribute(struct trace_builder *builder, uint32_t node, uint32_t argument, uint32_t text, double value);
void trace_access(struct trace_builder *builder, uint32_t node, uint32_t operand, int64_t partner, uint64_t bytes);
void trace_number(struct trace_builder *builder, enum heddle_trace_number which, uint64_t value);
void trace_attribute(struct trace_builder *builder, enum heddle_trace_attribute attribute, uint64_t value);
void trace_mark(struct trace_builder *builder, uint64_t time, enum heddle_trace_mark mark, uint64_t value);
/* The numbers are group, partner + 1, tag + 1, bytes, request. */
void trace_message(
	struct trace_builder *builder, uint64_t time, enum heddle_trace_message message, const uint64_t numbers[5]);

/* An entry of a STACK record. */
static inline uint64_t trace_entry(uint32_t node, bool timed)
{
	return (uint64_t)node << 1 | timed;
}

#endif
