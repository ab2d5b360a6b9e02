/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the loop, and checks its header: a start, a bound and a step that do not change while it runs. */
#include "cli/base/exit_status.h"
#include "tune/loop.h"

#include <stdio.h>
#include <string.h>

#define MOST_CALLERS 6 /* levels of callers that are examined */

/* The last line of the loop that begins with token AT, a upc_forall. By brackets only: nothing is parsed yet. */
static int last_line(const struct tune_source *source, int at)
{
	int open = heddle__tune_next(source, at);
	int body = source->tokens[open].partner > open ? heddle__tune_next(source, source->tokens[open].partner) : open;
	if (heddle__tune_is(source, body, "{") && source->tokens[body].partner > body)
		return source->tokens[source->tokens[body].partner].line;
	while (body < source->count && !heddle__tune_is(source, body, ";"))
		body = source->tokens[body].partner > body ? source->tokens[body].partner : body + 1;
	return source->tokens[body].line;
}

static _Noreturn void refuse_no_loop(const struct tune_file *file, int line)
{
	const struct tune_source *source = &file->source;
	struct tune_text lines = {.work = file->work};
	heddle__tune_add(&lines, "");
	for (int i = 0; i < source->count; i++) {
		if (source->tokens[i].kind == TUNE_DIRECTIVE && source->tokens[i].line == line &&
			memmem(source->tokens[i].text, (size_t)source->tokens[i].length, "upc_forall", 10))
			heddle__tune_refuse(source, i, "the loop is in a macro: text in macros is not changed");
		if (heddle__tune_is(source, i, "upc_forall"))
			heddle__tune_add_format(&lines, "%s%d", lines.length ? ", " : "", source->tokens[i].line);
	}
	heddle__tune_stop(file->work, HEDDLE_EXIT_REFUSED, source->path, line, "there is no upc_forall%s%s",
		lines.length ? "; this file has some in lines " : ", nor anywhere in this file", lines.at);
}

/* The token of the upc_forall that begins in the line, or else of the innermost one around the line. */
static int find_token(const struct tune_file *file, int line, int column)
{
	const struct tune_source *source = &file->source;
	int found = -1, begin = 0, around = -1;
	for (int i = 0; i < source->count; i++) {
		if (!heddle__tune_is(source, i, "upc_forall"))
			continue;
		if (source->tokens[i].line == line && (!column || source->tokens[i].column == column)) {
			found = i;
			begin++;
		} else if (!column && source->tokens[i].line < line && last_line(source, i) >= line) {
			around = i;
		}
	}
	if (begin > 1)
		heddle__tune_refuse(source, found, "%d loops begin in this line: choose one with --loop %s:%d:COLUMN",
			begin, source->path, line);
	if (found < 0 && around < 0)
		refuse_no_loop(file, line);
	return found < 0 ? around : found;
}

/* Refuses strict accesses: if unqualified accesses are strict, a change would reorder all except relaxed ones. */
static void check_strict(const struct tune_loop *loop)
{
	const struct tune_source *source = &loop->file->source;
	int first = source->tokens[loop->node->first].line, last = source->tokens[loop->node->last].line;
	for (const struct tune_lines *lines = loop->file->strict; lines; lines = lines->next)
		if (lines->first <= last && lines->last >= first)
			heddle__tune_refuse_node(loop, loop->node,
				"accesses are strict by default here: caching would change their order");
}

/* Refuses a loop whose text is from a macro, in part or whole: it cannot be replaced. */
static void check_expansions(const struct tune_loop *loop)
{
	const struct tune_source *source = &loop->file->source;
	const int ends[] = {loop->node->first, loop->node->last};
	for (size_t i = 0; i < 2; i++) {
		const struct tune_expansion *expansion = source->tokens[ends[i]].expansion;
		if (expansion && (expansion->first < loop->node->first || expansion->last > loop->node->last ||
					 ends[i] == loop->node->first))
			heddle__tune_refuse_node(loop, loop->node,
				"the loop comes from the macro %.*s: text in macros is not changed",
				(int)strcspn(expansion->at, "( \t\r\n;"), expansion->at);
	}
}

void heddle__tune_find_loop(struct tune_file *file, int line, int column, struct tune_loop *loop)
{
	int token = find_token(file, line, column);
	*loop = (struct tune_loop){.file = file};
	loop->function = heddle__tune_function_at(file, token);
	if (!loop->function)
		heddle__tune_refuse(&file->source, token, "the function around the loop is not understood");
	for (struct tune_node *node = loop->function->tree; node; node = heddle__tune_walk(loop->function->tree, node))
		if ((node->kind == TUNE_FORALL || node->kind == TUNE_FOR) && node->first == token)
			loop->node = node;
	if (!loop->node)
		heddle__tune_refuse(&file->source, token, "the function around the loop is not understood");
	check_expansions(loop);
	check_strict(loop);
}

/* Returns true for types that are not integers, or integers that may be too narrow for a tile's iterations. */
static bool is_narrow(const char *name)
{
	static const char *const parts[] = {"float", "double", "ool", "char", "short", "int8_t", "int16_t"};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

static void read_start(struct tune_loop *loop, struct tune_node *start)
{
	struct tune_node *variable = start->child;
	if (start->kind == TUNE_DECLARATION && variable && !variable->next && variable->child) {
		loop->declares_index = true;
		loop->index = variable->symbol;
		loop->start = variable->child;
	} else if (start->kind == TUNE_ASSIGNMENT && heddle__tune_op(loop->file, start, "=") &&
		   variable->kind == TUNE_NAME && variable->symbol) {
		loop->index = variable->symbol;
		loop->start = variable->next;
	} else {
		heddle__tune_refuse_node(loop, start, "the loop does not begin with an assignment to its index");
	}
	const struct tune_type *type = loop->index->type;
	if (!type || type->kind != TUNE_BASE || type->shared || type->is_volatile || type->record ||
		loop->index->is_extern || strchr(type->name, '{'))
		heddle__tune_refuse_node(loop, start, "the loop's index is not a private integer variable");
	if (is_narrow(type->basic ? type->basic : type->name))
		heddle__tune_refuse_node(
			loop, start, "the loop's index is of type %s: make it an int or wider", type->name);
}

static bool is_index(const struct tune_loop *loop, struct tune_node *node)
{
	node = heddle__tune_bare(node);
	return node && node->kind == TUNE_NAME && node->symbol == loop->index;
}

static void read_condition(struct tune_loop *loop, struct tune_node *condition)
{
	static const char *const compare[] = {"<", "<=", ">", ">=", "!="}, *const mirrored[] = {
										   ">", ">=", "<", "<=", "!="};
	struct tune_node *node = heddle__tune_bare(condition);
	for (int i = 0; i < 5 && node->kind == TUNE_BINARY; i++) {
		if (!heddle__tune_op(loop->file, node, compare[i]))
			continue;
		bool left = is_index(loop, node->child);
		if (!left && !is_index(loop, node->child->next))
			break;
		loop->compare = left ? compare[i] : mirrored[i];
		loop->bound = left ? node->child->next : node->child;
		return;
	}
	heddle__tune_refuse_node(loop, condition, "the loop's condition does not compare its index with a bound");
}

static void read_step(struct tune_loop *loop, struct tune_node *step)
{
	struct tune_file *file = loop->file;
	bool counts = step->kind == TUNE_UNARY || step->kind == TUNE_POSTFIX, good = false;
	if (counts && is_index(loop, step->child)) {
		loop->down = heddle__tune_op(file, step, "--");
		good = loop->down || heddle__tune_op(file, step, "++");
	} else if (step->kind == TUNE_ASSIGNMENT && is_index(loop, step->child)) {
		loop->down = heddle__tune_op(file, step, "-=");
		loop->step = step->child->next;
		const struct tune_node *bare = heddle__tune_bare(loop->step);
		bool zero = heddle__tune_is(&file->source, bare->first, "0");
		good = (loop->down || heddle__tune_op(file, step, "+=")) && !zero &&
		       (bare->kind == TUNE_CONSTANT || bare->kind == TUNE_NAME);
	}
	if (!good)
		heddle__tune_refuse_node(loop, step, "the loop's step is not one of ++, --, += N, -= N");
	bool towards = strchr(loop->compare, loop->down ? '>' : '<') != NULL;
	if (!towards && (*loop->compare != '!' || loop->step))
		heddle__tune_refuse_node(loop, step, "the loop's step does not lead to its bound");
}

/* Refuses a loop that became a for: the loop around it, which has an affinity, distributes its iterations. */
static void check_nested(const struct tune_loop *loop)
{
	const struct tune_node *outer = loop->node;
	while (outer && outer->kind != TUNE_FORALL)
		outer = outer->parent;
	if (outer && outer != loop->node)
		heddle__tune_refuse_node(loop, loop->node,
			"the loop is in another upc_forall (line %d), whose iterations the threads share: change that "
			"one",
			loop->file->source.tokens[outer->first].line);
}

/* Refuses a loop that only some threads reach: they would wait for the others at its first tile. */
static void check_around(const struct tune_loop *loop)
{
	const struct tune_source *source = &loop->file->source;
	for (const struct tune_node *node = loop->node; node; node = node->parent) {
		int before = node->first - 1;
		if (before >= 0 && source->tokens[before].kind == TUNE_DIRECTIVE &&
			memmem(source->tokens[before].text, (size_t)source->tokens[before].length, "omp", 3))
			heddle__tune_refuse_node(loop, node, "the loop is in an OpenMP construct");
		if (node == loop->node ||
			(node->kind != TUNE_IF && node->kind != TUNE_WHILE && node->kind != TUNE_FOR &&
				node->kind != TUNE_FORALL && node->kind != TUNE_SWITCH))
			continue;
		const struct tune_node *last = node->child;
		while (last->next)
			last = last->next;
		if (heddle__tune_mentions(loop->file, node->first, last->first - 1, "MYTHREAD"))
			heddle__tune_refuse_node(loop, loop->node,
				"only some threads execute the loop, by the condition in line %d: all threads "
				"must make its downloads and uploads together",
				source->tokens[node->first].line);
	}
}

/* Refuses the loop if some threads may have returned before it. */
static void check_before(const struct tune_loop *loop)
{
	const struct tune_node *tree = loop->function->tree;
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		if (node->kind != TUNE_IF || node->last >= loop->node->first ||
			!heddle__tune_mentions(loop->file, node->child->first, node->child->last, "MYTHREAD"))
			continue;
		for (const struct tune_node *inner = node; inner; inner = heddle__tune_walk(node, inner))
			if (inner->kind == TUNE_JUMP || inner->kind == TUNE_OTHER)
				heddle__tune_refuse_node(loop, loop->node,
					"some threads may not reach the loop: they leave in line %d",
					loop->file->source.tokens[inner->first].line);
	}
}

/* The library's barriers must not be between a upc_notify and its upc_wait. */
static void check_split_barriers(const struct tune_loop *loop)
{
	const struct tune_source *source = &loop->file->source;
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	while ((node = heddle__tune_walk_file(loop->file, &in, node)) != NULL)
		if (node->kind == TUNE_SYNCHRONIZE && (heddle__tune_is(source, node->first, "upc_notify") ||
							      heddle__tune_is(source, node->first, "upc_wait")))
			heddle__tune_refuse_node(loop, loop->node,
				"the file uses split-phase barriers (%s, line %d): the loop may lie between notify and "
				"wait",
				heddle__tune_word(source, node->first), source->tokens[node->first].line);
}

/* Refuses a function that is called, maybe indirectly, in another upc_forall: not all threads execute it. */
static void check_calls(const struct tune_loop *loop, const struct tune_symbol *function, int depth)
{
	const struct tune_symbol *caller;
	const struct tune_node *node = NULL;
	while ((node = heddle__tune_walk_file(loop->file, &caller, node)) != NULL) {
		if (node->kind != TUNE_CALL || node->child->symbol != function || !caller->body)
			continue;
		const struct tune_node *outer = node;
		while (outer && outer->kind != TUNE_FORALL)
			outer = outer->parent;
		if (outer)
			heddle__tune_refuse_node(loop, loop->node,
				"%s, with the loop in it, is called in another upc_forall (line %d)",
				loop->function->name, loop->file->source.tokens[outer->first].line);
		if (depth < MOST_CALLERS && caller != function)
			check_calls(loop, caller, depth + 1);
	}
}

static void check_constant(const struct tune_loop *loop, const struct tune_node *part)
{
	for (const struct tune_node *node = part; node; node = heddle__tune_walk(part, node)) {
		if (node->kind == TUNE_NAME && heddle__tune_is(&loop->file->source, node->first, "MYTHREAD"))
			heddle__tune_refuse_node(loop, node,
				"start, bound and step must be the same on all threads, but contain MYTHREAD");
		if (node->kind == TUNE_NAME && node->symbol == loop->index)
			heddle__tune_refuse_node(loop, node, "the loop's start, bound or step depends on its index");
	}
	if (!heddle__tune_has_no_effect(loop, part))
		heddle__tune_refuse_node(loop, part, "the loop's header has side effects, or calls a function");
}

/* Returns true if a directive is #if or belongs to one; *depth: how many are open after it. */
static bool is_conditional(const struct tune_token *directive, int *depth)
{
	const char *word = directive->text + 1;
	word += strspn(word, " \t");
	bool opens = strncmp(word, "if", 2) == 0, closes = strncmp(word, "endif", 5) == 0;
	*depth += opens ? 1 : closes ? -1 : 0;
	return opens || closes || (*depth > 0 && strncmp(word, "el", 2) == 0);
}

/* Returns true if a directive is between statements of a block. */
static bool is_between_statements(const struct tune_loop *loop, int token)
{
	const struct tune_node *around = NULL;
	for (const struct tune_node *node = loop->node; node; node = heddle__tune_walk(loop->node, node))
		if (node->first < token && node->last > token)
			around = node;
	return around && around->kind == TUNE_BLOCK;
}

/* Text that #if excludes between statements remains unchanged, as do all directives. */
static void check_directives(const struct tune_loop *loop)
{
	int depth = 0, last = loop->node->first;
	for (int i = loop->node->first; i <= loop->node->last; i++) {
		if (loop->file->source.tokens[i].kind != TUNE_DIRECTIVE)
			continue;
		if (!is_conditional(&loop->file->source.tokens[i], &depth) || depth < 0 ||
			!is_between_statements(loop, i))
			heddle__tune_refuse(&loop->file->source, i, "a preprocessing directive is inside the loop");
		last = i;
	}
	if (depth != 0)
		heddle__tune_refuse(&loop->file->source, last, "a preprocessing directive is inside the loop");
}

void heddle__tune_read_header(struct tune_loop *loop)
{
	struct tune_node *start = heddle__tune_child(loop->node, 0);
	check_nested(loop);
	loop->affinity = heddle__tune_child(loop->node, 3);
	loop->body = heddle__tune_child(loop->node, 4);
	read_start(loop, start);
	read_condition(loop, start->next);
	read_step(loop, start->next->next);
	check_constant(loop, loop->start);
	check_constant(loop, loop->bound);
	if (loop->step)
		check_constant(loop, loop->step);
	if (!heddle__tune_has_no_effect(loop, loop->affinity))
		heddle__tune_refuse_node(loop, loop->affinity, "the affinity has side effects, or calls a function");
	check_around(loop);
	check_before(loop);
	check_split_barriers(loop);
	check_calls(loop, loop->function, 0);
	check_directives(loop);
}
