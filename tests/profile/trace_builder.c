/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/profile/trace_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_CHUNK SIZE_MAX

static void put(struct trace_builder *builder, const void *bytes, size_t size)
{
	while (builder->size + size > builder->capacity) {
		builder->capacity = builder->capacity ? builder->capacity * 2 : 4096;
		builder->bytes = realloc(builder->bytes, builder->capacity);
		if (!builder->bytes)
			abort();
	}
	if (size)
		memcpy(builder->bytes + builder->size, bytes, size);
	builder->size += size;
}

static void put_number(struct trace_builder *builder, uint64_t number, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		uint8_t byte = (uint8_t)(number >> 8 * i);
		put(builder, &byte, 1);
	}
}

static void put_leb(struct trace_builder *builder, uint64_t number)
{
	while (number > 127) {
		put_number(builder, (number & 127) + 128, 1);
		number /= 128;
	}
	put_number(builder, number, 1);
}

void trace_start(struct trace_builder *builder)
{
	*builder = (struct trace_builder){.chunk = NO_CHUNK};
}

void trace_free(struct trace_builder *builder)
{
	free(builder->bytes);
	trace_start(builder);
}

int trace_write(const struct trace_builder *builder, const char *path)
{
	FILE *file = fopen(path, "wb");
	if (!file)
		return -1;
	size_t written = fwrite(builder->bytes, 1, builder->size, file);
	return fclose(file) == 0 && written == builder->size ? 0 : -1;
}

/* ---- chunks ---- */

static void put_chunk(struct trace_builder *builder, struct heddle_trace_chunk header, const void *bytes, size_t size)
{
	header.magic = HEDDLE_TRACE_MAGIC;
	header.version = HEDDLE_TRACE_VERSION;
	header.length = (uint32_t)size;
	header.sum = heddle_trace_sum(bytes, size);
	put(builder, &header, sizeof(header));
	put(builder, bytes, size);
}

void trace_info(struct trace_builder *builder, const struct heddle_trace_info *info)
{
	put_chunk(builder, (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_INFO, .count = 1}, info, sizeof(*info));
}

void trace_tree(struct trace_builder *builder, uint32_t first, const struct heddle_trace_node *nodes, size_t count)
{
	put_chunk(builder, (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_TREE, .first = first, .count = count},
		nodes, count * sizeof(*nodes));
}

void trace_rest(struct trace_builder *builder, uint32_t thread, const struct heddle_trace_value *values, size_t count)
{
	put_chunk(builder, (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_REST, .thread = thread, .count = count},
		values, count * sizeof(*values));
}

void trace_offsets(struct trace_builder *builder, const struct heddle_trace_offset *offsets, size_t count)
{
	put_chunk(builder, (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_OFFSET, .count = count}, offsets,
		count * sizeof(*offsets));
}

void trace_groups(struct trace_builder *builder, const struct heddle_trace_group *groups, size_t count)
{
	put_chunk(builder, (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_GROUP, .count = count}, groups,
		count * sizeof(*groups));
}

void trace_raw(struct trace_builder *builder, const void *bytes, size_t size)
{
	put(builder, bytes, size);
}

void trace_chain(struct trace_builder *builder, size_t count)
{
	struct heddle_trace_node *nodes = calloc(count + 1, sizeof(*nodes));
	if (!nodes)
		abort();
	for (size_t i = 1; i < count; i++)
		nodes[i].parent = (uint32_t)i - 1;
	trace_tree(builder, 0, nodes, count);
	free(nodes);
}

void trace_simple_info(struct trace_builder *builder)
{
	trace_info(builder, &(struct heddle_trace_info){.ns_per_tick = (uint64_t)1 << 32});
}

void trace_begin_chunk(struct trace_builder *builder, uint32_t thread, uint32_t order, uint64_t first, uint64_t paused)
{
	struct heddle_trace_chunk header = {.magic = HEDDLE_TRACE_MAGIC,
		.version = HEDDLE_TRACE_VERSION,
		.kind = HEDDLE_TRACE_EVENTS,
		.thread = thread,
		.order = order,
		.first = first,
		.paused = paused};
	builder->chunk = builder->size;
	builder->tick = first;
	put(builder, &header, sizeof(header));
}

void trace_end_chunk(struct trace_builder *builder)
{
	struct heddle_trace_chunk header;
	memcpy(&header, builder->bytes + builder->chunk, sizeof(header));
	size_t begin = builder->chunk + sizeof(header);
	header.length = (uint32_t)(builder->size - begin);
	header.last = builder->tick;
	header.sum = heddle_trace_sum(builder->bytes + begin, header.length);
	memcpy(builder->bytes + builder->chunk, &header, sizeof(header));
	builder->chunk = NO_CHUNK;
}

/* ---- records ---- */

static unsigned int width_of(const struct trace_builder *builder, uint64_t number)
{
	unsigned int least = number < 1u << 8 ? 0 : number < 1u << 16 ? 1 : number < (uint64_t)1 << 32 ? 2 : 3;
	return builder->random_widths && rand() % 8 == 0 ? least + (unsigned int)rand() % (4 - least) : least;
}

static void count_record(struct trace_builder *builder)
{
	struct heddle_trace_chunk header;
	memcpy(&header, builder->bytes + builder->chunk, sizeof(header));
	header.count++;
	memcpy(builder->bytes + builder->chunk, &header, sizeof(header));
}

static void put_timed(struct trace_builder *builder, enum heddle_trace_kind kind, uint64_t time, uint64_t operand)
{
	unsigned int time_width = width_of(builder, time), width = width_of(builder, operand);
	put_number(builder, (uint64_t)kind + time_width * 16 + width * 64, 1);
	put_number(builder, time, (size_t)1 << time_width);
	put_number(builder, operand, (size_t)1 << width);
	if (kind != HEDDLE_TRACE_VISIT && kind != HEDDLE_TRACE_SAMPLE && kind != HEDDLE_TRACE_MESSAGE)
		builder->tick += time;
	count_record(builder);
}

static void put_untimed(struct trace_builder *builder, enum heddle_trace_kind kind, uint64_t operand)
{
	unsigned int width = width_of(builder, operand);
	put_number(builder, (uint64_t)kind + width * 64, 1);
	put_number(builder, operand, (size_t)1 << width);
	count_record(builder);
}

void trace_end(struct trace_builder *builder, uint64_t time)
{
	unsigned int width = width_of(builder, time);
	put_number(builder, HEDDLE_TRACE_END + width * 16, 1);
	put_number(builder, time, (size_t)1 << width);
	builder->tick += time;
	count_record(builder);
}

void trace_task_return(struct trace_builder *builder, uint64_t time)
{
	unsigned int width = width_of(builder, time);
	put_number(builder, HEDDLE_TRACE_END + width * 16 + HEDDLE_TRACE_END_OF_TASK * 64, 1);
	put_number(builder, time, (size_t)1 << width);
	builder->tick += time;
	count_record(builder);
}

void trace_task_begin(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed, uint32_t task)
{
	put_timed(builder, HEDDLE_TRACE_TASK_BEGIN, time, trace_entry(node, timed));
	put_number(builder, task, 4);
}

void trace_number(struct trace_builder *builder, enum heddle_trace_number which, uint64_t value)
{
	put_untimed(builder, HEDDLE_TRACE_NUMBER + which * 16, value);
}

void trace_begin(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed)
{
	put_timed(builder, timed ? HEDDLE_TRACE_BEGIN : HEDDLE_TRACE_BEGIN_UNTIMED, time, node);
}

void trace_open(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed)
{
	put_timed(builder, HEDDLE_TRACE_OPEN, time, trace_entry(node, timed));
}

void trace_stack(struct trace_builder *builder, uint64_t time, uint32_t stays, const uint64_t *entries, size_t count)
{
	put_timed(builder, HEDDLE_TRACE_STACK, time, stays);
	put_leb(builder, count);
	for (size_t i = 0; i < count; i++)
		put_leb(builder, entries[i]);
}

void trace_visit(struct trace_builder *builder, uint64_t time, uint32_t node)
{
	put_timed(builder, HEDDLE_TRACE_VISIT, time, node);
}

void trace_sample(struct trace_builder *builder, uint64_t time, uint32_t node, uint64_t periods, uint64_t cpu_ns,
	uint64_t wall_ticks)
{
	put_timed(builder, HEDDLE_TRACE_SAMPLE, time, node);
	put_leb(builder, periods);
	put_leb(builder, cpu_ns);
	put_leb(builder, wall_ticks);
}

void trace_idle(struct trace_builder *builder, uint64_t time, uint32_t node, bool timed)
{
	put_timed(builder, HEDDLE_TRACE_IDLE, time, trace_entry(node, timed));
}

void trace_add(struct trace_builder *builder, uint32_t node, uint32_t metric, uint64_t amount)
{
	put_untimed(builder, HEDDLE_TRACE_ADD, (uint64_t)metric << 1 | (node != TRACE_NO_NODE));
	if (node != TRACE_NO_NODE)
		put_leb(builder, node);
	put_leb(builder, amount);
}

void trace_distribute(struct trace_builder *builder, uint32_t node, uint32_t argument, uint32_t text, double value)
{
	put_untimed(builder, HEDDLE_TRACE_DISTRIBUTE, (uint64_t)argument << 1 | (node != TRACE_NO_NODE));
	if (node != TRACE_NO_NODE)
		put_leb(builder, node);
	put_leb(builder, text);
	put(builder, &value, sizeof(value));
}

void trace_access(struct trace_builder *builder, uint32_t node, uint32_t operand, int64_t partner, uint64_t bytes)
{
	put_untimed(
		builder, HEDDLE_TRACE_ACCESS, node == TRACE_NO_NODE ? operand : operand | HEDDLE_TRACE_ACCESS_EXPLICIT);
	if (node != TRACE_NO_NODE)
		put_leb(builder, node);
	put_leb(builder, (uint64_t)(partner + 1));
	put_leb(builder, bytes);
}

void trace_attribute(struct trace_builder *builder, enum heddle_trace_attribute attribute, uint64_t value)
{
	put_untimed(builder, HEDDLE_TRACE_ATTRIBUTE, attribute);
	put_leb(builder, value);
}

void trace_mark(struct trace_builder *builder, uint64_t time, enum heddle_trace_mark mark, uint64_t value)
{
	put_timed(builder, HEDDLE_TRACE_MARK, time, mark);
	put_leb(builder, value);
}

void trace_message(
	struct trace_builder *builder, uint64_t time, enum heddle_trace_message message, const uint64_t numbers[5])
{
	put_timed(builder, HEDDLE_TRACE_MESSAGE, time, message);
	for (size_t i = 0; i < 5; i++)
		put_leb(builder, numbers[i]);
}
