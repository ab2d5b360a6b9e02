/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the distinct places of a tree, names those of each module with a namer, and assigns the names to nodes. */
#include "profile/names/naming.h"

#include "profile/base/errors.h"
#include "profile/base/parallel.h"
#include "profile/names/namer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NAMING "naming the functions of modules"

static bool wants_name(
	const struct profile_call_tree *tree, size_t number, const struct profile_naming_options *options)
{
	const struct profile_node *node = &tree->nodes[number];
	if (options->nodes && !options->nodes[number])
		return false;
	switch (node->kind) {
	case HEDDLE_NODE_FRAME:
	case HEDDLE_NODE_OUTLINED_FRAME:
		return true;
	case HEDDLE_NODE_REGION:
		return node->place != 0 && !profile_place_is_source(node);
	case HEDDLE_NODE_RUNTIME_FRAME:
		return options->runtime_frames;
	default:
		return false;
	}
}

/* The distinct places, which are far fewer than nodes. */
struct place_set {
	uint64_t *places;
	size_t count, capacity;
	struct profile_index index;
};

static uint64_t hash_of(const void *owner, uint32_t number)
{
	const struct place_set *set = owner;
	return profile_hash_mix(0, set->places[number]);
}

static bool is_place(const void *owner, uint32_t number, const void *wanted)
{
	const struct place_set *set = owner;
	return set->places[number] == *(const uint64_t *)wanted;
}

static const struct profile_index_kind kind = {hash_of, is_place, 256};

static int put_place(struct place_set *set, uint64_t place)
{
	uint32_t *bucket = profile_index_bucket(&set->index, &kind, set, &place, profile_hash_mix(0, place));
	if (!bucket)
		return -ENOMEM;
	if (*bucket)
		return 0;
	int error = profile_reserve(&set->places, &set->capacity, set->count + 1, sizeof(*set->places));
	if (error)
		return error;
	set->places[set->count] = place;
	profile_index_put(&set->index, bucket, (uint32_t)set->count++);
	return 0;
}

/* Returns the number of a place in the set. */
static uint32_t number_of(const struct place_set *set, uint64_t place)
{
	return profile_index_find(&set->index, &kind, set, &place, profile_hash_mix(0, place));
}

static int by_place(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static int collect(
	struct place_set *set, const struct profile_call_tree *tree, const struct profile_naming_options *options)
{
	int error = 0;
	for (size_t i = 0; !error && i < tree->node_count; i++)
		if (wants_name(tree, i, options))
			error = put_place(set, tree->nodes[i].place);
	if (error || set->count == 0)
		return error;
	qsort(set->places, set->count, sizeof(*set->places), by_place);
	profile_index_clear(&set->index);
	for (uint32_t i = 0; i < set->count; i++)
		profile_index_put(
			&set->index, profile_index_at(&set->index, &kind, set, &set->places[i], hash_of(set, i)), i);
	return 0;
}

static int hand_out(struct profile_naming *naming, const struct place_set *set, const struct profile_call_tree *tree,
	const struct profile_naming_options *options)
{
	naming->places = calloc(set->count + 1, sizeof(*naming->places));
	naming->of_node = calloc(tree->node_count + 1, sizeof(*naming->of_node));
	naming->modules = calloc(tree->module_count + 1, sizeof(*naming->modules));
	if (!naming->places || !naming->of_node || !naming->modules)
		return -ENOMEM;
	naming->place_count = set->count;
	for (size_t i = 0; i < set->count; i++)
		naming->places[i].place = set->places[i];
	for (size_t i = 0; i < tree->node_count; i++)
		if (wants_name(tree, i, options))
			naming->of_node[i] = &naming->places[number_of(set, tree->nodes[i].place)];
	return 0;
}

struct module_part {
	size_t first, count;
};

struct job {
	struct profile_naming *naming;
	struct module_part *parts; /* one for each module that has places */
	const struct profile_progress *progress;
	atomic_size_t done; /* number of modules */
};

static int name_module(void *context, size_t worker, size_t index)
{
	struct job *job = context;
	struct profile_naming *naming = job->naming;
	struct profile_place_name *names = &naming->places[job->parts[index].first];
	uint32_t module = HEDDLE_PLACE_MODULE(names->place);
	(void)worker;
	int error = profile_namer_run(&naming->namers[index], names, job->parts[index].count, &naming->modules[module]);
	profile_progress_step(job->progress, NAMING, ++job->done, naming->namer_count);
	return error;
}

static int name_modules(struct profile_naming *naming, const struct profile_call_tree *tree,
	const struct profile_naming_options *options)
{
	struct job job = {.naming = naming,
		.parts = calloc(tree->module_count + 1, sizeof(*job.parts)),
		.progress = options->progress};
	naming->namers = calloc(tree->module_count + 1, sizeof(*naming->namers));
	if (!job.parts || !naming->namers) {
		free(job.parts);
		return -ENOMEM;
	}
	for (size_t i = 0; i < naming->place_count; i++) {
		uint32_t module = HEDDLE_PLACE_MODULE(naming->places[i].place);
		if (i == 0 || module != HEDDLE_PLACE_MODULE(naming->places[i - 1].place)) {
			job.parts[naming->namer_count].first = i;
			naming->namers[naming->namer_count].models = &tree->models;
			naming->namers[naming->namer_count++].module = &tree->modules[module];
		}
		job.parts[naming->namer_count - 1].count++;
	}
	profile_progress_step(job.progress, NAMING, 0, naming->namer_count);
	size_t workers = options->workers ? options->workers : profile_processors();
	int error = profile_parallel(workers, naming->namer_count, name_module, &job);
	free(job.parts);
	for (size_t i = 0; i < tree->module_count; i++)
		naming->runtime |= naming->modules[i].runtime;
	return error;
}

int profile_naming_make(struct profile_naming *naming, const struct profile_call_tree *tree,
	const struct profile_naming_options *options)
{
	struct place_set set = {0};
	*naming = (struct profile_naming){0};
	int error = collect(&set, tree, options);
	if (!error)
		error = hand_out(naming, &set, tree, options);
	if (!error)
		error = name_modules(naming, tree, options);
	free(set.places);
	profile_index_free(&set.index);
	if (error)
		profile_naming_free(naming);
	return error;
}

void profile_naming_free(struct profile_naming *naming)
{
	for (size_t n = 0; naming->namers && n < naming->namer_count; n++)
		profile_namer_free(&naming->namers[n]);
	free(naming->namers);
	free(naming->places);
	free(naming->of_node);
	free(naming->modules);
	*naming = (struct profile_naming){0};
}
