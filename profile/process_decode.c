/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes and checks the sections of one profile file. Nothing in the file is believed. */
#include "profile/process_decode.h"

#include "profile/errors.h"
#include "profile/parallel.h"

#include <stdlib.h>
#include <string.h>

/* ---- events, strings, modules ---- */

static int add_events(struct heddle_decoded *decoded, uint32_t **number_of_id, size_t *id_count)
{
	const Heddle__Profile__Process *process = decoded->process;
	struct heddle_call_tree *tree = &decoded->tree;
	*id_count = 0;
	for (size_t i = 0; i < process->n_events; i++)
		if (process->events[i]->id >= *id_count)
			*id_count = (size_t)process->events[i]->id + 1;
	if (*id_count > 1 << 20)
		return -HEDDLE_INCONSISTENT;
	*number_of_id = calloc(*id_count + 1, sizeof(**number_of_id));
	if (!*number_of_id ||
		heddle__reserve(&tree->events, &tree->event_capacity, process->n_events + 1, sizeof(*tree->events)))
		return -ENOMEM;
	for (size_t i = 0; i < process->n_events; i++) {
		const Heddle__Profile__EventKind *kind = process->events[i];
		if (kind->category >= HEDDLE_CATEGORY_COUNT)
			return -HEDDLE_NEWER;
		tree->events[i] = (struct heddle_event_kind){
			kind->model, kind->name, kind->label, kind->category, kind->generated};
		(*number_of_id)[kind->id] = (uint32_t)i + 1;
	}
	tree->event_count = process->n_events;
	return 0;
}

static int add_strings(struct heddle_decoded *decoded)
{
	const Heddle__Profile__Process *process = decoded->process;
	struct heddle_call_tree *tree = &decoded->tree;
	if (heddle__reserve(&tree->strings, &tree->string_capacity, process->n_strings + 1, sizeof(*tree->strings)))
		return -ENOMEM;
	for (size_t i = 0; i < process->n_strings; i++)
		tree->strings[i] = process->strings[i];
	tree->string_count = process->n_strings;
	return 0;
}

static int add_module(struct heddle_call_tree *tree, const struct heddle_code_module *module)
{
	if (tree->module_count >= HEDDLE_MODULE_LIMIT)
		return -HEDDLE_INCONSISTENT;
	int error =
		heddle__reserve(&tree->modules, &tree->module_capacity, tree->module_count + 1, sizeof(*tree->modules));
	if (!error)
		tree->modules[tree->module_count++] = *module;
	return error;
}

/* number_of_id: HEDDLE_MODULE_LIMIT entries; the number of a module in tree->modules, 0: not listed. */
static int add_modules(struct heddle_decoded *decoded, uint32_t *number_of_id)
{
	struct heddle_call_tree *tree = &decoded->tree;
	int error = add_module(tree, &(struct heddle_code_module){.path = ""});
	for (size_t i = 0; !error && i < decoded->modules->n_modules; i++) {
		const Heddle__Profile__Module *module = decoded->modules->modules[i];
		if (module->id == 0 || module->id >= HEDDLE_MODULE_LIMIT || number_of_id[module->id])
			return -HEDDLE_INCONSISTENT;
		number_of_id[module->id] = (uint32_t)tree->module_count;
		error = add_module(tree, &(struct heddle_code_module){
						 .path = module->path[0] ? module->path : "[unknown module]",
						 .build_id = module->build_id.data,
						 .build_id_size = module->build_id.len,
						 .role = module->role,
						 .unloaded = module->unloaded,
					 });
	}
	return error;
}

/* ---- the tree ---- */

struct tables {
	uint32_t *events; /* number + 1 of an event id */
	size_t event_ids;
	uint32_t *modules;
};

/* A module that the list lacks (its place was taken while the list was being written) still gets a name. */
static int check_place(struct heddle_call_tree *tree, struct heddle_node *node, const struct tables *tables)
{
	uint32_t id = HEDDLE_PLACE_MODULE(node->place);
	if (heddle__place_is_source(node))
		return HEDDLE_SOURCE_FILE(node->place) < tree->string_count ? 0 : -HEDDLE_INCONSISTENT;
	if (id >= HEDDLE_MODULE_LIMIT)
		return -HEDDLE_INCONSISTENT;
	if (id && !tables->modules[id]) {
		tables->modules[id] = (uint32_t)tree->module_count;
		int error = add_module(tree, &(struct heddle_code_module){.path = "[unlisted module]"});
		if (error)
			return error;
	}
	node->place = HEDDLE_PLACE(tables->modules[id], HEDDLE_PLACE_OFFSET(node->place));
	return 0;
}

static int check_event(struct heddle_node *node, const struct tables *tables)
{
	if (node->kind == HEDDLE_NODE_STATE)
		return node->event < HEDDLE_STATE_COUNT ? 0 : -HEDDLE_NEWER;
	if (node->kind != HEDDLE_NODE_REGION) {
		node->event = 0;
		return 0;
	}
	if (node->event >= tables->event_ids || !tables->events[node->event])
		return -HEDDLE_INCONSISTENT;
	node->event = tables->events[node->event] - 1;
	return 0;
}

static int check_node(struct heddle_call_tree *tree, struct heddle_node *node, size_t i, const struct tables *tables)
{
	if (node->kind > HEDDLE_NODE_FUNCTION)
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
	int error = check_event(node, tables);
	if (!error && heddle__place_is_string(node))
		return node->place < tree->string_count ? 0 : -HEDDLE_INCONSISTENT;
	return error ? error : check_place(tree, node, tables);
}

static int add_nodes(struct heddle_call_tree *tree, const Heddle__Profile__Tree *rows, const struct tables *tables)
{
	uint64_t place = 0;
	size_t count = rows->n_parent;
	if (rows->n_kind != count || rows->n_event != count || rows->n_place != count)
		return -HEDDLE_INCONSISTENT;
	if (heddle__reserve(&tree->nodes, &tree->node_capacity, count + 2, sizeof(*tree->nodes)))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		uint32_t up = rows->parent[i];
		place += (uint64_t)rows->place[i];
		if (up > i || (up == 0) != (i == 0))
			return -HEDDLE_INCONSISTENT;
		struct heddle_node *node = &tree->nodes[i];
		*node = (struct heddle_node){place, (uint32_t)i - up, rows->event[i], (uint8_t)rows->kind[i]};
		int error = rows->kind[i] > UINT8_MAX ? -HEDDLE_NEWER : check_node(tree, node, i, tables);
		if (error)
			return error;
		tree->node_count = i + 1;
	}
	return 0;
}

/* One node more than the file has: where samples go that a thread had not charged to a node when the file was written.
 */
static int add_own_nodes(struct heddle_decoded *decoded)
{
	struct heddle_call_tree *tree = &decoded->tree;
	if (heddle__reserve(&tree->nodes, &tree->node_capacity, tree->node_count + 2, sizeof(*tree->nodes)))
		return -ENOMEM;
	if (tree->node_count == 0)
		tree->nodes[tree->node_count++] = (struct heddle_node){.kind = HEDDLE_NODE_ROOT};
	decoded->heddle_node = (uint32_t)tree->node_count;
	tree->nodes[tree->node_count++] = (struct heddle_node){.kind = HEDDLE_NODE_STATE, .event = HEDDLE_STATE_HEDDLE};
	return 0;
}

static int decode_tree(struct heddle_decoded *decoded, const struct heddle_file_section *section)
{
	struct tables tables = {.modules = calloc(HEDDLE_MODULE_LIMIT, sizeof(uint32_t))};
	Heddle__Profile__Tree *rows = NULL;
	int error = tables.modules ? add_modules(decoded, tables.modules) : -ENOMEM;
	if (!error)
		error = add_events(decoded, &tables.events, &tables.event_ids);
	if (!error)
		error = add_strings(decoded);
	if (!error && !(rows = heddle__profile__tree__unpack(NULL, section->size, section->data)))
		error = -HEDDLE_INCONSISTENT;
	if (!error)
		error = add_nodes(&decoded->tree, rows, &tables);
	if (!error)
		error = add_own_nodes(decoded);
	if (rows)
		heddle__profile__tree__free_unpacked(rows, NULL);
	free(tables.events);
	free(tables.modules);
	return error;
}

/* ---- threads ---- */

/* The metric of a column of that number; a counter whose name Heddle's own metrics have is not believed. */
static int stored_metric(const Heddle__Profile__Process *process, uint32_t stored)
{
	if (stored < HEDDLE_COUNTER_FIRST)
		return stored < HEDDLE_METRIC_STORED && !HEDDLE_METRIC_IS_DERIVED(stored) ? (int)stored : -HEDDLE_NEWER;
	for (size_t i = 0; i < process->n_counters; i++) {
		const Heddle__Profile__Counter *counter = process->counters[i];
		if (counter->metric != stored)
			continue;
		int number = heddle__metric_add(counter->name, counter->unit, counter->meaning);
		if (number == HEDDLE_METRIC_LIMIT)
			return -HEDDLE_TOO_BIG;
		return heddle_metric_is_counter((enum heddle_metric)number) ? number : -HEDDLE_INCONSISTENT;
	}
	return -HEDDLE_INCONSISTENT;
}

static int check_column(Heddle__Profile__Column *column, const Heddle__Profile__Process *process, size_t node_count)
{
	int metric = stored_metric(process, column->metric);
	if (metric < 0)
		return metric;
	column->metric = (uint32_t)metric;
	if (column->n_node != column->n_value)
		return -HEDDLE_INCONSISTENT;
	uint64_t node = 0;
	for (size_t i = 0; i < column->n_node; i++) {
		if (i != 0 && column->node[i] == 0)
			return -HEDDLE_INCONSISTENT;
		node += column->node[i];
		if (node >= node_count)
			return -HEDDLE_INCONSISTENT;
		column->node[i] = (uint32_t)node;
	}
	return 0;
}

static int check_distribution(const Heddle__Profile__Distribution *one, size_t node_count, size_t string_count)
{
	bool right = one->node < node_count && one->argument <= HEDDLE_ARGUMENT_LIMIT && one->text <= string_count &&
		     one->n_buckets <= HEDDLE_SIZE_BUCKETS;
	return right ? 0 : -HEDDLE_INCONSISTENT;
}

int heddle_decode_thread(const struct heddle_file_section *section, const Heddle__Profile__Process *process,
	size_t node_count, Heddle__Profile__Thread **thread)
{
	*thread = heddle__profile__thread__unpack(NULL, section->size, section->data);
	if (!*thread)
		return -HEDDLE_INCONSISTENT;
	int error = 0;
	for (size_t i = 0; !error && i < (*thread)->n_columns; i++)
		error = check_column((*thread)->columns[i], process, node_count);
	for (size_t i = 0; !error && i < (*thread)->n_distributions; i++)
		error = check_distribution((*thread)->distributions[i], node_count, process->n_strings);
	if (error) {
		heddle__profile__thread__free_unpacked(*thread, NULL);
		*thread = NULL;
	}
	return error;
}

/* What the workers of one file share. Worker 0 sums into the tree itself, the others into arrays of their own. */
struct thread_job {
	struct heddle_decoded *decoded;
	const struct heddle_file_section **sections;
	size_t workers;
	uint64_t *(*sums)[HEDDLE_METRIC_LIMIT];
	struct heddle_distributions *distributions; /* one a worker */
};

static uint64_t *sums_of(struct thread_job *job, size_t worker, uint32_t metric)
{
	if (worker == 0)
		return heddle__call_tree_values(&job->decoded->tree, metric);
	uint64_t **sums = &job->sums[worker][metric];
	if (!*sums)
		*sums = calloc(job->decoded->tree.node_count, sizeof(**sums));
	return *sums;
}

static uint64_t *row_values(struct heddle_thread *row, uint32_t metric)
{
	if (!row->values[metric])
		row->values[metric] = calloc(HEDDLE_STATE_COUNT, sizeof(uint64_t));
	return row->values[metric];
}

static int add_column(
	struct thread_job *job, size_t worker, const Heddle__Profile__Column *column, struct heddle_thread *row)
{
	uint64_t *sums = sums_of(job, worker, column->metric);
	uint64_t *mine = row_values(row, column->metric);
	const uint8_t *states = job->decoded->states;
	if (!sums || !mine)
		return -ENOMEM;
	for (size_t i = 0; i < column->n_node; i++) {
		sums[column->node[i]] += column->value[i];
		mine[states[column->node[i]]] += column->value[i];
	}
	return 0;
}

/* As heddle__call_tree_derive does for the tree; what a thread holds is not known. */
static int derive_row(struct heddle_thread *row)
{
	const uint64_t *times = row->values[HEDDLE_METRIC_WALL_TIME];
	for (int s = 0; times && s < HEDDLE_STATE_COUNT; s++) {
		if (!times[s] || !heddle__state_waits(s))
			continue;
		uint64_t *waiting = row_values(row, HEDDLE_METRIC_WAITING);
		if (!waiting)
			return -ENOMEM;
		waiting[s] = times[s];
	}
	return 0;
}

static int add_distribution(struct thread_job *job, size_t worker, const Heddle__Profile__Distribution *one)
{
	uint64_t buckets[HEDDLE_SIZE_BUCKETS] = {0};
	if (one->count == 0)
		return 0;
	if (one->n_buckets)
		memcpy(buckets, one->buckets, one->n_buckets * sizeof(*buckets));
	struct heddle_distribution more = {
		.node = one->node,
		.argument = one->argument,
		.text = one->text,
		.count = one->count,
		.minimum = one->minimum,
		.maximum = one->maximum,
		.sum = one->sum,
		.rest = one->rest,
		.buckets = one->n_buckets ? buckets : NULL,
	};
	return heddle__distributions_add(&job->distributions[worker], &more);
}

static int fill_row(struct heddle_thread *row, const Heddle__Profile__Thread *thread)
{
	*row = (struct heddle_thread){
		.id = thread->id,
		.tid = thread->tid,
		.role = strdup(thread->role),
		.name = strdup(thread->name),
		.threads = thread->threads,
		.openmp_number = thread->openmp_number,
		.start_ns = thread->start_ns,
		.end_ns = thread->end_ns,
		.wall_ns = thread->wall_ns,
		.cpu_ns = thread->cpu_ns,
		.samples = thread->samples,
		.samples_in_heddle = thread->samples_in_heddle,
		.rank = thread->rank,
	};
	return row->role && row->name ? 0 : -ENOMEM;
}

static int add_uncharged(struct thread_job *job, size_t worker, struct heddle_thread *row)
{
	if (row->samples_in_heddle == 0)
		return 0;
	uint64_t *sums = sums_of(job, worker, HEDDLE_METRIC_SAMPLES);
	uint64_t *mine = row_values(row, HEDDLE_METRIC_SAMPLES);
	if (!sums || !mine)
		return -ENOMEM;
	sums[job->decoded->heddle_node] += row->samples_in_heddle;
	mine[HEDDLE_STATE_HEDDLE] += row->samples_in_heddle;
	return 0;
}

static int decode_one_thread(void *context, size_t worker, size_t index)
{
	struct thread_job *job = context;
	struct heddle_thread *row = &job->decoded->threads[index];
	Heddle__Profile__Thread *thread;
	int error =
		heddle_decode_thread(job->sections[index], job->decoded->process, job->decoded->heddle_node, &thread);
	if (error)
		return error;
	error = fill_row(row, thread);
	for (size_t i = 0; !error && i < thread->n_columns; i++)
		error = add_column(job, worker, thread->columns[i], row);
	for (size_t i = 0; !error && i < thread->n_distributions; i++)
		error = add_distribution(job, worker, thread->distributions[i]);
	if (!error)
		error = derive_row(row);
	heddle__profile__thread__free_unpacked(thread, NULL);
	return error ? error : add_uncharged(job, worker, row);
}

/* The first worker's set becomes the tree's. */
static int gather_distributions(struct thread_job *job)
{
	struct heddle_distributions *all = &job->decoded->tree.distributions;
	int error = 0;
	*all = job->distributions[0];
	for (size_t w = 1; w < job->workers; w++) {
		struct heddle_distributions *from = &job->distributions[w];
		for (size_t i = 0; !error && i < from->count; i++)
			error = heddle__distributions_add(all, &from->items[i]);
		heddle__distributions_free(from);
	}
	return error;
}

static int gather_sums(struct thread_job *job)
{
	struct heddle_call_tree *tree = &job->decoded->tree;
	int error = 0;
	for (size_t w = 1; w < job->workers; w++) {
		for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
			uint64_t *from = job->sums[w][m], *to = from ? heddle__call_tree_values(tree, m) : NULL;
			if (from && !to)
				error = -ENOMEM;
			for (size_t i = 0; to && i < tree->node_count; i++)
				to[i] += from[i];
			free(from);
		}
	}
	return error;
}

static int decode_threads(struct heddle_decoded *decoded, const struct heddle_file *file, size_t workers)
{
	size_t count = 0;
	struct thread_job job = {.decoded = decoded, .workers = workers};
	job.sections = calloc(file->section_count, sizeof(*job.sections));
	job.sums = calloc(workers, sizeof(*job.sums));
	decoded->threads = calloc(file->section_count, sizeof(*decoded->threads));
	job.distributions = calloc(workers, sizeof(*job.distributions));
	int error = job.sections && job.sums && job.distributions && decoded->threads ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < file->section_count; i++)
		if (file->sections[i].type == HEDDLE_SECTION_THREAD)
			job.sections[count++] = &file->sections[i];
	decoded->thread_count = count;
	if (!error)
		error = heddle__parallel(workers, count, decode_one_thread, &job);
	if (job.sums) {
		int gathered = gather_sums(&job);
		error = error ? error : gathered;
	}
	if (job.distributions) {
		int gathered = gather_distributions(&job);
		error = error ? error : gathered;
	}
	free(job.sections);
	free(job.sums);
	free(job.distributions);
	return error;
}

/* ---- members of a merged file ---- */

static int fill_states(
	struct heddle_thread *row, const Heddle__Profile__Column *column, const Heddle__Profile__Process *process)
{
	uint32_t state = 0;
	int metric = stored_metric(process, column->metric);
	if (metric < 0)
		return metric;
	uint64_t *values = row_values(row, (uint32_t)metric);
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

static int fill_member_thread(
	struct heddle_thread *row, const Heddle__Profile__Thread *thread, const Heddle__Profile__Process *process)
{
	int error = fill_row(row, thread);
	for (size_t i = 0; !error && i < thread->n_states; i++)
		error = fill_states(row, thread->states[i], process);
	return error ? error : derive_row(row);
}

static int fill_member(struct heddle_member *member, Heddle__Profile__Member *from)
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
		error = fill_member_thread(&member->threads[i], from->threads[i], member->info);
	}
	return error;
}

static int add_member(struct heddle_decoded *decoded, const struct heddle_file_section *section)
{
	Heddle__Profile__Member *member = heddle__profile__member__unpack(NULL, section->size, section->data);
	if (!member)
		return -HEDDLE_INCONSISTENT;
	int error = fill_member(&decoded->members[decoded->member_count++], member);
	heddle__profile__member__free_unpacked(member, NULL);
	return error;
}

static int decode_members(struct heddle_decoded *decoded, const struct heddle_file *file)
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

static void free_members(struct heddle_decoded *decoded)
{
	for (size_t i = 0; i < decoded->member_count; i++) {
		struct heddle_member *member = &decoded->members[i];
		free(member->path);
		if (member->info)
			heddle__profile__process__free_unpacked(member->info, NULL);
		heddle_threads_free(member->threads, member->thread_count);
	}
	free(decoded->members);
}

/* ---- the whole ---- */

/* A section's type is not under its check sum: a section that must be there and is not was perhaps there before. */
static int decode_messages(struct heddle_decoded *decoded, const struct heddle_file *file)
{
	int error;
	const struct heddle_file_section *process = heddle_file_only(file, HEDDLE_SECTION_PROCESS, &error);
	const struct heddle_file_section *modules = heddle_file_only(file, HEDDLE_SECTION_MODULES, &error);
	if (!process || !modules)
		return -HEDDLE_INCONSISTENT;
	decoded->process = heddle__profile__process__unpack(NULL, process->size, process->data);
	decoded->modules = heddle__profile__module_list__unpack(NULL, modules->size, modules->data);
	return decoded->process && decoded->modules ? 0 : -HEDDLE_INCONSISTENT;
}

static int check_end(const struct heddle_decoded *decoded, const struct heddle_file *file)
{
	const struct heddle_file_section *section = &file->sections[file->section_count - 1];
	Heddle__Profile__End *end = heddle__profile__end__unpack(NULL, section->size, section->data);
	if (!end)
		return -HEDDLE_INCONSISTENT;
	bool right = end->sections == file->section_count - 1 && end->threads == decoded->thread_count;
	heddle__profile__end__free_unpacked(end, NULL);
	return right ? 0 : -HEDDLE_INCONSISTENT;
}

/* Without uncharged samples the reader's own node is none. */
static void drop_own_node(struct heddle_decoded *decoded)
{
	uint64_t uncharged = 0;
	for (size_t t = 0; t < decoded->thread_count; t++)
		uncharged |= decoded->threads[t].samples_in_heddle;
	if (uncharged == 0)
		decoded->tree.nodes[decoded->heddle_node].kind = HEDDLE_NODE_NONE;
}

static int decode_paths(struct heddle_decoded *decoded, const struct heddle_file *file)
{
	int error = decode_messages(decoded, file);
	if (error)
		return error;
	const struct heddle_file_section *section = heddle_file_only(file, HEDDLE_SECTION_TREE, &error);
	return section ? decode_tree(decoded, section) : -HEDDLE_INCONSISTENT;
}

static int decode(struct heddle_decoded *decoded, const struct heddle_file *file, size_t workers)
{
	int error = decode_paths(decoded, file);
	if (!error)
		error = decode_members(decoded, file);
	if (error)
		return error;
	decoded->states = malloc(decoded->tree.node_count);
	if (!decoded->states)
		return -ENOMEM;
	heddle__call_tree_states(&decoded->tree, decoded->states);
	error = decode_threads(decoded, file, workers);
	if (error)
		return error;
	drop_own_node(decoded);
	return check_end(decoded, file);
}

int heddle_decode(struct heddle_decoded *decoded, const struct heddle_file *file, size_t workers)
{
	*decoded = (struct heddle_decoded){0};
	int error = decode(decoded, file, workers ? workers : 1);
	if (error)
		heddle_decoded_free(decoded);
	return error;
}

int heddle_decode_paths(struct heddle_decoded *decoded, const struct heddle_file *file)
{
	*decoded = (struct heddle_decoded){0};
	int error = decode_paths(decoded, file);
	if (error)
		heddle_decoded_free(decoded);
	return error;
}

uint64_t heddle_thread_value(const struct heddle_thread *thread, enum heddle_metric metric, enum heddle_state state)
{
	return thread->values[metric] ? thread->values[metric][state] : 0;
}

uint64_t heddle_thread_total(const struct heddle_thread *thread, enum heddle_metric metric)
{
	uint64_t total = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		total += heddle_thread_value(thread, metric, s);
	return total;
}

void heddle_threads_free(struct heddle_thread *threads, size_t count)
{
	for (size_t i = 0; threads && i < count; i++) {
		free(threads[i].role);
		free(threads[i].name);
		for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
			free(threads[i].values[m]);
	}
	free(threads);
}

void heddle_decoded_free(struct heddle_decoded *decoded)
{
	if (decoded->process)
		heddle__profile__process__free_unpacked(decoded->process, NULL);
	if (decoded->modules)
		heddle__profile__module_list__free_unpacked(decoded->modules, NULL);
	heddle__call_tree_free(&decoded->tree);
	heddle_threads_free(decoded->threads, decoded->thread_count);
	free_members(decoded);
	free(decoded->states);
	*decoded = (struct heddle_decoded){0};
}
