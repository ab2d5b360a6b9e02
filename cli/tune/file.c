/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a file declares outside of functions. Anything may stand there (macros, attributes, extensions): a declaration
 * that is not understood is left out, and refused where one of its names is needed.
 */
#include "cli/tune/syntax.h"

#include <string.h>

static int next(const struct tune_file *file, int at)
{
	return heddle__tune_next(&file->source, at);
}

/* Behind the `;` or the `}` of a function that ends what begins at `at`. */
static int skip_external(const struct tune_file *file, int at)
{
	while (at < file->source.count && !heddle__tune_at(file, at, ";")) {
		bool block = heddle__tune_at(file, at, "{");
		int partner = file->source.tokens[at].partner;
		if (partner > at)
			at = partner;
		at = next(file, at);
		/* A block ends a function, unless more of a declaration follows. */
		if (block && !heddle__tune_at(file, at, ";") && !heddle__tune_at(file, at, ",") &&
			!heddle__tune_at(file, at, "=") &&
			(heddle__tune_at(file, at, "}") || file->source.tokens[at].kind != TUNE_PUNCTUATION))
			return at;
	}
	return next(file, at);
}

/* The parameters of a function: the last brackets before its body that follow its name. */
static int parameters_after(const struct tune_file *file, int name)
{
	int at = next(file, name);
	return heddle__tune_at(file, at, "(") ? at : -1;
}

/* One declarator of an external declaration; false if it was a function with its body. */
static bool read_external_declarator(
	struct tune_file *file, const struct tune_specifiers *specifiers, int first, int *at)
{
	struct tune_symbol *symbol = heddle__tune_declared(file, specifiers, at);
	if (symbol->kind == TUNE_ROUTINE && heddle__tune_at(file, *at, "{")) {
		symbol->parameters = parameters_after(file, symbol->token);
		symbol->body = *at;
		symbol->first = first;
		*at = next(file, file->source.tokens[*at].partner);
		return false;
	}
	if (heddle__tune_at(file, *at, "=")) {
		*at = next(file, *at);
		heddle__tune_initializer(file, at);
	}
	return true;
}

static void read_external(struct tune_file *file, int *at)
{
	if (heddle__tune_at(file, *at, ";")) {
		*at = next(file, *at);
		return;
	}
	int first = *at;
	struct tune_specifiers specifiers = heddle__tune_specifiers(file, at);
	while (!heddle__tune_at(file, *at, ";")) {
		if (!read_external_declarator(file, &specifiers, first, at))
			return;
		if (!heddle__tune_at(file, *at, ","))
			break;
		*at = next(file, *at);
	}
	heddle__tune_expect(file, at, ";");
}

void heddle__tune_read_file(struct tune_file *file)
{
	jmp_buf here, *outside = file->work->refused;
	volatile int start = next(file, -1);
	while (start < file->source.count) {
		int at = start;
		file->scope = &file->globals;
		file->depth = 0;
		file->work->refused = &here;
		if (setjmp(here))
			at = skip_external(file, start);
		else
			read_external(file, &at);
		start = at > start ? at : start + 1;
	}
	file->work->refused = outside;
}

int heddle__tune_definitions(const struct tune_file *file, const char *function)
{
	int count = 0;
	for (const struct tune_symbol *symbol = file->globals.symbols; symbol; symbol = symbol->next)
		count += symbol->body && strcmp(symbol->name, function) == 0;
	return count;
}

struct tune_symbol *heddle__tune_function_at(struct tune_file *file, int token)
{
	for (struct tune_symbol *symbol = file->globals.symbols; symbol; symbol = symbol->next)
		if (symbol->body && symbol->body < token && file->source.tokens[symbol->body].partner > token) {
			heddle__tune_parse_function(file, symbol);
			return symbol;
		}
	return NULL;
}
