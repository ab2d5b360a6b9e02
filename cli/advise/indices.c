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

/* Whether the row is of that loop and variable. */
static bool is_of(
	const struct profile_call_tree *tree, const struct profile_access *row, const struct heddle_advice *advice)
{
	uint32_t loop = heddle__loop_around(tree, row->region);
	const struct profile_node *node = &tree->nodes[loop];
	return loop && strcmp(row->variable, advice->variable) == 0 && profile_place_is_source(node) &&
	       HEDDLE_SOURCE_LINE(node->place) == advice->line &&
	       strcmp(tree->strings[HEDDLE_SOURCE_FILE(node->place)], advice->file) == 0;
}

static void look_at_rows(
	const struct looking *looking, struct heddle_advice *advice, const struct heddle_loop_text *text)
{
	const struct profile_accesses *accesses = looking->accesses;
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		uint64_t gets = row->count[HEDDLE_SIDE_REMOTE];
		if (strcmp(row->event->name, "GASP_UPC_GET") != 0 || strcmp(row->file, advice->file) != 0 ||
			!is_of(&looking->measurement->tree, row, advice))
			continue;
		enum heddle_index index = heddle__loop_text_index(text, advice->variable, row->line);
		if (index != HEDDLE_INDEX_UNKNOWN)
			advice->known_gets += gets;
		if (index == HEDDLE_INDEX_GUESSED)
			advice->guessed_gets += gets;
	}
}

/* False: the source is not at hand. */
static bool look_at(const struct looking *looking, struct heddle_advice *advice)
{
	char *source = *advice->file ? profile_source_read(looking->measurement, advice->file, NULL) : NULL;
	const char **remote = remote_variables(looking->advices, advice);
	struct heddle_loop_text text;
	if (source && remote && heddle__loop_text_make(&text, source, advice->line, remote)) {
		look_at_rows(looking, advice, &text);
		heddle__loop_text_free(&text);
	}
	free(remote);
	bool found = source;
	free(source);
	return found;
}

const char *heddle__advices_read_sources(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses)
{
	struct looking looking = {advices, measurement, accesses};
	const char *missing = NULL;
	for (size_t i = 0; i < advices->count; i++) {
		struct heddle_advice *advice = &advices->items[i];
		if (advice->in_loop && advice->gets && !look_at(&looking, advice) && !missing)
			missing = advice->file;
	}
	return missing;
}
