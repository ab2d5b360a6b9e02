/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that are structures: which of their parts a loop reads and writes. */
#include "tune/loop.h"

#include <string.h>

static bool is_union(const struct tune_type *type)
{
	const char *name = !type ? NULL : type->basic ? type->basic : type->name;
	return !name || strncmp(name, "union", 5) == 0;
}

/*
 * The path of a member, .x.y, as far as different paths are different memory: up to an index or a union. *exact: it is
 * the whole path.
 */
static const char *member_path(const struct tune_loop *loop, const struct tune_access *access, bool *exact)
{
	const char *path = "";
	*exact = access->element;
	for (struct tune_node *node = access->top; access->element && node != access->element;) {
		struct tune_node *inner = heddle__tune_bare(node->child);
		bool known = node->kind == TUNE_MEMBER && node->type && node->type->kind != TUNE_UNKNOWN &&
			     !is_union(inner->type);
		path = known ? heddle__tune_format(loop->file->work, ".%s%s",
				       heddle__tune_word(&loop->file->source, node->last), path)
			     : "";
		*exact &= known;
		node = inner;
	}
	return path;
}

static bool begins(const char *path, const char *with)
{
	size_t length = strlen(with);
	return strncmp(path, with, length) == 0 && (path[length] == '.' || path[length] == '\0');
}

bool heddle__tune_is_overwritten(const struct tune_loop *loop, const struct tune_access *read)
{
	bool exact;
	const char *path = member_path(loop, read, &exact);
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		const char *other = member_path(loop, access, &exact);
		if (access->root == read->root && access->write && (begins(path, other) || begins(other, path)))
			return true;
	}
	return false;
}

/* True if all writes are to one member, so others keep their values, or one iteration writes each element. */
static bool is_safe_part(const struct tune_loop *loop, const struct tune_access *part)
{
	bool exact, own = true, same;
	const char *path = member_path(loop, part, &same);
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		if (access->root != part->root || !access->write || !access->element)
			continue;
		const char *other = member_path(loop, access, &exact);
		same &= exact && strcmp(other, path) == 0;
		own &= !access->variant && heddle__tune_is_own(loop, access) &&
		       heddle__tune_same_text(loop->file, heddle__tune_index(part, 0), heddle__tune_index(access, 0));
	}
	return same || own;
}

/* Members are checked because elements are uploaded as a whole. */
void heddle__tune_check_members(const struct tune_loop *loop, const struct tune_facts *facts)
{
	const char *name = facts->symbol->name;
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		if (access->root != facts->symbol || !access->write || access->local || access->top == access->element)
			continue;
		if (heddle__tune_may_store_privately(loop, facts->symbol))
			heddle__tune_refuse_node(loop, access->top,
				"a part of an element of %s is written, and the loop may write others through a "
				"private pointer: elements can only be written whole",
				name);
		if (!is_safe_part(loop, access))
			heddle__tune_refuse_node(loop, access->top,
				"a part of an element of %s is written, and another iteration may write another part: "
				"elements can only be written whole",
				name);
	}
}
