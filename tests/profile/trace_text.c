/* SPDX-License-Identifier: BSD-3-Clause */
/* Each line is a chunk or a record. */
#include "tests/profile/trace_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPERANDS 32

static const char *const attributes[] = {[HEDDLE_TRACE_HANDLE] = "handle",
	[HEDDLE_TRACE_LOCK] = "lock",
	[HEDDLE_TRACE_TASK_CREATE] = "task-create",
	[HEDDLE_TRACE_TASK] = "task",
	[HEDDLE_TRACE_TASK_END] = "task-end",
	[HEDDLE_TRACE_PARALLEL] = "parallel",
	[HEDDLE_TRACE_TEAM_SIZE] = "team-size",
	[HEDDLE_TRACE_ADDRESS] = "address",
	[HEDDLE_TRACE_BYTES] = "bytes",
	[HEDDLE_TRACE_MEETS] = "meets",
	[HEDDLE_TRACE_COMMUNICATOR] = "communicator",
	[HEDDLE_TRACE_ROOT] = "root",
	[HEDDLE_TRACE_ACROSS] = "across",
	[HEDDLE_TRACE_CONTEXT] = "context"};

static const char *const messages[] = {[HEDDLE_TRACE_SENT] = "sent",
	[HEDDLE_TRACE_EXPECTED] = "expected",
	[HEDDLE_TRACE_RECEIVED] = "received",
	[HEDDLE_TRACE_SEND_END] = "send-end",
	[HEDDLE_TRACE_SHARED] = "shared",
	[HEDDLE_TRACE_JOINED] = "joined",
	[HEDDLE_TRACE_LEFT] = "left",
	[HEDDLE_TRACE_GRANTED] = "granted",
	[HEDDLE_TRACE_AWAITED] = "awaited",
	[HEDDLE_TRACE_WINDOW] = "window",
	[HEDDLE_TRACE_ARRIVED] = "arrived"};

static const char *const marks[] = {[HEDDLE_TRACE_THREAD_BEGIN] = "thread-begin",
	[HEDDLE_TRACE_THREAD_END] = "thread-end",
	[HEDDLE_TRACE_OFF] = "off",
	[HEDDLE_TRACE_ON] = "on",
	[HEDDLE_TRACE_PAUSED] = "paused",
	[HEDDLE_TRACE_DROPPED] = "dropped",
	[HEDDLE_TRACE_WAITED] = "waited"};

/* A line, split into words. Words that are not numbers count as 0. */
struct line {
	const char *word, *text[MOST_OPERANDS];
	long long number[MOST_OPERANDS];
	int count; /* of operands; further ones are 0 and "" */
};

/* The chunk that records are appended to. */
struct chunk {
	bool open;
	uint32_t thread, order;
};

struct writing {
	struct trace_builder builder;
	struct chunk chunk;
};

static uint32_t number_of(const char *name, const char *const *names, size_t count)
{
	if (isdigit((unsigned char)*name))
		return (uint32_t)strtoul(name, NULL, 10);
	for (uint32_t i = 0; i < count; i++)
		if (names[i] && strcmp(names[i], name) == 0)
			return i;
	fprintf(stderr, "unknown name '%s'\n", name);
	exit(1);
}

static bool is(const struct line *line, const char *word)
{
	return strcmp(line->word, word) == 0;
}

static uint64_t unsigned_of(const struct line *line, int operand)
{
	return strtoull(line->text[operand], NULL, 10);
}

static uint32_t node_of(const struct line *line, int operand)
{
	return (uint32_t)llabs(line->number[operand]);
}

static bool is_timed(const struct line *line, int operand)
{
	return line->number[operand] > 0;
}

/* ---- chunks ---- */

static void end_chunk(struct writing *writing)
{
	if (writing->chunk.open)
		trace_end_chunk(&writing->builder);
	writing->chunk.open = false;
}

static void put_info(struct trace_builder *builder, const struct line *line)
{
	struct heddle_trace_info info = {
		.ns_per_tick = (uint64_t)(((unsigned __int128)unsigned_of(line, 0) << 32) / 1000),
		.start_ticks = unsigned_of(line, 1),
		.start_mono_ns = unsigned_of(line, 2),
		.start_unix_ns = unsigned_of(line, 3),
		.end_ticks = unsigned_of(line, 4),
	};
	trace_info(builder, &info);
}

/* identity, number, name, rank, rank of all */
static void put_group(struct trace_builder *builder, const struct line *line)
{
	struct heddle_trace_group group = {unsigned_of(line, 0), (uint32_t)unsigned_of(line, 1),
		(uint32_t)unsigned_of(line, 2), (uint32_t)unsigned_of(line, 3), (uint32_t)unsigned_of(line, 4)};
	trace_groups(builder, &group, 1);
}

static void begin_thread(struct writing *writing, uint32_t id, uint64_t start)
{
	end_chunk(writing);
	writing->chunk = (struct chunk){true, id, 0};
	trace_begin_chunk(&writing->builder, id, 0, start, 0);
	trace_stack(&writing->builder, 0, 0, NULL, 0);
}

/* `node` 0: no entry is open. */
static void next_chunk(struct writing *writing, uint64_t time, uint64_t node)
{
	struct trace_builder *builder = &writing->builder;
	uint64_t entry = node << 1 | 1;
	trace_end_chunk(builder);
	trace_begin_chunk(builder, writing->chunk.thread, ++writing->chunk.order, builder->tick, 0);
	trace_stack(builder, time, 0, &entry, node != 0);
	trace_idle(builder, 0, 0, false);
}

static void begin_chunk(struct writing *writing, const struct line *line)
{
	uint32_t thread = (uint32_t)unsigned_of(line, 0), order = (uint32_t)unsigned_of(line, 1);
	end_chunk(writing);
	writing->chunk = (struct chunk){true, thread, order};
	trace_begin_chunk(&writing->builder, thread, order, unsigned_of(line, 2), unsigned_of(line, 3));
}

static bool put_chunk(struct writing *writing, const struct line *line)
{
	struct trace_builder *builder = &writing->builder;
	struct heddle_trace_offset offset = {unsigned_of(line, 0), line->number[1], unsigned_of(line, 2)};
	struct heddle_trace_value value = {node_of(line, 1), (uint32_t)unsigned_of(line, 2), unsigned_of(line, 3)};
	bool next = is(line, "chunk") && line->count < 4, whole = is(line, "chunk") && !next;
	if (is(line, "info") || is(line, "rest"))
		end_chunk(writing);
	if (is(line, "info"))
		put_info(builder, line);
	else if (is(line, "nodes"))
		trace_chain(builder, unsigned_of(line, 0));
	else if (is(line, "offset"))
		trace_offsets(builder, &offset, 1);
	else if (is(line, "group"))
		put_group(builder, line);
	else if (is(line, "rest"))
		trace_rest(builder, (uint32_t)unsigned_of(line, 0), &value, 1);
	else if (is(line, "thread"))
		begin_thread(writing, (uint32_t)unsigned_of(line, 0), unsigned_of(line, 1));
	else if (next && writing->chunk.open)
		next_chunk(writing, unsigned_of(line, 0), unsigned_of(line, 1));
	else if (whole)
		begin_chunk(writing, line);
	else
		return false;
	return true;
}

/* ---- records ---- */

static void put_stack(struct trace_builder *builder, const struct line *line)
{
	uint64_t entries[MOST_OPERANDS];
	for (int i = 2; i < line->count; i++)
		entries[i - 2] = trace_entry(node_of(line, i), is_timed(line, i));
	trace_stack(builder, unsigned_of(line, 0), node_of(line, 1), entries,
		line->count > 2 ? (size_t)line->count - 2 : 0);
}

/* time, what, group, partner, tag, bytes, request; -1: any */
static void put_message(struct trace_builder *builder, const struct line *line)
{
	uint64_t numbers[] = {unsigned_of(line, 2), (uint64_t)(line->number[3] + 1), (uint64_t)(line->number[4] + 1),
		unsigned_of(line, 5), unsigned_of(line, 6)};
	trace_message(builder, unsigned_of(line, 0),
		number_of(line->text[1], messages, sizeof(messages) / sizeof(*messages)), numbers);
}

static bool put_change(struct trace_builder *builder, const struct line *line)
{
	uint64_t time = unsigned_of(line, 0);
	if (is(line, "stack"))
		put_stack(builder, line);
	else if (is(line, "begin"))
		trace_begin(builder, time, node_of(line, 1), is_timed(line, 1));
	else if (is(line, "open"))
		trace_open(builder, time, node_of(line, 1), is_timed(line, 1));
	else if (is(line, "idle"))
		trace_idle(builder, time, node_of(line, 1), is_timed(line, 1));
	else if (is(line, "end"))
		trace_end(builder, time);
	else if (is(line, "message"))
		put_message(builder, line);
	else if (is(line, "mark"))
		trace_mark(builder, time, number_of(line->text[1], marks, sizeof(marks) / sizeof(*marks)),
			unsigned_of(line, 2));
	else
		return false;
	return true;
}

static void put_sample(struct trace_builder *builder, const struct line *line)
{
	bool short_form = line->count < 5;
	trace_sample(builder, unsigned_of(line, 0), node_of(line, 1), short_form ? 1 : unsigned_of(line, 2),
		unsigned_of(line, short_form ? 2 : 3), unsigned_of(line, short_form ? 2 : 4));
}

static bool put_value(struct trace_builder *builder, const struct line *line)
{
	uint32_t first = node_of(line, 0), second = node_of(line, 1);
	if (is(line, "visit"))
		trace_visit(builder, unsigned_of(line, 0), second);
	else if (is(line, "sample"))
		put_sample(builder, line);
	else if (is(line, "add"))
		trace_add(builder, first, second, unsigned_of(line, 2));
	else if (is(line, "argument"))
		trace_distribute(builder, first, second, node_of(line, 2), strtod(line->text[3], NULL));
	else if (is(line, "access"))
		trace_access(builder, first, second, line->number[2], unsigned_of(line, 3));
	else if (is(line, "attribute"))
		trace_attribute(builder, number_of(line->text[0], attributes, sizeof(attributes) / sizeof(*attributes)),
			unsigned_of(line, 1));
	else
		return false;
	return true;
}

/* ---- lines ---- */

/* Splits `text`, and changes it. Returns false if the line has no words. */
static bool split(struct line *line, char *text)
{
	char *rest = NULL, *operand;
	*line = (struct line){.word = strtok_r(text, " ", &rest)};
	if (!line->word || *line->word == '#')
		return false;
	for (int i = 0; i < MOST_OPERANDS; i++)
		line->text[i] = "";
	while (line->count < MOST_OPERANDS && (operand = strtok_r(NULL, " ", &rest)) != NULL) {
		line->text[line->count] = operand;
		line->number[line->count++] = strtoll(operand, NULL, 10);
	}
	return true;
}

/* Returns false if the line cannot be read. */
static bool take_line(struct writing *writing, char *text)
{
	struct line line;
	if (!split(&line, text))
		return true;
	return put_chunk(writing, &line) ||
	       (writing->chunk.open && (put_change(&writing->builder, &line) || put_value(&writing->builder, &line)));
}

int write_trace_from_text(const char *text, const char *path)
{
	struct writing writing = {0};
	bool good = true;
	trace_start(&writing.builder);
	trace_simple_info(&writing.builder);
	for (size_t length; *text && good; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		char *line = strndup(text, length);
		good = line && take_line(&writing, line);
		if (!good)
			fprintf(stderr, "not understood: %.*s\n", (int)length, text);
		free(line);
	}
	end_chunk(&writing);
	good = good && trace_write(&writing.builder, path) == 0;
	trace_free(&writing.builder);
	return good ? 0 : -1;
}
