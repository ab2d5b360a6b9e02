/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes and checks the sections of one profile file, except those of threads. Nothing in the file is trusted. */
#include "profile/file/process_decode.h"

#include "profile/base/errors.h"
#include "profile/file/old_models.h"
#include "profile/file/packed.h"
#include "profile/file/thread_decode.h"
#include "profile/file/unpack.h"

#include <stdlib.h>
#include <string.h>

/* ---- events, strings, modules ---- */

static int add_events(struct profile_decoded *decoded, uint32_t **number_of_id, size_t *id_count)
{
	const Heddle__Profile__Process *process = decoded->process;
	struct profile_call_tree *tree = &decoded->tree;
	*id_count = 0;
	for (size_t i = 0; i < process->n_events; i++)
		if (process->events[i]->id >= *id_count)
			*id_count = (size_t)process->events[i]->id + 1;
	if (*id_count > 1 << 20)
		return -HEDDLE_INCONSISTENT;
	*number_of_id = calloc(*id_count + 1, sizeof(**number_of_id));
	if (!*number_of_id ||
		profile_reserve(&tree->events, &tree->event_capacity, process->n_events + 1, sizeof(*tree->events)))
		return -ENOMEM;
	for (size_t i = 0; i < process->n_events; i++) {
		const Heddle__Profile__EventKind *kind = process->events[i];
		if (kind->category >= HEDDLE_CATEGORY_COUNT)
			return -HEDDLE_NEWER;
		uint32_t role = kind->role ? kind->role : profile_old_role(kind->model, kind->name, kind->category);
		tree->events[i] = (struct profile_event_kind){kind->model, kind->name, kind->label, kind->category,
			kind->generated, role, profile_models_find(&tree->models, kind->model)};
		(*number_of_id)[kind->id] = (uint32_t)i + 1;
	}
	tree->event_count = process->n_events;
	return 0;
}

static int add_strings(struct profile_decoded *decoded)
{
	const Heddle__Profile__Process *process = decoded->process;
	struct profile_call_tree *tree = &decoded->tree;
	if (profile_reserve(&tree->strings, &tree->string_capacity, process->n_strings + 1, sizeof(*tree->strings)))
		return -ENOMEM;
	for (size_t i = 0; i < process->n_strings; i++)
		tree->strings[i] = process->strings[i];
	tree->string_count = process->n_strings;
	return 0;
}

/* Fills a model from its message; the caller frees the code names. */
static int read_model(struct profile_model *model, const Heddle__Profile__Model *message)
{
	struct profile_code_name *code = calloc(message->n_code + 1, sizeof(*code));
	if (!code)
		return -ENOMEM;
	for (size_t i = 0; i < message->n_code; i++)
		code[i] = (struct profile_code_name){
			message->code[i]->kind, message->code[i]->pattern, message->code[i]->shown};
	*model = (struct profile_model){
		.name = message->name,
		.label = message->label,
		.state = message->state,
		.rank = message->rank,
		.ranks = message->ranks,
		.section = message->section,
		.generated = message->generated,
		.blocks = message->blocks,
		.code = code,
		.code_count = message->n_code,
	};
	return 0;
}

/* number_of_id has HEDDLE_MODEL_LIMIT entries; 0: not listed. */
static int add_models(struct profile_decoded *decoded, uint32_t *number_of_id)
{
	const Heddle__Profile__Process *process = decoded->process;
	struct profile_models *models = &decoded->tree.models;
	int error = process->n_models ? 0 : profile_old_models_add(models);
	for (size_t i = 0; !error && i < process->n_models; i++) {
		struct profile_model model;
		uint32_t id = process->models[i]->id;
		if (id == 0 || id >= HEDDLE_MODEL_LIMIT || !*process->models[i]->name)
			return -HEDDLE_INCONSISTENT;
		error = read_model(&model, process->models[i]);
		if (error)
			return error;
		error = profile_models_add(models, &model, &number_of_id[id]);
		free((void *)model.code);
	}
	return error;
}

static int add_module(struct profile_call_tree *tree, const struct profile_code_module *module)
{
	if (tree->module_count >= HEDDLE_MODULE_LIMIT)
		return -HEDDLE_INCONSISTENT;
	int error =
		profile_reserve(&tree->modules, &tree->module_capacity, tree->module_count + 1, sizeof(*tree->modules));
	if (!error)
		tree->modules[tree->module_count++] = *module;
	return error;
}

struct tables {
	uint32_t *events; /* by id of an event: number + 1 */
	size_t event_ids;
	uint32_t *modules;
	uint32_t models[HEDDLE_MODEL_LIMIT]; /* by id of a model: its number; 0: not listed */
	bool old;                            /* the file describes no models */
};

static uint32_t model_of_module(
	const struct profile_call_tree *tree, const Heddle__Profile__Module *module, const struct tables *tables)
{
	if (tables->old)
		return profile_models_find(&tree->models, profile_old_model_of_role(module->role));
	return module->model < HEDDLE_MODEL_LIMIT ? tables->models[module->model] : 0;
}

/* Fills tables->modules: by id of a module its number in tree->modules; 0: not listed. */
static int add_modules(struct profile_decoded *decoded, const struct tables *tables)
{
	struct profile_call_tree *tree = &decoded->tree;
	uint32_t *number_of_id = tables->modules;
	int error = add_module(tree, &(struct profile_code_module){.path = ""});
	for (size_t i = 0; !error && i < decoded->modules->n_modules; i++) {
		const Heddle__Profile__Module *module = decoded->modules->modules[i];
		if (module->id == 0 || module->id >= HEDDLE_MODULE_LIMIT || number_of_id[module->id])
			return -HEDDLE_INCONSISTENT;
		number_of_id[module->id] = (uint32_t)tree->module_count;
		error = add_module(tree, &(struct profile_code_module){
						 .path = module->path[0] ? module->path : "[unknown module]",
						 .build_id = module->build_id.data,
						 .build_id_size = module->build_id.len,
						 .role = module->role,
						 .model = model_of_module(tree, module, tables),
						 .unloaded = module->unloaded,
					 });
	}
	return error;
}

/* ---- the tree ---- */

/* A module that is not listed, because it was first seen while the list was being written, gets an entry. */
static int check_place(struct profile_call_tree *tree, struct profile_node *node, const struct tables *tables)
{
	uint32_t id = HEDDLE_PLACE_MODULE(node->place);
	if (profile_place_is_source(node))
		return HEDDLE_SOURCE_FILE(node->place) < tree->string_count ? 0 : -HEDDLE_INCONSISTENT;
	if (id >= HEDDLE_MODULE_LIMIT)
		return -HEDDLE_INCONSISTENT;
	if (id && !tables->modules[id]) {
		tables->modules[id] = (uint32_t)tree->module_count;
		int error = add_module(tree, &(struct profile_code_module){.path = "[unlisted module]"});
		if (error)
			return error;
	}
	node->place = HEDDLE_PLACE(tables->modules[id], HEDDLE_PLACE_OFFSET(node->place));
	return 0;
}

/* A state belongs to a runtime or to none: a model missing from the list counts as none. */
static int check_state(const struct profile_call_tree *tree, struct profile_node *node, const struct tables *tables)
{
	if (node->event >= HEDDLE_STATE_COUNT)
		return -HEDDLE_NEWER;
	if (tables->old)
		node->place = profile_models_find(&tree->models, profile_old_model_of_state(node->event));
	else
		node->place = node->place < HEDDLE_MODEL_LIMIT ? tables->models[node->place] : 0;
	return 0;
}

static int check_event(struct profile_node *node, const struct tables *tables)
{
	if (node->kind != HEDDLE_NODE_REGION) {
		node->event = 0;
		return 0;
	}
	if (node->event >= tables->event_ids || !tables->events[node->event])
		return -HEDDLE_INCONSISTENT;
	node->event = tables->events[node->event] - 1;
	return 0;
}

/* The fast path, for most nodes: frames in listed code. */
static inline bool take_frame(struct profile_node *node, const struct tables *tables)
{
	uint32_t id = HEDDLE_PLACE_MODULE(node->place);
	if (node->kind != HEDDLE_NODE_FRAME || id >= HEDDLE_MODULE_LIMIT || !tables->modules[id])
		return false;
	node->event = 0;
	node->place = HEDDLE_PLACE(tables->modules[id], HEDDLE_PLACE_OFFSET(node->place));
	return true;
}

static int check_node(struct profile_call_tree *tree, struct profile_node *node, size_t i, const struct tables *tables)
{
	if (node->kind > HEDDLE_NODE_OBJECT)
		return -HEDDLE_NEWER;
	if ((node->kind == HEDDLE_NODE_ROOT) != (i == 0))
		return -HEDDLE_INCONSISTENT;
	if (i != 0 && tree->nodes[node->parent].kind == HEDDLE_NODE_NONE)
		return -HEDDLE_INCONSISTENT;
	if (node->kind == HEDDLE_NODE_NONE || node->kind == HEDDLE_NODE_ROOT) {
		node->event = 0;
		node->place = 0;
		return 0;
	}
	if (node->kind == HEDDLE_NODE_STATE)
		return check_state(tree, node, tables);
	int error = check_event(node, tables);
	if (!error && profile_place_is_string(node))
		return node->place < tree->string_count ? 0 : -HEDDLE_INCONSISTENT;
	return error ? error : check_place(tree, node, tables);
}

/* Adds a node whose parent is `up` nodes before it. */
static inline int add_node(
	struct profile_call_tree *tree, struct profile_node node, uint32_t up, const struct tables *tables)
{
	size_t i = tree->node_count;
	if (up > i || (up == 0) != (i == 0))
		return -HEDDLE_INCONSISTENT;
	node.parent = (uint32_t)i - up;
	tree->nodes[i] = node;
	bool simple = i && tree->nodes[node.parent].kind != HEDDLE_NODE_NONE && take_frame(&tree->nodes[i], tables);
	int error = simple ? 0 : check_node(tree, &tree->nodes[i], i, tables);
	tree->node_count += !error;
	return error;
}

/* Room for so many nodes, the reader's own, and the root, if it is missing. */
static int make_nodes(struct profile_call_tree *tree, size_t count)
{
	tree->node_capacity = count + 2;
	tree->nodes = malloc(tree->node_capacity * sizeof(*tree->nodes));
	return tree->nodes ? 0 : -ENOMEM;
}

static int add_unpacked(struct profile_call_tree *tree, const Heddle__Profile__Tree *rows, const struct tables *tables)
{
	uint64_t place = 0;
	size_t count = rows->n_parent;
	if (rows->n_kind != count || rows->n_event != count || rows->n_place != count)
		return -HEDDLE_INCONSISTENT;
	int error = make_nodes(tree, count);
	for (size_t i = 0; !error && i < count; i++) {
		place += (uint64_t)rows->place[i];
		struct profile_node node = {.place = place, .event = rows->event[i], .kind = (uint8_t)rows->kind[i]};
		error = rows->kind[i] > UINT8_MAX ? -HEDDLE_NEWER : add_node(tree, node, rows->parent[i], tables);
	}
	return error;
}

enum { PARENT, KIND, EVENT, PLACE, FIELDS }; /* of a tree, in the order of their numbers */

static int add_packed(struct profile_call_tree *tree, struct profile_packed *rows, const struct tables *tables)
{
	uint64_t place = 0;
	size_t count = rows[PARENT].count;
	if (rows[KIND].count != count || rows[EVENT].count != count || rows[PLACE].count != count)
		return -HEDDLE_INCONSISTENT;
	int error = make_nodes(tree, count);
	for (size_t i = 0; !error && i < count; i++) {
		uint32_t up = (uint32_t)profile_packed_next(&rows[PARENT]);
		uint32_t kind = (uint32_t)profile_packed_next(&rows[KIND]);
		uint32_t event = (uint32_t)profile_packed_next(&rows[EVENT]);
		place += (uint64_t)profile_packed_signed(profile_packed_next(&rows[PLACE]));
		struct profile_node node = {.place = place, .event = event, .kind = (uint8_t)kind};
		error = kind > UINT8_MAX ? -HEDDLE_NEWER : add_node(tree, node, up, tables);
	}
	return error;
}

static int add_nodes(
	struct profile_call_tree *tree, const struct profile_file_section *section, const struct tables *tables)
{
	struct profile_packed packed[FIELDS] = {{0}};
	if (profile_packed_find(packed, FIELDS, section->data, section->size))
		return add_packed(tree, packed, tables);
	Heddle__Profile__Tree *rows = profile_unpack(&heddle__profile__tree__descriptor, section->size, section->data);
	int error = rows ? add_unpacked(tree, rows, tables) : -HEDDLE_INCONSISTENT;
	if (rows)
		heddle__profile__tree__free_unpacked(rows, NULL);
	return error;
}

/* Adds a node that the file does not have, for samples that were not yet charged to a node when it was written. */
static int add_own_nodes(struct profile_decoded *decoded)
{
	struct profile_call_tree *tree = &decoded->tree;
	if (profile_reserve(&tree->nodes, &tree->node_capacity, tree->node_count + 2, sizeof(*tree->nodes)))
		return -ENOMEM;
	if (tree->node_count == 0)
		tree->nodes[tree->node_count++] = (struct profile_node){.kind = HEDDLE_NODE_ROOT};
	decoded->heddle_node = (uint32_t)tree->node_count;
	tree->nodes[tree->node_count++] =
		(struct profile_node){.kind = HEDDLE_NODE_STATE, .event = HEDDLE_STATE_HEDDLE};
	return 0;
}

static int decode_tree(struct profile_decoded *decoded, const struct profile_file_section *section)
{
	struct tables tables = {.modules = calloc(HEDDLE_MODULE_LIMIT, sizeof(uint32_t))};
	tables.old = decoded->process->n_models == 0;
	int error = tables.modules ? add_models(decoded, tables.models) : -ENOMEM;
	if (!error)
		error = add_modules(decoded, &tables);
	if (!error)
		error = add_events(decoded, &tables.events, &tables.event_ids);
	if (!error)
		error = add_strings(decoded);
	if (!error)
		error = add_nodes(&decoded->tree, section, &tables);
	if (!error)
		error = add_own_nodes(decoded);
	free(tables.events);
	free(tables.modules);
	return error;
}

/* ---- members of a merged file ---- */

static int fill_states(
	struct profile_thread *row, const Heddle__Profile__Column *column, const Heddle__Profile__Process *process)
{
	uint32_t state = 0;
	int metric = profile_stored_metric(process, column->metric);
	if (metric < 0)
		return metric;
	uint64_t *values = profile_thread_values_by_state(row, (uint32_t)metric);
	if (!values)
		return -ENOMEM;
	if (column->n_node != column->n_value)
		return -HEDDLE_INCONSISTENT;
	for (size_t i = 0; i < column->n_node; i++) {
		if (column->node[i] >= HEDDLE_STATE_COUNT - state)
			return -HEDDLE_NEWER;
		state += column->node[i];
		values[state] = column->value[i];
	}
	return 0;
}

/* The member's own message numbers counters, that of the whole file numbers models. */
static int fill_member_thread(struct profile_thread *row, const Heddle__Profile__Thread *thread,
	const Heddle__Profile__Process *process, const Heddle__Profile__Process *whole)
{
	int error = profile_thread_fill(row, thread, whole);
	for (size_t i = 0; !error && i < thread->n_states; i++)
		error = fill_states(row, thread->states[i], process);
	return error ? error : profile_thread_derive(row);
}

static int fill_member(
	struct profile_member *member, Heddle__Profile__Member *from, const Heddle__Profile__Process *whole)
{
	if (!from->process)
		return -HEDDLE_INCONSISTENT;
	member->path = strdup(from->file);
	member->threads = calloc(from->n_threads + 1, sizeof(*member->threads));
	if (!member->path || !member->threads)
		return -ENOMEM;
	member->info = from->process;
	from->process = NULL;
	int error = 0;
	for (size_t i = 0; !error && i < from->n_threads; i++) {
		member->thread_count++;
		error = fill_member_thread(&member->threads[i], from->threads[i], member->info, whole);
	}
	return error;
}

static int add_member(struct profile_decoded *decoded, const struct profile_file_section *section)
{
	Heddle__Profile__Member *member =
		profile_unpack(&heddle__profile__member__descriptor, section->size, section->data);
	if (!member)
		return -HEDDLE_INCONSISTENT;
	int error = fill_member(&decoded->members[decoded->member_count++], member, decoded->process);
	heddle__profile__member__free_unpacked(member, NULL);
	return error;
}

static int decode_members(struct profile_decoded *decoded, const struct profile_file *file)
{
	int error = 0;
	decoded->merged = decoded->process->merged;
	decoded->members = calloc(file->section_count, sizeof(*decoded->members));
	if (!decoded->members)
		return -ENOMEM;
	for (size_t i = 0; !error && decoded->merged && i < file->section_count; i++)
		if (file->sections[i].type == HEDDLE_SECTION_MEMBER)
			error = add_member(decoded, &file->sections[i]);
	return error;
}

static void free_members(struct profile_decoded *decoded)
{
	for (size_t i = 0; i < decoded->member_count; i++) {
		struct profile_member *member = &decoded->members[i];
		free(member->path);
		if (member->info)
			heddle__profile__process__free_unpacked(member->info, NULL);
		profile_threads_free(member->threads, member->thread_count);
	}
	free(decoded->members);
}

/* ---- the file ---- */

/* The checksum does not cover a section's type: if a required section is missing, its type may be damaged. */
static int decode_messages(struct profile_decoded *decoded, const struct profile_file *file)
{
	int error;
	const struct profile_file_section *process = profile_file_only(file, HEDDLE_SECTION_PROCESS, &error);
	const struct profile_file_section *modules = profile_file_only(file, HEDDLE_SECTION_MODULES, &error);
	if (!process || !modules)
		return -HEDDLE_INCONSISTENT;
	decoded->process = profile_unpack(&heddle__profile__process__descriptor, process->size, process->data);
	decoded->modules = profile_unpack(&heddle__profile__module_list__descriptor, modules->size, modules->data);
	return decoded->process && decoded->modules ? 0 : -HEDDLE_INCONSISTENT;
}

static int check_end(const struct profile_decoded *decoded, const struct profile_file *file)
{
	const struct profile_file_section *section = &file->sections[file->section_count - 1];
	Heddle__Profile__End *end = profile_unpack(&heddle__profile__end__descriptor, section->size, section->data);
	if (!end)
		return -HEDDLE_INCONSISTENT;
	bool right = end->sections == file->section_count - 1 && end->threads == decoded->thread_count;
	heddle__profile__end__free_unpacked(end, NULL);
	return right ? 0 : -HEDDLE_INCONSISTENT;
}

/* The reader's own node is not used if there are no uncharged samples. */
static void drop_own_node(struct profile_decoded *decoded)
{
	uint64_t uncharged = 0;
	for (size_t t = 0; t < decoded->thread_count; t++)
		uncharged |= decoded->threads[t].samples_in_heddle;
	if (uncharged == 0)
		decoded->tree.nodes[decoded->heddle_node].kind = HEDDLE_NODE_NONE;
}

static int decode_paths(struct profile_decoded *decoded, const struct profile_file *file)
{
	int error = decode_messages(decoded, file);
	if (error)
		return error;
	const struct profile_file_section *section = profile_file_only(file, HEDDLE_SECTION_TREE, &error);
	return section ? decode_tree(decoded, section) : -HEDDLE_INCONSISTENT;
}

static int decode(struct profile_decoded *decoded, const struct profile_file *file, size_t workers)
{
	int error = decode_paths(decoded, file);
	if (!error)
		error = decode_members(decoded, file);
	if (error)
		return error;
	decoded->states = malloc(decoded->tree.node_count);
	if (!decoded->states)
		return -ENOMEM;
	profile_call_tree_states(&decoded->tree, decoded->states);
	error = profile_decode_threads(decoded, file, workers);
	if (error)
		return error;
	drop_own_node(decoded);
	return check_end(decoded, file);
}

int profile_decode(struct profile_decoded *decoded, const struct profile_file *file, size_t workers)
{
	*decoded = (struct profile_decoded){0};
	int error = decode(decoded, file, workers ? workers : 1);
	if (error)
		profile_decoded_free(decoded);
	return error;
}

int profile_decode_paths(struct profile_decoded *decoded, const struct profile_file *file)
{
	*decoded = (struct profile_decoded){0};
	int error = decode_paths(decoded, file);
	if (error)
		profile_decoded_free(decoded);
	return error;
}

void profile_decoded_free(struct profile_decoded *decoded)
{
	if (decoded->process)
		heddle__profile__process__free_unpacked(decoded->process, NULL);
	if (decoded->modules)
		heddle__profile__module_list__free_unpacked(decoded->modules, NULL);
	profile_call_tree_free(&decoded->tree);
	profile_threads_free(decoded->threads, decoded->thread_count);
	free_members(decoded);
	free(decoded->states);
	*decoded = (struct profile_decoded){0};
}
