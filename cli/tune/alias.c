/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether two variables are different memory. A pointer has the origins of all values that the file assigns to it:
 * arrays, and calls that allocate. What cannot be followed is unknown: values from memory, from functions, or by way of
 * macros, and pointers that others may change.
 */
#include "cli/tune/loop.h"

#include <ctype.h>
#include <string.h>

#define MOST_ORIGINS 16

struct origins {
	struct tune_file *file;
	const void *list[MOST_ORIGINS];               /* symbols of arrays, nodes of calls */
	const struct tune_symbol *seen[MOST_ORIGINS]; /* variables that were looked at */
	int count, seen_count;
	bool inside; /* a value may point behind the first element of an origin */
};

static bool find_origins(struct origins *origins, const struct tune_symbol *symbol);

static bool add_origin(struct origins *origins, const void *origin)
{
	if (origins->count == MOST_ORIGINS)
		return false;
	origins->list[origins->count++] = origin;
	return true;
}

static bool is_allocation(const struct tune_file *file, const struct tune_node *call)
{
	return heddle__tune_is(&file->source, call->first, "upc_all_alloc") ||
	       heddle__tune_is(&file->source, call->first, "upc_global_alloc") ||
	       heddle__tune_is(&file->source, call->first, "upc_alloc");
}

static bool is_zero(const struct tune_file *file, const struct tune_node *node)
{
	return node && node->kind == TUNE_CONSTANT && heddle__tune_is(&file->source, node->first, "0");
}

static bool is_pointer(const struct tune_node *node)
{
	return node->type && (node->type->kind == TUNE_POINTER || node->type->kind == TUNE_ARRAY);
}

/* Where the value of an expression may point; false: unknown. */
static bool find_value(struct origins *origins, struct tune_node *node)
{
	const struct tune_file *file = origins->file;
	struct tune_node *element, *left;
	node = heddle__tune_bare(node);
	switch (node->kind) {
	case TUNE_NAME:
		if (node->symbol)
			return find_origins(origins, node->symbol);
		return heddle__tune_is(&file->source, node->first, "NULL");
	case TUNE_CONSTANT:
		return is_zero(file, node);
	case TUNE_CAST:
		left = node->child;
		while (left->next)
			left = left->next;
		return find_value(origins, left);
	case TUNE_CALL:
		return is_allocation(file, node) && add_origin(origins, node);
	case TUNE_CONDITIONAL:
		return find_value(origins, node->child->next) && find_value(origins, node->child->next->next);
	case TUNE_BINARY:
		left = heddle__tune_bare(node->child);
		origins->inside = true;
		return (heddle__tune_op(file, node, "+") || heddle__tune_op(file, node, "-")) && is_pointer(left) &&
		       find_value(origins, left);
	case TUNE_UNARY:
		if (!heddle__tune_op(file, node, "&"))
			return false;
		left = heddle__tune_bare(node->child);
		origins->inside |= left->kind != TUNE_INDEX || !is_zero(file, heddle__tune_bare(left->child->next));
		return find_origins(origins, heddle__tune_root(file, left, &element));
	default:
		return false;
	}
}

/* ---- what happens to a variable in the file ---- */

static bool is_named_in(const struct tune_file *file, const char *name, int first, int last)
{
	for (int i = first; i <= last; i++)
		if (heddle__tune_is(&file->source, i, name))
			return true;
	return false;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* As a word of a #define. */
static bool is_in_macro(const struct tune_file *file, const char *name)
{
	size_t length = strlen(name);
	for (int i = 0; i < file->source.count; i++) {
		const struct tune_token *it = &file->source.tokens[i];
		const char *at = it->text + 1, *end = it->text + it->length;
		if (it->kind != TUNE_DIRECTIVE || strncmp(at + strspn(at, " \t"), "define", 6) != 0)
			continue;
		for (; (at = memmem(at, (size_t)(end - at), name, length)) != NULL; at++)
			if (!in_word(at[-1]) && (at + length == end || !in_word(at[length])))
				return true;
	}
	return false;
}

/* False if the function is not understood. */
static bool parse(struct tune_file *file, struct tune_symbol *function)
{
	jmp_buf here, *outside = file->work->refused;
	int status = file->work->status;
	volatile bool good = false;
	file->work->refused = &here;
	if (!setjmp(here)) {
		heddle__tune_parse_function(file, function);
		good = true;
	}
	file->work->refused = outside;
	file->work->status = status;
	return good;
}

/* Of a call or group, the word before its `(`; -1: none. */
static int word_before(const struct tune_source *source, int open)
{
	int at = heddle__tune_before(source, open);
	return at >= 0 && source->tokens[at].kind == TUNE_WORD ? at : -1;
}

/* The `(` around a token, or -1. */
static int open_around(const struct tune_source *source, int token)
{
	for (int at = token - 1; at >= 0; at--) {
		if (source->tokens[at].partner >= 0 && source->tokens[at].partner < at)
			at = source->tokens[at].partner;
		else if (heddle__tune_is(source, at, "("))
			return at;
		else if (heddle__tune_is(source, at, ";") || heddle__tune_is(source, at, "{"))
			return -1;
	}
	return -1;
}

bool heddle__tune_may_be_changed_by_macro(const struct tune_file *file, int token)
{
	static const char *const harmless[] = {"if", "while", "for", "switch", "return", "sizeof", "upc_forall",
		"upc_free", "upc_all_free", "upc_memput", "upc_memget", "upc_memcpy", "upc_memset", "upc_threadof",
		"upc_phaseof", "upc_addrfield", "upc_resetphase", "assert", NULL};
	const struct tune_source *source = &file->source;
	int before = token - 1, behind = token + 1;
	if (!(heddle__tune_is(source, before, "(") || heddle__tune_is(source, before, ",")) ||
		!(heddle__tune_is(source, behind, ")") || heddle__tune_is(source, behind, ",")))
		return false;
	for (int open = open_around(source, token); open >= 0; open = open_around(source, open)) {
		int word = word_before(source, open);
		const struct tune_symbol *symbol = word < 0 ? NULL : heddle__tune_find(file, &file->globals, word);
		if (word < 0)
			continue;
		return !heddle__tune_at_any(file, word, harmless) &&
		       (!symbol || symbol->kind != TUNE_ROUTINE || is_in_macro(file, symbol->name));
	}
	return false;
}

typedef bool (*mention)(struct origins *origins, struct tune_node *node, const struct tune_symbol *symbol);

/* Calls `look` for each node of a symbol in functions; false if one returns it, or a function is not understood. */
static bool for_mentions(struct origins *origins, const struct tune_symbol *symbol, mention look)
{
	struct tune_file *file = origins->file;
	for (struct tune_symbol *function = file->globals.symbols; function; function = function->next) {
		int end = function->body ? file->source.tokens[function->body].partner : 0;
		if (!function->body || !is_named_in(file, symbol->name, function->parameters, end))
			continue;
		if (!parse(file, function))
			return false;
		for (struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node))
			if ((node->kind == TUNE_NAME || node->kind == TUNE_DECLARATOR) && node->symbol == symbol &&
				!look(origins, node, symbol))
				return false;
	}
	return true;
}

/* What is assigned to the variable. */
static bool look_at_variable(struct origins *origins, struct tune_node *node, const struct tune_symbol *symbol)
{
	const struct tune_file *file = origins->file;
	const struct tune_node *outer = node->parent;
	(void)symbol;
	if (node->kind == TUNE_DECLARATOR)
		return !node->child || find_value(origins, node->child);
	if (heddle__tune_may_be_changed_by_macro(file, node->first))
		return false;
	while (outer->kind == TUNE_GROUP)
		outer = outer->parent;
	if (heddle__tune_bare(outer->child) != node)
		return true;
	if (outer->kind == TUNE_ASSIGNMENT && heddle__tune_op(file, outer, "="))
		return find_value(origins, outer->child->next);
	origins->inside |= heddle__tune_is_change(file, outer);
	return !(outer->kind == TUNE_UNARY && heddle__tune_op(file, outer, "&"));
}

/* ---- parameters ---- */

static struct tune_symbol *function_of(const struct tune_file *file, const struct tune_symbol *parameter)
{
	struct tune_symbol *function = file->globals.symbols;
	while (function && !(function->body && function->parameters < parameter->token &&
				   parameter->token < file->source.tokens[function->parameters].partner))
		function = function->next;
	return function;
}

struct argument {
	struct origins origins;
	int position;
};

static bool look_at_call(struct origins *origins, struct tune_node *node, const struct tune_symbol *symbol)
{
	const struct argument *argument = (const struct argument *)origins;
	const struct tune_node *call = node->parent;
	(void)symbol;
	if (node->kind != TUNE_NAME || call->kind != TUNE_CALL || call->child != node)
		return false;
	struct tune_node *value = heddle__tune_child(call, argument->position + 1);
	return value && find_value(origins, value);
}

/* A static function whose name is only called. */
static bool is_only_called(const struct tune_file *file, const struct tune_symbol *function)
{
	const struct tune_source *source = &file->source;
	for (int i = 0; i < source->count; i++)
		if (heddle__tune_is(source, i, function->name) &&
			!heddle__tune_is(source, heddle__tune_next(source, i), "("))
			return false;
	return function->is_static && !is_in_macro(file, function->name);
}

static bool find_arguments(struct origins *origins, const struct tune_symbol *parameter)
{
	const struct tune_symbol *function = function_of(origins->file, parameter);
	if (!function || !is_only_called(origins->file, function))
		return false;
	struct argument argument = {.origins = *origins, .position = parameter->position};
	bool good = for_mentions(&argument.origins, function, look_at_call);
	*origins = argument.origins;
	return good;
}

/* ---- variables ---- */

/* Outside of functions. */
static bool look_at_start(struct origins *origins, const struct tune_symbol *symbol)
{
	const struct tune_source *source = &origins->file->source;
	int at = heddle__tune_next(source, symbol->token);
	if (!symbol->global || !heddle__tune_is(source, at, "="))
		return true;
	at = heddle__tune_next(source, at);
	int end = heddle__tune_next(source, at);
	const struct tune_symbol *value = heddle__tune_find(origins->file, &origins->file->globals, at);
	if (!heddle__tune_is(source, end, ";") && !heddle__tune_is(source, end, ","))
		return false;
	if (heddle__tune_is(source, at, "NULL") || heddle__tune_is(source, at, "0"))
		return true;
	return value && find_origins(origins, value);
}

static bool find_origins(struct origins *origins, const struct tune_symbol *symbol)
{
	struct tune_file *file = origins->file;
	if (!symbol || !symbol->type || symbol->kind != TUNE_VARIABLE || is_in_macro(file, symbol->name))
		return false;
	if (symbol->type->kind == TUNE_ARRAY && !symbol->parameter)
		return add_origin(origins, symbol);
	for (int i = 0; i < origins->seen_count; i++)
		if (origins->seen[i] == symbol)
			return true;
	if (symbol->type->kind != TUNE_POINTER || origins->seen_count == MOST_ORIGINS || symbol->copies > 1 ||
		(symbol->global && !symbol->is_static))
		return false;
	origins->seen[origins->seen_count++] = symbol;
	return (!symbol->parameter || find_arguments(origins, symbol)) && look_at_start(origins, symbol) &&
	       for_mentions(origins, symbol, look_at_variable);
}

static bool have_common(const struct origins *one, const struct origins *other)
{
	for (int i = 0; i < one->count; i++)
		for (int j = 0; j < other->count; j++)
			if (one->list[i] == other->list[j])
				return true;
	return false;
}

bool heddle__tune_points_inside(struct tune_file *file, const struct tune_symbol *symbol)
{
	struct origins origins = {.file = file};
	find_origins(&origins, symbol);
	return origins.inside;
}

bool heddle__tune_are_apart(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct origins one = {.file = file}, other = {.file = file};
	if (heddle__tune_owns_memory(file, a) && heddle__tune_owns_memory(file, b))
		return true;
	return find_origins(&one, a) && find_origins(&other, b) && !have_common(&one, &other);
}

bool heddle__tune_may_share_origin(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b)
{
	struct origins one = {.file = file}, other = {.file = file};
	find_origins(&one, a); /* what was found so far, if there may be more */
	find_origins(&other, b);
	return have_common(&one, &other);
}
