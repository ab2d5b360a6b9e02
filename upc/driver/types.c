/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the types of translated text before clang compiles it, and inserts the facts that they show. */
#include <stdlib.h>
#include <string.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"
#include "upc/typing/typing.h"

/* Constants may depend on other constants. */
#define MOST_ROUNDS 64

struct reading {
	struct report *report;
	bool failed;
};

/* Returns true if token I is in a variant of OpenMP, which may declare a function again, as omp.h does. */
static bool is_variant(const struct tokens *tokens, int i)
{
	static const char variant[] = " declare variant", begin[] = "begin declare variant";
	for (; i >= 0; i--) {
		const struct token *token = &tokens->list[i];
		if (token->kind == TOKEN_DIRECTIVE &&
			memmem(token->text, (size_t)token->length, variant, strlen(variant)))
			return memmem(token->text, (size_t)token->length, begin, strlen(begin));
	}
	return false;
}

static bool take_message(void *context, const struct upc_message *message)
{
	struct reading *reading = context;
	const struct upc_translation *translation = reading->report->translation;
	int token = upc__token_at(translation, message->row, message->column);
	if (!is_variant(translation->tokens, token) && upc__is_error(reading->report, message))
		reading->failed = true;
	upc__keep_bounds(reading->report, message);
	return true;
}

/* libclang does not show the contents of OpenMP regions, so OpenMP is switched off here. */
static struct arguments without_openmp(const struct arguments *options)
{
	struct arguments kept = {0};
	for (int i = 0; i < options->count; i++)
		if (strncmp(options->list[i], "-fopenmp", strlen("-fopenmp")) != 0)
			upc__argument(&kept, options->list[i]);
	return kept;
}

static void complete(struct report *report, const struct upc_tree *tree, bool has_errors)
{
	struct upc_completing how = {.static_threads = report->driver->static_threads,
		.has_errors = has_errors,
		.refuse = upc__report_types,
		.context = report};
	upc__complete(tree, report->translation, &how);
}

bool upc__type_text(struct report *report, const char *file, const struct arguments *options)
{
	struct arguments own = without_openmp(options);
	struct upc_translation *translation = report->translation;
	bool again = true, cast = false;
	for (int round = 0; again && round < MOST_ROUNDS; round++) {
		struct reading reading = {.report = report};
		upc__forget_bounds(report);
		struct upc_tree *tree = upc__parse(translation, file, own.list, own.count);
		if (!tree)
			break;
		again = upc__resolve_constants(tree, translation, report->driver->static_threads);
		if (!again)
			upc__tree_messages(tree, take_message, &reading);
		if (reading.failed && !cast)
			again = cast = upc__cast_members(tree, translation);
		report->typed = !again && !reading.failed;
		if (report->typed && report->visit)
			report->visit(report->context, tree, translation);
		else if (!again && !report->visit)
			complete(report, tree, reading.failed);
		upc__tree_free(tree);
	}
	free(own.list);
	return report->typed;
}
