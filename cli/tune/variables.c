/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the variables of a loop may be cached: that they are used by index only, that no other name reaches the same
 * memory, and that iterations do not depend on each other. Elements that are local by the affinity are found here.
 */
#include "cli/exit_status.h"
#include "cli/tune/loop.h"

#include <string.h>

/* ---- which ones ---- */

static struct tune_type *element_type(struct tune_type *type)
{
	if (type && type->kind == TUNE_POINTER)
		type = type->of;
	while (type && type->kind == TUNE_ARRAY)
		type = type->of;
	return type;
}

static void check_chosen(const struct tune_loop *loop, struct tune_facts *facts)
{
	const struct tune_symbol *symbol = facts->symbol;
	const struct tune_type *type = element_type(symbol->type);
	if (!symbol->type || (symbol->type->kind != TUNE_ARRAY && symbol->type->kind != TUNE_POINTER))
		heddle__tune_refuse_node(loop, loop->node, "%s is no shared array and no pointer-to-shared", symbol->name);
	if (symbol->copies > 1 && symbol->global && !symbol->is_extern)
		heddle__tune_refuse_node(loop, loop->node, "%s is declared more than once in this file", symbol->name);
	if (!type || type->kind != TUNE_BASE || !type->name || strchr(type->name, '{') || strcmp(type->name, "void") == 0)
		heddle__tune_refuse_node(loop, loop->node,
			"the elements of %s are not of a type with a name, or are pointers", symbol->name);
	facts->cached = true;
	facts->element = type->name;
}

void heddle__tune_choose(struct tune_loop *loop, const char *name)
{
	const struct tune_symbol *known = heddle__tune_find_name(&loop->file->globals, name);
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_facts *facts = loop->facts[i];
		if (strcmp(facts->symbol->name, name) == 0 && facts->used && !facts->inside) {
			check_chosen(loop, facts);
			return;
		}
	}
	heddle__tune_refuse_node(loop, loop->node, "the loop does not access %s as shared memory%s", name,
		known ? "" : ": no such variable is declared in this file");
}

/* Each mention of a cached variable must be the array or pointer of an access by index. */
static void check_mention(const struct tune_loop *loop, const struct tune_node *name)
{
	const struct tune_node *outer = name->parent, *inner = name;
	while (outer->kind == TUNE_GROUP)
		inner = outer, outer = outer->parent;
	if (outer->kind == TUNE_SIZEOF)
		return;
	if (outer->kind == TUNE_CALL)
		heddle__tune_refuse_node(loop, name, "%s is passed to a function: access it in the loop itself",
			name->symbol->name);
	if (outer->kind != TUNE_INDEX || outer->child != inner)
		heddle__tune_refuse_node(loop, name, "%s is used other than by index: write %s[index]",
			name->symbol->name, name->symbol->name);
}

static void check_accesses(const struct tune_loop *loop, const struct tune_facts *facts)
{
	const struct tune_symbol *symbol = facts->symbol;
	for (const struct tune_node *node = loop->body; node; node = heddle__tune_walk(loop->body, node))
		if (node->kind == TUNE_NAME && node->symbol == symbol)
			check_mention(loop, node);
	if (facts->address_taken)
		heddle__tune_refuse_node(loop, loop->node, "a pointer to %s is taken in the loop", symbol->name);
	if (facts->written || (loop->writes_memory && heddle__tune_addressed(loop->file, symbol->name) &&
				      symbol->type->kind == TUNE_POINTER))
		heddle__tune_refuse_node(loop, loop->node, "the loop changes the pointer %s", symbol->name);
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->root == symbol && access->callee)
			heddle__tune_refuse_node(loop, access->top, "%s is accessed in a function that the loop calls",
				symbol->name);
		else if (access->root == symbol && (!access->element || access->element->type->kind == TUNE_ARRAY))
			heddle__tune_refuse_node(loop, access->top, "%s is used other than by index", symbol->name);
}

/* ---- local elements ---- */

/* An array in memory that begins on thread 0; one dimension. */
static bool is_plain_array(const struct tune_symbol *symbol)
{
	return symbol->type->kind == TUNE_ARRAY && !symbol->parameter && symbol->type->of->kind != TUNE_ARRAY;
}

static bool same_layout(const struct tune_symbol *a, const struct tune_symbol *b)
{
	const char *one = a->type->of->layout, *other = b->type->of->layout;
	if (!one || !other)
		return one == other;
	return strcmp(one, other) == 0 && strcmp(one, "[*]") != 0 && strcmp(one, "[]") != 0 && strcmp(one, "[ ]") != 0;
}

/* An array of rows, each of which is one block: shared [N] T x[M][N]. Returns the layout, or NULL. */
static const char *row_layout(const struct tune_symbol *symbol)
{
	const struct tune_type *row = symbol->type->of, *element = row ? row->of : NULL;
	if (symbol->type->kind != TUNE_ARRAY || symbol->parameter || row->kind != TUNE_ARRAY ||
		element->kind != TUNE_BASE || !element->layout)
		return NULL;
	size_t length = strlen(row->bound);
	bool whole = length && strlen(element->layout) == length + 2 &&
		     strncmp(element->layout + 1, row->bound, length) == 0;
	return whole ? element->layout : NULL;
}

/* The same row of two such arrays is on one thread. */
static bool is_same_row(const struct tune_loop *loop, const struct tune_access *a, const struct tune_symbol *root,
	const struct tune_access *b)
{
	const char *one = row_layout(a->root), *other = row_layout(root);
	return one && other && strcmp(one, other) == 0 &&
	       heddle__tune_same_text(loop->file, heddle__tune_index(a, 0), heddle__tune_index(b, 0));
}

static bool is_local_by_element(
	const struct tune_loop *loop, const struct tune_access *access, struct tune_symbol *root, struct tune_node *element)
{
	struct tune_access affinity = {.element = element};
	bool same = access->root == root;
	if (is_same_row(loop, access, root, &affinity))
		return true;
	if (!same && !(is_plain_array(root) && is_plain_array(access->root) && same_layout(root, access->root)))
		return false;
	for (int n = 0;; n++) {
		const struct tune_node *a = heddle__tune_index(access, n), *b = heddle__tune_index(&affinity, n);
		if (!a || !b)
			return a == b;
		if (!heddle__tune_same_text(loop->file, a, b))
			return false;
	}
}

/* The names in an affinity keep their values in an iteration, and mean the same in the body. */
static bool is_stable(struct tune_loop *loop, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		bool memory = node->kind == TUNE_INDEX || node->kind == TUNE_MEMBER ||
			      (node->kind == TUNE_UNARY && heddle__tune_op(loop->file, node, "*"));
		if (memory && node->type && node->type->kind != TUNE_ARRAY && (node->type->shared || loop->writes_memory) &&
			!(node->kind == TUNE_INDEX && node->parent->kind == TUNE_UNARY))
			return false;
		if (node->kind != TUNE_NAME || !node->symbol)
			continue;
		const struct tune_facts *facts = heddle__tune_facts(loop, node->symbol);
		if (facts->written || facts->address_taken)
			return false;
		for (int i = 0; i < loop->fact_count; i++)
			if (loop->facts[i]->inside && loop->facts[i]->symbol != node->symbol &&
				strcmp(loop->facts[i]->symbol->name, node->symbol->name) == 0)
				return false;
	}
	return true;
}

void heddle__tune_find_local(struct tune_loop *loop)
{
	struct tune_node *affinity = heddle__tune_bare(loop->affinity), *element = NULL;
	struct tune_symbol *root = NULL;
	if (affinity->kind == TUNE_EMPTY || !is_stable(loop, affinity))
		return;
	if (affinity->kind == TUNE_UNARY && heddle__tune_op(loop->file, affinity, "&"))
		root = heddle__tune_root(loop->file, heddle__tune_bare(affinity->child), &element);
	bool number = !root && affinity->type && affinity->type->kind == TUNE_BASE && !affinity->type->shared;
	for (struct tune_access *access = loop->accesses; access; access = access->next) {
		if (!access->element || access->callee || !access->root)
			continue;
		if (root && element)
			access->local = is_local_by_element(loop, access, root, element);
		else if (number && is_plain_array(access->root) && !access->root->type->of->layout)
			access->local = heddle__tune_same_text(
				loop->file, heddle__tune_bare(heddle__tune_index(access, 0)), affinity);
	}
}

/* ---- aliases ---- */

static bool is_integer(const char *name)
{
	static const char *const floating[] = {"float", "double", "long double", "void"};
	for (size_t i = 0; i < sizeof(floating) / sizeof(*floating); i++)
		if (strcmp(name, floating[i]) == 0)
			return false;
	return strncmp(name, "struct ", 7) != 0 && strncmp(name, "union ", 6) != 0;
}

static const char *size_word(const char *name)
{
	static const char *const words[] = {"char", "short", "long", "int", "unsigned"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(name, words[i]))
			return strcmp(words[i], "unsigned") == 0 ? "int" : words[i];
	return name;
}

/* True unless two types are known not to share memory by C's rules; typedefs of headers may be anything. */
static bool may_share(const struct tune_type *a, const struct tune_type *b, int depth)
{
	if (!a || !b || a->kind == TUNE_UNKNOWN || b->kind == TUNE_UNKNOWN || depth > 8)
		return true;
	if (a->kind == TUNE_ARRAY)
		return may_share(a->of, b, depth);
	if (b->kind == TUNE_ARRAY)
		return may_share(a, b->of, depth);
	if (a->kind != TUNE_BASE || b->kind != TUNE_BASE)
		return a->kind == b->kind || a->record || b->record;
	const char *one = a->basic ? a->basic : a->name, *other = b->basic ? b->basic : b->name;
	if (strcmp(one, other) == 0 || strstr(one, "char") || strstr(other, "char"))
		return true;
	for (const struct tune_symbol *member = a->record ? a->record->members : NULL; member; member = member->next)
		if (may_share(member->type, b, depth + 1))
			return true;
	for (const struct tune_symbol *member = b->record ? b->record->members : NULL; member; member = member->next)
		if (may_share(a, member->type, depth + 1))
			return true;
	if (a->record || b->record)
		return false;
	if (!is_integer(one) || !is_integer(other))
		return strncmp(one, "struct ", 7) == 0 || strncmp(other, "struct ", 7) == 0 ||
		       strncmp(one, "union ", 6) == 0 || strncmp(other, "union ", 6) == 0;
	bool keywords = size_word(one) != one && size_word(other) != other && !strstr(one, "_t") && !strstr(other, "_t");
	return !keywords || strcmp(size_word(one), size_word(other)) == 0;
}

bool heddle__tune_may_share(const struct tune_type *a, const struct tune_type *b)
{
	return may_share(a, b, 0);
}

/* `= upc_all_alloc(`, maybe with a cast, follows the name. */
static bool is_allocation(const struct tune_source *source, int token)
{
	static const char *const allocators[] = {"upc_all_alloc", "upc_global_alloc", "upc_alloc", "NULL", "0"};
	int at = heddle__tune_next(source, heddle__tune_next(source, token));
	while (heddle__tune_is(source, at, "("))
		at = heddle__tune_next(source, source->tokens[at].partner);
	for (size_t i = 0; i < sizeof(allocators) / sizeof(*allocators); i++)
		if (heddle__tune_is(source, at, allocators[i]))
			return i < 3 || heddle__tune_is(source, heddle__tune_next(source, at), ";");
	return false;
}

/*
 * True for an array, and for a pointer that only ever has the result of an allocation of its own: different ones are
 * different memory. Judged by name, so that a variable of the same name elsewhere can only make it false.
 */
static bool owns_memory(const struct tune_file *file, const struct tune_symbol *symbol)
{
	static const char *const changes[] = {"++", "--", "+=", "-="};
	const struct tune_source *source = &file->source;
	bool assigned = false;
	if (symbol->type->kind == TUNE_ARRAY)
		return !symbol->parameter;
	if (symbol->parameter || (symbol->global && !symbol->is_static) || symbol->type->kind != TUNE_POINTER ||
		heddle__tune_addressed(file, symbol->name))
		return false;
	for (int i = 0; i < source->count; i++) {
		if (!heddle__tune_is(source, i, symbol->name))
			continue;
		int next = heddle__tune_next(source, i), before = heddle__tune_before(source, i);
		for (size_t c = 0; c < 4; c++)
			if (heddle__tune_is(source, next, changes[c]) ||
				(before >= 0 && heddle__tune_is(source, before, changes[c])))
				return false;
		if (!heddle__tune_is(source, next, "="))
			continue;
		if (!is_allocation(source, i))
			return false;
		assigned = true;
	}
	return assigned;
}

static void check_alias(const struct tune_loop *loop, const struct tune_facts *facts, const struct tune_access *other)
{
	const struct tune_symbol *symbol = facts->symbol;
	if (other->root == symbol || !(facts->stored || other->write))
		return;
	if (!may_share(element_type(symbol->type), other->type, 0))
		return;
	if (other->root && owns_memory(loop->file, symbol) && owns_memory(loop->file, other->root))
		return;
	heddle__tune_refuse_node(loop, other->top,
		"%s may be the same memory as %s, and the loop writes one of them: --no-alias says that they are not",
		heddle__tune_line(&loop->file->source, other->top->first, other->top->last), symbol->name);
}

/* ---- races ---- */

/* An index that is different in each iteration: the loop's index, plus or minus what does not change. */
static bool is_distinct(const struct tune_loop *loop, struct tune_node *node)
{
	node = heddle__tune_bare(node);
	if (node->kind == TUNE_NAME)
		return node->symbol == loop->index;
	if (node->kind != TUNE_BINARY ||
		!(heddle__tune_op(loop->file, node, "+") || heddle__tune_op(loop->file, node, "-")))
		return false;
	const struct tune_node *right = heddle__tune_bare(node->child->next), *left = heddle__tune_bare(node->child);
	if (right->kind == TUNE_CONSTANT)
		return is_distinct(loop, node->child);
	return left->kind == TUNE_CONSTANT && is_distinct(loop, node->child->next);
}

static bool is_own(const struct tune_loop *loop, const struct tune_access *access)
{
	const struct tune_node *affinity = heddle__tune_bare(loop->affinity);
	return access->element && !heddle__tune_index(access, 1) &&
	       is_distinct(loop, heddle__tune_index(access, 0)) && affinity->kind != TUNE_EMPTY;
}

/* Whether no iteration reads an element that another one writes; else *reader is the access that may. */
static bool is_independent(
	const struct tune_loop *loop, const struct tune_symbol *symbol, const struct tune_access **reader)
{
	const struct tune_access *first = NULL;
	bool reads = false;
	*reader = NULL;
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		if (access->root != symbol)
			continue;
		reads |= access->read;
		bool own = is_own(loop, access) &&
			   (!first || heddle__tune_same_text(loop->file, heddle__tune_index(first, 0),
					      heddle__tune_index(access, 0)));
		if (!own && (!*reader || !(*reader)->read))
			*reader = access;
		first = first ? first : access;
	}
	return !reads || !*reader;
}

/* A cast of it to a private pointer, anywhere in the file: (int *)x, (int *)&x[i]. */
static bool is_privatized(const struct tune_file *file, const char *name)
{
	for (int i = 2; i < file->source.count; i++) {
		int before = i - (heddle__tune_is(&file->source, i - 1, "&") ? 2 : 1);
		if (before > 0 && heddle__tune_is(&file->source, i, name) &&
			heddle__tune_is(&file->source, before, ")") && heddle__tune_is(&file->source, before - 1, "*"))
			return true;
	}
	return false;
}

static void check_races(const struct tune_loop *loop, const struct tune_facts *facts)
{
	const struct tune_access *reader;
	if (loop->writes_memory && is_privatized(loop->file, facts->symbol->name))
		heddle__tune_refuse_node(loop, loop->node,
			"the loop may write elements of %s through a private pointer, which other iterations may read: "
			"--policy arbitrary allows it",
			facts->symbol->name);
	if (!facts->stored || is_independent(loop, facts->symbol, &reader))
		return;
	heddle__tune_refuse_node(loop, reader->top,
		"an iteration may read elements of %s that another one writes (%s): --policy arbitrary allows it%s",
		facts->symbol->name, heddle__tune_line(&loop->file->source, reader->top->first, reader->top->last),
		reader->read && reader->write ? "; then updates of one element by several threads may be lost" : "");
}

/* A member alone cannot be uploaded: elements are written whole. */
static void check_members(const struct tune_loop *loop, const struct tune_facts *facts)
{
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->root == facts->symbol && access->write && !access->local && access->top != access->element)
			heddle__tune_refuse_node(loop, access->top,
				"a part of an element of %s is written: elements can only be written whole",
				facts->symbol->name);
}

/* What the affinity makes local needs no cache. */
static void drop_local(struct tune_loop *loop)
{
	const struct tune_facts *dropped = NULL;
	bool left = false;
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_facts *facts = loop->facts[i];
		bool remote = false;
		for (const struct tune_access *access = loop->accesses; access && facts->cached; access = access->next)
			remote |= access->root == facts->symbol && !access->local;
		if (facts->cached && !remote) {
			facts->cached = false;
			dropped = facts;
		}
		left |= facts->cached;
	}
	if (!left)
		heddle__tune_refuse_node(loop, loop->node, "%s is only accessed where it is local, by the affinity",
			dropped ? dropped->symbol->name : "the variable");
}

void heddle__tune_check_variables(struct tune_loop *loop, const struct tune_promises *promises)
{
	drop_local(loop);
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_facts *facts = loop->facts[i];
		if (!facts->cached)
			continue;
		check_accesses(loop, facts);
		check_members(loop, facts);
		if (!promises->any_order)
			check_races(loop, facts);
		for (const struct tune_access *access = loop->accesses; access && !promises->no_alias;
			access = access->next)
			check_alias(loop, facts, access);
	}
}
