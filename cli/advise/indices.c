/* SPDX-License-Identifier: BSD-3-Clause */
/* For each loop that gets remote elements: its source, and what that says of each line that gets some. */
#include "cli/advise/advice.h"
#include "cli/advise/source.h"
#include "profile/source_text.h"

#include <stdlib.h>
#include <string.h>

struct looking {
	struct heddle_advices *advices;
	const struct profile_measurement *measurement;
	const struct profile_accesses *accesses;
};

static bool same_loop(const struct heddle_advice *a, const struct heddle_advice *b)
{
	return a->in_loop && b->in_loop && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* The variables of which the loop gets remote elements, ended by NULL; free() it. */
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

/* Whether the row is of that loop and variable. */
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

static void look_at_rows(
	const struct looking *looking, struct heddle_advice *advice, const struct heddle_loop_text *text)
{
	const struct profile_accesses *accesses = looking->accesses;
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		uint64_t gets = row->count[HEDDLE_SIDE_REMOTE];
		if (strcmp(row->event->name, "GASP_UPC_GET") != 0 || !is_of(&looking->measurement->tree, row, advice))
			continue;
		enum heddle_index index = heddle__loop_text_index(text, advice->variable, row->line);
		if (index != HEDDLE_INDEX_UNKNOWN)
			advice->known_gets += gets;
		if (index == HEDDLE_INDEX_GUESSED)
			advice->guessed_gets += gets;
	}
}

static bool is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* How often the loop's body has an element of that variable. */
static unsigned occurrences(const struct heddle_loop_text *loop, const char *variable)
{
	size_t length = strlen(variable);
	unsigned count = 0;
	for (const char *at = strstr(loop->text + loop->begin, variable); at && at < loop->text + loop->end;
		at = strstr(at + length, variable)) {
		const char *behind = at + length + strspn(at + length, " ");
		count += *behind == '[' && !is_word(at[-1]);
	}
	return count;
}

/* False: the source is not at hand. */
static bool look_at(const struct looking *looking, struct heddle_advice *advice)
{
	char *source =
		*advice->file ? profile_source_read(looking->measurement, advice->file, HEDDLE_SOURCE_SEARCHED) : NULL;
	const char **remote = remote_variables(looking->advices, advice);
	struct heddle_loop_text text;
	if (source && remote && heddle__loop_text_make(&text, source, advice->line, remote)) {
		look_at_rows(looking, advice, &text);
		advice->occurrences = occurrences(&text, advice->variable);
		heddle__loop_text_free(&text);
	}
	free(remote);
	bool found = source;
	free(source);
	return found;
}

/* ---- loops that no event told of, such as in programs of Berkeley UPC ---- */

static void find_in_source(const struct looking *looking, struct heddle_advice *advice)
{
	char *source =
		*advice->file ? profile_source_read(looking->measurement, advice->file, HEDDLE_SOURCE_SEARCHED) : NULL;
	uint32_t last, loop = source ? heddle__loop_around_line(source, advice->line, &last) : 0;
	if (loop) {
		advice->line = loop;
		advice->last_line = last;
		advice->in_loop = true;
	}
	free(source);
}

/* ---- names ---- */

/* The name that all rows of a loop and object have in the source; NULL: they differ, or it is not found. */
static char *name_of(
	const struct looking *looking, const struct heddle_advice *advice, const struct heddle_loop_text *text)
{
	const struct profile_accesses *accesses = looking->accesses;
	char *name = NULL;
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		if (!row->count[HEDDLE_SIDE_REMOTE] || !is_of(&looking->measurement->tree, row, advice))
			continue;
		char *here = heddle__loop_text_name(text, advice->variable, row->line);
		bool differs = !here || (name && strcmp(name, here) != 0);
		free(name);
		name = here;
		if (differs) {
			free(name);
			return NULL;
		}
	}
	return name;
}

/* The name becomes the advices' own. False: no memory. */
static bool own_name(struct heddle_advices *advices, char *name)
{
	char **names = realloc(advices->names, (advices->name_count + 1) * sizeof *names);
	if (!names)
		return false;
	advices->names = names;
	names[advices->name_count++] = name;
	return true;
}

static void rename_one(const struct looking *looking, struct heddle_advice *advice)
{
	char *source =
		*advice->file ? profile_source_read(looking->measurement, advice->file, HEDDLE_SOURCE_SEARCHED) : NULL;
	struct heddle_loop_text text;
	char *name = NULL;
	if (source && heddle__loop_text_make(&text, source, advice->line, NULL)) {
		name = name_of(looking, advice, &text);
		heddle__loop_text_free(&text);
	}
	if (name && strcmp(name, advice->variable) != 0 && own_name(looking->advices, name))
		advice->variable = name;
	else
		free(name);
	free(source);
}

static void add(struct heddle_advice *to, const struct heddle_advice *from)
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

/* Rows of one loop and name become one. */
static void unite(struct heddle_advices *advices)
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
			add(to, from);
		else
			advices->items[kept++] = *from;
	}
	advices->count = kept;
	heddle__advices_sort(advices);
}

const char *heddle__advices_read_sources(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses)
{
	struct looking looking = {advices, measurement, accesses};
	const char *missing = NULL;
	for (size_t i = 0; i < advices->count; i++)
		if (!advices->items[i].in_loop)
			find_in_source(&looking, &advices->items[i]);
	unite(advices);
	for (size_t i = 0; i < advices->count; i++)
		if (advices->items[i].in_loop)
			rename_one(&looking, &advices->items[i]);
	unite(advices);
	for (size_t i = 0; i < advices->count; i++) {
		struct heddle_advice *advice = &advices->items[i];
		if (advice->in_loop && advice->gets && !look_at(&looking, advice) && !missing)
			missing = advice->file;
	}
	return missing;
}
