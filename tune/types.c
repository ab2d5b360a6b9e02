/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines which types may be those of the same memory. */
#include "tune/loop.h"

#include <string.h>

struct tune_type *heddle__tune_element_type(struct tune_type *type)
{
	if (type && type->kind == TUNE_POINTER)
		type = type->of;
	while (type && type->kind == TUNE_ARRAY)
		type = type->of;
	return type;
}

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

static bool is_character(const struct tune_type *type)
{
	return type->kind == TUNE_BASE && strstr(type->basic ? type->basic : type->name, "char");
}

/* Returns true unless C's rules exclude that two types share memory; typedefs of headers may be any type. */
static bool may_share(const struct tune_type *a, const struct tune_type *b, int depth)
{
	if (!a || !b || a->kind == TUNE_UNKNOWN || b->kind == TUNE_UNKNOWN || depth > 8)
		return true;
	if (a->kind == TUNE_ARRAY)
		return may_share(a->of, b, depth);
	if (b->kind == TUNE_ARRAY)
		return may_share(a, b->of, depth);
	if (a->kind != TUNE_BASE || b->kind != TUNE_BASE)
		return a->kind == b->kind || a->record || b->record || is_character(a) || is_character(b);
	const char *one = a->basic ? a->basic : a->name, *other = b->basic ? b->basic : b->name;
	if (strcmp(one, other) == 0 || is_character(a) || is_character(b))
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
	bool keywords =
		size_word(one) != one && size_word(other) != other && !strstr(one, "_t") && !strstr(other, "_t");
	return !keywords || strcmp(size_word(one), size_word(other)) == 0;
}

bool heddle__tune_may_share(const struct tune_type *a, const struct tune_type *b)
{
	return may_share(a, b, 0);
}

bool heddle__tune_stores(const struct tune_loop *loop, const struct tune_type *type)
{
	const struct tune_store *store = loop->stores;
	while (store && !may_share(store->type, type, 0))
		store = store->next;
	return store;
}
