/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/places.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "upc/abi.h"
#include "upc/runtime/control.h"
#include "upc/runtime/nodes.h"
#include "upc/runtime/say.h"

#define PLACE "place" /* the key of what each rank publishes */
#define NODES "nodes" /* the keys of what rank 0 publishes: nodes-0, nodes-1 and so on */
#define PART 200      /* characters of a value, at most (job.h) */
#define RUN 24        /* characters of a run, at most */

/* Consecutive ranks: so many stretches of `length` ranks each, on nodes with consecutive numbers. */
struct run {
	int stretches, length, node;
};

int hupc__places_reads;
static int nodes[UPCRT_MAX_THREADS]; /* of each rank, from 0 */

static bool read_value(const struct hupc__job *job, int rank, const char *key, char value[PART + 1])
{
	hupc__places_reads++;
	return job->get(rank, key, value, PART + 1);
}

const char *hupc__places_look_up(const struct hupc__job *job, int rank, struct hupc__place *place)
{
	char text[PART + 1];
	unsigned long node, size;
	if (!read_value(job, rank, PLACE, text) ||
		sscanf(text, "%lx:%lx:%d:%d", &node, &size, &place->pid, &place->file) != 4)
		return "learn from the launcher where another thread is: is it the same program?";
	place->node = node;
	place->segment_size = size;
	return NULL;
}

static bool publish(const struct hupc__job *job, const struct hupc__place *mine)
{
	char text[PART + 1];
	hupc__format(text, sizeof(text), "%lx:%lx:%d:%d", (unsigned long)mine->node, (unsigned long)mine->segment_size,
		mine->pid, mine->file);
	return job->put(PLACE, text);
}

/* Rank 0: the number of the node of each rank, in the order of their first ranks, and the smallest segment. */
static const char *number_nodes(const struct hupc__job *job, const struct hupc__place *mine, uint64_t *segment_size)
{
	static uint64_t names[UPCRT_MAX_THREADS];
	int count = 1;
	names[0] = mine->node;
	for (int rank = 1; rank < job->size; rank++) {
		struct hupc__place place;
		const char *problem = hupc__places_look_up(job, rank, &place);
		int node = nodes[rank - 1];
		if (problem)
			return problem;
		if (place.node != names[node])
			for (node = 0; node < count && names[node] != place.node; node++)
				;
		if (node == count)
			names[count++] = place.node;
		nodes[rank] = node;
		*segment_size = place.segment_size < *segment_size ? place.segment_size : *segment_size;
	}
	return NULL;
}

/* The ranks from this one on that are on its node. */
static int stretch(int first, int size)
{
	int end = first + 1;
	while (end < size && nodes[end] == nodes[first])
		end++;
	return end - first;
}

static struct run run_from(int first, int size)
{
	struct run run = {1, stretch(first, size), nodes[first]};
	for (int at = first + run.length; at < size && nodes[at] == run.node + run.stretches; at += run.length) {
		if (stretch(at, size) != run.length)
			break;
		run.stretches++;
	}
	return run;
}

static bool put_part(const struct hupc__job *job, int part, const char *text)
{
	char key[40];
	hupc__format(key, sizeof(key), NODES "-%d", part);
	return job->put(key, text);
}

/* Rank 0: as few values as launchers' placements need, most often one. */
static bool publish_nodes(const struct hupc__job *job, uint64_t segment_size)
{
	char text[PART + 1];
	int part = 0;
	size_t length = hupc__format(text, sizeof(text), "%lx", (unsigned long)segment_size);
	for (int rank = 0; rank < job->size;) {
		struct run run = run_from(rank, job->size);
		if (length + RUN > PART) {
			if (!put_part(job, part++, text))
				return false;
			length = 0;
		}
		length += hupc__format(
			text + length, sizeof(text) - length, "/%d,%d,%d", run.stretches, run.length, run.node);
		rank += run.stretches * run.length;
	}
	return put_part(job, part, text);
}

/* Sets the nodes of a run of ranks; returns the rank after it, or -1: it cannot be. */
static int take_run(struct run run, int first, int size)
{
	if (run.stretches <= 0 || run.length <= 0 || run.stretches > (size - first) / run.length || run.node < 0 ||
		run.node > size - run.stretches)
		return -1;
	for (int i = 0; i < run.stretches * run.length; i++)
		nodes[first + i] = run.node + i / run.length;
	return first + run.stretches * run.length;
}

static const char *read_nodes(const struct hupc__job *job, uint64_t *segment_size)
{
	static const char problem[] = "learn from the launcher where the threads are: do all run the same program?";
	unsigned long size = 0;
	for (int part = 0, rank = 0; rank < job->size; part++) {
		char key[40], text[PART + 1];
		struct run run;
		hupc__format(key, sizeof(key), NODES "-%d", part);
		if (!read_value(job, 0, key, text) || (part == 0 && sscanf(text, "%lx", &size) != 1))
			return problem;
		for (const char *at = strchr(text, '/'); at; at = strchr(at + 1, '/')) {
			if (sscanf(at, "/%d,%d,%d", &run.stretches, &run.length, &run.node) != 3 ||
				(rank = take_run(run, rank, job->size)) < 0)
				return problem;
		}
	}
	*segment_size = size;
	return NULL;
}

/* The launcher ends the job. */
static void meet(const struct hupc__job *job)
{
	if (!job->fence())
		_exit(1);
}

const char *hupc__places_exchange(const struct hupc__job *job, const struct hupc__place *mine, uint64_t *segment_size)
{
	const char *problem = NULL;
	*segment_size = mine->segment_size;
	if (!publish(job, mine))
		return "publish its memory through the launcher";
	meet(job);
	if (job->rank == 0) {
		problem = number_nodes(job, mine, segment_size);
		if (!problem && !publish_nodes(job, *segment_size))
			problem = "publish through the launcher where the threads are";
	}
	if (!problem) {
		meet(job);
		problem = job->rank == 0 ? NULL : read_nodes(job, segment_size);
	}
	if (!problem)
		hupc__nodes_set(nodes, job->size);
	return problem;
}
