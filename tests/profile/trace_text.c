/* SPDX-License-Identifier: BSD-3-Clause */
/* Each line is a record. */
#include "tests/profile/trace_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const attributes[] = {[HEDDLE_TRACE_LOCK] = "lock",
	[HEDDLE_TRACE_TASK_CREATE] = "task-create",
	[HEDDLE_TRACE_TASK] = "task",
	[HEDDLE_TRACE_TASK_END] = "task-end",
	[HEDDLE_TRACE_PARALLEL] = "parallel",
	[HEDDLE_TRACE_TEAM_SIZE] = "team-size",
	[HEDDLE_TRACE_MEETS] = "meets"};

static const char *const marks[] = {[HEDDLE_TRACE_THREAD_BEGIN] = "thread-begin",
	[HEDDLE_TRACE_THREAD_END] = "thread-end",
	[HEDDLE_TRACE_OFF] = "off",
	[HEDDLE_TRACE_ON] = "on",
	[HEDDLE_TRACE_DROPPED] = "dropped"};

static uint32_t number_of(const char *name, const char *const *names, size_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (names[i] && strcmp(names[i], name) == 0)
			return i;
	fprintf(stderr, "unknown name '%s'\n", name);
	exit(1);
}

/* The chunk that records go to. */
struct chunk {
	bool open;
	uint32_t thread, order;
};

static void begin_thread(struct trace_builder *builder, uint32_t id, uint64_t start, struct chunk *chunk)
{
	if (chunk->open)
		trace_end_chunk(builder);
	*chunk = (struct chunk){true, id, 0};
	trace_begin_chunk(builder, id, 0, start, 0);
	trace_stack(builder, 0, 0, NULL, 0);
}

/* `node` 0: nothing is open. */
static void begin_chunk(struct trace_builder *builder, uint64_t time, uint64_t node, struct chunk *chunk)
{
	uint64_t entry = node << 1 | 1;
	trace_end_chunk(builder);
	trace_begin_chunk(builder, chunk->thread, ++chunk->order, builder->tick, 0);
	trace_stack(builder, time, 0, &entry, node != 0);
	trace_idle(builder, 0, 0, false);
}

/* `first` is a time or a name, `second` what follows it. */
static bool put(struct trace_builder *builder, const char *word, const char *first, uint64_t second, uint64_t third)
{
	uint64_t time = strtoull(first, NULL, 10);
	uint32_t node = (uint32_t)second;
	if (strcmp(word, "begin") == 0)
		trace_begin(builder, time, node, true);
	else if (strcmp(word, "begin-untimed") == 0)
		trace_begin(builder, time, node, false);
	else if (strcmp(word, "open") == 0)
		trace_open(builder, time, node, true);
	else if (strcmp(word, "end") == 0)
		trace_end(builder, time);
	else if (strcmp(word, "visit") == 0)
		trace_visit(builder, time, node);
	else if (strcmp(word, "sample") == 0)
		trace_sample(builder, time, node, 1, third, third);
	else if (strcmp(word, "attribute") == 0)
		trace_attribute(
			builder, number_of(first, attributes, sizeof(attributes) / sizeof(*attributes)), second);
	else
		return false;
	return true;
}

static void put_offset(struct trace_builder *builder, const char *at, const char *offset, const char *error)
{
	struct heddle_trace_offset measured = {
		strtoull(at, NULL, 10), strtoll(offset, NULL, 10), strtoull(error, NULL, 10)};
	trace_offsets(builder, &measured, 1);
}

/* False: it can't be read. */
static bool take_line(struct trace_builder *builder, const char *line, struct chunk *chunk)
{
	char word[32], first[32] = "", second[32] = "0", third[32] = "0";
	if (sscanf(line, "%31s %31s %31s %31s", word, first, second, third) < 2)
		return true;
	if (strcmp(word, "nodes") == 0)
		trace_chain(builder, strtoull(first, NULL, 10));
	else if (strcmp(word, "thread") == 0)
		begin_thread(builder, (uint32_t)strtoull(first, NULL, 10), strtoull(second, NULL, 10), chunk);
	else if (strcmp(word, "chunk") == 0)
		begin_chunk(builder, strtoull(first, NULL, 10), strtoull(second, NULL, 10), chunk);
	else if (strcmp(word, "offset") == 0)
		put_offset(builder, first, second, third);
	else if (strcmp(word, "mark") == 0)
		trace_mark(builder, strtoull(first, NULL, 10), number_of(second, marks, sizeof(marks) / sizeof(*marks)),
			0);
	else
		return put(builder, word, first, strtoull(second, NULL, 10), strtoull(third, NULL, 10));
	return true;
}

int write_trace_from_text(const char *text, const char *path)
{
	struct trace_builder builder;
	char line[256];
	struct chunk chunk = {0};
	bool good = true;
	trace_start(&builder);
	trace_simple_info(&builder);
	for (size_t length; *text && good; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		good = take_line(&builder, line, &chunk);
		if (!good)
			fprintf(stderr, "not understood: %s\n", line);
	}
	if (chunk.open)
		trace_end_chunk(&builder);
	good = good && trace_write(&builder, path) == 0;
	trace_free(&builder);
	return good ? 0 : -1;
}
