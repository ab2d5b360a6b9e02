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

static bool wants_name(const struct profile_node *node, const struct profile_naming_options *options)
{
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

/* The distinct places: far fewer than nodes. */
struct place_set {
	uint64_t *places;
	size_t count, capacity;
	uint32_t *buckets; /* index into places + 1; 0: free */
	size_t bucket_count;
};

static size_t bucket_of(const struct place_set *set, uint64_t place)
{
	size_t at = profile_hash_mix(0, place) & (set->bucket_count - 1);
	while (set->buckets[at] && set->places[set->buckets[at] - 1] != place)
		at = (at + 1) & (set->bucket_count - 1);
	return at;
}

static int rehash(struct place_set *set)
{
	size_t count = set->bucket_count ? set->bucket_count * 2 : 256;
	uint32_t *fresh = calloc(count, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	free(set->buckets);
	set->buckets = fresh;
	set->bucket_count = count;
	for (size_t i = 0; i < set->count; i++)
		fresh[bucket_of(set, set->places[i])] = (uint32_t)i + 1;
	return 0;
}

static int put_place(struct place_set *set, uint64_t place)
{
	if (set->count * 2 >= set->bucket_count && rehash(set) != 0)
		return -ENOMEM;
	size_t bucket = bucket_of(set, place);
	if (set->buckets[bucket])
		return 0;
	int error = profile_reserve(&set->places, &set->capacity, set->count + 1, sizeof(*set->places));
	if (error)
		return error;
	set->places[set->count++] = place;
	set->buckets[bucket] = (uint32_t)set->count;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static int collect(
	struct place_set *set, const struct profile_call_tree *tree, const struct profile_naming_options *options)
{
	int error = rehash(set);
	for (size_t i = 0; !error && i < tree->node_count; i++)
		if (wants_name(&tree->nodes[i], options))
			error = put_place(set, tree->nodes[i].place);
	if (error || set->count == 0)
		return error;
	qsort(set->places, set->count, sizeof(*set->places), by_place);
	memset(set->buckets, 0, set->bucket_count * sizeof(*set->buckets));
	for (size_t i = 0; i < set->count; i++)
		set->buckets[bucket_of(set, set->places[i])] = (uint32_t)i + 1;
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
		if (wants_name(&tree->nodes[i], options))
			naming->of_node[i] = &naming->places[set->buckets[bucket_of(set, tree->nodes[i].place)] - 1];
	return 0;
}

struct module_part {
	size_t first, count;
};

struct job {
	struct profile_naming *naming;
	struct module_part *parts; /* one for each module that has places */
	const struct profile_progress *progress;
	atomic_size_t done; /* modules */
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
	free(set.buckets);
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
