/* SPDX-License-Identifier: BSD-3-Clause */
/* For each loop with remote gets: reads its source, and which indices are known in each line with such gets. */
#include "profile/base/intern.h"
#include "profile/view/source_text.h"
#include "tune/advise/advice.h"
#include "tune/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A source, read once. */
struct source {
	struct source *next;
	const char *name; /* as the program's compiler recorded it */
	struct tune_work work;
	struct tune_file *file; /* NULL: it cannot be read, or does not compile */
	const char *problem;    /* if `file` is NULL: the message */
};

struct looking {
	struct source *sources;
	const char *const *flags;
	struct heddle_advices *advices;
	const struct profile_measurement *measurement;
	const struct profile_accesses *accesses;
};

static bool same_loop(const struct heddle_advice *a, const struct heddle_advice *b)
{
	return a->in_loop && b->in_loop && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* The variables with remote gets in the loop, ended by NULL; the caller frees the list. */
static const char **remote_variables(const struct heddle_advices *advices, const struct heddle_advice *loop)
{
	const char **names = calloc(advices->count + 1, sizeof *names);
	size_t count = 0;
	for (size_t i = 0; names && i < advices->count; i++)
		if (same_loop(&advices->items[i], loop) && advices->items[i].gets)
			names[count++] = advices->items[i].variable;
	return names;
}

static bool stands_for(const struct heddle_advice *advice, const char *object)
{
	for (unsigned i = 0; i < advice->object_count; i++)
		if (strcmp(advice->objects[i], object) == 0)
			return true;
	return false;
}

/* Returns true if the row is one of that loop and variable. */
static bool is_of(
	const struct profile_call_tree *tree, const struct profile_access *row, const struct heddle_advice *advice)
{
	uint32_t loop = heddle__loop_around(tree, row->region);
	const struct profile_node *node = &tree->nodes[loop];
	if (!stands_for(advice, row->variable) || strcmp(row->file, advice->file) != 0)
		return false;
	if (!loop)
		return advice->last_line && row->line >= advice->line && row->line <= advice->last_line;
	return profile_place_is_source(node) && HEDDLE_SOURCE_LINE(node->place) == advice->line &&
	       strcmp(tree->strings[HEDDLE_SOURCE_FILE(node->place)], advice->file) == 0;
}

/* Keeps a copy of a text as long as the advices. Returns NULL if memory is exhausted. */
static const char *keep(struct heddle_advices *advices, const char *text)
{
	size_t capacity = advices->name_count;
	bool room = profile_reserve(&advices->names, &capacity, capacity + 1, sizeof *advices->names) == 0;
	char *copy = room ? strdup(text) : NULL;
	if (copy)
		advices->names[advices->name_count++] = copy;
	return copy;
}

/* ---- sources ---- */

static void read_source(const struct looking *looking, struct source *source)
{
	struct profile_source found = profile_source_find(looking->measurement, source->name, HEDDLE_SOURCE_SEARCHED);
	char problem[sizeof source->work.message + 16];
	if (found.status == HEDDLE_SOURCE_READ)
		source->file = heddle__tune_open(&source->work, keep(looking->advices, found.path), looking->flags);
	snprintf(problem, sizeof problem, "%s",
		found.status == HEDDLE_SOURCE_READ ? source->work.message : source->name);
	if (found.status != HEDDLE_SOURCE_READ)
		strncat(problem, " was not found", sizeof problem - strlen(problem) - 1);
	source->problem = source->file ? NULL : keep(looking->advices, problem);
	profile_source_free(&found);
}

/* Returns NULL if memory is exhausted. */
static struct source *source_of(struct looking *looking, const char *name)
{
	struct source *source = looking->sources;
	while (source && strcmp(source->name, name) != 0)
		source = source->next;
	if (source || (source = calloc(1, sizeof *source)) == NULL)
		return source;
	source->name = name;
	source->next = looking->sources;
	looking->sources = source;
	if (*name)
		read_source(looking, source);
	return source;
}

static struct tune_file *file_of(struct looking *looking, const char *name)
{
	const struct source *source = source_of(looking, name);
	return source ? source->file : NULL;
}

static void free_sources(struct looking *looking)
{
	while (looking->sources) {
		struct source *next = looking->sources->next;
		heddle__tune_free(&looking->sources->work);
		free(looking->sources);
		looking->sources = next;
	}
}

/* ---- indices ---- */

static void look_at_rows(
	const struct looking *looking, struct heddle_advice *advice, const struct tune_described *described)
{
	const struct profile_accesses *accesses = looking->accesses;
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		uint64_t gets = row->count[HEDDLE_SIDE_REMOTE];
		if (strcmp(row->event->name, "GASP_UPC_GET") != 0 || !is_of(&looking->measurement->tree, row, advice))
			continue;
		enum tune_known known = heddle__tune_known(described, advice->variable, (int)row->line);
		if (known != TUNE_UNKNOWN_INDEX)
			advice->known_gets += gets;
		if (known == TUNE_FIRST_INDEX)
			advice->guessed_gets += gets;
	}
}

static void look_at(struct looking *looking, struct heddle_advice *advice)
{
	struct tune_file *file = file_of(looking, advice->file);
	const char **remote = remote_variables(looking->advices, advice);
	const struct tune_described *described =
		file && remote ? heddle__tune_describe(file, (int)advice->line, remote) : NULL;
	if (described) {
		look_at_rows(looking, advice, described);
		advice->occurrences = heddle__tune_occurrences(file, (int)advice->line, advice->variable);
		advice->refused = described->refused ? keep(looking->advices, described->refused) : NULL;
	}
	free(remote);
}

/* ---- loops without events, such as in programs of Berkeley UPC ---- */

static void find_in_source(struct looking *looking, struct heddle_advice *advice)
{
	const struct tune_file *file = file_of(looking, advice->file);
	int last, loop = file ? heddle__tune_loop_around(file, (int)advice->line, &last) : 0;
	if (loop) {
		advice->line = (uint32_t)loop;
		advice->last_line = (uint32_t)last;
		advice->in_loop = true;
	}
}

/* ---- names ---- */

/* The name that all rows of a loop and object have in the source; NULL: the names differ, or it is not found. */
static const char *name_of(
	const struct looking *looking, const struct heddle_advice *advice, const struct tune_file *file)
{
	const struct profile_accesses *accesses = looking->accesses;
	const char *name = NULL;
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		if (!row->count[HEDDLE_SIDE_REMOTE] || !is_of(&looking->measurement->tree, row, advice))
			continue;
		const char *here = heddle__tune_name_in_line(file, (int)advice->line, (int)row->line, advice->variable);
		if (!here || (name && strcmp(name, here) != 0))
			return NULL;
		name = here;
	}
	return name;
}

static void rename_one(struct looking *looking, struct heddle_advice *advice)
{
	const struct tune_file *file = file_of(looking, advice->file);
	const char *name = file ? name_of(looking, advice, file) : NULL;
	const char *kept = name && strcmp(name, advice->variable) != 0 ? keep(looking->advices, name) : NULL;
	if (kept)
		advice->variable = kept;
}

static void add_advice(struct heddle_advice *to, const struct heddle_advice *from)
{
	for (unsigned i = 0; i < from->object_count; i++)
		if (!stands_for(to, from->objects[i]))
			to->objects[to->object_count++] = from->objects[i];
	to->gets += from->gets;
	to->puts += from->puts;
	to->others += from->others;
	to->got_us += from->got_us;
	to->put_us += from->put_us;
	to->others_us += from->others_us;
	to->executions += from->executions;
	to->sketched += from->sketched;
	to->elements += from->elements;
	to->elements_got += from->elements_got;
	to->elements_put += from->elements_put;
	to->lines += from->lines;
	to->runs += from->runs;
	to->regular += from->regular;
	to->near += from->near;
	to->far += from->far;
	to->farther += from->farther;
	to->iterations += from->iterations;
	if (from->array_elements > to->array_elements)
		to->array_elements = from->array_elements;
	if (from->element_bytes > to->element_bytes)
		to->element_bytes = from->element_bytes;
}

/* Merges the rows of one loop and name. */
static void merge_equal(struct heddle_advices *advices)
{
	size_t kept = 0;
	for (size_t i = 0; i < advices->count; i++) {
		struct heddle_advice *from = &advices->items[i], *to = NULL;
		for (size_t j = 0; j < kept && !to; j++)
			if (same_loop(&advices->items[j], from) &&
				strcmp(advices->items[j].variable, from->variable) == 0 &&
				advices->items[j].object_count + from->object_count <= HEDDLE_ADVICE_OBJECTS)
				to = &advices->items[j];
		if (to)
			add_advice(to, from);
		else
			advices->items[kept++] = *from;
	}
	advices->count = kept;
	heddle__advices_sort(advices);
}

const char *heddle__advices_read_sources(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses, const char *const *flags)
{
	struct looking looking = {.advices = advices, .measurement = measurement, .accesses = accesses, .flags = flags};
	const char *problem = NULL;
	for (size_t i = 0; i < advices->count; i++)
		if (!advices->items[i].in_loop)
			find_in_source(&looking, &advices->items[i]);
	merge_equal(advices);
	for (size_t i = 0; i < advices->count; i++)
		if (advices->items[i].in_loop)
			rename_one(&looking, &advices->items[i]);
	merge_equal(advices);
	for (size_t i = 0; i < advices->count; i++)
		if (advices->items[i].in_loop && advices->items[i].gets)
			look_at(&looking, &advices->items[i]);
	for (const struct source *source = looking.sources; source; source = source->next)
		problem = source->problem ? source->problem : problem;
	free_sources(&looking);
	return problem;
}
