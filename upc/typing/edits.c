/* SPDX-License-Identifier: BSD-3-Clause */
/* The edits of a pass, which are collected first because positions are those of the tree; and refusals. */
#include <stdio.h>

#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

static void insert(struct pass *pass, struct upc_place place, bool is_end, char *text)
{
	pass->insertions = upc__grow(pass->insertions, pass->count, sizeof *pass->insertions);
	struct upc_insertion *added = &pass->insertions[pass->count++];
	*added = (struct upc_insertion){.row = place.row, .column = place.column, .is_end = is_end};
	added->text = text;
}

void upc__wrap(struct pass *pass, CXCursor cursor, char *before, char *after)
{
	insert(pass, upc__start_of(pass->tree, cursor), false, before);
	insert(pass, upc__end_of(pass->tree, cursor), true, after);
}

void upc__append(struct pass *pass, CXCursor cursor, char *text)
{
	insert(pass, upc__end_of(pass->tree, cursor), true, text);
}

void upc__overwrite_place(struct pass *pass, struct upc_place place, const char *text)
{
	pass->overwritten = upc__grow(pass->overwritten, pass->overwritten_count, sizeof *pass->overwritten);
	struct overwritten *made = &pass->overwritten[pass->overwritten_count++];
	*made = (struct overwritten){.row = place.row, .column = place.column};
	snprintf(made->text, sizeof made->text, "%s", text);
}

void upc__refuse_place(struct pass *pass, struct upc_place place, const char *message)
{
	pass->refuse(pass->context, place.row, place.column, message);
}
