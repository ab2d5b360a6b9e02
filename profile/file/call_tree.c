/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merging of call-path trees by (parent, kind, event, place): one hash look-up for each node. Names and debug
 * information are looked up later, once for each distinct place of the merged tree.
 */
#include "profile/file/call_tree.h"

#include "profile/base/errors.h"

#include <stdlib.h>
#include <string.h>

#define STRING_LIMIT ((uint32_t)1 << (HEDDLE_PLACE_OFFSET_BITS - HEDDLE_SOURCE_LINE_BITS))

static uint64_t hash_node(const struct profile_node *node)
{
	uint64_t hash = profile_hash_pair((uint64_t)node->parent << 32 | node->event, node->place);
	return profile_hash_mix(hash, node->kind);
}

static bool same_node(const struct profile_node *a, const struct profile_node *b)
{
	return a->place == b->place && a->parent == b->parent && a->event == b->event && a->kind == b->kind;
}

static uint64_t hash_of(const void *owner, uint32_t number)
{
	const struct profile_call_tree *tree = owner;
	return hash_node(&tree->nodes[number]);
}

static bool is_node(const void *owner, uint32_t number, const void *wanted)
{
	const struct profile_call_tree *tree = owner;
	return same_node(&tree->nodes[number], wanted);
}

static const struct profile_index_kind kind = {hash_of, is_node, 1024};

static int reserve_nodes(struct profile_call_tree *tree, size_t need)
{
	size_t before = tree->node_capacity;
	if (need > UINT32_MAX / 2)
		return -HEDDLE_TOO_BIG;
	int error = profile_reserve(&tree->nodes, &tree->node_capacity, need, sizeof(*tree->nodes));
	for (int m = 0; !error && m < HEDDLE_METRIC_LIMIT; m++) {
		size_t capacity = before;
		if (tree->values[m] && tree->node_capacity != before)
			error = profile_reserve(&tree->values[m], &capacity, tree->node_capacity, sizeof(uint64_t));
	}
	return error;
}

/* Files of a program list their nodes in nearly the same order, so the node after the last one found is tried first. */
static inline bool is_next(const struct profile_call_tree *tree, const struct profile_node *node, uint32_t last)
{
	return last != HEDDLE_NO_NODE && last + 1 < tree->node_count && same_node(&tree->nodes[last + 1], node);
}

/* Returns the number of a node, which is added if it is new. 0: no memory (the root is never looked up). */
static uint32_t find_or_add(struct profile_call_tree *tree, const struct profile_node *node, uint32_t last, int *error)
{
	if (is_next(tree, node, last))
		return last + 1;
	uint32_t *bucket = profile_index_bucket(&tree->index, &kind, tree, node, hash_node(node));
	if (bucket && *bucket)
		return *bucket - 1;
	*error = bucket ? reserve_nodes(tree, tree->node_count + 1) : -ENOMEM;
	if (*error)
		return 0;
	tree->nodes[tree->node_count] = *node;
	profile_index_put(&tree->index, bucket, (uint32_t)tree->node_count);
	return (uint32_t)tree->node_count++;
}

uint64_t *profile_call_tree_values(struct profile_call_tree *tree, enum heddle_metric metric)
{
	if (!tree->values[metric])
		tree->values[metric] = calloc(tree->node_capacity + 1, sizeof(uint64_t));
	return tree->values[metric];
}

int profile_call_tree_start(struct profile_call_tree *tree)
{
	*tree = (struct profile_call_tree){0};
	int error = reserve_nodes(tree, 1);
	if (error)
		return error;
	tree->nodes[0] = (struct profile_node){.kind = HEDDLE_NODE_ROOT};
	tree->node_count = 1;
	error = profile_reserve(&tree->modules, &tree->module_capacity, 1, sizeof(*tree->modules));
	if (!error && profile_intern(&tree->module_keys, "") == HEDDLE_INTERN_NONE)
		error = -ENOMEM;
	if (!error)
		tree->modules[tree->module_count++] = (struct profile_code_module){.path = ""};
	return error;
}

void profile_call_tree_free(struct profile_call_tree *tree)
{
	profile_models_free(&tree->models);
	free(tree->modules);
	free(tree->events);
	free(tree->strings);
	free(tree->nodes);
	profile_index_free(&tree->index);
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		free(tree->values[m]);
	profile_distributions_free(&tree->distributions);
	profile_intern_free(&tree->module_keys);
	profile_intern_free(&tree->event_keys);
	profile_intern_free(&tree->string_keys);
	profile_intern_free(&tree->texts);
	*tree = (struct profile_call_tree){0};
}

/* Modules with equal path and build id are the same file: the key is both, separated by a NUL. NULL: no memory. */
static char *module_key(const struct profile_code_module *module, size_t *size)
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

static uint32_t module_number(struct profile_call_tree *tree, const struct profile_code_module *module)
{
	size_t size = 0;
	char *key = module_key(module, &size);
	uint32_t number = key ? profile_intern_bytes(&tree->module_keys, key, size) : HEDDLE_INTERN_NONE;
	free(key);
	return number;
}

/* Some processes may not have recognized a runtime, or only after the module was listed. */
static void merge_roles(struct profile_code_module *module, const struct profile_code_module *other, uint32_t model)
{
	if (module->role == HEDDLE_CODE_RUNTIME || other->role != HEDDLE_CODE_RUNTIME)
		return;
	module->role = other->role;
	module->model = model;
}

static int add_module(struct profile_call_tree *tree, const struct profile_code_module *module, const uint32_t *models,
	uint32_t *number)
{
	*number = module_number(tree, module);
	if (*number == HEDDLE_INTERN_NONE ||
		profile_reserve(&tree->modules, &tree->module_capacity, *number + 1, sizeof(*module)) != 0)
		return -ENOMEM;
	if (*number >= HEDDLE_MODULE_LIMIT)
		return -HEDDLE_TOO_BIG;
	if (*number < tree->module_count) {
		merge_roles(&tree->modules[*number], module, models[module->model]);
		return 0;
	}
	const char *key = tree->module_keys.texts[*number];
	tree->modules[*number] = *module;
	tree->modules[*number].model = models[module->model];
	tree->modules[*number].path = key;
	tree->modules[*number].build_id = (const uint8_t *)key + strlen(key) + 1;
	tree->module_count = *number + 1;
	return 0;
}

static uint32_t event_number(struct profile_call_tree *tree, const struct profile_event_kind *event)
{
	const char *parts[] = {event->model, event->name, event->label};
	uint32_t key[4] = {[3] = event->role << 16 | event->category << 1 | event->generated};
	for (int i = 0; i < 3; i++)
		if ((key[i] = profile_intern(&tree->texts, parts[i])) == HEDDLE_INTERN_NONE)
			return HEDDLE_INTERN_NONE;
	return profile_intern_bytes(&tree->event_keys, key, sizeof(key));
}

static int add_event(struct profile_call_tree *tree, const struct profile_event_kind *event, uint32_t *number)
{
	*number = event_number(tree, event);
	if (*number == HEDDLE_INTERN_NONE ||
		profile_reserve(&tree->events, &tree->event_capacity, *number + 1, sizeof(*event)) != 0)
		return -ENOMEM;
	if (*number < tree->event_count)
		return 0;
	tree->events[*number] = (struct profile_event_kind){
		profile_intern_text(&tree->texts, event->model),
		profile_intern_text(&tree->texts, event->name),
		profile_intern_text(&tree->texts, event->label),
		event->category,
		event->generated,
		event->role,
		profile_models_find(&tree->models, event->model),
	};
	tree->event_count = *number + 1;
	return 0;
}

static int add_model(struct profile_call_tree *tree, const struct profile_model *from, uint32_t *number)
{
	struct profile_model model = *from;
	const char **texts[] = {
		&model.name, &model.label, &model.state, &model.rank, &model.ranks, &model.section, &model.generated};
	*number = profile_models_find(&tree->models, from->name);
	if (*number || !*from->name)
		return 0;
	struct profile_code_name *code = calloc(from->code_count + 1, sizeof(*code));
	int error = code ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < sizeof(texts) / sizeof(*texts); i++)
		if (!(*texts[i] = profile_intern_text(&tree->texts, *texts[i])))
			error = -ENOMEM;
	for (size_t i = 0; !error && i < from->code_count; i++) {
		code[i] = (struct profile_code_name){from->code[i].kind,
			profile_intern_text(&tree->texts, from->code[i].pattern),
			profile_intern_text(&tree->texts, from->code[i].shown)};
		error = code[i].pattern && code[i].shown ? 0 : -ENOMEM;
	}
	model.code = code;
	if (!error)
		error = profile_models_add(&tree->models, &model, number);
	free(code);
	return error;
}

static int add_string(struct profile_call_tree *tree, const char *text, uint32_t *number)
{
	*number = profile_intern(&tree->string_keys, text);
	if (*number == HEDDLE_INTERN_NONE ||
		profile_reserve(&tree->strings, &tree->string_capacity, *number + 1, sizeof(*tree->strings)) != 0)
		return -ENOMEM;
	if (*number >= STRING_LIMIT)
		return -HEDDLE_TOO_BIG;
	tree->strings[*number] = tree->string_keys.texts[*number];
	if (*number >= tree->string_count)
		tree->string_count = *number + 1;
	return 0;
}

/* Maps numbers of one tree's tables to those of another tree. */
struct translation {
	uint32_t *models, *modules, *events, *strings;
};

static int make_translation(struct translation *translation, const struct profile_call_tree *from)
{
	translation->models = calloc(from->models.count + 1, sizeof(uint32_t));
	translation->modules = calloc(from->module_count + 1, sizeof(uint32_t));
	translation->events = calloc(from->event_count + 1, sizeof(uint32_t));
	translation->strings = calloc(from->string_count + 1, sizeof(uint32_t));
	return translation->models && translation->modules && translation->events && translation->strings ? 0 : -ENOMEM;
}

static void free_translation(struct translation *translation)
{
	free(translation->models);
	free(translation->modules);
	free(translation->events);
	free(translation->strings);
}

static int translate_tables(
	struct profile_call_tree *tree, const struct profile_call_tree *from, struct translation *translation)
{
	int error = make_translation(translation, from);
	for (size_t i = 0; !error && i < from->models.count; i++)
		error = add_model(tree, &from->models.items[i], &translation->models[i]);
	for (size_t i = 0; !error && i < from->module_count; i++)
		error = add_module(tree, &from->modules[i], translation->models, &translation->modules[i]);
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

static void translate_node(struct profile_node *node, const struct translation *translation, const uint32_t *map)
{
	node->parent = map[node->parent];
	if (profile_place_is_string(node))
		node->place = translation->strings[node->place];
	else if (node->kind == HEDDLE_NODE_STATE)
		node->place = translation->models[node->place];
	else
		node->place = translate_place(node->place, translation);
	if (node->kind == HEDDLE_NODE_REGION)
		node->event = translation->events[node->event];
}

static int merge_nodes(struct profile_call_tree *tree, const struct profile_call_tree *from,
	const struct translation *translation, uint32_t *map)
{
	uint32_t last = 0;
	int error = 0;
	for (size_t i = 0; !error && i < from->node_count; i++) {
		struct profile_node node = from->nodes[i];
		map[i] = 0;
		if (i == 0 || node.kind == HEDDLE_NODE_NONE)
			continue;
		translate_node(&node, translation, map);
		last = map[i] = find_or_add(tree, &node, last, &error);
	}
	return error;
}

static void add_values(
	uint64_t *restrict target, const uint64_t *restrict source, const uint32_t *restrict map, size_t count)
{
	for (size_t i = 0; i < count; i++)
		target[map[i]] += source[i];
}

static void add_run(uint64_t *restrict target, const uint64_t *restrict source, size_t count)
{
	for (size_t i = 0; i < count; i++)
		target[i] += source[i];
}

/* Returns the number of nodes, from `first` on, that follow each other in both trees. */
static size_t run_length(const uint32_t *map, size_t first, size_t count)
{
	size_t end = first + 1;
	while (end < count && map[end] == map[end - 1] + 1)
		end++;
	return end - first;
}

static int merge_values(struct profile_call_tree *tree, const struct profile_call_tree *from, const uint32_t *map)
{
	size_t first = from->node_count > 1; /* the root is not in the run: it may be far from the other nodes */
	size_t run = first + run_length(map, first, from->node_count);
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		const uint64_t *source = from->values[m];
		if (!source)
			continue;
		uint64_t *target = profile_call_tree_values(tree, m);
		if (!target)
			return -ENOMEM;
		add_values(target, source, map, first);
		add_run(target + map[first], source + first, run - first);
		add_values(target, source + run, map + run, from->node_count - run);
	}
	return 0;
}

static int merge_distributions(struct profile_call_tree *tree, const struct profile_call_tree *from,
	const struct translation *translation, const uint32_t *map)
{
	int error = 0;
	for (size_t i = 0; !error && i < from->distributions.count; i++) {
		struct profile_distribution one = from->distributions.items[i];
		one.node = map[one.node];
		one.text = one.text ? translation->strings[one.text - 1] + 1 : 0;
		error = profile_distributions_add(&tree->distributions, &one);
	}
	return error;
}

int profile_call_tree_merge(struct profile_call_tree *tree, const struct profile_call_tree *from, uint32_t *map)
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
	free_translation(&translation);
	free(own);
	return error;
}

/* ---- look-up without change ---- */

/* Missing entries, and places that refer to them, become HEDDLE_INTERN_NONE. */
static int find_modules(const struct profile_call_tree *tree, const struct profile_call_tree *from, uint32_t *numbers)
{
	for (size_t i = 0; i < from->module_count; i++) {
		size_t size = 0;
		char *key = module_key(&from->modules[i], &size);
		if (!key)
			return -ENOMEM;
		numbers[i] = profile_intern_find(&tree->module_keys, key, size);
		free(key);
	}
	return 0;
}

static uint32_t find_event(const struct profile_call_tree *tree, const struct profile_event_kind *event)
{
	const char *parts[] = {event->model, event->name, event->label};
	uint32_t key[4] = {[3] = event->role << 16 | event->category << 1 | event->generated};
	for (int i = 0; i < 3; i++)
		key[i] = profile_intern_find(&tree->texts, parts[i], strlen(parts[i]));
	return profile_intern_find(&tree->event_keys, key, sizeof(key));
}

static int find_tables(
	const struct profile_call_tree *tree, const struct profile_call_tree *from, struct translation *to)
{
	int error = make_translation(to, from);
	for (size_t i = 0; !error && i < from->models.count; i++)
		to->models[i] = profile_models_find(&tree->models, from->models.items[i].name);
	if (error)
		return error;
	for (size_t i = 0; i < from->event_count; i++)
		to->events[i] = find_event(tree, &from->events[i]);
	for (size_t i = 0; i < from->string_count; i++)
		to->strings[i] = profile_intern_find(&tree->string_keys, from->strings[i], strlen(from->strings[i]));
	return find_modules(tree, from, to->modules);
}

static uint32_t find_node(const struct profile_call_tree *tree, struct profile_node node, const struct translation *to,
	const uint32_t *map, uint32_t last)
{
	uint32_t module = HEDDLE_PLACE_MODULE(node.place), parent = map[node.parent];
	bool known = profile_place_is_string(&node)   ? to->strings[node.place] != HEDDLE_INTERN_NONE
		     : node.kind == HEDDLE_NODE_STATE ? !node.place || to->models[node.place] != 0
		     : module == HEDDLE_PLACE_SOURCE ? to->strings[HEDDLE_SOURCE_FILE(node.place)] != HEDDLE_INTERN_NONE
						     : to->modules[module] != HEDDLE_INTERN_NONE;
	if (!known || parent == HEDDLE_NO_NODE)
		return HEDDLE_NO_NODE;
	translate_node(&node, to, map);
	return is_next(tree, &node, last) ? last + 1
					  : profile_index_find(&tree->index, &kind, tree, &node, hash_node(&node));
}

int profile_call_tree_locate(const struct profile_call_tree *tree, const struct profile_call_tree *from, uint32_t *map)
{
	struct translation to = {0};
	uint32_t last = 0;
	int error = find_tables(tree, from, &to);
	for (size_t i = 0; !error && i < from->node_count; i++) {
		map[i] = 0;
		if (i != 0 && from->nodes[i].kind != HEDDLE_NODE_NONE)
			last = map[i] = find_node(tree, from->nodes[i], &to, map, last);
	}
	free_translation(&to);
	return error;
}

/* ---- models ---- */

const struct profile_model *profile_model_of_node(const struct profile_call_tree *tree, const struct profile_node *node)
{
	uint64_t number = 0;
	if (node->kind == HEDDLE_NODE_REGION)
		number = tree->events[node->event].number;
	else if (node->kind == HEDDLE_NODE_STATE)
		number = node->place;
	return number ? &tree->models.items[number] : profile_models_named(&tree->models, "");
}

bool profile_is_runtime_code(const struct profile_call_tree *tree, const struct profile_node *node)
{
	return tree->modules[HEDDLE_PLACE_MODULE(node->place)].role == HEDDLE_CODE_RUNTIME;
}

/* ---- states ---- */

static const uint8_t state_of_category[] = {
#define X(number, name, state) [number] = HEDDLE_STATE_##state,
	HEDDLE_CATEGORIES(X)
#undef X
};

bool profile_state_waits(enum heddle_state state)
{
	return state == HEDDLE_STATE_BARRIER_WAIT || state == HEDDLE_STATE_LOCK_WAIT ||
	       state == HEDDLE_STATE_TASK_WAIT || state == HEDDLE_STATE_FENCE_WAIT ||
	       state == HEDDLE_STATE_COLLECTIVE_WAIT;
}

/* Code below a region that waits or communicates counts as waiting or communication. */
static uint8_t state_below(uint8_t above)
{
	return profile_state_waits(above) || above == HEDDLE_STATE_COMMUNICATION ? above : HEDDLE_STATE_WORK;
}

/* Memory that is allocated in a collective is part of it; a task that runs during a wait is not waiting. */
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

static uint8_t state_of(const struct profile_call_tree *tree, const struct profile_node *node, const uint8_t *states)
{
	switch (node->kind) {
	case HEDDLE_NODE_STATE: /* a partial path shows that frames are missing, not what the thread did */
		return node->event == HEDDLE_STATE_PARTIAL ? state_below(states[node->parent]) : (uint8_t)node->event;
	case HEDDLE_NODE_REGION:
		return region_state(tree->events[node->event].category, states[node->parent]);
	case HEDDLE_NODE_RUNTIME_FRAME:
	case HEDDLE_NODE_OBJECT:
		return states[node->parent];
	case HEDDLE_NODE_FRAME:
	case HEDDLE_NODE_FUNCTION:
		return state_below(states[node->parent]);
	default:
		return HEDDLE_STATE_WORK;
	}
}

void profile_call_tree_states(const struct profile_call_tree *tree, uint8_t *states)
{
	if (tree->node_count)
		states[0] = HEDDLE_STATE_WORK;
	for (size_t i = 1; i < tree->node_count; i++)
		states[i] = state_of(tree, &tree->nodes[i], states);
}

static int derive_waiting(struct profile_call_tree *tree)
{
	const uint64_t *times = tree->values[HEDDLE_METRIC_WALL_TIME];
	uint8_t *states = times ? malloc(tree->node_count) : NULL;
	int error = times && !states ? -ENOMEM : 0;
	if (states)
		profile_call_tree_states(tree, states);
	for (size_t i = 0; states && !error && i < tree->node_count; i++) {
		if (!times[i] || !profile_state_waits(states[i]))
			continue;
		uint64_t *waiting = profile_call_tree_values(tree, HEDDLE_METRIC_WAITING);
		if (waiting)
			waiting[i] = times[i];
		else
			error = -ENOMEM;
	}
	free(states);
	return error;
}

/* A thread may free memory that another one allocated, so only the sum over all threads is meaningful. */
static int derive_held(struct profile_call_tree *tree)
{
	const uint64_t *allocated = tree->values[HEDDLE_METRIC_ALLOCATED], *freed = tree->values[HEDDLE_METRIC_FREED];
	uint64_t *held = allocated ? profile_call_tree_values(tree, HEDDLE_METRIC_HELD) : NULL;
	if (allocated && !held)
		return -ENOMEM;
	for (size_t i = 0; held && i < tree->node_count; i++) {
		uint64_t gone = freed ? freed[i] : 0;
		held[i] = allocated[i] > gone ? allocated[i] - gone : 0;
	}
	return 0;
}

int profile_call_tree_derive(struct profile_call_tree *tree)
{
	for (int m = 0; m < HEDDLE_METRIC_COUNT; m++) {
		if (heddle__metric_is_stored(m))
			continue;
		free(tree->values[m]);
		tree->values[m] = NULL;
	}
	int error = derive_waiting(tree);
	return error ? error : derive_held(tree);
}
