/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the file that a loop calls: the variables of their parameters, and the elements accessed first. */
#include "tune/loop.h"

#include <string.h>

struct tune_symbol *heddle__tune_meant(const struct tune_variant *variant, struct tune_symbol *symbol)
{
	symbol = heddle__tune_base(symbol);
	const struct tune_symbol *structure = symbol ? symbol->structure.symbol : NULL;
	if (structure && variant && structure->parameter && structure->position < variant->parameters &&
		variant->structures[structure->position].symbol)
		return heddle__tune_member_of(variant->file, variant->structures[structure->position], symbol);
	bool bound = variant && symbol && symbol->parameter && symbol->position < variant->parameters &&
		     variant->roots[symbol->position];
	return bound ? variant->roots[symbol->position] : symbol;
}

struct tune_variant *heddle__tune_called(
	const struct tune_loop *loop, const struct tune_variant *from, const struct tune_node *node)
{
	const struct tune_call *call = loop->calls;
	while (call && (call->from != from || call->node != node))
		call = call->next;
	return call ? call->to : NULL;
}

struct tune_symbol *heddle__tune_parameter(const struct tune_symbol *function, int position)
{
	struct tune_symbol *symbol = function->symbols;
	while (symbol && (!symbol->parameter || symbol->position != position))
		symbol = symbol->next;
	return symbol;
}

bool heddle__tune_is_moved(const struct tune_variant *variant, const struct tune_symbol *symbol)
{
	if (symbol->facts && symbol->facts->base)
		return true;
	return variant && symbol->parameter && symbol->position < variant->parameters &&
	       variant->moved[symbol->position];
}

/* Finds the variable for which a parameter is another name, if any. */
static void bind(const struct tune_loop *loop, const struct tune_variant *from, struct tune_node *argument,
	struct tune_variant *to, int position)
{
	const struct tune_symbol *parameter = heddle__tune_parameter(to->function, position);
	struct tune_node *element;
	const struct tune_node *name = heddle__tune_pointee(argument, &element);
	if (!parameter || !name || !parameter->type || parameter->type->kind != TUNE_POINTER ||
		!heddle__tune_same_elements(parameter->type, heddle__tune_bare(argument)->type) ||
		!heddle__tune_is_steady(loop->file, to->function, parameter, &element))
		return;
	to->roots[position] = heddle__tune_meant(from, name->symbol);
	to->moved[position] = element || heddle__tune_is_moved(from, name->symbol);
}

/* The same for a parameter that is a structure, or points to one. */
static void bind_structure(const struct tune_loop *loop, const struct tune_variant *from, struct tune_node *argument,
	struct tune_variant *to, int position)
{
	struct tune_node *first;
	const struct tune_symbol *parameter = heddle__tune_parameter(to->function, position);
	struct tune_structure passed = heddle__tune_passed_structure(loop->file, argument);
	if (!parameter || !passed.symbol || !heddle__tune_is_steady(loop->file, to->function, parameter, &first))
		return;
	bool bound = from && passed.symbol->parameter && passed.symbol->position < from->parameters &&
		     from->structures[passed.symbol->position].symbol;
	to->structures[position] =
		bound ? heddle__tune_structure_in(loop->file, from->structures[passed.symbol->position], passed)
		      : passed;
}

struct tune_symbol *heddle__tune_in_caller(
	struct tune_file *file, const struct tune_node *call, struct tune_symbol *symbol)
{
	const struct tune_symbol *structure = symbol->structure.symbol;
	if (!structure || !structure->parameter)
		return symbol;
	struct tune_structure passed =
		heddle__tune_passed_structure(file, heddle__tune_child(call, structure->position + 1));
	return heddle__tune_member_of(file, passed, symbol);
}

static bool is_same_structure(const struct tune_structure *a, const struct tune_structure *b)
{
	return (!a->symbol && !b->symbol) ||
	       (a->symbol && b->symbol && a->by_pointer == b->by_pointer && strcmp(a->key, b->key) == 0);
}

static bool same_roots(const struct tune_variant *a, const struct tune_variant *b)
{
	for (int i = 0; i < a->parameters; i++)
		if (a->roots[i] != b->roots[i] || a->moved[i] != b->moved[i] ||
			!is_same_structure(&a->structures[i], &b->structures[i]))
			return false;
	return a->function == b->function && a->parameters == b->parameters;
}

struct tune_variant *heddle__tune_call(struct tune_loop *loop, struct tune_variant *from, struct tune_node *node,
	struct tune_symbol *function, bool *known)
{
	struct tune_work *work = loop->file->work;
	struct tune_variant *variant = heddle__tune_take(work, sizeof(*variant)), **end = &loop->variants;
	struct tune_call *call = heddle__tune_take(work, sizeof(*call));
	int count = 0;
	for (struct tune_node *argument = node->child->next; argument; argument = argument->next)
		count++;
	*variant = (struct tune_variant){.function = function, .parameters = count, .file = loop->file};
	variant->roots = heddle__tune_take(work, sizeof(struct tune_symbol *) * ((size_t)count + 1));
	variant->moved = heddle__tune_take(work, (size_t)count + 1);
	variant->structures = heddle__tune_take(work, sizeof(struct tune_structure) * ((size_t)count + 1));
	for (int i = 0; i < count; i++) {
		bind(loop, from, heddle__tune_child(node, i + 1), variant, i);
		bind_structure(loop, from, heddle__tune_child(node, i + 1), variant, i);
	}
	while (*end && !same_roots(*end, variant))
		end = &(*end)->next;
	*known = *end;
	if (!*end)
		*end = variant;
	*call = (struct tune_call){.next = loop->calls, .node = node, .from = from, .to = *end};
	loop->calls = call;
	return *end;
}

/* ---- accesses at the beginning of a function ---- */

/* Returns true if each evaluation of the parent evaluates the child; in a while, for the first time before the body. */
static bool is_always_reached(const struct tune_file *file, const struct tune_node *node)
{
	const struct tune_node *parent = node->parent;
	bool first = parent->child == node;
	switch (parent->kind) {
	case TUNE_BINARY:
		return first || !(heddle__tune_op(file, parent, "&&") || heddle__tune_op(file, parent, "||"));
	case TUNE_IF:
	case TUNE_WHILE:
	case TUNE_CONDITIONAL:
		return first;
	case TUNE_BLOCK:
		for (const struct tune_node *before = parent->child; before != node; before = before->next)
			if (before->kind != TUNE_DECLARATION && before->kind != TUNE_EXPRESSION)
				return false;
		return true;
	case TUNE_GROUP:
	case TUNE_INDEX:
	case TUNE_SUM:
	case TUNE_NEGATIVE:
	case TUNE_ADDRESS:
	case TUNE_MEMBER:
	case TUNE_UNARY:
	case TUNE_CAST:
	case TUNE_EXPRESSION:
	case TUNE_DECLARATION:
	case TUNE_DECLARATOR:
	case TUNE_ASSIGNMENT:
	case TUNE_JUMP:
		return true;
	default:
		return false;
	}
}

/* Returns true if each call of the function evaluates `at`, before it takes any branch. */
static bool is_reached(const struct tune_loop *loop, const struct tune_symbol *function, const struct tune_node *at)
{
	while (at != function->tree && is_always_reached(loop->file, at))
		at = at->parent;
	return at == function->tree;
}

/* Returns true if a parameter still has its first value at `use`, which each call evaluates. */
static bool has_first_value(
	const struct tune_loop *loop, const struct tune_symbol *function, const struct tune_node *use)
{
	const struct tune_node *tree = function->tree;
	for (const struct tune_node *before = tree; before && before->first < use->first;
		before = heddle__tune_walk(tree, before))
		if (heddle__tune_is_change(loop->file, before) &&
			heddle__tune_bare(before->child)->symbol == use->symbol &&
			!(before->kind == TUNE_ASSIGNMENT && heddle__tune_within(use, before)))
			return false;
	return true;
}

static bool add_term(struct tune_terms *terms, const struct tune_node *term)
{
	if (terms->count == TUNE_MOST_TERMS || term->kind == TUNE_NEGATIVE)
		return false;
	terms->at[terms->count++] = term;
	return true;
}

/* Adds the distance of an element from the one that its pointer points to. */
static bool add_index(struct tune_terms *terms, struct tune_node *element)
{
	struct tune_node *index = heddle__tune_bare(element->child->next);
	bool good = heddle__tune_bare(element->child)->kind == TUNE_NAME;
	if (index->kind != TUNE_SUM)
		return good && add_term(terms, index);
	for (const struct tune_node *term = index->child; term && good; term = term->next)
		good = add_term(terms, term);
	return good;
}

/* Adds a value in a function, in terms of its caller. */
static bool add_as_called(const struct tune_loop *loop, const struct tune_call *call, const struct tune_node *value,
	struct tune_terms *terms)
{
	struct tune_node *element;
	const struct tune_symbol *symbol = value->kind == TUNE_NAME ? value->symbol : NULL;
	if (value->kind == TUNE_CONSTANT)
		return add_term(terms, value);
	struct tune_node *argument =
		symbol && symbol->parameter ? heddle__tune_child(call->node, symbol->position + 1) : NULL;
	if (!argument)
		return false;
	if (symbol->type->kind != TUNE_POINTER)
		return has_first_value(loop, call->to->function, value) && add_term(terms, argument);
	const struct tune_node *name = heddle__tune_pointee(argument, &element);
	return (!element || add_index(terms, element)) &&
	       (!heddle__tune_is_moved(call->from, name->symbol) || add_term(terms, name));
}

bool heddle__tune_first_index(const struct tune_loop *loop, const struct tune_call *call,
	const struct tune_access *access, struct tune_terms *terms)
{
	struct tune_terms inner = {.count = 0};
	const struct tune_node *at = access->element;
	bool good = false;
	if (access->variant == call->to) {
		good = access->element && add_index(&inner, access->element) &&
		       (!access->moved || add_term(&inner, heddle__tune_bare(access->element->child)));
	} else if (!call->to->recursive) {
		for (const struct tune_call *next = loop->calls; next && !good; next = next->next) {
			inner.count = 0;
			at = next->node;
			good = next->from == call->to && heddle__tune_first_index(loop, next, access, &inner);
		}
	}
	good = good && is_reached(loop, call->to->function, at);
	for (int i = 0; i < inner.count && good; i++)
		good = add_as_called(loop, call, inner.at[i], terms);
	return good;
}
