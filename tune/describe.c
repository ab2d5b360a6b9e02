/* SPDX-License-Identifier: BSD-3-Clause */
/* Does the first steps of a change, but not the change. */
#include "tune/describe.h"

#include "cli/base/exit_status.h"
#include "tune/plan.h"

#include <string.h>

static void read_source(void *context)
{
	struct tune_file *file = context;
	if (heddle__tune_load(file->work, file->source.path, &file->source) != 0)
		heddle__tune_stop(file->work, HEDDLE_EXIT_REFUSED, NULL, 0, "%s cannot be read", file->source.path);
	heddle__tune_read_file(file, file->flags, true);
}

static void make_file(void *context)
{
	struct tune_file **file = context;
	struct tune_work *work = (*file)->work;
	*file = heddle__tune_take(work, sizeof(**file));
	(*file)->work = work;
}

struct tune_file *heddle__tune_open(struct tune_work *work, const char *path, const char *const *flags)
{
	struct tune_file first = {.work = work}, *file = &first;
	if (!heddle__tune_try(work, make_file, &file))
		return NULL;
	file->source.path = path;
	file->flags = flags;
	return heddle__tune_try(work, read_source, file) ? file : NULL;
}

/* ---- loops ---- */

static bool begins_in(const struct tune_file *file, const struct tune_node *node, int line)
{
	return node->kind == TUNE_FORALL && file->source.tokens[node->first].line == line;
}

static const struct tune_node *find_loop(const struct tune_file *file, int line)
{
	for (const struct tune_symbol *function = file->globals; function; function = function->next)
		for (const struct tune_node *node = function->body ? function->tree : NULL; node;
			node = heddle__tune_walk(function->tree, node))
			if (begins_in(file, node, line))
				return node;
	return NULL;
}

int heddle__tune_loop_around(const struct tune_file *file, int line, int *last)
{
	const struct tune_token *tokens = file->source.tokens;
	int found = 0;
	for (const struct tune_symbol *function = file->globals; function; function = function->next)
		for (const struct tune_node *node = function->body ? function->tree : NULL; node;
			node = heddle__tune_walk(function->tree, node)) {
			/* A later one that contains the line is further in. */
			if (node->kind != TUNE_FORALL || tokens[node->first].line > line ||
				tokens[node->last].line < line)
				continue;
			found = tokens[node->first].line;
			*last = tokens[node->last].line;
		}
	return found;
}

/* ---- what is known ---- */

struct describing {
	struct tune_file *file;
	struct tune_loop *loop;
	const char *const *remote;
	const char *name; /* one of `remote` */
	int line;
	struct tune_described *described;
};

static void add_access(const struct describing *describing, const struct tune_access *access, enum tune_known known)
{
	struct tune_described_access *one = heddle__tune_take(describing->file->work, sizeof(*one));
	*one = (struct tune_described_access){.next = describing->described->accesses,
		.variable = access->root->name,
		.line = describing->file->source.tokens[access->element->first].line,
		.known = known};
	describing->described->accesses = one;
}

/* In the body: if an index is not known, the innermost loop's first value of it may be. */
static enum tune_known known_in_body(struct tune_loop *loop, const struct tune_access *access)
{
	if (heddle__tune_index_level(loop, access, NULL) != TUNE_NEVER_KNOWN)
		return TUNE_KNOWN_INDEX;
	const struct tune_node *first = heddle__tune_innermost_loop(loop, access);
	return first && heddle__tune_index_level(loop, access, first) != TUNE_NEVER_KNOWN ? TUNE_FIRST_INDEX
											  : TUNE_UNKNOWN_INDEX;
}

/* In a function that the loop calls: the least known of all calls. */
static enum tune_known known_in_function(struct tune_loop *loop, const struct tune_access *access)
{
	enum tune_known least = TUNE_FIRST_INDEX;
	bool called = false;
	for (const struct tune_call *call = loop->calls; call; call = call->next) {
		struct tune_terms terms = {.count = 0};
		if (call->from || !heddle__tune_first_index(loop, call, access, &terms))
			continue;
		called = true;
		for (int i = 0; i < terms.count; i++)
			if (heddle__tune_level(loop, terms.at[i], NULL) == TUNE_NEVER_KNOWN)
				least = TUNE_UNKNOWN_INDEX;
	}
	return called ? least : TUNE_UNKNOWN_INDEX;
}

static void choose(void *context)
{
	const struct describing *describing = context;
	heddle__tune_choose(describing->loop, describing->name);
}

static void describe(void *context)
{
	struct describing *describing = context;
	struct tune_loop *loop = describing->loop;
	heddle__tune_find_loop(describing->file, describing->line, 0, loop);
	heddle__tune_read_header(loop);
	heddle__tune_read_body(loop);
	for (const char *const *name = describing->remote; name && *name; name++) {
		describing->name = *name;
		if (heddle__tune_is_used(loop, *name))
			heddle__tune_try(loop->file->work, choose, describing); /* if it is refused, it has no cache */
	}
	heddle__tune_find_local(loop);
	heddle__tune_find_levels(loop);
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (heddle__tune_is_cached(access) && heddle__tune_gets(access) && access->element)
			add_access(describing, access,
				access->variant ? known_in_function(loop, access) : known_in_body(loop, access));
}

static void describe_all(void *context)
{
	struct describing *describing = context;
	struct tune_work *work = describing->file->work;
	describing->described = heddle__tune_take(work, sizeof(*describing->described));
	describing->loop = heddle__tune_take(work, sizeof(*describing->loop));
	if (!heddle__tune_try(work, describe, describing))
		describing->described->refused = heddle__tune_format(work, "%s", work->message);
	for (int i = 0; i < describing->loop->fact_count; i++)
		describing->loop->facts[i]->symbol->facts = NULL;
}

const struct tune_described *heddle__tune_describe(struct tune_file *file, int line, const char *const *remote)
{
	struct describing describing = {.file = file, .remote = remote, .line = line};
	return heddle__tune_try(file->work, describe_all, &describing) ? describing.described : NULL;
}

enum tune_known heddle__tune_known(const struct tune_described *loop, const char *variable, int line)
{
	bool known = true, unknown = true;
	for (const struct tune_described_access *one = loop->accesses; one; one = one->next) {
		if (one->line != line || strcmp(one->variable, variable) != 0)
			continue;
		known &= one->known == TUNE_KNOWN_INDEX;
		unknown &= one->known == TUNE_UNKNOWN_INDEX;
	}
	return unknown ? TUNE_UNKNOWN_INDEX : known ? TUNE_KNOWN_INDEX : TUNE_FIRST_INDEX;
}

/* ---- names ---- */

/* Returns true if a node accesses shared memory by index, and is the whole x[i][j]. */
static bool is_whole(const struct tune_node *node)
{
	const struct tune_node *outer = node->parent;
	bool part = outer && outer->kind == TUNE_INDEX && outer->child == node;
	return node->kind == TUNE_INDEX && !part && node->type && node->type->shared;
}

/* Returns the variable of that memory; or NULL. */
static const struct tune_symbol *accessed(struct tune_node *node)
{
	struct tune_node *element = NULL;
	return is_whole(node) ? heddle__tune_root(node, &element) : NULL;
}

static bool is_own(const struct tune_file *file, const struct tune_node *loop, const struct tune_node *node)
{
	const struct tune_node *affinity = heddle__tune_bare(heddle__tune_child(loop, 3));
	return affinity && affinity->kind == TUNE_ADDRESS && heddle__tune_same_text(file, affinity->child, node);
}

const char *heddle__tune_name_in_line(const struct tune_file *file, int loop, int line, const char *object)
{
	const struct tune_node *top = find_loop(file, loop);
	const struct tune_node *body = top ? heddle__tune_child(top, 4) : NULL;
	const char *name = NULL;
	bool several = false;
	for (const struct tune_node *node = body; node; node = heddle__tune_walk(body, node)) {
		if (!is_whole(node) || file->source.tokens[node->first].line != line || is_own(file, top, node))
			continue;
		const struct tune_symbol *symbol = accessed((struct tune_node *)node);
		if (symbol && strcmp(symbol->name, object) == 0)
			return symbol->name;
		several |= !symbol || (name && strcmp(name, symbol->name) != 0);
		name = symbol ? symbol->name : name;
	}
	return several ? NULL : name;
}

unsigned heddle__tune_occurrences(const struct tune_file *file, int loop, const char *variable)
{
	const struct tune_node *top = find_loop(file, loop);
	const struct tune_node *body = top ? heddle__tune_child(top, 4) : NULL;
	unsigned count = 0;
	for (const struct tune_node *node = body; node; node = heddle__tune_walk(body, node)) {
		const struct tune_symbol *symbol = accessed((struct tune_node *)node);
		count += symbol && strcmp(symbol->name, variable) == 0;
	}
	return count;
}
