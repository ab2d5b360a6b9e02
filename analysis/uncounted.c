/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a label are those of all its nodes. */
#include "analysis/uncounted.h"

#include "analysis/text.h"

#include <stdio.h>
#include <stdlib.h>

#define NAMED 20 /* functions that are named; further ones are only counted */
#define NAME_COLUMNS 80

static size_t most(const uint64_t *calls, size_t count)
{
	size_t top = 0;
	for (size_t l = 1; l < count; l++)
		top = calls[l] > calls[top] ? l : top;
	return top;
}

static void write_note(FILE *out, const struct profile_view *view, uint64_t *calls, size_t functions, uint64_t total)
{
	char text[32], name[400];
	fprintf(out, "%s calls of %zu function%s were not measured (--inst-min-time): ",
		heddle__format_count(text, sizeof(text), total), functions, functions == 1 ? "" : "s");
	for (size_t i = 0; i < functions && i < NAMED; i++) {
		size_t top = most(calls, view->label_count);
		heddle__fit(name, sizeof(name), view->labels[top].text, NAME_COLUMNS, true);
		fprintf(out, "%s%s (%s)", i ? ", " : "", name, heddle__format_count(text, sizeof(text), calls[top]));
		calls[top] = 0;
	}
	if (functions > NAMED)
		fprintf(out, ", and %zu more", functions - NAMED);
}

char *heddle__uncounted_note(const struct profile_view *view)
{
	const uint64_t *values = view->values[HEDDLE_METRIC_UNCOUNTED_CALLS];
	uint64_t *calls = values ? calloc(view->label_count + 1, sizeof(*calls)) : NULL, total = 0;
	size_t functions = 0, size;
	char *note = NULL;
	for (size_t i = 0; calls && i < view->node_count; i++) {
		uint64_t *sum = &calls[view->label_of[i]];
		functions += !*sum && values[i];
		*sum += values[i];
		total += values[i];
	}
	FILE *out = functions ? open_memstream(&note, &size) : NULL;
	if (out) {
		write_note(out, view, calls, functions, total);
		fclose(out);
	}
	free(calls);
	return note;
}
