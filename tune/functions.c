/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that access cached variables: a copy with changed accesses is added after the original, and the loop calls
 * the copy. The text of the copy is the original's except for its name, parameters that become caches, and accesses.
 */
#include "tune/plan.h"

#include <string.h>

/* ---- which functions ---- */

static struct tune_passed *find_passed(const struct tune_variant *variant, const struct tune_symbol *symbol)
{
	struct tune_passed *passed = variant->passed;
	while (passed && passed->symbol != symbol)
		passed = passed->next;
	return passed;
}

const char *heddle__tune_cache_name(const struct tune_loop *loop, struct tune_symbol *symbol)
{
	symbol = heddle__tune_base(symbol);
	return loop->variant ? find_passed(loop->variant, symbol)->cache : symbol->facts->cache;
}

const char *heddle__tune_first_name(const struct tune_loop *loop, const struct tune_symbol *symbol)
{
	if (symbol->facts && symbol->facts->base)
		return symbol->facts->first;
	const struct tune_passed *passed = loop->variant ? find_passed(loop->variant, symbol) : NULL;
	return passed ? passed->first : NULL;
}

static bool is_cached_in(const struct tune_variant *variant, struct tune_symbol *symbol)
{
	const struct tune_symbol *root = heddle__tune_meant(variant, symbol);
	return root->facts && root->facts->cached;
}

bool heddle__tune_is_number(const struct tune_variant *variant, struct tune_symbol *symbol)
{
	return symbol && symbol->facts && symbol->facts->base && is_cached_in(variant, symbol);
}

const struct tune_passed *heddle__tune_passed_at(const struct tune_variant *variant, int position)
{
	const struct tune_passed *passed = variant->changed ? variant->passed : NULL;
	while (passed && !(passed->symbol->parameter && passed->symbol->position == position))
		passed = passed->next;
	return passed;
}

static bool add_passed(const struct tune_loop *loop, struct tune_variant *variant, struct tune_symbol *symbol)
{
	struct tune_passed **end = &variant->passed;
	while (*end && (*end)->symbol != symbol)
		end = &(*end)->next;
	if (*end)
		return false;
	*end = heddle__tune_take(loop->file->work, sizeof(**end));
	(*end)->symbol = symbol;
	variant->changed = true;
	return true;
}

/* Adds the caches that a call passes on. Returns true if any is new. */
static bool add_passed_on(const struct tune_loop *loop, const struct tune_call *call)
{
	bool any = false;
	for (const struct tune_passed *passed = call->to->passed; passed && call->from; passed = passed->next) {
		struct tune_symbol *symbol = passed->symbol;
		struct tune_node *element;
		if (symbol->parameter)
			symbol = heddle__tune_base(
				heddle__tune_pointee(heddle__tune_child(call->node, symbol->position + 1), &element)
					->symbol);
		else
			symbol = heddle__tune_in_caller(loop->file, call->node, symbol);
		any |= add_passed(loop, (struct tune_variant *)call->from, symbol);
	}
	return any;
}

/* Adds parameters whose values determine numbers of pointers in their functions. Returns true if any is new. */
static bool find_values(const struct tune_loop *loop)
{
	bool any = false;
	for (struct tune_variant *variant = loop->variants; variant; variant = variant->next) {
		const struct tune_node *tree = variant->function->tree, *where;
		for (const struct tune_node *node = variant->changed ? tree : NULL; node;
			node = heddle__tune_walk(tree, node))
			if (node->kind == TUNE_NAME && node->symbol && node->symbol->parameter &&
				is_cached_in(variant, node->symbol) &&
				heddle__tune_use(loop->file, node, &where) == TUNE_AS_VALUE)
				any |= add_passed(loop, variant, node->symbol);
	}
	return any;
}

static void find_passed_caches(struct tune_loop *loop)
{
	bool any = true;
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->variant && heddle__tune_is_cached(access))
			add_passed(loop, (struct tune_variant *)access->variant,
				heddle__tune_base(heddle__tune_name_of(access->element)));
	while (any) {
		any = find_values(loop);
		for (const struct tune_call *call = loop->calls; call; call = call->next)
			any |= add_passed_on(loop, call);
	}
}

/* ---- whether they can be copied ---- */

static void check_text(const struct tune_loop *loop, const struct tune_symbol *function)
{
	const struct tune_source *source = &loop->file->source;
	int last = source->tokens[function->body].partner;
	for (int i = function->first; i <= last; i++) {
		if (source->tokens[i].kind == TUNE_DIRECTIVE)
			heddle__tune_refuse(source, i,
				"a preprocessing directive is inside %s, which accesses cached elements",
				function->name);
		if (i < function->body && (heddle__tune_is(source, i, "{") || heddle__tune_is(source, i, "...")))
			heddle__tune_refuse(source, i,
				"%s, which accesses cached elements, is declared in a form that "
				"cannot be copied",
				function->name);
	}
	for (const struct tune_node *node = function->tree; node; node = heddle__tune_walk(function->tree, node))
		if (node->kind == TUNE_DECLARATOR && (node->symbol->is_static || node->symbol->is_extern))
			heddle__tune_refuse_node(loop, node,
				"%s, which accesses cached elements, has the static or extern variable %s",
				function->name, node->symbol->name);
}

/* The copy is placed after the original, and must be before the caller. */
static void check_order(const struct tune_loop *loop, const struct tune_call *call)
{
	const struct tune_symbol *caller = call->from ? call->from->function : loop->function;
	const struct tune_symbol *function = call->to->function;
	if (function->body > caller->first)
		heddle__tune_refuse_node(loop, call->node,
			"%s, which accesses cached elements, is defined behind %s: move it in front", function->name,
			caller->name);
}

/* Returns true if the argument that names a pointer is one that becomes a cache. */
static bool is_passed(const struct tune_loop *loop, const struct tune_variant *variant, const struct tune_node *call,
	const struct tune_node *name)
{
	const struct tune_variant *to = heddle__tune_called(loop, variant, call);
	for (int i = 0; to && i < to->parameters; i++)
		if (heddle__tune_within(name, heddle__tune_child(call, i + 1)))
			return heddle__tune_passed_at(to, i);
	return false;
}

/* Checks that a parameter that becomes a cache, and a pointer that becomes a number, has no other uses. */
static void check_pointers(
	const struct tune_loop *loop, const struct tune_variant *variant, const struct tune_node *tree)
{
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		const struct tune_node *where, *around = node;
		struct tune_symbol *symbol = node->kind == TUNE_NAME ? node->symbol : NULL;
		if (node->kind == TUNE_DECLARATOR && node->next &&
			heddle__tune_is_number(variant, node->symbol) !=
				heddle__tune_is_number(variant, node->next->symbol))
			heddle__tune_refuse_node(loop, node,
				"%s points to cached elements, and %s does not: declare them apart", node->symbol->name,
				node->next->symbol->name);
		if (!symbol || !(heddle__tune_is_number(variant, symbol) ||
				       (variant && symbol->parameter && find_passed(variant, symbol))))
			continue;
		enum tune_use use = heddle__tune_use(loop->file, node, &where);
		bool good = use == TUNE_BY_INDEX || use == TUNE_CHANGED || use == TUNE_AS_VALUE ||
			    (use == TUNE_AS_ARGUMENT && is_passed(loop, variant, where, node));
		while (around && around->kind != TUNE_SIZEOF)
			around = around->parent;
		if (!good || around)
			heddle__tune_refuse_node(loop, node,
				"%s is used here other than by index: it cannot be replaced by a cache", symbol->name);
	}
}

void heddle__tune_check_functions(struct tune_loop *loop)
{
	find_passed_caches(loop);
	for (const struct tune_variant *variant = loop->variants; variant; variant = variant->next) {
		if (!variant->changed)
			continue;
		if (variant->recursive)
			heddle__tune_refuse_node(loop, variant->function->tree,
				"%s accesses cached elements and is recursive", variant->function->name);
		check_text(loop, variant->function);
		check_pointers(loop, variant, variant->function->tree);
	}
	check_pointers(loop, NULL, loop->body);
	for (const struct tune_call *call = loop->calls; call; call = call->next)
		if (call->to->changed)
			check_order(loop, call);
}

/* ---- the text of a copy ---- */

static void copy_raw(const struct tune_loop *loop, struct tune_text *text, int first, int behind)
{
	const char *begin = heddle__tune_begin(&loop->file->source, first);
	if (behind > first)
		heddle__tune_add_bytes(text, begin, (size_t)(heddle__tune_begin(&loop->file->source, behind) - begin));
}

static int parameter_end(const struct tune_source *source, int at, int close)
{
	while (at < close && !heddle__tune_is(source, at, ","))
		at = source->tokens[at].partner > at ? source->tokens[at].partner + 1 : at + 1;
	return at;
}

/* Adds the text from `(` to before the body. */
static void add_parameters(const struct tune_loop *loop, struct tune_text *text, const struct tune_variant *variant)
{
	const struct tune_source *source = &loop->file->source;
	const struct tune_symbol *function = variant->function;
	int open = function->parameters, close = source->tokens[open].partner, at = open + 1;
	bool none = close == open + 1 || (close == open + 2 && heddle__tune_is(source, at, "void"));
	const char *separator = "";
	heddle__tune_add(text, "(");
	for (const struct tune_passed *passed = variant->passed; passed; passed = passed->next)
		if (!passed->symbol->parameter) {
			heddle__tune_add_format(text, "%sheddle_cache_t *%s", separator, passed->cache);
			separator = ", ";
		}
	heddle__tune_add(text, none ? "" : separator);
	for (int position = 0; at < close && !none; position++) {
		int end = parameter_end(source, at, close);
		const struct tune_passed *passed = heddle__tune_passed_at(variant, position);
		if (passed)
			heddle__tune_add_format(text, "heddle_cache_t *%s%s%s", passed->cache,
				passed->first ? ", size_t " : "", passed->first ? passed->first : "");
		else
			copy_raw(loop, text, at, end);
		if (end < close)
			copy_raw(loop, text, end, end + 1);
		at = end + 1;
	}
	copy_raw(loop, text, close, function->body);
}

static const char *list_of_names(const struct tune_loop *loop, const struct tune_variant *variant)
{
	struct tune_text text = {.work = loop->file->work};
	for (const struct tune_passed *passed = variant->passed; passed; passed = passed->next)
		heddle__tune_add_format(&text, "%s%s", text.length ? ", " : "", passed->symbol->name);
	return text.at;
}

/* The place of a copy: after the line in which the function ends, if nothing follows on that line. */
static const char *place_of_copy(const struct tune_source *source, const struct tune_symbol *function, bool *own_line)
{
	const char *end = heddle__tune_end(source, source->tokens[function->body].partner),
		   *at = end + strspn(end, " \t\r");
	*own_line = *at == '\n';
	return *own_line ? at + 1 : end;
}

/* Returns a copy made for another loop, with the same text after its name; or NULL. */
static const struct tune_copied *find_copy(
	const struct tune_change *change, const struct tune_symbol *function, const char *rest)
{
	const struct tune_copied *copy = change->copies;
	while (copy && (copy->function != function || strcmp(copy->rest, rest) != 0))
		copy = copy->next;
	return copy;
}

static const char *new_copy_name(const struct tune_plan *plan, const struct tune_symbol *function)
{
	struct tune_work *work = plan->loop->file->work;
	const char *name = heddle__tune_new_name(plan->loop, function, function->name, "cached");
	bool taken = true;
	for (int n = 2; taken; n++) {
		taken = false;
		for (const struct tune_copied *copy = plan->change->copies; copy; copy = copy->next)
			taken |= strcmp(copy->name, name) == 0;
		if (taken)
			name = heddle__tune_new_name(plan->loop, function,
				heddle__tune_format(work, "%s_cached", function->name),
				heddle__tune_format(work, "%d", n));
	}
	return name;
}

static void write_copy(struct tune_plan *plan, struct tune_variant *variant)
{
	struct tune_loop *loop = plan->loop;
	struct tune_change *change = plan->change;
	const struct tune_symbol *function = variant->function;
	struct tune_text rest = {.work = loop->file->work}, text = rest;
	const char *newline = change->newline;
	bool own_line;
	loop->variant = variant;
	add_parameters(loop, &rest, variant);
	heddle__tune_render(plan, &rest, function->tree, true);
	loop->variant = NULL;
	const struct tune_copied *there = find_copy(change, function, rest.at);
	variant->name = there ? there->name : new_copy_name(plan, function);
	if (there)
		return;
	const char *place = place_of_copy(&loop->file->source, function, &own_line);
	heddle__tune_add_format(&text, "%s%s/* The same with %s accessed through a cache (heddle tune). */%s",
		own_line ? "" : newline, newline, list_of_names(loop, variant), newline);
	copy_raw(loop, &text, function->first, function->token);
	heddle__tune_add_format(&text, "%s%s%s", variant->name, rest.at, own_line ? newline : "");
	heddle__tune_edit(change, place, place, text.at, function);
	struct tune_copied *copy = heddle__tune_take(loop->file->work, sizeof(*copy));
	*copy = (struct tune_copied){change->copies, function, variant->name, rest.at};
	change->copies = copy;
}

/* A name for a cache in a function that differs from those before it. */
static const char *passed_name(
	const struct tune_loop *loop, const struct tune_variant *variant, const struct tune_passed *passed)
{
	const char *suffix = "cache", *name;
	const struct tune_passed *other;
	int n = 2;
	do {
		name = heddle__tune_new_name(loop, variant->function, passed->symbol->name, suffix);
		suffix = heddle__tune_format(loop->file->work, "cache%d", n++);
		other = variant->passed;
		while (other != passed && strcmp(other->cache, name) != 0)
			other = other->next;
	} while (other != passed);
	return name;
}

void heddle__tune_name_caches(struct tune_plan *plan)
{
	const struct tune_loop *loop = plan->loop;
	for (struct tune_variant *variant = loop->variants; variant; variant = variant->next)
		for (struct tune_passed *passed = variant->passed; passed; passed = passed->next) {
			const char *name = passed->symbol->name;
			passed->cache = passed_name(loop, variant, passed);
			if (heddle__tune_is_moved(variant, passed->symbol))
				passed->first = heddle__tune_new_name(loop, variant->function, name, "first");
		}
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_symbol *symbol = loop->facts[i]->symbol;
		const struct tune_symbol *function = heddle__tune_function_at(loop->file, symbol->token);
		if (loop->facts[i]->base && function)
			loop->facts[i]->first = heddle__tune_new_name(loop, function, symbol->name, "first");
	}
}

/* Functions call only earlier functions, so copies are made in the order of the file. */
void heddle__tune_copy_functions(struct tune_plan *plan)
{
	struct tune_variant *next;
	do {
		next = NULL;
		for (struct tune_variant *variant = plan->loop->variants; variant; variant = variant->next)
			if (variant->changed && !variant->name &&
				(!next || variant->function->body < next->function->body))
				next = variant;
		if (next)
			write_copy(plan, next);
	} while (next);
}
