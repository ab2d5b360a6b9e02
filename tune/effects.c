/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the body of a loop: which shared memory it accesses, which private variables it changes, and what prevents a
 * change. Functions of the same file are followed.
 */
#include "tune/loop.h"

#include <string.h>

struct reading {
	struct tune_loop *loop;
	struct tune_variant *variant; /* the function that is read; NULL: the body */
	struct tune_variant *functions[16];
	int depth;
};

static bool is_lvalue(const struct tune_node *node)
{
	return node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER ||
	       (node->kind == TUNE_NAME && node->symbol && node->symbol->kind == TUNE_VARIABLE);
}

/* Returns true if `node` is a part of a larger lvalue, which is examined instead. */
static bool is_inner(const struct tune_node *node)
{
	const struct tune_node *parent = heddle__tune_above(node);
	if (!parent || heddle__tune_bare(parent->child) != node)
		return false;
	return parent->kind == TUNE_MEMBER ||
	       (parent->kind == TUNE_INDEX && node->type && node->type->kind == TUNE_ARRAY);
}

/* How the parent uses an lvalue. */
static void note_use(const struct tune_file *file, const struct tune_node *node, bool *read, bool *write)
{
	const struct tune_node *parent = heddle__tune_above(node);
	bool target = parent && heddle__tune_is_change(file, parent) && heddle__tune_bare(parent->child) == node;
	*write = target;
	*read = !target || !heddle__tune_op(file, parent, "=") || parent->kind != TUNE_ASSIGNMENT;
	if (target && parent->kind == TUNE_ASSIGNMENT && heddle__tune_op(file, parent, "=") &&
		heddle__tune_above(parent)->kind != TUNE_EXPRESSION)
		*read = true;
}

/* Returns true for &x as an argument of a query about the pointer, and sizeof x, which access nothing. */
static bool is_untouched(const struct tune_node *node)
{
	const struct tune_node *parent = heddle__tune_above(node);
	return parent->kind == TUNE_SIZEOF || parent->kind == TUNE_ADDRESS;
}

static void add_access(struct reading *reading, struct tune_node *top)
{
	struct tune_loop *loop = reading->loop;
	struct tune_access *access = heddle__tune_take(loop->file->work, sizeof(*access)), **end = &loop->accesses;
	access->top = top;
	access->root = heddle__tune_meant(reading->variant, heddle__tune_root(top, &access->element));
	if (access->element)
		access->moved = heddle__tune_is_moved(reading->variant, heddle__tune_name_of(access->element));
	access->type = access->element ? access->element->type : top->type;
	access->variant = reading->variant;
	note_use(loop->file, top, &access->read, &access->write);
	if (access->root) {
		heddle__tune_facts(loop, access->root)->used = true;
		heddle__tune_facts(loop, access->root)->stored |= access->write;
		heddle__tune_facts(loop, access->root)->written |= access->write && top->kind == TUNE_NAME;
	}
	while (*end)
		end = &(*end)->next;
	*end = access;
}

/* Returns true if a use of an array reaches only its elements: it is not converted to a pointer. */
static bool is_by_index(const struct tune_node *name)
{
	const struct tune_node *node = name, *outer = heddle__tune_above(name);
	if (outer->kind == TUNE_SIZEOF)
		return true;
	while (outer->kind == TUNE_MEMBER || (outer->kind == TUNE_INDEX && heddle__tune_bare(outer->child) == node)) {
		node = outer;
		outer = heddle__tune_above(outer);
	}
	return outer->kind != TUNE_ADDRESS && node->type && node->type->kind != TUNE_ARRAY;
}

/* Returns the array that an element belongs to, if no pointer reaches it and each iteration has its own; or NULL. */
static struct tune_symbol *own_array(const struct reading *reading, const struct tune_node *node)
{
	const struct tune_loop *loop = reading->loop;
	const struct tune_node *tree = reading->variant ? reading->variant->function->tree : loop->node;
	while (node->kind == TUNE_MEMBER || (node->kind == TUNE_INDEX && heddle__tune_bare(node->child)->type &&
						    heddle__tune_bare(node->child)->type->kind == TUNE_ARRAY))
		node = heddle__tune_bare(node->child);
	struct tune_symbol *symbol = node->kind == TUNE_NAME ? node->symbol : NULL;
	if (!symbol || symbol->type->kind != TUNE_ARRAY || symbol->is_static || symbol->is_extern ||
		symbol->token < tree->first || symbol->token > tree->last)
		return NULL;
	for (const struct tune_node *other = tree; other; other = heddle__tune_walk(tree, other))
		if ((other->kind == TUNE_NAME && other->symbol == symbol && !is_by_index(other)) ||
			(other->kind == TUNE_OTHER &&
				heddle__tune_mentions(loop->file, other->first, other->last, symbol->name)))
			return NULL;
	return symbol;
}

/* Records a change of private memory: a variable's value, or memory in an array or behind a pointer. */
static void note_private(struct reading *reading, const struct tune_node *top)
{
	bool read, write;
	const struct tune_node *node = top;
	const struct tune_file *file = reading->loop->file;
	note_use(file, top, &read, &write);
	const struct tune_node *parent = heddle__tune_above(top);
	bool address = parent->kind == TUNE_ADDRESS;
	if (!write && !address)
		return;
	while (node->kind == TUNE_MEMBER)
		node = heddle__tune_bare(node->child);
	struct tune_symbol *array = address ? NULL : own_array(reading, node);
	if (array) {
		heddle__tune_facts(reading->loop, array)->written = true;
		reading->loop->writes_arrays = true;
	} else if (node->kind != TUNE_NAME || (node->symbol && node->symbol->structure.symbol)) {
		struct tune_store *store = heddle__tune_take(file->work, sizeof(*store));
		*store = (struct tune_store){.next = reading->loop->stores, .type = top->type};
		reading->loop->stores = store;
		reading->loop->writes_memory = true;
	}
	if (node->kind == TUNE_NAME && node->symbol) {
		struct tune_facts *facts = heddle__tune_facts(reading->loop, node->symbol);
		facts->written |= write;
		facts->address_taken |= address;
	}
}

static void read_lvalue(struct reading *reading, struct tune_node *node)
{
	struct tune_file *file = reading->loop->file;
	const struct tune_type *type = node->type;
	bool unknown = !type || type->kind == TUNE_UNKNOWN;
	struct tune_node *element;
	struct tune_symbol *root;
	if (is_inner(node))
		return;
	if (unknown && node->kind != TUNE_NAME)
		heddle__tune_refuse_node(reading->loop, node, "the type of %s is unknown: it may be shared memory",
			heddle__tune_line(&file->source, node->first, node->last));
	if (type && type->strict)
		heddle__tune_refuse_node(reading->loop, node, "the access is strict: caching would change the order");
	if (type && type->kind == TUNE_ARRAY)
		return;
	if (!type || !type->shared)
		note_private(reading, node);
	else if (!is_untouched(node))
		add_access(reading, node);
	else if (heddle__tune_above(node)->kind == TUNE_ADDRESS && (root = heddle__tune_root(node, &element)) &&
		 !element)
		heddle__tune_facts(reading->loop, root)->address_taken = true;
}

/* ---- calls ---- */

static void read_tree(struct reading *reading, struct tune_node *top);

static void read_function(struct reading *reading, struct tune_node *call, struct tune_symbol *function)
{
	bool known;
	struct tune_variant *outer = reading->variant;
	struct tune_variant *variant = heddle__tune_call(reading->loop, outer, call, function, &known);
	for (int i = 0; i < reading->depth; i++)
		if (reading->functions[i]->function == function) {
			variant->recursive = reading->functions[i]->recursive = true;
			known = true;
		}
	if (known)
		return;
	if (reading->depth == 16)
		heddle__tune_refuse_node(reading->loop, call, "calls are nested too deeply");
	reading->variant = variant;
	reading->functions[reading->depth++] = variant;
	heddle__tune_find_pointers(reading->loop, function, function->tree);
	read_tree(reading, function->tree);
	reading->depth--;
	reading->variant = outer;
}

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void read_call(struct reading *reading, struct tune_node *node)
{
	struct tune_file *file = reading->loop->file;
	struct tune_node *callee = heddle__tune_bare(node->child);
	const char *name = heddle__tune_line(&file->source, callee->first, callee->last);
	if (callee->kind != TUNE_NAME || (callee->symbol && callee->symbol->kind != TUNE_ROUTINE))
		heddle__tune_refuse_node(reading->loop, node, "the loop calls a function through a pointer");
	if (callee->symbol && callee->symbol->body) {
		read_function(reading, node, callee->symbol);
		return;
	}
	if (begins(name, "upc_lock") || begins(name, "upc_unlock"))
		heddle__tune_refuse_node(reading->loop, node, "the loop uses locks (%s)", name);
	if (begins(name, "upc_all_"))
		heddle__tune_refuse_node(reading->loop, node, "the loop calls a collective function (%s)", name);
	if (!heddle__tune_is_pure(&file->source, callee->first) &&
		!heddle__tune_is_orderly(&file->source, callee->first))
		heddle__tune_refuse_node(reading->loop, node,
			"the loop calls %s, whose effects are unknown: it is not defined in this file", name);
}

/* ---- statements ---- */

static void read_jump(struct reading *reading, const struct tune_node *node)
{
	const struct tune_loop *loop = reading->loop;
	bool more = heddle__tune_op(loop->file, node, "continue"), leaves = heddle__tune_op(loop->file, node, "break");
	const struct tune_node *outer = node->parent;
	if (reading->variant && !heddle__tune_op(loop->file, node, "goto"))
		return;
	while (outer && outer != loop->node && !(heddle__tune_is_loop(outer) || (outer->kind == TUNE_SWITCH && leaves)))
		outer = outer->parent;
	if ((leaves && outer != loop->node) || more)
		return;
	heddle__tune_refuse_node(loop, node, "%s leaves the loop, or jumps within it",
		heddle__tune_word(&loop->file->source, node->first));
}

static void read_declared(struct reading *reading, const struct tune_node *node)
{
	const struct tune_symbol *symbol = node->symbol;
	bool variable = symbol->kind == TUNE_VARIABLE;
	if (variable && (symbol->is_static || symbol->is_extern || (symbol->type && symbol->type->shared)) &&
		!reading->variant)
		heddle__tune_refuse_node(
			reading->loop, node, "%s is declared in the loop, and is not private to it", symbol->name);
	if (variable && !reading->variant)
		heddle__tune_facts(reading->loop, node->symbol)->inside = true;
}

static void read_node(struct reading *reading, struct tune_node *node)
{
	struct tune_loop *loop = reading->loop;
	switch (node->kind) {
	case TUNE_JUMP:
		read_jump(reading, node);
		break;
	case TUNE_SYNCHRONIZE:
		heddle__tune_refuse_node(loop, node, "the loop synchronizes threads (%s)",
			heddle__tune_word(&loop->file->source, node->first));
	case TUNE_FORALL:
		heddle__tune_refuse_node(loop, node,
			reading->variant
				? "the loop calls a function with another upc_forall in it"
				: "all threads execute the loop, and share the iterations of another upc_forall "
				  "in it: change that one");
	case TUNE_LABEL:
		heddle__tune_refuse_node(loop, node, "the loop has a label");
	case TUNE_LITERAL:
		heddle__tune_refuse_node(loop, node, "compound literals in loops are not supported");
	case TUNE_DECLARATOR:
		read_declared(reading, node);
		break;
	case TUNE_CALL:
		read_call(reading, node);
		break;
	case TUNE_OTHER:
		heddle__tune_refuse_node(loop, node, "%s is not understood: it may be an extension of C",
			heddle__tune_line(&loop->file->source, node->first, node->last));
	default:
		break;
	}
	if (is_lvalue(node))
		read_lvalue(reading, node);
}

static void read_tree(struct reading *reading, struct tune_node *top)
{
	for (struct tune_node *node = top; node; node = heddle__tune_walk(top, node))
		read_node(reading, node);
}

/* Refuses private memory in the header that the body may change: a[0], g->n. */
static void check_memory(const struct tune_loop *loop, const struct tune_node *node)
{
	const struct tune_node *top = node;
	if (node->kind != TUNE_INDEX || !node->type || node->type->shared || node->type->kind == TUNE_ARRAY)
		return;
	while (top->parent && top->parent->kind == TUNE_MEMBER)
		top = top->parent;
	if (heddle__tune_stores(loop, top->type))
		heddle__tune_refuse_node(loop, top, "the loop's header uses %s, which its body may change",
			heddle__tune_line(&loop->file->source, top->first, top->last));
}

void heddle__tune_read_body(struct tune_loop *loop)
{
	struct reading reading = {.loop = loop};
	const struct tune_node *parts[] = {loop->start, loop->bound, loop->step, loop->affinity};
	for (int i = loop->body->first; i <= loop->body->last; i++) {
		const struct tune_token *token = &loop->file->source.tokens[i];
		if (token->kind == TUNE_STRING && memchr(token->text, '\n', (size_t)token->length))
			heddle__tune_refuse(&loop->file->source, i, "a string in the loop spans several lines");
	}
	heddle__tune_find_pointers(loop, loop->function, loop->body);
	read_tree(&reading, loop->body);
	heddle__tune_find_changed_members(loop);
	if (heddle__tune_facts(loop, loop->index)->written || heddle__tune_facts(loop, loop->index)->address_taken)
		heddle__tune_refuse_node(loop, loop->node, "the loop's body changes its index %s", loop->index->name);
	heddle__tune_facts(loop, loop->index)->inside = true;
	for (size_t p = 0; p < 4; p++)
		for (const struct tune_node *node = parts[p]; node; node = heddle__tune_walk(parts[p], node)) {
			if (p < 3)
				check_memory(loop, node);
			if (node->kind != TUNE_NAME || p == 3)
				continue;
			if (node->symbol && heddle__tune_may_change(loop, node->symbol))
				heddle__tune_refuse_node(loop, node,
					"the loop's header uses %s, which its body changes, or may change",
					node->symbol->name);
		}
}
