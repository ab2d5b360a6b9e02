/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer's target for the reader of traces. Any bytes are opened as the trace of a process with a few nodes and
 * counters, read in all ways, and selected from. If the last byte is odd, the headers of chunks are corrected first,
 * since a fuzzer does not find check sums. If the next bit of that byte is set, the bytes are instead the traces of two
 * machines, whose clocks are corrected.
 */
#include "profile/trace/trace_correct.h"

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

/* Runs on one processor, or each input would start threads; another one for each HEDDLE_FUZZ_WORKER, 0, 1, ... */
static void keep_one_processor(void)
{
	const char *worker = getenv("HEDDLE_FUZZ_WORKER");
	cpu_set_t all, one;
	CPU_ZERO(&one);
	if (sched_getaffinity(0, sizeof(all), &all) != 0)
		return;
	int skip = worker ? atoi(worker) % CPU_COUNT(&all) : 0;
	for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
		if (CPU_ISSET(cpu, &all) && skip-- == 0)
			CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* After a crash, the file remains; the script that sets the directory removes it. */
static void start(void)
{
	char name[sizeof(path) + 16];
	const char *directory = getenv("HEDDLE_FUZZ_DIRECTORY");
	keep_one_processor();
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
	if (pwrite(file, copy, size, 0) != (ssize_t)size || ftruncate(file, (off_t)size) != 0)
		abort();
	free(copy);
}

/* ---- a measurement without a file ---- */

static Heddle__Profile__Process *make_info(const char *host)
{
	Heddle__Profile__Process *info = malloc(sizeof(*info));
	heddle__profile__process__init(info);
	info->host = strdup(host);
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

/* The process's first thread is a rank. */
static void make_process(struct profile_process *process, size_t number)
{
	*process = (struct profile_process){.path = strdup(path), .info = make_info(number ? "two" : "one")};
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
	process->threads[0].rank = (uint32_t)number + 1;
	process->threads[0].rank_model = process->threads[0].model = "upc";
}

/* Each node from 8 on is a region of one of these kinds. */
static const struct {
	const char *name;
	uint32_t category, role;
} kinds[NODES / 2] = {{"BARRIER", HEDDLE_CATEGORY_BARRIER, 0}, {"NOTIFY", HEDDLE_CATEGORY_BARRIER, HEDDLE_EVENT_NOTIFY},
	{"WAIT", HEDDLE_CATEGORY_BARRIER, HEDDLE_EVENT_AWAIT}, {"LOCK", HEDDLE_CATEGORY_LOCK, 0},
	{"UNLOCK", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_UNLOCK},
	{"ATTEMPT", HEDDLE_CATEGORY_COMMUNICATION, HEDDLE_EVENT_ATTEMPT}, {"GATHER", HEDDLE_CATEGORY_COLLECTIVE, 0},
	{"OTHER", HEDDLE_CATEGORY_OTHER, 0}};

static void make_nodes(struct profile_call_tree *from)
{
	from->nodes = calloc(NODES, sizeof(*from->nodes));
	from->events = calloc(NODES / 2, sizeof(*from->events));
	from->node_count = NODES;
	from->event_count = NODES / 2;
	from->nodes[0].kind = HEDDLE_NODE_ROOT;
	for (uint32_t i = 1; i < NODES; i++)
		from->nodes[i] = (struct profile_node){
			.place = i, .parent = i - 1, .kind = i < NODES / 2 ? HEDDLE_NODE_FRAME : HEDDLE_NODE_REGION};
	for (uint32_t e = 0; e < NODES / 2; e++) {
		from->events[e] = (struct profile_event_kind){.model = "upc",
			.name = kinds[e].name,
			.label = kinds[e].name,
			.category = kinds[e].category,
			.role = kinds[e].role};
		from->nodes[NODES / 2 + e].event = e;
	}
}

static void make_measurement(struct profile_measurement *measurement, size_t processes)
{
	*measurement =
		(struct profile_measurement){.path = strdup(path), .process_count = processes, .file_count = processes};
	measurement->processes = calloc(processes, sizeof(*measurement->processes));
	for (size_t p = 0; p < processes; p++)
		make_process(&measurement->processes[p], p);
	struct profile_call_tree from = {0};
	make_nodes(&from);
	from.modules = calloc(1, sizeof(*from.modules));
	from.modules[0].path = "";
	from.module_count = 1;
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

/* Checks that everything that an event names exists, and that time does not go back. */
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

static void read_one(struct profile_measurement *measurement)
{
	struct profile_trace trace;
	if (profile_trace_open(&trace, measurement, NULL) != 0)
		return;
	require(!trace.files[0].damage || !strchr(trace.files[0].damage, '\n'));
	read_merged(&trace, read_streams(&trace));
	select_parts(measurement, &trace);
	profile_trace_close(&trace);
}

static void correct_two(const struct profile_measurement *measurement)
{
	struct profile_trace trace;
	struct profile_trace_correction correction;
	if (profile_trace_open(&trace, measurement, NULL) != 0)
		return;
	require(profile_trace_correct(&trace, &correction) == 0);
	read_merged(&trace, read_streams(&trace));
	profile_trace_close(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct profile_measurement one, two;
	if (file < 0) {
		start();
		make_measurement(&one, 1);
		make_measurement(&two, 2);
	}
	write_file(bytes, size);
	if (size && bytes[size - 1] & 2)
		correct_two(&two);
	else
		read_one(&one);
	return 0;
}
