/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merging of call-path trees by (parent, kind, event, place): one hash look-up a node, and no look-up at all into names
 * and debug information, which come later and once for each distinct place of the merged tree.
 */
#include "profile/call_tree.h"

#include "profile/errors.h"

#include <stdlib.h>
#include <string.h>

#define STRING_LIMIT ((uint32_t)1 << (HEDDLE_PLACE_OFFSET_BITS - HEDDLE_SOURCE_LINE_BITS))

static uint64_t hash_node(const struct heddle_node *node)
{
	uint64_t hash = heddle__hash_mix((uint64_t)node->parent << 32 | node->event, node->place);
	return heddle__hash_mix(hash, node->kind);
}

static bool same_node(const struct heddle_node *a, const struct heddle_node *b)
{
	return a->place == b->place && a->parent == b->parent && a->event == b->event && a->kind == b->kind;
}

static size_t bucket_of(const struct heddle_call_tree *tree, const struct heddle_node *node)
{
	size_t at = hash_node(node) & (tree->bucket_count - 1);
	while (tree->buckets[at] && !same_node(&tree->nodes[tree->buckets[at]], node))
		at = (at + 1) & (tree->bucket_count - 1);
	return at;
}

static int rehash(struct heddle_call_tree *tree)
{
	size_t count = tree->bucket_count ? tree->bucket_count * 2 : 1024;
	uint32_t *fresh = calloc(count, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	free(tree->buckets);
	tree->buckets = fresh;
	tree->bucket_count = count;
	for (size_t i = 1; i < tree->node_count; i++)
		fresh[bucket_of(tree, &tree->nodes[i])] = (uint32_t)i;
	return 0;
}

static int reserve_nodes(struct heddle_call_tree *tree, size_t need)
{
	size_t before = tree->node_capacity;
	if (need > UINT32_MAX / 2)
		return -HEDDLE_TOO_BIG;
	int error = heddle__reserve(&tree->nodes, &tree->node_capacity, need, sizeof(*tree->nodes));
	for (int m = 0; !error && m < HEDDLE_METRIC_LIMIT; m++) {
		size_t capacity = before;
		if (tree->values[m] && tree->node_capacity != before)
			error = heddle__reserve(&tree->values[m], &capacity, tree->node_capacity, sizeof(uint64_t));
	}
	return error;
}

/* The node's number, added when new; 0: failed (nothing is ever found at the root). */
static uint32_t find_or_add(struct heddle_call_tree *tree, const struct heddle_node *node, int *error)
{
	if (tree->node_count * 2 >= tree->bucket_count && (*error = rehash(tree)) != 0)
		return 0;
	size_t bucket = bucket_of(tree, node);
	if (tree->buckets[bucket])
		return tree->buckets[bucket];
	if ((*error = reserve_nodes(tree, tree->node_count + 1)) != 0)
		return 0;
	tree->nodes[tree->node_count] = *node;
	tree->buckets[bucket] = (uint32_t)tree->node_count;
	return (uint32_t)tree->node_count++;
}

uint64_t *heddle__call_tree_values(struct heddle_call_tree *tree, enum heddle_metric metric)
{
	if (!tree->values[metric])
		tree->values[metric] = calloc(tree->node_capacity + 1, sizeof(uint64_t));
	return tree->values[metric];
}

int heddle__call_tree_start(struct heddle_call_tree *tree)
{
	*tree = (struct heddle_call_tree){0};
	int error = reserve_nodes(tree, 1);
	if (error)
		return error;
	tree->nodes[0] = (struct heddle_node){.kind = HEDDLE_NODE_ROOT};
	tree->node_count = 1;
	error = heddle__reserve(&tree->modules, &tree->module_capacity, 1, sizeof(*tree->modules));
	if (!error && heddle__intern(&tree->module_keys, "") == HEDDLE_INTERN_NONE)
		error = -ENOMEM;
	if (!error)
		tree->modules[tree->module_count++] = (struct heddle_code_module){.path = ""};
	return error;
}

void heddle__call_tree_free(struct heddle_call_tree *tree)
{
	free(tree->modules);
	free(tree->events);
	free(tree->strings);
	free(tree->nodes);
	free(tree->buckets);
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		free(tree->values[m]);
	heddle__distributions_free(&tree->distributions);
	heddle__intern_free(&tree->module_keys);
	heddle__intern_free(&tree->event_keys);
	heddle__intern_free(&tree->string_keys);
	heddle__intern_free(&tree->texts);
	*tree = (struct heddle_call_tree){0};
}

/* Modules are the same file when path and build id are: the key is both, with a NUL between. NULL: no memory. */
static char *module_key(const struct heddle_code_module *module, size_t *size)
{
	size_t path = strlen(module->path) + 1;
	char *key = malloc(path + module->build_id_size);
	if (!key)
		return NULL;
	memcpy(key, module->path, path);
	if (module->build_id_size)
		memcpy(key + path, module->build_id, module->build_id_size);
	*size = module->path[0] ? path + module->build_id_size : 0;
	return key;
}

static uint32_t module_number(struct heddle_call_tree *tree, const struct heddle_code_module *module)
{
	size_t size = 0;
	char *key = module_key(module, &size);
	uint32_t number = key ? heddle__intern_bytes(&tree->module_keys, key, size) : HEDDLE_INTERN_NONE;
	free(key);
	return number;
}

static int add_module(struct heddle_call_tree *tree, const struct heddle_code_module *module, uint32_t *number)
{
	*number = module_number(tree, module);
	if (*number == HEDDLE_INTERN_NONE ||
		heddle__reserve(&tree->modules, &tree->module_capacity, *number + 1, sizeof(*module)) != 0)
		return -ENOMEM;
	if (*number >= HEDDLE_MODULE_LIMIT)
		return -HEDDLE_TOO_BIG;
	if (*number < tree->module_count)
		return 0;
	const char *key = tree->module_keys.texts[*number];
	tree->modules[*number] = *module;
	tree->modules[*number].path = key;
	tree->modules[*number].build_id = (const uint8_t *)key + strlen(key) + 1;
	tree->module_count = *number + 1;
	return 0;
}

static uint32_t event_number(struct heddle_call_tree *tree, const struct heddle_event_kind *event)
{
	const char *parts[] = {event->model, event->name, event->label};
	uint32_t key[4] = {[3] = event->category << 1 | event->generated};
	for (int i = 0; i < 3; i++)
		if ((key[i] = heddle__intern(&tree->texts, parts[i])) == HEDDLE_INTERN_NONE)
			return HEDDLE_INTERN_NONE;
	return heddle__intern_bytes(&tree->event_keys, key, sizeof(key));
}

static int add_event(struct heddle_call_tree *tree, const struct heddle_event_kind *event, uint32_t *number)
{
	*number = event_number(tree, event);
	if (*number == HEDDLE_INTERN_NONE ||
		heddle__reserve(&tree->events, &tree->event_capacity, *number + 1, sizeof(*event)) != 0)
		return -ENOMEM;
	if (*number < tree->event_count)
		return 0;
	tree->events[*number] = (struct heddle_event_kind){
		heddle__intern_text(&tree->texts, event->model),
		heddle__intern_text(&tree->texts, event->name),
		heddle__intern_text(&tree->texts, event->label),
		event->category,
		event->generated,
	};
	tree->event_count = *number + 1;
	return 0;
}

static int add_string(struct heddle_call_tree *tree, const char *text, uint32_t *number)
{
	*number = heddle__intern(&tree->string_keys, text);
	if (*number == HEDDLE_INTERN_NONE ||
		heddle__reserve(&tree->strings, &tree->string_capacity, *number + 1, sizeof(*tree->strings)) != 0)
		return -ENOMEM;
	if (*number >= STRING_LIMIT)
		return -HEDDLE_TOO_BIG;
	tree->strings[*number] = tree->string_keys.texts[*number];
	if (*number >= tree->string_count)
		tree->string_count = *number + 1;
	return 0;
}

/* From numbers of one tree's tables to those of another's. */
struct translation {
	uint32_t *modules, *events, *strings;
};

static int translate_tables(
	struct heddle_call_tree *tree, const struct heddle_call_tree *from, struct translation *translation)
{
	translation->modules = calloc(from->module_count + 1, sizeof(uint32_t));
	translation->events = calloc(from->event_count + 1, sizeof(uint32_t));
	translation->strings = calloc(from->string_count + 1, sizeof(uint32_t));
	if (!translation->modules || !translation->events || !translation->strings)
		return -ENOMEM;
	int error = 0;
	for (size_t i = 0; !error && i < from->module_count; i++)
		error = add_module(tree, &from->modules[i], &translation->modules[i]);
	for (size_t i = 0; !error && i < from->event_count; i++)
		error = add_event(tree, &from->events[i], &translation->events[i]);
	for (size_t i = 0; !error && i < from->string_count; i++)
		error = add_string(tree, from->strings[i], &translation->strings[i]);
	return error;
}

static uint64_t translate_place(uint64_t place, const struct translation *translation)
{
	uint32_t module = HEDDLE_PLACE_MODULE(place);
	if (module == HEDDLE_PLACE_SOURCE)
		return HEDDLE_SOURCE_PLACE(translation->strings[HEDDLE_SOURCE_FILE(place)], HEDDLE_SOURCE_LINE(place));
	return HEDDLE_PLACE(translation->modules[module], HEDDLE_PLACE_OFFSET(place));
}

static void translate_node(struct heddle_node *node, const struct translation *translation, const uint32_t *map)
{
	node->parent = map[node->parent];
	if (heddle__place_is_string(node))
		node->place = translation->strings[node->place];
	else
		node->place = translate_place(node->place, translation);
	if (node->kind == HEDDLE_NODE_REGION)
		node->event = translation->events[node->event];
}

static int merge_nodes(struct heddle_call_tree *tree, const struct heddle_call_tree *from,
	const struct translation *translation, uint32_t *map)
{
	int error = 0;
	for (size_t i = 0; !error && i < from->node_count; i++) {
		struct heddle_node node = from->nodes[i];
		map[i] = 0;
		if (i == 0 || node.kind == HEDDLE_NODE_NONE)
			continue;
		translate_node(&node, translation, map);
		map[i] = find_or_add(tree, &node, &error);
	}
	return error;
}

static int merge_values(struct heddle_call_tree *tree, const struct heddle_call_tree *from, const uint32_t *map)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		const uint64_t *source = from->values[m];
		if (!source)
			continue;
		uint64_t *target = heddle__call_tree_values(tree, m);
		if (!target)
			return -ENOMEM;
		for (size_t i = 0; i < from->node_count; i++)
			target[map[i]] += source[i];
	}
	return 0;
}

static int merge_distributions(struct heddle_call_tree *tree, const struct heddle_call_tree *from,
	const struct translation *translation, const uint32_t *map)
{
	int error = 0;
	for (size_t i = 0; !error && i < from->distributions.count; i++) {
		struct heddle_distribution one = from->distributions.items[i];
		one.node = map[one.node];
		one.text = one.text ? translation->strings[one.text - 1] + 1 : 0;
		error = heddle__distributions_add(&tree->distributions, &one);
	}
	return error;
}

int heddle__call_tree_merge(struct heddle_call_tree *tree, const struct heddle_call_tree *from, uint32_t *map)
{
	uint32_t *own = map ? NULL : calloc(from->node_count + 1, sizeof(*own));
	struct translation translation = {0};
	int error = map || own ? 0 : -ENOMEM;
	if (!map)
		map = own;
	if (!error)
		error = translate_tables(tree, from, &translation);
	if (!error)
		error = merge_nodes(tree, from, &translation, map);
	if (!error)
		error = merge_values(tree, from, map);
	if (!error)
		error = merge_distributions(tree, from, &translation, map);
	free(translation.modules);
	free(translation.events);
	free(translation.strings);
	free(own);
	return error;
}

/* ---- looking only ---- */

/* What is not there is HEDDLE_INTERN_NONE, and so are places that lead to it. */
static int find_modules(const struct heddle_call_tree *tree, const struct heddle_call_tree *from, uint32_t *numbers)
{
	for (size_t i = 0; i < from->module_count; i++) {
		size_t size = 0;
		char *key = module_key(&from->modules[i], &size);
		if (!key)
			return -ENOMEM;
		numbers[i] = heddle__intern_find(&tree->module_keys, key, size);
		free(key);
	}
	return 0;
}

static uint32_t find_event(const struct heddle_call_tree *tree, const struct heddle_event_kind *event)
{
	const char *parts[] = {event->model, event->name, event->label};
	uint32_t key[4] = {[3] = event->category << 1 | event->generated};
	for (int i = 0; i < 3; i++)
		key[i] = heddle__intern_find(&tree->texts, parts[i], strlen(parts[i]));
	return heddle__intern_find(&tree->event_keys, key, sizeof(key));
}

static int find_tables(const struct heddle_call_tree *tree, const struct heddle_call_tree *from, struct translation *to)
{
	to->modules = calloc(from->module_count + 1, sizeof(uint32_t));
	to->events = calloc(from->event_count + 1, sizeof(uint32_t));
	to->strings = calloc(from->string_count + 1, sizeof(uint32_t));
	if (!to->modules || !to->events || !to->strings)
		return -ENOMEM;
	for (size_t i = 0; i < from->event_count; i++)
		to->events[i] = find_event(tree, &from->events[i]);
	for (size_t i = 0; i < from->string_count; i++)
		to->strings[i] = heddle__intern_find(&tree->string_keys, from->strings[i], strlen(from->strings[i]));
	return find_modules(tree, from, to->modules);
}

static uint32_t find_node(
	const struct heddle_call_tree *tree, struct heddle_node node, const struct translation *to, const uint32_t *map)
{
	uint32_t module = HEDDLE_PLACE_MODULE(node.place), parent = map[node.parent];
	bool known = heddle__place_is_string(&node)  ? to->strings[node.place] != HEDDLE_INTERN_NONE
		     : module == HEDDLE_PLACE_SOURCE ? to->strings[HEDDLE_SOURCE_FILE(node.place)] != HEDDLE_INTERN_NONE
						     : to->modules[module] != HEDDLE_INTERN_NONE;
	if (!known || parent == HEDDLE_NO_NODE || !tree->bucket_count)
		return HEDDLE_NO_NODE;
	translate_node(&node, to, map);
	uint32_t found = tree->buckets[bucket_of(tree, &node)];
	return found ? found : HEDDLE_NO_NODE;
}

int heddle__call_tree_locate(const struct heddle_call_tree *tree, const struct heddle_call_tree *from, uint32_t *map)
{
	struct translation to = {0};
	int error = find_tables(tree, from, &to);
	for (size_t i = 0; !error && i < from->node_count; i++)
		map[i] = i == 0 || from->nodes[i].kind == HEDDLE_NODE_NONE ? 0
									   : find_node(tree, from->nodes[i], &to, map);
	free(to.modules);
	free(to.events);
	free(to.strings);
	return error;
}

/* ---- states ---- */

static const uint8_t state_of_category[] = {
#define X(number, name, state) [number] = HEDDLE_STATE_##state,
	HEDDLE_CATEGORIES(X)
#undef X
};

bool heddle__state_waits(enum heddle_state state)
{
	return state == HEDDLE_STATE_BARRIER_WAIT || state == HEDDLE_STATE_LOCK_WAIT ||
	       state == HEDDLE_STATE_TASK_WAIT || state == HEDDLE_STATE_FENCE_WAIT ||
	       state == HEDDLE_STATE_COLLECTIVE_WAIT;
}

/* What runs below a region that waits or communicates is how it does so. */
static uint8_t state_below(uint8_t above)
{
	return heddle__state_waits(above) || above == HEDDLE_STATE_COMMUNICATION ? above : HEDDLE_STATE_WORK;
}

/* Memory allocated in a collective is part of it; a task that runs while others are waited for is not waiting. */
static uint8_t region_state(uint32_t category, uint8_t above)
{
	switch (category) {
	case HEDDLE_CATEGORY_OTHER:
	case HEDDLE_CATEGORY_ALLOCATION:
	case HEDDLE_CATEGORY_FUNCTION:
		return state_below(above);
	default:
		return state_of_category[category];
	}
}

static uint8_t state_of(const struct heddle_call_tree *tree, const struct heddle_node *node, const uint8_t *states)
{
	switch (node->kind) {
	case HEDDLE_NODE_STATE: /* a partial path says where frames are missing, not what the thread did */
		return node->event == HEDDLE_STATE_PARTIAL ? state_below(states[node->parent]) : (uint8_t)node->event;
	case HEDDLE_NODE_REGION:
		return region_state(tree->events[node->event].category, states[node->parent]);
	case HEDDLE_NODE_RUNTIME_FRAME:
		return states[node->parent];
	case HEDDLE_NODE_FRAME:
	case HEDDLE_NODE_FUNCTION:
		return state_below(states[node->parent]);
	default:
		return HEDDLE_STATE_WORK;
	}
}

void heddle__call_tree_states(const struct heddle_call_tree *tree, uint8_t *states)
{
	if (tree->node_count)
		states[0] = HEDDLE_STATE_WORK;
	for (size_t i = 1; i < tree->node_count; i++)
		states[i] = state_of(tree, &tree->nodes[i], states);
}

static int derive_waiting(struct heddle_call_tree *tree)
{
	const uint64_t *times = tree->values[HEDDLE_METRIC_WALL_TIME];
	uint8_t *states = times ? malloc(tree->node_count) : NULL;
	int error = times && !states ? -ENOMEM : 0;
	if (states)
		heddle__call_tree_states(tree, states);
	for (size_t i = 0; states && !error && i < tree->node_count; i++) {
		if (!times[i] || !heddle__state_waits(states[i]))
			continue;
		uint64_t *waiting = heddle__call_tree_values(tree, HEDDLE_METRIC_WAITING);
		if (waiting)
			waiting[i] = times[i];
		else
			error = -ENOMEM;
	}
	free(states);
	return error;
}

/* Threads give back what others allocated: only the sum of all says what is left. */
static int derive_held(struct heddle_call_tree *tree)
{
	const uint64_t *allocated = tree->values[HEDDLE_METRIC_ALLOCATED], *freed = tree->values[HEDDLE_METRIC_FREED];
	uint64_t *held = allocated ? heddle__call_tree_values(tree, HEDDLE_METRIC_HELD) : NULL;
	if (allocated && !held)
		return -ENOMEM;
	for (size_t i = 0; held && i < tree->node_count; i++) {
		uint64_t gone = freed ? freed[i] : 0;
		held[i] = allocated[i] > gone ? allocated[i] - gone : 0;
	}
	return 0;
}

int heddle__call_tree_derive(struct heddle_call_tree *tree)
{
	for (int m = 0; m < HEDDLE_METRIC_COUNT; m++) {
		if (!HEDDLE_METRIC_IS_DERIVED(m))
			continue;
		free(tree->values[m]);
		tree->values[m] = NULL;
	}
	int error = derive_waiting(tree);
	return error ? error : derive_held(tree);
}
