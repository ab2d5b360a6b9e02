/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of the user-level view. Frames of a runtime were told by the measured process; outlined functions and the
 * code that starts programs and threads are told here, by role first and by name second (a stripped C library has no
 * names, and not every runtime says which function it outlined).
 */
#include "profile/view_fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	BELOW_OPENMP = 1, /* an OpenMP region stands above */
	START_CODE = 2,   /* from the root down to here nothing but start code */
	HOLDS_MORE = 4,   /* something that is not start code stands below */
};

static bool opens_openmp(const struct heddle_call_tree *tree, const struct heddle_node *node)
{
	return node->kind == HEDDLE_NODE_REGION && strcmp(tree->events[node->event].model, "openmp") == 0;
}

static bool is_start_code(const struct heddle_node *node, const struct heddle_place_name *name)
{
	return node->kind == HEDDLE_NODE_FRAME && name && name->starts_program;
}

static void mark_downwards(const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint8_t *marks)
{
	marks[0] = START_CODE;
	for (size_t i = 1; i < tree->node_count; i++) {
		const struct heddle_node *node = &tree->nodes[i];
		uint8_t above = marks[node->parent];
		marks[i] = above & BELOW_OPENMP;
		if (opens_openmp(tree, node))
			marks[i] |= BELOW_OPENMP;
		if ((above & START_CODE) && is_start_code(node, naming->of_node[i]))
			marks[i] |= START_CODE;
	}
}

static void mark_upwards(const struct heddle_call_tree *tree, uint8_t *marks)
{
	for (size_t i = tree->node_count; i-- > 1;)
		if (!(marks[i] & START_CODE) || (marks[i] & HOLDS_MORE))
			marks[tree->nodes[i].parent] |= HOLDS_MORE;
}

static enum heddle_fold fold_of(const struct heddle_node *node, uint8_t marks)
{
	switch (node->kind) {
	case HEDDLE_NODE_NONE:
	case HEDDLE_NODE_RUNTIME_FRAME:
		return HEDDLE_FOLD_NODE;
	case HEDDLE_NODE_OUTLINED_FRAME:
		return HEDDLE_FOLD_OUTLINED;
	case HEDDLE_NODE_FRAME:
		if ((marks & START_CODE) && (marks & HOLDS_MORE))
			return HEDDLE_FOLD_NODE;
		return marks & BELOW_OPENMP ? HEDDLE_FOLD_OUTLINED : HEDDLE_FOLD_NOTHING;
	default:
		return HEDDLE_FOLD_NOTHING;
	}
}

int heddle__view_folds(const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint8_t *folds)
{
	uint8_t *marks = calloc(tree->node_count + 1, 1);
	if (!marks)
		return -ENOMEM;
	mark_downwards(tree, naming, marks);
	mark_upwards(tree, marks);
	for (size_t i = 0; i < tree->node_count; i++)
		folds[i] = (uint8_t)fold_of(&tree->nodes[i], marks[i]);
	free(marks);
	return 0;
}

bool heddle__folds_spot(const struct heddle_node *node, uint8_t fold, const struct heddle_place_name *name, uint32_t i)
{
	if (fold != HEDDLE_FOLD_OUTLINED)
		return fold == HEDDLE_FOLD_NODE;
	return (i == 0 && node->kind == HEDDLE_NODE_OUTLINED_FRAME) || name->spots[i].function->outlined;
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);
	return length >= size && strcmp(text + length - size, end) == 0;
}

enum heddle_upc_part heddle__upc_part(const struct heddle_place_name *name)
{
	const struct heddle_function *function = name ? name->spots[0].function : NULL;
	if (!function)
		return HEDDLE_UPC_NONE;
	if (strcmp(function->linkage, "__upcrt_user_main") == 0)
		return HEDDLE_UPC_DOOR;
	if (starts_with(function->linkage, "__upcrt_")) {
		bool tells = ends_with(function->linkage, "_start") || ends_with(function->linkage, "_end");
		return tells ? HEDDLE_UPC_HOOK : HEDDLE_UPC_ENTRY;
	}
	if (starts_with(function->linkage, "hupc__"))
		return HEDDLE_UPC_INNER;
	if (!strstr(function->file, "/upc/runtime/"))
		return HEDDLE_UPC_NONE;
	return starts_with(function->linkage, "upc_") ? HEDDLE_UPC_ENTRY : HEDDLE_UPC_INNER;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/*
 * Of the functions of a place, outermost first, the one whose definition holds a line: of those in that file, that
 * which begins last before it. Files are compared by their last part: debug information may have a folder before it.
 */
static bool find_spot(const struct heddle_place_name *name, const char *file, uint32_t line, uint32_t *spot)
{
	uint32_t best = 0;
	bool found = false;
	for (uint32_t s = 0; s < name->count; s++) {
		const struct heddle_function *function = name->spots[s].function;
		if (strcmp(last_part(function->file), file) != 0 || (line && function->line > line))
			continue;
		if (!found || !line || function->line >= best) {
			best = function->line;
			*spot = s;
			found = true;
		}
	}
	return found;
}

struct heddle_opener heddle__find_opener(
	const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t region)
{
	const struct heddle_node *node = &tree->nodes[region];
	const char *file = last_part(tree->strings[HEDDLE_SOURCE_FILE(node->place)]);
	uint32_t line = (uint32_t)HEDDLE_SOURCE_LINE(node->place);
	struct heddle_opener opener = {0};
	for (uint32_t at = node->parent; *file && at != 0; at = tree->nodes[at].parent) {
		uint8_t kind = tree->nodes[at].kind;
		if (kind == HEDDLE_NODE_STATE)
			break;
		if (kind == HEDDLE_NODE_FRAME || kind == HEDDLE_NODE_OUTLINED_FRAME) {
			if (naming->of_node[at] && find_spot(naming->of_node[at], file, line, &opener.spot)) {
				opener.frame = at;
				break;
			}
		} else if (kind != HEDDLE_NODE_RUNTIME_FRAME && !opener.region) {
			opener.region = at;
		}
	}
	return opener;
}
