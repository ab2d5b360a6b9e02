/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/start/places.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "upc/abi.h"
#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/start/launcher.h"

#define PLACE "place" /* the key of each rank's value */
#define NODES "nodes" /* the keys of rank 0's values: nodes-0, nodes-1 and so on */
#define PART 200      /* characters of a value, at most (job.h) */
#define RUN 24        /* characters of a run, at most */

/* Consecutive ranks: `stretches` stretches of `length` ranks each, on nodes with consecutive numbers. */
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
	unsigned long node, size, machine;
	if (!read_value(job, rank, PLACE, text) ||
		sscanf(text, "%lx:%lx:%d:%d:%lx", &node, &size, &place->pid, &place->file, &machine) != 5)
		return "learn from the launcher where another thread is: is it the same program?";
	place->node = node;
	place->machine = machine;
	place->segment_size = size;
	return NULL;
}

static bool publish(const struct hupc__job *job, const struct hupc__place *mine)
{
	char text[PART + 1];
	hupc__format(text, sizeof(text), "%lx:%lx:%d:%d:%lx", (unsigned long)mine->node,
		(unsigned long)mine->segment_size, mine->pid, mine->file, (unsigned long)mine->machine);
	return job->put(PLACE, text);
}

/* In rank 0: numbers the nodes in the order of their first ranks, and computes the common data. */
static const char *number_nodes(
	const struct hupc__job *job, const struct hupc__place *mine, struct hupc__common *common)
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
		if (place.segment_size < common->segment_size)
			common->segment_size = place.segment_size;
		common->one_machine = common->one_machine && place.machine == mine->machine;
	}
	return NULL;
}

/* The number of consecutive ranks from FIRST on that are on its node. */
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

static size_t write_common(char *text, size_t size, const struct hupc__common *common)
{
	size_t length = hupc__format(text, size, "%lx:%d:", (unsigned long)common->segment_size, common->one_machine);
	for (size_t i = 0; i < sizeof(common->secret); i++)
		length += hupc__format(
			text + length, size - length, "%x%x", common->secret[i] >> 4U, common->secret[i] & 15U);
	return length;
}

static bool read_common(const char *text, struct hupc__common *common)
{
	unsigned long size;
	int one_machine, length = 0;
	if (sscanf(text, "%lx:%d:%n", &size, &one_machine, &length) != 2 || !length ||
		strspn(text + length, "0123456789abcdef") != 2 * sizeof(common->secret))
		return false;
	common->segment_size = size;
	common->one_machine = one_machine;
	for (size_t i = 0; i < sizeof(common->secret); i++) {
		if (sscanf(text + length + 2 * i, "%2hhx", &common->secret[i]) != 1)
			return false;
	}
	return true;
}

/* In rank 0: publishes as few values as the launcher's placement needs, usually one. */
static bool publish_nodes(const struct hupc__job *job, const struct hupc__common *common)
{
	char text[PART + 1];
	int part = 0;
	size_t length = write_common(text, sizeof(text), common);
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

/* Sets the nodes of a run of ranks; returns the rank after it, or -1 if the run is invalid. */
static int take_run(struct run run, int first, int size)
{
	if (run.stretches <= 0 || run.length <= 0 || run.stretches > (size - first) / run.length || run.node < 0 ||
		run.node > size - run.stretches)
		return -1;
	for (int i = 0; i < run.stretches * run.length; i++)
		nodes[first + i] = run.node + i / run.length;
	return first + run.stretches * run.length;
}

static const char *read_nodes(const struct hupc__job *job, struct hupc__common *common)
{
	static const char problem[] = "learn from the launcher where the threads are: do all run the same program?";
	for (int part = 0, rank = 0; rank < job->size; part++) {
		char key[40], text[PART + 1];
		struct run run;
		hupc__format(key, sizeof(key), NODES "-%d", part);
		if (!read_value(job, 0, key, text) || (part == 0 && !read_common(text, common)))
			return problem;
		for (const char *at = strchr(text, '/'); at; at = strchr(at + 1, '/')) {
			if (sscanf(at, "/%d,%d,%d", &run.stretches, &run.length, &run.node) != 3 ||
				(rank = take_run(run, rank, job->size)) < 0)
				return problem;
		}
	}
	return NULL;
}

const char *hupc__places_exchange(
	const struct hupc__job *job, const struct hupc__place *mine, struct hupc__common *common)
{
	const char *problem = NULL;
	*common = (struct hupc__common){.segment_size = mine->segment_size, .one_machine = true};
	if (!publish(job, mine))
		return "publish its memory through the launcher";
	hupc__job_meet(job);
	if (job->rank == 0) {
		problem = number_nodes(job, mine, common);
		if (!problem && getrandom(common->secret, sizeof(common->secret), 0) != sizeof(common->secret))
			problem = "get random numbers from the kernel";
		if (!problem && !publish_nodes(job, common))
			problem = "publish through the launcher where the threads are";
	}
	if (!problem) {
		hupc__job_meet(job);
		problem = job->rank == 0 ? NULL : read_nodes(job, common);
	}
	if (!problem)
		hupc__nodes_set(nodes, job->size);
	return problem;
}
