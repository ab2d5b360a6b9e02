/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a file declares outside of functions. Anything may stand there (macros, attributes, extensions): a declaration
 * that is not understood is left out, and refused where one of its names is needed.
 */
#include "cli/tune/syntax.h"

#include <string.h>

static bool is(const struct tune_file *file, int at, const char *text)
{
	return heddle__tune_is(&file->source, at, text);
}

static int next(const struct tune_file *file, int at)
{
	return heddle__tune_next(&file->source, at);
}

/* Behind the `;` or the `}` of a function that ends what begins at `at`. */
static int skip_external(const struct tune_file *file, int at)
{
	while (at < file->source.count && !is(file, at, ";")) {
		bool block = is(file, at, "{");
		int partner = file->source.tokens[at].partner;
		if (partner > at)
			at = partner;
		at = next(file, at);
		/* A block ends a function, unless more of a declaration follows. */
		if (block && !is(file, at, ";") && !is(file, at, ",") && !is(file, at, "=") &&
			(is(file, at, "}") || file->source.tokens[at].kind != TUNE_PUNCTUATION))
			return at;
	}
	return next(file, at);
}

/* The parameters of a function: the last brackets before its body that follow its name. */
static int parameters_after(const struct tune_file *file, int name)
{
	int at = next(file, name);
	return is(file, at, "(") ? at : -1;
}

/* One declarator of an external declaration; false if it was a function with its body. */
static bool read_external_declarator(struct tune_file *file, const struct tune_specifiers *specifiers, int *at)
{
	int name = -1;
	struct tune_type *type = heddle__tune_declarator(file, specifiers->type, at, &name);
	if (name < 0)
		heddle__tune_unparsable(file, *at);
	enum tune_symbol_kind kind = specifiers->is_typedef        ? TUNE_TYPEDEF
				     : type->kind == TUNE_FUNCTION ? TUNE_ROUTINE
								   : TUNE_VARIABLE;
	struct tune_symbol *symbol = heddle__tune_declare(file, kind, name, type);
	symbol->is_static = specifiers->is_static;
	symbol->is_extern = specifiers->is_extern;
	if (kind == TUNE_ROUTINE && is(file, *at, "{")) {
		symbol->parameters = parameters_after(file, name);
		symbol->body = *at;
		*at = next(file, file->source.tokens[*at].partner);
		return false;
	}
	if (is(file, *at, "=")) {
		*at = next(file, *at);
		heddle__tune_initializer(file, at);
	}
	return true;
}

static void read_external(struct tune_file *file, int *at)
{
	if (is(file, *at, ";")) {
		*at = next(file, *at);
		return;
	}
	struct tune_specifiers specifiers = heddle__tune_specifiers(file, at);
	while (!is(file, *at, ";")) {
		if (!read_external_declarator(file, &specifiers, at))
			return;
		if (!is(file, *at, ","))
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

struct tune_symbol *heddle__tune_function_at(struct tune_file *file, int token)
{
	for (struct tune_symbol *symbol = file->globals.symbols; symbol; symbol = symbol->next)
		if (symbol->body && symbol->body < token && file->source.tokens[symbol->body].partner > token) {
			heddle__tune_parse_function(file, symbol);
			return symbol;
		}
	return NULL;
}
