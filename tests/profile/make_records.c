/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_records FILE: writes the trace that standard input describes to FILE. For script tests. A line is a word and
 * numbers; `time` is since the last record that advanced the time, an entry is a node, or -node when it is not timed:
 *
 *     info NS_PER_TICK START_TICKS MONOTONIC_NS UNIX_NS END_TICKS     (first one in 1/1000 ns)
 *     nodes COUNT                            a tree of that many
 *     rest THREAD NODE METRIC VALUE          values at the end
 *     chunk THREAD ORDER FIRST PAUSED        begins a chunk of events; the one before ends
 *     stack TIME STAYS ENTRY...    begin TIME ENTRY    open TIME ENTRY    end TIME     visit TIME NODE
 *     idle TIME ENTRY              sample TIME NODE PERIODS CPU_NS TICKS  add NODE METRIC AMOUNT
 *     argument NODE NUMBER TEXT VALUE        access NODE OPERAND PARTNER BYTES
 *     attribute NUMBER VALUE                 mark TIME NUMBER VALUE       (of format/trace.h's enums)
 */
#include "tests/profile/trace_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NUMBERS 32

static bool in_chunk;

static void end_chunk(struct trace_builder *builder)
{
	if (in_chunk)
		trace_end_chunk(builder);
	in_chunk = false;
}

static uint32_t node_of(long long entry)
{
	return (uint32_t)llabs(entry);
}

static void put_info(struct trace_builder *builder, const long long *n)
{
	struct heddle_trace_info info = {
		.ns_per_tick = (uint64_t)(((unsigned __int128)n[0] << 32) / 1000),
		.start_ticks = (uint64_t)n[1],
		.start_mono_ns = (uint64_t)n[2],
		.start_unix_ns = (uint64_t)n[3],
		.end_ticks = (uint64_t)n[4],
	};
	trace_info(builder, &info);
}

static void put_stack(struct trace_builder *builder, const long long *n, int count)
{
	uint64_t entries[MOST_NUMBERS];
	for (int i = 2; i < count; i++)
		entries[i - 2] = trace_entry(node_of(n[i]), n[i] > 0);
	trace_stack(builder, (uint64_t)n[0], (uint32_t)n[1], entries, (size_t)count - 2);
}

static bool is_chunk(const char *word)
{
	return strcmp(word, "info") == 0 || strcmp(word, "nodes") == 0 || strcmp(word, "rest") == 0 ||
	       strcmp(word, "chunk") == 0;
}

static void put_chunk(struct trace_builder *builder, const char *word, const long long *n)
{
	end_chunk(builder);
	if (strcmp(word, "info") == 0)
		put_info(builder, n);
	else if (strcmp(word, "nodes") == 0)
		trace_chain(builder, (size_t)n[0]);
	else if (strcmp(word, "rest") == 0)
		trace_rest(builder, (uint32_t)n[0],
			&(struct heddle_trace_value){(uint32_t)n[1], (uint32_t)n[2], (uint64_t)n[3]}, 1);
	else
		trace_begin_chunk(builder, (uint32_t)n[0], (uint32_t)n[1], (uint64_t)n[2], (uint64_t)n[3]);
	in_chunk = strcmp(word, "chunk") == 0;
}

static bool put_change(struct trace_builder *builder, const char *word, const long long *n, int count)
{
	uint64_t time = (uint64_t)n[0];
	if (strcmp(word, "stack") == 0)
		put_stack(builder, n, count);
	else if (strcmp(word, "begin") == 0)
		trace_begin(builder, time, node_of(n[1]), n[1] > 0);
	else if (strcmp(word, "open") == 0)
		trace_open(builder, time, node_of(n[1]), n[1] > 0);
	else if (strcmp(word, "idle") == 0)
		trace_idle(builder, time, node_of(n[1]), n[1] > 0);
	else if (strcmp(word, "end") == 0)
		trace_end(builder, time);
	else
		return false;
	return true;
}

static bool put_value(struct trace_builder *builder, const char *word, const long long *n, double real)
{
	if (strcmp(word, "visit") == 0)
		trace_visit(builder, (uint64_t)n[0], (uint32_t)n[1]);
	else if (strcmp(word, "sample") == 0)
		trace_sample(builder, (uint64_t)n[0], (uint32_t)n[1], (uint64_t)n[2], (uint64_t)n[3], (uint64_t)n[4]);
	else if (strcmp(word, "add") == 0)
		trace_add(builder, (uint32_t)n[0], (uint32_t)n[1], (uint64_t)n[2]);
	else if (strcmp(word, "argument") == 0)
		trace_distribute(builder, (uint32_t)n[0], (uint32_t)n[1], (uint32_t)n[2], real);
	else if (strcmp(word, "access") == 0)
		trace_access(builder, (uint32_t)n[0], (uint32_t)n[1], n[2], (uint64_t)n[3]);
	else if (strcmp(word, "attribute") == 0)
		trace_attribute(builder, (enum heddle_trace_attribute)n[0], (uint64_t)n[1]);
	else if (strcmp(word, "mark") == 0)
		trace_mark(builder, (uint64_t)n[0], (enum heddle_trace_mark)n[1], (uint64_t)n[2]);
	else
		return false;
	return true;
}

static bool put_line(struct trace_builder *builder, char *line)
{
	long long numbers[MOST_NUMBERS] = {0};
	double last = 0;
	int count = 0;
	char *rest = NULL, *word = strtok_r(line, " \n", &rest), *text;
	if (!word || *word == '#')
		return true;
	while (count < MOST_NUMBERS && (text = strtok_r(NULL, " \n", &rest)) != NULL) {
		last = strtod(text, NULL);
		numbers[count++] = strtoll(text, NULL, 10);
	}
	if (is_chunk(word)) {
		put_chunk(builder, word, numbers);
		return true;
	}
	return in_chunk && (put_change(builder, word, numbers, count) || put_value(builder, word, numbers, last));
}

int main(int argc, char **argv)
{
	struct trace_builder builder;
	char line[4096];
	trace_start(&builder);
	bool good = argc == 2;
	while (good && fgets(line, sizeof(line), stdin))
		if (!put_line(&builder, line)) {
			fprintf(stderr, "make_records: not understood: %s\n", line);
			good = false;
		}
	end_chunk(&builder);
	good = good && trace_write(&builder, argv[1]) == 0;
	trace_free(&builder);
	return good ? 0 : 1;
}
