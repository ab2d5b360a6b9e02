/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the distinct places of a tree, has each module's named by a namer of its own, and hands them to the nodes.
 */
#include "profile/naming.h"

#include "profile/errors.h"
#include "profile/namer.h"
#include "profile/parallel.h"

#include <stdlib.h>

static bool wants_name(const struct heddle_node *node, const struct heddle_naming_options *options)
{
	switch (node->kind) {
	case HEDDLE_NODE_FRAME:
	case HEDDLE_NODE_OUTLINED_FRAME:
		return true;
	case HEDDLE_NODE_REGION:
		return node->place != 0;
	case HEDDLE_NODE_RUNTIME_FRAME:
		return options->runtime_frames;
	default:
		return false;
	}
}

struct node_place {
	uint64_t place;
	uint32_t node;
};

static int by_place(const void *a, const void *b)
{
	const struct node_place *x = a, *y = b;
	return x->place != y->place ? (x->place < y->place ? -1 : 1) : (x->node > y->node) - (x->node < y->node);
}

static struct node_place *collect(
	const struct heddle_call_tree *tree, const struct heddle_naming_options *options, size_t *count)
{
	struct node_place *places = malloc((tree->node_count + 1) * sizeof(*places));
	*count = 0;
	for (uint32_t i = 0; places && i < tree->node_count; i++)
		if (wants_name(&tree->nodes[i], options))
			places[(*count)++] = (struct node_place){tree->nodes[i].place, i};
	if (places)
		qsort(places, *count, sizeof(*places), by_place);
	return places;
}

static void hand_out(struct heddle_naming *naming, const struct node_place *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || places[i].place != places[i - 1].place)
			naming->places[naming->place_count++].place = places[i].place;
		naming->of_node[places[i].node] = &naming->places[naming->place_count - 1];
	}
}

struct module_part {
	size_t first, count;
};

struct job {
	struct heddle_naming *naming;
	struct module_part *parts; /* one a module that has places */
};

static int name_module(void *context, size_t worker, size_t index)
{
	struct job *job = context;
	struct heddle_naming *naming = job->naming;
	struct heddle_place_name *names = &naming->places[job->parts[index].first];
	uint32_t module = HEDDLE_PLACE_MODULE(names->place);
	(void)worker;
	return heddle__namer_run(&naming->namers[index], names, job->parts[index].count, &naming->modules[module]);
}

static int name_modules(
	struct heddle_naming *naming, const struct heddle_call_tree *tree, const struct heddle_naming_options *options)
{
	struct job job = {.naming = naming, .parts = calloc(tree->module_count + 1, sizeof(*job.parts))};
	naming->namers = calloc(tree->module_count + 1, sizeof(*naming->namers));
	if (!job.parts || !naming->namers) {
		free(job.parts);
		return -ENOMEM;
	}
	for (size_t i = 0; i < naming->place_count; i++) {
		uint32_t module = HEDDLE_PLACE_MODULE(naming->places[i].place);
		if (i == 0 || module != HEDDLE_PLACE_MODULE(naming->places[i - 1].place)) {
			job.parts[naming->namer_count].first = i;
			naming->namers[naming->namer_count++].module = &tree->modules[module];
		}
		job.parts[naming->namer_count - 1].count++;
	}
	size_t workers = options->workers ? options->workers : heddle__processors();
	int error = heddle__parallel(workers, naming->namer_count, name_module, &job);
	free(job.parts);
	return error;
}

int heddle_naming_make(
	struct heddle_naming *naming, const struct heddle_call_tree *tree, const struct heddle_naming_options *options)
{
	size_t count;
	struct node_place *places = collect(tree, options, &count);
	*naming = (struct heddle_naming){
		.places = calloc(count + 1, sizeof(*naming->places)),
		.of_node = calloc(tree->node_count + 1, sizeof(*naming->of_node)),
		.modules = calloc(tree->module_count + 1, sizeof(*naming->modules)),
	};
	int error = places && naming->places && naming->of_node && naming->modules ? 0 : -ENOMEM;
	if (!error) {
		hand_out(naming, places, count);
		error = name_modules(naming, tree, options);
	}
	free(places);
	if (error)
		heddle_naming_free(naming);
	return error;
}

void heddle_naming_free(struct heddle_naming *naming)
{
	for (size_t n = 0; naming->namers && n < naming->namer_count; n++)
		heddle__namer_free(&naming->namers[n]);
	free(naming->namers);
	free(naming->places);
	free(naming->of_node);
	free(naming->modules);
	*naming = (struct heddle_naming){0};
}
