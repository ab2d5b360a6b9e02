/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops of hints: the part of the body that computes indices, with heddle_cache_hint instead of accesses. Code whose
 * values are not known before the download is left out; the loop changes no variables except its own.
 */
#include "tune/plan.h"

#include <string.h>

struct hint {
	struct hint *next;
	const char *text;
};

struct writer {
	struct tune_plan *plan;
	struct tune_text *out;
	int round, depth;
	const struct tune_node *first; /* at the first evaluation of this loop's condition */
	struct hint *hints;            /* in this block and the blocks around it */
	bool changed;                  /* a variable became needed: another pass is necessary */
};

static bool known(const struct writer *writer, const struct tune_node *node)
{
	return heddle__tune_level(writer->plan->loop, node, writer->first) <= writer->round;
}

static void begin_line(const struct writer *writer)
{
	heddle__tune_add(writer->out, writer->plan->indent);
	for (int i = 0; i < writer->depth; i++)
		heddle__tune_add(writer->out, writer->plan->unit);
}

static void end_line(const struct writer *writer)
{
	heddle__tune_add(writer->out, writer->plan->newline);
}

static bool is_value_of_number(const struct tune_node *value)
{
	const struct tune_node *outer = value->parent;
	return outer->kind == TUNE_DECLARATOR && heddle__tune_is_number(NULL, outer->symbol);
}

/* The text of an expression on one line; the variables in it become needed. */
static const char *take(struct writer *writer, const struct tune_node *top)
{
	struct tune_text text = {.work = writer->out->work};
	const struct tune_node *node = top;
	do {
		struct tune_facts *facts = node->kind == TUNE_NAME && node->symbol ? node->symbol->facts : NULL;
		if (facts && facts->inside && node->symbol != writer->plan->loop->index && !facts->needed) {
			facts->needed = true;
			writer->changed = true;
		}
	} while ((node = heddle__tune_walk(top, node)) != NULL);
	/* The value of a pointer that becomes a number. */
	if (top->type && top->type->kind == TUNE_POINTER && is_value_of_number(top))
		heddle__tune_render_number(writer->plan, &text, (struct tune_node *)top, false);
	else
		heddle__tune_render(writer->plan, &text, top, false);
	return text.at;
}

/* ---- hints of an expression ---- */

static bool is_repeated(const struct writer *writer, const char *text, const struct tune_node *element)
{
	for (const struct tune_node *node = element; node; node = heddle__tune_walk(element, node))
		if (node->kind == TUNE_NAME && node->symbol && node->symbol->facts && node->symbol->facts->inside &&
			node->symbol->facts->assignments > 1)
			return false;
	for (const struct hint *hint = writer->hints; hint; hint = hint->next)
		if (strcmp(hint->text, text) == 0)
			return true;
	return false;
}

/* Adds a hint, unless it is repeated. The index uses the names of `node`. */
static void add_hint(struct writer *writer, const char *call, const struct tune_node *node, const char *guard)
{
	struct tune_work *work = writer->out->work;
	if (is_repeated(writer, call, node))
		return;
	if (!guard) {
		struct hint *hint = heddle__tune_take(work, sizeof(*hint));
		*hint = (struct hint){.next = writer->hints, .text = call};
		writer->hints = hint;
	}
	begin_line(writer);
	if (guard) {
		heddle__tune_add_format(writer->out, "if (%s)", guard);
		end_line(writer);
		writer->depth++;
		begin_line(writer);
		writer->depth--;
	}
	heddle__tune_add(writer->out, call);
	end_line(writer);
}

static void hint_at(struct writer *writer, const struct tune_access *access, const char *guard)
{
	struct tune_work *work = writer->out->work;
	struct tune_text index = {.work = work};
	const struct tune_facts *facts = access->root->facts;
	if (!heddle__tune_is_cached(access) || !heddle__tune_gets(access) || facts->round != writer->round ||
		heddle__tune_index_level(writer->plan->loop, access, writer->first) > writer->round)
		return;
	take(writer, access->element);
	heddle__tune_render_index(writer->plan, &index, access, false);
	add_hint(writer, heddle__tune_format(work, "heddle_cache_hint(%s, %s);", facts->cache, index.at),
		access->element, guard);
}

/* The text of a sum of values, or NULL if they are not known. */
static const char *take_sum(struct writer *writer, const struct tune_terms *terms)
{
	struct tune_text text = {.work = writer->out->work};
	const struct tune_loop *loop = writer->plan->loop;
	heddle__tune_add(&text, terms->count > 1 ? "(size_t)" : terms->count ? "" : "0");
	for (int i = 0; i < terms->count; i++) {
		const struct tune_node *term = terms->at[i];
		bool number = term->kind == TUNE_NAME && heddle__tune_is_number(NULL, term->symbol);
		bool single = number || terms->count == 1 || heddle__tune_is_simple(term);
		if (!known(writer, term))
			return NULL;
		const char *value = take(writer, term);
		heddle__tune_add_format(&text, single ? "%s%s" : "%s(%s)", i ? " + " : "",
			number ? heddle__tune_first_name(loop, term->symbol) : value);
	}
	return text.at;
}

/* Adds hints for the elements that a function accesses first, with an argument in the index. */
static void hint_call(struct writer *writer, const struct tune_node *call, const char *guard)
{
	const struct tune_loop *loop = writer->plan->loop;
	const struct tune_call *made = loop->calls;
	while (made && (made->from || made->node != call))
		made = made->next;
	for (const struct tune_access *access = loop->accesses; access && made; access = access->next) {
		struct tune_terms terms = {.count = 0};
		if (!access->variant || !heddle__tune_is_cached(access) || !heddle__tune_gets(access) ||
			access->root->facts->round != writer->round ||
			!heddle__tune_first_index(loop, made, access, &terms))
			continue;
		const char *index = take_sum(writer, &terms);
		if (index)
			add_hint(writer,
				heddle__tune_format(writer->out->work, "heddle_cache_hint(%s, %s);",
					access->root->facts->cache, index),
				call, guard);
	}
}

static void hints_in(struct writer *writer, const struct tune_node *node, const char *guard);

/* Adds the hints of `node`, which is evaluated if `condition` has the value `is`. */
static void hints_if(struct writer *writer, const struct tune_node *node, const struct tune_node *condition, bool is,
	const char *guard)
{
	if (!known(writer, condition))
		return;
	/* Only guards that guard a hint make variables needed. */
	struct tune_text probe = {.work = writer->out->work}, *out = writer->out;
	struct writer trial = *writer;
	trial.out = &probe;
	hints_in(&trial, node, guard);
	writer->changed |= trial.changed;
	if (!probe.length)
		return;
	const char *text = take(writer, condition);
	bool simple = heddle__tune_is_simple(condition);
	const char *more = heddle__tune_format(
		out->work, is ? (simple || !guard ? "%s" : "(%s)") : (simple ? "!%s" : "!(%s)"), text);
	if (guard)
		more = heddle__tune_format(out->work, "%s && %s", guard, more);
	hints_in(writer, node, more);
}

static void hints_in_binary(struct writer *writer, const struct tune_node *node, const char *guard)
{
	const struct tune_file *file = writer->plan->loop->file;
	const struct tune_node *left = node->child;
	bool both = heddle__tune_op(file, node, "&&"), either = heddle__tune_op(file, node, "||");
	hints_in(writer, left, guard);
	if (both || either)
		hints_if(writer, left->next, left, both, guard);
	else
		hints_in(writer, left->next, guard);
}

static void hints_in(struct writer *writer, const struct tune_node *node, const char *guard)
{
	struct tune_loop *loop = writer->plan->loop;
	if (node->kind == TUNE_SIZEOF)
		return;
	if (node->kind == TUNE_BINARY) {
		hints_in_binary(writer, node, guard);
		return;
	}
	if (node->kind == TUNE_CONDITIONAL) {
		hints_in(writer, node->child, guard);
		hints_if(writer, node->child->next, node->child, true, guard);
		hints_if(writer, node->child->next->next, node->child, false, guard);
		return;
	}
	for (const struct tune_node *child = node->child; child; child = child->next)
		hints_in(writer, child, guard);
	const struct tune_access *access = node->kind == TUNE_INDEX ? heddle__tune_access_at(loop, node) : NULL;
	if (access)
		hint_at(writer, access, guard);
	if (node->kind == TUNE_CALL)
		hint_call(writer, node, guard);
}

/* ---- statements ---- */

static bool write_statement(struct writer *writer, const struct tune_node *node);

/* A statement's text with one more unit of indentation; NULL if it is empty. */
static const char *inner(struct writer *writer, const struct tune_node *node)
{
	struct tune_text text = {.work = writer->out->work}, *out = writer->out;
	struct hint *hints = writer->hints;
	writer->out = &text;
	writer->depth++;
	write_statement(writer, node);
	writer->depth--;
	writer->out = out;
	writer->hints = hints;
	return text.length ? text.at : NULL;
}

static void write_braced(struct writer *writer, const char *head, const char *text)
{
	begin_line(writer);
	heddle__tune_add_format(writer->out, "%s {%s%s", head, writer->plan->newline, text);
	begin_line(writer);
	heddle__tune_add_format(writer->out, "}%s", writer->plan->newline);
}

static void write_if(struct writer *writer, const struct tune_node *node)
{
	const struct tune_node *condition = node->child;
	struct tune_work *work = writer->out->work;
	hints_in(writer, condition, NULL);
	if (!known(writer, condition))
		return;
	const char *yes = inner(writer, condition->next);
	const char *no = condition->next->next ? inner(writer, condition->next->next) : NULL;
	if (!yes && !no)
		return;
	const char *text = take(writer, condition);
	if (yes)
		write_braced(writer, heddle__tune_format(work, "if (%s)", text), yes);
	if (!no)
		return;
	bool simple = heddle__tune_is_simple(condition);
	const char *head = yes ? "else" : heddle__tune_format(work, simple ? "if (!%s)" : "if (!(%s))", text);
	if (yes) {
		/* `} else {` on one line. */
		writer->out->length -= strlen(writer->plan->newline);
		heddle__tune_add_format(writer->out, " else {%s%s", writer->plan->newline, no);
		begin_line(writer);
		heddle__tune_add_format(writer->out, "}%s", writer->plan->newline);
	} else {
		write_braced(writer, head, no);
	}
}

/* Returns true if the condition of a for uses what the loop's header assigns, which is not repeated here. */
static bool uses_header(struct tune_loop *loop, const struct tune_node *start, const struct tune_node *condition)
{
	for (const struct tune_node *node = start; node; node = heddle__tune_walk(start, node)) {
		const struct tune_node *target = node->kind == TUNE_DECLARATOR              ? node
						 : heddle__tune_is_change(loop->file, node) ? node->child
											    : NULL;
		for (const struct tune_node *name = condition; target && name;
			name = heddle__tune_walk(condition, name))
			if (name->kind == TUNE_INDEX)
				for (const struct tune_node *in = name->child->next; in;
					in = heddle__tune_walk(name->child->next, in))
					if (in->kind == TUNE_NAME && in->symbol == target->symbol)
						return true;
	}
	return false;
}

static void hints_at_first(struct writer *writer, const struct tune_node *loop, const struct tune_node *condition)
{
	struct tune_loop *all = writer->plan->loop;
	if (heddle__tune_control_level(all, loop) > writer->round ||
		(loop->kind == TUNE_FOR && uses_header(all, loop->child, condition)))
		return;
	writer->first = loop;
	hints_in(writer, condition, NULL);
	writer->first = NULL;
}

static void write_while(struct writer *writer, const struct tune_node *node)
{
	const struct tune_node *condition = node->child;
	if (!heddle__tune_has_no_jumps(node) || !known(writer, condition)) {
		hints_at_first(writer, node, condition);
		return;
	}
	struct tune_text text = {.work = writer->out->work}, *out = writer->out;
	writer->out = &text;
	writer->depth++;
	hints_in(writer, condition, NULL);
	write_statement(writer, condition->next);
	writer->depth--;
	writer->out = out;
	if (text.length)
		write_braced(writer, heddle__tune_format(out->work, "while (%s)", take(writer, condition)), text.at);
}

/* Returns true if a part of a for's header changes only variables of the iteration that are known. */
static bool is_repeatable(struct writer *writer, const struct tune_node *top)
{
	struct tune_loop *loop = writer->plan->loop;
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		const struct tune_node *target = node->kind == TUNE_DECLARATOR              ? node
						 : heddle__tune_is_change(loop->file, node) ? node->child
											    : NULL;
		if (!target)
			continue;
		if (!target->symbol || !target->symbol->facts || !target->symbol->facts->inside ||
			target->symbol->facts->level > writer->round)
			return false;
	}
	return true;
}

static const char *part_text(struct writer *writer, const struct tune_node *part)
{
	if (part->kind == TUNE_EMPTY)
		return part->parent->child == part ? ";" : "";
	return take(writer, part);
}

static void write_for(struct writer *writer, const struct tune_node *node)
{
	const struct tune_node *start = node->child, *condition = start->next, *step = condition->next;
	struct tune_work *work = writer->out->work;
	hints_in(writer, start, NULL);
	if (!heddle__tune_has_no_jumps(node) || condition->kind == TUNE_EMPTY || !known(writer, condition) ||
		!is_repeatable(writer, start) || !is_repeatable(writer, step)) {
		hints_at_first(writer, node, condition);
		return;
	}
	struct tune_text text = {.work = work}, *out = writer->out;
	struct hint *hints = writer->hints;
	writer->out = &text;
	writer->depth++;
	hints_in(writer, condition, NULL);
	write_statement(writer, step->next);
	hints_in(writer, step, NULL);
	writer->depth--;
	writer->out = out;
	writer->hints = hints;
	if (!text.length)
		return;
	const char *begin = part_text(writer, start), *test = take(writer, condition), *next = part_text(writer, step);
	bool ended = start->kind == TUNE_DECLARATION || start->kind == TUNE_EMPTY;
	write_braced(
		writer, heddle__tune_format(work, "for (%s%s %s; %s)", begin, ended ? "" : ";", test, next), text.at);
}

static void add_declared(struct writer *writer, struct tune_symbol *symbol)
{
	bool number = heddle__tune_is_number(NULL, symbol);
	heddle__tune_add_format(writer->out, "%s %s", number ? "size_t" : symbol->type->name,
		number ? symbol->facts->first : symbol->name);
}

static void write_declaration(struct writer *writer, const struct tune_node *node)
{
	for (const struct tune_node *child = node->child; child; child = child->next) {
		const struct tune_facts *facts = child->symbol->facts;
		if (child->child)
			hints_in(writer, child->child, NULL);
		if (!facts || !facts->needed || facts->level > writer->round)
			continue;
		begin_line(writer);
		add_declared(writer, child->symbol);
		if (child->child)
			heddle__tune_add_format(writer->out, " = %s", take(writer, child->child));
		heddle__tune_add_format(writer->out, ";%s", writer->plan->newline);
	}
}

static void write_expression(struct writer *writer, const struct tune_node *node)
{
	const struct tune_node *change = heddle__tune_bare(node->child);
	hints_in(writer, node->child, NULL);
	if (!heddle__tune_is_change(writer->plan->loop->file, change))
		return;
	const struct tune_node *target = heddle__tune_bare(change->child);
	const struct tune_facts *facts = target->kind == TUNE_NAME && target->symbol ? target->symbol->facts : NULL;
	if (!facts || !facts->inside || !facts->needed || facts->level > writer->round)
		return;
	begin_line(writer);
	heddle__tune_add_format(writer->out, "%s;%s", take(writer, change), writer->plan->newline);
}

/* Returns false after a jump: later statements may not be reached. */
static bool write_statement(struct writer *writer, const struct tune_node *node)
{
	switch (node->kind) {
	case TUNE_BLOCK:
		for (const struct tune_node *child = node->child; child; child = child->next) {
			if (child->kind == TUNE_BLOCK) {
				const char *text = inner(writer, child);
				if (text)
					write_braced(writer, "", text);
			} else {
				write_statement(writer, child);
			}
			if (!heddle__tune_has_no_jumps(child))
				return false;
		}
		break;
	case TUNE_DECLARATION:
		write_declaration(writer, node);
		break;
	case TUNE_EXPRESSION:
		write_expression(writer, node);
		break;
	case TUNE_IF:
		write_if(writer, node);
		break;
	case TUNE_WHILE:
		write_while(writer, node);
		break;
	case TUNE_FOR:
		write_for(writer, node);
		break;
	default:
		break;
	}
	return true;
}

/* Declares variables of the iteration that the user declared outside of the loop. */
static void write_temporaries(struct writer *writer)
{
	const struct tune_loop *loop = writer->plan->loop;
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_facts *facts = loop->facts[i];
		if (!facts->temporary || !facts->needed || facts->level > writer->round)
			continue;
		begin_line(writer);
		add_declared(writer, facts->symbol);
		heddle__tune_add_format(writer->out, ";%s", writer->plan->newline);
	}
}

const char *heddle__tune_hints(struct tune_plan *plan, int round, int depth)
{
	struct tune_loop *loop = plan->loop;
	struct tune_text text;
	struct writer writer;
	for (int i = 0; i < loop->fact_count; i++)
		loop->facts[i]->needed = false;
	do {
		text = (struct tune_text){.work = loop->file->work};
		writer = (struct writer){.plan = plan, .out = &text, .round = round, .depth = depth};
		heddle__tune_add(&text, "");
		write_temporaries(&writer);
		write_statement(&writer, loop->body);
	} while (writer.changed);
	return text.at;
}
