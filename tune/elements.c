/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts several forms of C to one: *(p + k), k[p], (p + j)[k] and p->x become p[k], p[k], p[j + k] and p[0].x, and p
 * + k becomes &p[k]. A upc_forall inside of another one that has an affinity becomes a for: the thread that executes
 * the outer iteration executes all of it, and its own affinity does not count (UPC 1.3, 6.6.2). Only the tree changes:
 * nodes keep the tokens that they are written with.
 */
#include "tune/syntax.h"

static struct tune_node *new_node(
	const struct tune_file *file, enum tune_node_kind kind, const struct tune_node *like, struct tune_type *type)
{
	struct tune_node *node = heddle__tune_take(file->work, sizeof(*node));
	*node = (struct tune_node){.kind = kind, .first = like->first, .last = like->last, .op = -1, .type = type};
	return node;
}

static void append_child(struct tune_node *parent, struct tune_node *child)
{
	struct tune_node **end = &parent->child;
	while (*end)
		end = &(*end)->next;
	*end = child;
	child->parent = parent;
	child->next = NULL;
}

static bool is_pointer(const struct tune_node *node)
{
	return node->type && (node->type->kind == TUNE_POINTER || node->type->kind == TUNE_ARRAY);
}

static void add_term(struct tune_node *sum, struct tune_node *term)
{
	if (!sum->child || term->first < sum->first)
		sum->first = term->first;
	if (!sum->child || term->last > sum->last)
		sum->last = term->last;
	append_child(sum, term);
}

/* `more`: a number, or NULL. */
static struct tune_node *add_numbers(
	const struct tune_file *file, struct tune_node *number, struct tune_node *more, bool negative)
{
	if (!more)
		return number;
	if (number->kind == TUNE_SUM && !number->child && !negative)
		return more;
	struct tune_node *sum = number, *term = more;
	if (number->kind != TUNE_SUM) {
		sum = new_node(file, TUNE_SUM, number, number->type);
		add_term(sum, number);
	}
	if (negative) {
		term = new_node(file, TUNE_NEGATIVE, more, more->type);
		append_child(term, more);
	}
	add_term(sum, term);
	return sum;
}

/* Makes `node` the element that `pointer` points to, or the one that is `more` elements after it. */
static void make_element(const struct tune_file *file, struct tune_node *node, struct tune_node *pointer,
	struct tune_node *more, bool negative)
{
	struct tune_node *bare = heddle__tune_bare(pointer),
			 *pointee = bare->kind == TUNE_ADDRESS ? heddle__tune_bare(bare->child) : NULL;
	struct tune_node *number = new_node(file, TUNE_SUM, node, NULL);
	number->first = number->last + 1;
	if (pointee && pointee->kind == TUNE_INDEX && pointee->child) {
		pointer = pointee->child;
		number = pointer->next;
	}
	number = add_numbers(file, number, more, negative);
	node->kind = TUNE_INDEX;
	node->child = NULL;
	append_child(node, pointer);
	append_child(node, number);
}

static void change_sum(const struct tune_file *file, struct tune_node *node)
{
	struct tune_node *left = node->child, *right = left->next;
	bool minus = heddle__tune_op(file, node, "-");
	if (!right || !is_pointer(node) || !(minus || heddle__tune_op(file, node, "+")))
		return;
	struct tune_node *element = new_node(file, TUNE_INDEX, node, node->type->of);
	make_element(file, element, is_pointer(left) ? left : right, is_pointer(left) ? right : left, minus);
	node->kind = TUNE_ADDRESS;
	node->child = NULL;
	append_child(node, element);
}

static void change_index(const struct tune_file *file, struct tune_node *node)
{
	struct tune_node *left = node->child, *right = left->next;
	if (right && is_pointer(left))
		make_element(file, node, left, right, false);
	else if (right && is_pointer(right))
		make_element(file, node, right, left, false);
}

static void change_member(const struct tune_file *file, struct tune_node *node)
{
	struct tune_node *pointer = node->child;
	if (!heddle__tune_op(file, node, "->") || !is_pointer(pointer))
		return;
	struct tune_node *element = new_node(file, TUNE_INDEX, pointer, pointer->type->of);
	make_element(file, element, pointer, NULL, false);
	node->child = NULL;
	append_child(node, element);
}

/* *p++ becomes p[p++]: the pointer before or after its change is a number in the changed text. */
static bool change_step(const struct tune_file *file, struct tune_node *node)
{
	struct tune_node *step = heddle__tune_bare(node->child), *pointer = step->child;
	bool steps = (step->kind == TUNE_POSTFIX || step->kind == TUNE_UNARY) &&
		     (heddle__tune_op(file, step, "++") || heddle__tune_op(file, step, "--"));
	if (!steps || pointer->kind != TUNE_NAME || !is_pointer(pointer))
		return false;
	struct tune_node *name = new_node(file, TUNE_NAME, pointer, pointer->type);
	name->symbol = pointer->symbol;
	node->kind = TUNE_INDEX;
	node->child = NULL;
	append_child(node, name);
	append_child(node, step);
	return true;
}

static void change_unary(const struct tune_file *file, struct tune_node *node)
{
	if (heddle__tune_op(file, node, "&"))
		node->kind = TUNE_ADDRESS;
	else if (heddle__tune_op(file, node, "*") && !change_step(file, node))
		make_element(file, node, node->child, NULL, false);
}

/* Replaces a row that is passed or assigned by the address of its first element. */
static void change_row(const struct tune_file *file, struct tune_node *value)
{
	struct tune_node *node = heddle__tune_bare(value);
	if (!node || node->kind != TUNE_INDEX || !node->type || node->type->kind != TUNE_ARRAY)
		return;
	struct tune_node *row = new_node(file, TUNE_INDEX, node, node->type),
			 *element = new_node(file, TUNE_INDEX, node, node->type->of), *pointer = node->child,
			 *number = pointer->next;
	append_child(row, pointer);
	append_child(row, number);
	make_element(file, element, row, NULL, false);
	node->kind = TUNE_ADDRESS;
	node->type = heddle__tune_take(file->work, sizeof(*node->type));
	*node->type = (struct tune_type){.kind = TUNE_POINTER, .of = row->type->of};
	node->child = NULL;
	append_child(node, element);
}

static void change_forall(struct tune_node *node)
{
	const struct tune_node *outer = node->parent;
	while (outer && !(outer->kind == TUNE_FORALL && heddle__tune_child(outer, 3)->kind != TUNE_EMPTY))
		outer = outer->parent;
	struct tune_node *step = heddle__tune_child(node, 2);
	if (!outer)
		return;
	node->kind = TUNE_FOR;
	step->next = step->next->next;
}

static void change_tree(const struct tune_file *file, struct tune_node *node)
{
	for (struct tune_node *child = node->child; child; child = child->next)
		change_tree(file, child);
	if (!node->child)
		return;
	switch (node->kind) {
	case TUNE_CALL:
	case TUNE_ASSIGNMENT:
		for (struct tune_node *child = node->child->next; child; child = child->next)
			change_row(file, child);
		break;
	case TUNE_DECLARATOR:
		change_row(file, node->child);
		break;
	case TUNE_BINARY:
		change_sum(file, node);
		break;
	case TUNE_INDEX:
		change_index(file, node);
		break;
	case TUNE_MEMBER:
		change_member(file, node);
		break;
	case TUNE_UNARY:
		change_unary(file, node);
		break;
	case TUNE_FORALL:
		change_forall(node);
		break;
	default:
		break;
	}
}

void heddle__tune_unify_elements(struct tune_file *file)
{
	for (struct tune_symbol *symbol = file->globals; symbol; symbol = symbol->next)
		if (symbol->tree)
			change_tree(file, symbol->tree);
}
