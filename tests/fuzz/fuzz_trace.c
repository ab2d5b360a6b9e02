/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer's target for the reader of traces: any bytes are opened as the trace of a process with a few nodes and
 * counters, read in all ways, and selected from. With an odd last byte the chunks' headers are mended first, since no
 * fuzzer finds check sums.
 */
#include "profile/trace.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODES 16
#define THREADS 3

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[4096];
static int file = -1;

/* A single processor, or each input would start threads. A crash leaves the file: who sets the directory removes it. */
static void start(void)
{
	char name[sizeof(path) + 16];
	const char *directory = getenv("HEDDLE_FUZZ_DIRECTORY");
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	snprintf(path, sizeof(path), "%s/fuzz.heddle", directory ? directory : ".");
	snprintf(name, sizeof(name), "%s%s", path, HEDDLE_TRACE_SUFFIX);
	file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (file < 0)
		abort();
}

static void mend(uint8_t *bytes, size_t size)
{
	struct heddle_trace_chunk header;
	for (size_t at = 0; size - at >= sizeof(header); at += sizeof(header) + header.length) {
		size_t room = size - at - sizeof(header);
		memcpy(&header, bytes + at, sizeof(header));
		header.magic = HEDDLE_TRACE_MAGIC;
		header.version = HEDDLE_TRACE_VERSION;
		header.kind = header.kind % 7;
		header.length = header.length > room ? (uint32_t)room : header.length;
		header.sum = heddle_trace_sum(bytes + at + sizeof(header), header.length);
		memcpy(bytes + at, &header, sizeof(header));
	}
}

static void write_file(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	if (!copy)
		abort();
	if (size)
		memcpy(copy, bytes, size);
	if (size && bytes[size - 1] & 1)
		mend(copy, size);
	if (ftruncate(file, 0) != 0 || pwrite(file, copy, size, 0) != (ssize_t)size)
		abort();
	free(copy);
}

/* ---- a measurement that was never in a file ---- */

static Heddle__Profile__Process *make_info(void)
{
	Heddle__Profile__Process *info = malloc(sizeof(*info));
	heddle__profile__process__init(info);
	info->host = strdup("one");
	info->n_strings = 2;
	info->strings = malloc(2 * sizeof(*info->strings));
	info->strings[0] = strdup("x=%d");
	info->strings[1] = strdup("y=%d");
	info->n_counters = 1;
	info->counters = malloc(sizeof(*info->counters));
	info->counters[0] = malloc(sizeof(**info->counters));
	heddle__profile__counter__init(info->counters[0]);
	info->counters[0]->metric = HEDDLE_COUNTER_FIRST + 1;
	info->counters[0]->name = strdup("page-faults");
	info->counters[0]->unit = strdup("count");
	return info;
}

static void make_process(struct profile_process *process)
{
	*process = (struct profile_process){.path = strdup(path), .info = make_info()};
	process->map_size = NODES + 1;
	process->map = calloc(process->map_size, sizeof(*process->map));
	for (uint32_t i = 0; i < NODES; i++)
		process->map[i] = i;
	process->thread_count = THREADS;
	process->threads = calloc(THREADS, sizeof(*process->threads));
	for (uint32_t t = 0; t < THREADS; t++) {
		process->threads[t].id = t;
		process->threads[t].role = strdup("thread");
	}
}

static void make_measurement(struct profile_measurement *measurement)
{
	*measurement = (struct profile_measurement){.path = strdup(path), .process_count = 1, .file_count = 1};
	measurement->processes = calloc(1, sizeof(*measurement->processes));
	make_process(measurement->processes);
	struct profile_call_tree from = {.nodes = calloc(NODES, sizeof(*from.nodes)), .node_count = NODES};
	from.modules = calloc(1, sizeof(*from.modules));
	from.modules[0].path = "";
	from.module_count = 1;
	from.nodes[0].kind = HEDDLE_NODE_ROOT;
	for (uint32_t i = 1; i < NODES; i++)
		from.nodes[i] = (struct profile_node){.place = i, .parent = i - 1, .kind = HEDDLE_NODE_FRAME};
	if (profile_call_tree_start(&measurement->tree) || profile_call_tree_merge(&measurement->tree, &from, NULL))
		abort();
	profile_call_tree_free(&from);
}

/* ---- reading ---- */

static void require(bool right)
{
	if (!right)
		abort();
}

/* Everything an event names exists, and time does not go back. */
static void look_at(
	const struct profile_trace_stream *stream, const struct profile_trace_event *event, uint64_t *before)
{
	size_t nodes = stream->trace->files[stream->thread->file].node_count;
	require(event->time_ns >= *before);
	require(event->charged == HEDDLE_NO_NODE || event->charged < nodes);
	require(event->node == 0 || event->node < nodes);
	require(event->pushed <= stream->depth);
	for (size_t i = stream->depth > 4 ? stream->depth - 4 : 0; i < stream->depth; i++)
		require(stream->stack[i].node < nodes);
	*before = event->time_ns;
}

static size_t read_streams(const struct profile_trace *trace)
{
	size_t events = 0;
	for (size_t t = 0; t < trace->thread_count; t++) {
		struct profile_trace_stream stream;
		struct profile_trace_event event;
		uint64_t before = 0;
		require(profile_trace_stream_open(&stream, trace, t) == 0);
		for (; profile_trace_next(&stream, &event); events++)
			look_at(&stream, &event, &before);
		profile_trace_stream_seek(&stream, trace->end_ns / 2);
		profile_trace_next(&stream, &event);
		profile_trace_stream_close(&stream);
	}
	return events;
}

static void read_merged(const struct profile_trace *trace, size_t events)
{
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	uint64_t before = 0;
	struct profile_trace_merge *merge = profile_trace_merge_open(trace, 0);
	require(merge != NULL);
	for (; profile_trace_merge_next(merge, &stream, &event); events--)
		look_at(stream, &event, &before);
	require(events == 0);
	profile_trace_merge_close(merge);
}

static void select_parts(struct profile_measurement *measurement, const struct profile_trace *trace)
{
	struct profile_trace_part parts[] = {{0, UINT64_MAX}, {trace->end_ns / 3, trace->end_ns / 2}};
	for (size_t i = 0; i < 2; i++)
		require(profile_trace_select(measurement, trace, &parts[i]) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct profile_measurement measurement;
	struct profile_trace trace;
	if (file < 0) {
		start();
		make_measurement(&measurement);
	}
	write_file(bytes, size);
	if (profile_trace_open(&trace, &measurement, NULL) == 0) {
		require(!trace.files[0].damage || !strchr(trace.files[0].damage, '\n'));
		read_merged(&trace, read_streams(&trace));
		select_parts(&measurement, &trace);
		profile_trace_close(&trace);
	}
	return 0;
}
