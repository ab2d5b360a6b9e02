/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the text of the body, with calls of the library instead of accesses; copies all other text unchanged. */
#include <string.h>

#include "tune/plan.h"

struct rendering {
	const struct tune_plan *plan;
	struct tune_text *text;
	bool raw;
	int first, last; /* the tokens to render */
	int at;          /* the next token to copy */
};

bool heddle__tune_is_cached(const struct tune_access *access)
{
	return access && access->root && access->root->facts && access->root->facts->cached && !access->local;
}

bool heddle__tune_is_simple(const struct tune_node *node)
{
	return node->kind == TUNE_NAME || node->kind == TUNE_CONSTANT || node->kind == TUNE_GROUP ||
	       node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER || node->kind == TUNE_CALL ||
	       (node->kind == TUNE_SUM && !node->child);
}

/* Returns true if the use of a macro is copied unchanged. */
static bool stays(const struct rendering *rendering, const struct tune_expansion *expansion)
{
	return expansion && !expansion->changes && expansion->first >= rendering->first &&
	       expansion->last <= rendering->last;
}

/* Copies blanks and comments between a token and the next one. */
static void copy_gap(struct rendering *rendering, int token)
{
	const struct tune_source *source = &rendering->plan->loop->file->source;
	const struct tune_expansion *expansion = source->tokens[token].expansion;
	const char *behind = heddle__tune_end(source, token), *next = heddle__tune_begin(source, token + 1);
	if (expansion && expansion == source->tokens[token + 1].expansion)
		heddle__tune_add(rendering->text,
			stays(rendering, expansion) || heddle__tune_are_joined(source, token) ? "" : " ");
	else if (rendering->raw)
		heddle__tune_add_bytes(rendering->text, behind, (size_t)(next - behind));
	else if (behind != next)
		heddle__tune_add(rendering->text, " ");
}

static void copy_to(struct rendering *rendering, int end)
{
	const struct tune_source *source = &rendering->plan->loop->file->source;
	for (; rendering->at < end; rendering->at++) {
		const struct tune_token *it = &source->tokens[rendering->at];
		if (!stays(rendering, it->expansion))
			heddle__tune_add_bytes(rendering->text, it->text, (size_t)it->length);
		else if (it->expansion->first == rendering->at && rendering->raw)
			heddle__tune_add_bytes(rendering->text, it->expansion->at, (size_t)it->expansion->length);
		else if (it->expansion->first == rendering->at)
			heddle__tune_add(
				rendering->text, heddle__tune_line(source, rendering->at, it->expansion->last));
		copy_gap(rendering, rendering->at);
	}
}

static void render_in(struct rendering *rendering, const struct tune_node *node);

/* Renders an operand, in parentheses unless they are not needed. */
static void render_operand(const struct tune_plan *plan, struct tune_text *text, const struct tune_node *node, bool raw)
{
	bool simple = heddle__tune_is_simple(node);
	heddle__tune_add(text, simple ? "" : "(");
	heddle__tune_render(plan, text, node, raw);
	heddle__tune_add(text, simple ? "" : ")");
}

/* Renders terms that follow a number: " + 2 - i". */
static void render_terms(const struct tune_plan *plan, struct tune_text *text, const struct tune_node *index, bool raw)
{
	const struct tune_node *term = index->kind == TUNE_SUM ? index->child : index;
	while (term) {
		bool negative = term->kind == TUNE_NEGATIVE;
		heddle__tune_add(text, negative ? " - " : " + ");
		render_operand(plan, text, negative ? term->child : term, raw);
		term = term == index ? NULL : term->next;
	}
}

/* Numbers of elements are computed as size_t, because an int plus an unsigned is not as wide as a pointer. */
static void render_sum(const struct tune_plan *plan, struct tune_text *text, const struct tune_node *sum, bool raw)
{
	bool negative = sum->child && sum->child->kind == TUNE_NEGATIVE;
	heddle__tune_add(text, !sum->child ? "0" : negative ? "(size_t)0" : "(size_t)");
	if (sum->child && !negative) {
		const struct tune_node rest = {.kind = TUNE_SUM, .child = sum->child->next};
		render_operand(plan, text, sum->child, raw);
		render_terms(plan, text, &rest, raw);
	} else {
		render_terms(plan, text, sum, raw);
	}
}

/* The array type of dimension n, whose bounds and those of later dimensions are used; or NULL. */
static const struct tune_type *dimension(const struct tune_symbol *root, int n)
{
	const struct tune_type *type = root->type->of;
	while (n-- > 0 && type)
		type = type->of;
	return type && type->kind == TUNE_ARRAY ? type : NULL;
}

void heddle__tune_render_index(
	const struct tune_plan *plan, struct tune_text *text, const struct tune_access *access, bool raw)
{
	const struct tune_node *first = heddle__tune_bare(heddle__tune_index(access, 0));
	const char *moved = heddle__tune_first_name(plan->loop, heddle__tune_name_of(access->element));
	if (moved && heddle__tune_is_change(plan->loop->file, first)) {
		heddle__tune_render(plan, text, first, raw);
		return;
	}
	if (moved) {
		heddle__tune_add(text, moved);
		render_terms(plan, text, first, raw);
		return;
	}
	if (!heddle__tune_index(access, 1)) {
		bool comma = first->kind == TUNE_BINARY && heddle__tune_op(plan->loop->file, first, ",");
		heddle__tune_add(text, comma ? "(" : "");
		heddle__tune_render(plan, text, first, raw);
		heddle__tune_add(text, comma ? ")" : "");
		return;
	}
	for (int n = 0; heddle__tune_index(access, n + 2); n++)
		heddle__tune_add(text, "(");
	heddle__tune_add(text, "(size_t)");
	render_operand(plan, text, first, raw);
	for (int n = 1; heddle__tune_index(access, n); n++) {
		const struct tune_type *bound = dimension(access->root, n - 1);
		bool more = heddle__tune_index(access, n + 1), simple = bound && !strpbrk(bound->bound, " +-*/%?<>&|");
		heddle__tune_add_format(text, simple ? " * %s + " : " * (%s) + ", bound ? bound->bound : "0");
		render_operand(plan, text, heddle__tune_index(access, n), raw);
		heddle__tune_add(text, more ? ")" : "");
	}
}

/* In a function, the variable may have another name. */
static const char *cache_of(const struct rendering *rendering, const struct tune_access *access)
{
	return heddle__tune_cache_name(rendering->plan->loop, heddle__tune_name_of(access->element));
}

static void render_read(struct rendering *rendering, const struct tune_access *access)
{
	const struct tune_facts *facts = access->root->facts;
	heddle__tune_add_format(rendering->text, "heddle_cache_at(%s, ", cache_of(rendering, access));
	heddle__tune_render_index(rendering->plan, rendering->text, access, rendering->raw);
	heddle__tune_add_format(rendering->text, ", %s)", facts->element);
}

static struct tune_access *target_of(const struct tune_loop *loop, const struct tune_node *change)
{
	struct tune_access *access = heddle__tune_access_of(loop, heddle__tune_bare(change->child));
	return heddle__tune_is_cached(access) ? access : NULL;
}

/* Renders what follows an element: .x.y[2] */
static void render_part(
	struct rendering *rendering, struct tune_text *text, const struct tune_access *access, struct tune_node *node)
{
	const struct tune_source *source = &rendering->plan->loop->file->source;
	if (node == access->element)
		return;
	render_part(rendering, text, access, heddle__tune_bare(node->child));
	if (node->kind == TUNE_MEMBER) {
		heddle__tune_add_format(text, ".%s", heddle__tune_word(source, node->last));
		return;
	}
	heddle__tune_add(text, "[");
	heddle__tune_render(rendering->plan, text, node->child->next, rendering->raw);
	heddle__tune_add(text, "]");
}

/* Renders x[i] = v, x[i] += v, x[i]++ as statements; members may follow x[i]. */
static void render_write(struct rendering *rendering, const struct tune_node *change, const struct tune_access *access)
{
	const struct tune_file *file = rendering->plan->loop->file;
	const struct tune_facts *facts = access->root->facts;
	const struct tune_node *value = change->kind == TUNE_ASSIGNMENT ? change->child->next : NULL;
	const char *op = heddle__tune_word(&file->source, change->op);
	bool assigns = strcmp(op, "=") == 0, whole = access->top == access->element;
	struct tune_text part = {.work = rendering->text->work};
	heddle__tune_add(&part, "");
	render_part(rendering, &part, access, access->top);
	heddle__tune_add_format(
		rendering->text, "heddle_cache_set%s(%s, ", whole ? "" : "_member", cache_of(rendering, access));
	heddle__tune_render_index(rendering->plan, rendering->text, access, rendering->raw);
	heddle__tune_add_format(
		rendering->text, ", %s, %s%s", facts->element, whole ? "" : part.at + 1, whole ? "" : ", ");
	if (!assigns) {
		render_read(rendering, access);
		heddle__tune_add(rendering->text, part.at);
		heddle__tune_add_format(rendering->text, " %.*s ", value ? (int)strlen(op) - 1 : 1, op);
	}
	if (!value)
		heddle__tune_add(rendering->text, "1");
	else if (assigns)
		heddle__tune_render(rendering->plan, rendering->text, value, rendering->raw);
	else
		render_operand(rendering->plan, rendering->text, value, rendering->raw);
	heddle__tune_add(rendering->text, ")");
}

/* Renders a call of a copy, with caches instead of variables. */
static void render_call(struct rendering *rendering, const struct tune_node *call, const struct tune_variant *to)
{
	const struct tune_loop *loop = rendering->plan->loop;
	const struct tune_node *argument = call->child->next;
	heddle__tune_add(rendering->text, to->name);
	rendering->at = call->child->last + 1;
	copy_gap(rendering, call->child->last);
	copy_to(rendering, heddle__tune_next(&loop->file->source, call->child->last) + 1);
	const char *separator = "";
	for (const struct tune_passed *passed = to->passed; passed; passed = passed->next)
		if (!passed->symbol->parameter) {
			struct tune_symbol *symbol = heddle__tune_in_caller(loop->file, call, passed->symbol);
			heddle__tune_add_format(
				rendering->text, "%s%s", separator, heddle__tune_cache_name(loop, symbol));
			separator = ", ";
		}
	heddle__tune_add(rendering->text, argument ? separator : "");
	for (int i = 0; argument; argument = argument->next, i++) {
		copy_to(rendering, argument->first);
		if (!heddle__tune_passed_at(to, i)) {
			render_in(rendering, argument);
			continue;
		}
		struct tune_node *element;
		const struct tune_node *name = heddle__tune_pointee((struct tune_node *)argument, &element);
		heddle__tune_add(rendering->text, heddle__tune_cache_name(loop, name->symbol));
		if (to->moved[i]) {
			heddle__tune_add(rendering->text, ", ");
			heddle__tune_render_number(
				rendering->plan, rendering->text, (struct tune_node *)argument, rendering->raw);
		}
		rendering->at = argument->last + 1;
		copy_gap(rendering, argument->last);
	}
	copy_to(rendering, call->last + 1);
}

void heddle__tune_render_number(const struct tune_plan *plan, struct tune_text *text, struct tune_node *value, bool raw)
{
	struct tune_access access = {.element = NULL};
	const struct tune_node *choice = heddle__tune_bare(value);
	if (choice->kind == TUNE_CONDITIONAL) {
		render_operand(plan, text, choice->child, raw);
		heddle__tune_add(text, " ? ");
		heddle__tune_render_number(plan, text, choice->child->next, raw);
		heddle__tune_add(text, " : ");
		heddle__tune_render_number(plan, text, choice->child->next->next, raw);
		return;
	}
	const struct tune_node *name = heddle__tune_pointee(value, &access.element);
	const char *moved = heddle__tune_first_name(plan->loop, name->symbol);
	access.root = name->symbol;
	if (access.element)
		heddle__tune_render_index(plan, text, &access, raw);
	else
		heddle__tune_add(text, moved ? moved : "0");
}

/* Renders declarations of pointers that become numbers. */
static void render_declaration(struct rendering *rendering, const struct tune_node *declaration)
{
	const char *separator = "size_t ";
	for (const struct tune_node *node = declaration->child; node; node = node->next) {
		heddle__tune_add_format(rendering->text, "%s%s", separator, node->symbol->facts->first);
		separator = ", ";
		if (!node->child)
			continue;
		heddle__tune_add(rendering->text, " = ");
		heddle__tune_render_number(rendering->plan, rendering->text, node->child, rendering->raw);
	}
	heddle__tune_add(rendering->text, ";");
}

/* Renders a change of a pointer that becomes a number. */
static void render_number_change(struct rendering *rendering, const struct tune_node *change)
{
	const struct tune_file *file = rendering->plan->loop->file;
	const char *name = heddle__tune_bare(change->child)->symbol->facts->first,
		   *op = heddle__tune_word(&file->source, change->op);
	heddle__tune_add_format(rendering->text, change->kind == TUNE_UNARY ? "%2$s%1$s" : "%1$s%2$s", name,
		change->kind == TUNE_ASSIGNMENT ? heddle__tune_format(file->work, " %s ", op) : op);
	if (change->kind == TUNE_ASSIGNMENT && strcmp(op, "=") == 0)
		heddle__tune_render_number(rendering->plan, rendering->text, change->child->next, rendering->raw);
	else if (change->kind == TUNE_ASSIGNMENT)
		heddle__tune_render(rendering->plan, rendering->text, change->child->next, rendering->raw);
}

/* Returns true if a declaration or change is that of a pointer that becomes a number. */
static bool is_of_number(const struct tune_loop *loop, const struct tune_node *node)
{
	if (node->kind != TUNE_DECLARATION && !heddle__tune_is_change(loop->file, node))
		return false;
	const struct tune_node *target = heddle__tune_bare(node->child);
	return target && (target->kind == TUNE_NAME || target->kind == TUNE_DECLARATOR) &&
	       heddle__tune_is_number(loop->variant, target->symbol);
}

/* Returns true if the node was replaced. */
static bool replace(struct rendering *rendering, const struct tune_node *node)
{
	const struct tune_loop *loop = rendering->plan->loop;
	if (is_of_number(loop, node)) {
		if (node->kind == TUNE_DECLARATION)
			render_declaration(rendering, node);
		else
			render_number_change(rendering, node);
		return true;
	}
	if (heddle__tune_is_change(loop->file, node)) {
		const struct tune_access *target = target_of(loop, node);
		if (target)
			render_write(rendering, node, target);
		return target;
	}
	/* p->x becomes a structure followed by `.x`. */
	bool arrow = node->kind == TUNE_MEMBER && heddle__tune_op(loop->file, node, "->");
	const struct tune_node *element = arrow ? node->child : node;
	const struct tune_access *access = element->kind == TUNE_INDEX ? heddle__tune_access_at(loop, element) : NULL;
	if (!access || !heddle__tune_is_cached(access))
		return false;
	render_read(rendering, access);
	if (arrow)
		heddle__tune_add_format(rendering->text, ".%s", heddle__tune_word(&loop->file->source, node->last));
	return true;
}

/* The child with the first tokens from `at` on. For a sum, the tokens are those of its terms. */
static const struct tune_node *next_part(const struct tune_node *node, int at)
{
	const struct tune_node *first = NULL;
	for (const struct tune_node *child = node->child; child; child = child->next) {
		bool inner = child->kind == TUNE_SUM || child->kind == TUNE_NEGATIVE;
		const struct tune_node *part = inner ? next_part(child, at) : child;
		if (part && part->first >= at && (!first || part->first < first->first))
			first = part;
	}
	return first;
}

static void render_in(struct rendering *rendering, const struct tune_node *node)
{
	copy_to(rendering, node->first);
	const struct tune_loop *loop = rendering->plan->loop;
	const struct tune_variant *to = node->kind == TUNE_CALL ? heddle__tune_called(loop, loop->variant, node) : NULL;
	if (to && to->changed) {
		render_call(rendering, node, to);
		return;
	}
	const struct tune_node *part;
	if (replace(rendering, node)) {
		rendering->at = node->last + 1;
		copy_gap(rendering, node->last);
		return;
	}
	while ((part = next_part(node, rendering->at)) != NULL)
		render_in(rendering, part);
	copy_to(rendering, node->last + 1);
}

void heddle__tune_render(const struct tune_plan *plan, struct tune_text *text, const struct tune_node *node, bool raw)
{
	struct tune_text gap = {.work = text->work};
	if (node->kind == TUNE_SUM) {
		render_sum(plan, text, node, raw);
		return;
	}
	struct rendering rendering = {
		.plan = plan, .text = &gap, .raw = raw, .first = node->first, .last = node->last, .at = node->first};
	copy_gap(&rendering, node->last);
	rendering.text = text;
	heddle__tune_add(text, "");
	render_in(&rendering, node);
	/* The gap after the last token is not part of the node. */
	text->length -= gap.length;
	text->at[text->length] = '\0';
}

/* ---- uses of macros that cannot stay ---- */

/* Expands uses of macros that are only partly inside of the replaced tokens `first` to `last`. */
static void open_around(const struct tune_loop *loop, int first, int last)
{
	const int ends[] = {first, last};
	for (size_t i = 0; i < 2; i++) {
		struct tune_expansion *expansion = loop->file->source.tokens[ends[i]].expansion;
		if (expansion && (expansion->first < first || expansion->last > last))
			expansion->changes = true;
	}
}

static void open_element(const struct tune_loop *loop, const struct tune_access *access)
{
	const struct tune_node *replaced = access->element;
	if (access->write)
		for (replaced = access->top->parent; replaced->kind == TUNE_GROUP;)
			replaced = replaced->parent;
	else if (replaced->parent->kind == TUNE_MEMBER && heddle__tune_op(loop->file, replaced->parent, "->"))
		replaced = replaced->parent;
	open_around(loop, replaced->first, replaced->last);
}

static void open_call(const struct tune_loop *loop, const struct tune_call *call)
{
	const struct tune_node *name = call->node->child, *argument;
	int open = heddle__tune_next(&loop->file->source, name->last);
	open_around(loop, name->first, name->last);
	open_around(loop, open, open);
	for (const struct tune_passed *passed = call->to->passed; passed; passed = passed->next)
		if (passed->symbol->parameter) {
			argument = heddle__tune_child(call->node, passed->symbol->position + 1);
			open_around(loop, argument->first, argument->last);
		}
}

static void open_numbers(const struct tune_loop *loop, const struct tune_node *tree)
{
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node))
		if (is_of_number(loop, node))
			open_around(loop, node->first, node->last);
}

void heddle__tune_open_expansions(struct tune_loop *loop)
{
	const struct tune_source *source = &loop->file->source;
	for (int i = 0; i < source->expansion_count; i++)
		source->expansions[i]->changes = false;
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (heddle__tune_is_cached(access))
			open_element(loop, access);
	for (const struct tune_call *call = loop->calls; call; call = call->next)
		if (call->to->changed)
			open_call(loop, call);
	open_numbers(loop, loop->body);
	for (loop->variant = loop->variants; loop->variant; loop->variant = loop->variant->next)
		open_numbers(loop, loop->variant->function->tree);
}

static bool is_statement(const struct tune_node *node)
{
	while (node->parent && node->parent->kind == TUNE_GROUP)
		node = node->parent;
	return node->parent && node->parent->kind == TUNE_EXPRESSION;
}

/* Returns true if indices of the element and of its parts may be evaluated more than once, as arguments of a macro. */
static bool is_fixed_place(const struct tune_loop *loop, const struct tune_access *access)
{
	for (const struct tune_node *node = access->top; node; node = heddle__tune_walk(access->top, node))
		if (node->kind == TUNE_BINARY && heddle__tune_op(loop->file, node, ",") &&
			node->parent->kind == TUNE_INDEX)
			return false;
	return heddle__tune_has_no_effect(loop, access->top);
}

static void check_tree(const struct tune_loop *loop, struct tune_node *tree)
{
	for (struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		const struct tune_access *access =
			heddle__tune_is_change(loop->file, node) ? target_of(loop, node) : NULL;
		if (!access)
			continue;
		if (!is_statement(node))
			heddle__tune_refuse_node(loop, node,
				"an assignment to %s is part of a larger expression: make it a statement",
				access->root->name);
		bool part = access->top != access->element;
		if ((part || !heddle__tune_op(loop->file, node, "=")) && !is_fixed_place(loop, access))
			heddle__tune_refuse_node(loop, node, "the index of %s has side effects, or calls a function",
				part ? "an assignment to a member" : "a compound assignment");
	}
}

void heddle__tune_check_assignments(struct tune_loop *loop)
{
	check_tree(loop, loop->body);
	for (const struct tune_variant *variant = loop->variants; variant; variant = variant->next) {
		loop->variant = variant;
		check_tree(loop, variant->function->tree);
	}
	loop->variant = NULL;
}
