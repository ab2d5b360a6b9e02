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

#include "profile/demangle.h"

enum {
	BELOW_OPENMP = 1, /* an OpenMP region stands above */
	START_CODE = 2,   /* from the root down to here nothing but start code */
	HOLDS_MORE = 4,   /* something that is not start code stands below */
	TELLS = 8,        /* of a run-time system that told of an event, between it and the user's code */
	UPC_CODE = 16,    /* of UPC's run-time system, or the C library's that it calls */
	UPC_INNER = 32,   /* of that, what isn't the user's own call */
};

#define TELLING_FRAMES 8 /* at most that many */

static bool opens_openmp(const struct heddle_call_tree *tree, const struct heddle_node *node)
{
	return node->kind == HEDDLE_NODE_REGION && strcmp(tree->events[node->event].model, "openmp") == 0;
}

static bool is_start_code(const struct heddle_node *node, const struct heddle_place_name *name)
{
	return node->kind == HEDDLE_NODE_FRAME && name && name->starts_program;
}

static bool opens_upc(const struct heddle_call_tree *tree, const struct heddle_node *node)
{
	return node->kind == HEDDLE_NODE_REGION && strcmp(tree->events[node->event].model, "upc") == 0;
}

/* What compiled code calls for nothing but to tell of an event: its time is its caller's, as that of the tests inline.
 */
static bool only_tells(const struct heddle_place_name *name)
{
	const char *linkage = name->spots[0].function->linkage, *last = strrchr(linkage, '_');
	return strncmp(linkage, "__upcrt_", 8) == 0 && (strcmp(last, "_start") == 0 || strcmp(last, "_end") == 0);
}

/* Below a region that a library function opened while it runs, the C library's code is that function's. */
static bool runs_in_library(const struct heddle_call_tree *tree, const struct heddle_naming *naming,
	const struct heddle_node *node, uint8_t above)
{
	const struct heddle_place_name *opener = naming->of_node[node->parent];
	return opens_upc(tree, node) && (above & UPC_CODE) && !(opener && only_tells(opener));
}

static uint8_t upc_marks(const struct heddle_call_tree *tree, const struct heddle_node *node,
	const struct heddle_place_name *name, uint8_t above)
{
	if (node->kind != HEDDLE_NODE_FRAME || !name)
		return 0;
	bool library = tree->modules[HEDDLE_PLACE_MODULE(node->place)].role == HEDDLE_CODE_LIBC;
	if (!name->of_upc && !(library && (above & UPC_CODE)))
		return 0;
	if ((above & UPC_CODE) || opens_upc(tree, &tree->nodes[node->parent]) || only_tells(name))
		return UPC_CODE | UPC_INNER;
	return UPC_CODE;
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
		marks[i] |= upc_marks(tree, node, naming->of_node[i], above);
		if (runs_in_library(tree, naming, node, above))
			marks[i] |= UPC_CODE;
	}
}

static void mark_upwards(const struct heddle_call_tree *tree, uint8_t *marks)
{
	for (size_t i = tree->node_count; i-- > 1;)
		if (!(marks[i] & START_CODE) || (marks[i] & HOLDS_MORE))
			marks[tree->nodes[i].parent] |= HOLDS_MORE;
}

/* Whether `path` ends with `told`, by whole parts: compilers say a file as it was given, debug information in full. */
static bool is_file(const char *path, const char *told)
{
	while (strncmp(told, "./", 2) == 0)
		told += 2;
	size_t length = strlen(path), part = strlen(told);
	return part && part <= length && strcmp(path + length - part, told) == 0 &&
	       (part == length || path[length - part - 1] == '/');
}

static bool is_in_file(const struct heddle_place_name *name, const char *file)
{
	for (uint32_t i = 0; i < name->count; i++)
		if (is_file(name->spots[i].file, file))
			return true;
	return false;
}

/* Also by names: other compilers' run-time systems are in no section of their own. */
static bool is_upc_runtime(const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t node)
{
	static const char *const prefixes[] = {"__upc", "upc_", "upcr", "_upcr"};
	const struct heddle_place_name *name = naming->of_node[node];
	if (tree->nodes[node].kind != HEDDLE_NODE_FRAME || !name)
		return false;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(name->spots[0].function->linkage, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return name->of_upc;
}

/* The C library calls run-time systems at a program's end. */
static bool is_library(const struct heddle_call_tree *tree, uint32_t node)
{
	return tree->nodes[node].kind == HEDDLE_NODE_FRAME &&
	       tree->modules[HEDDLE_PLACE_MODULE(tree->nodes[node].place)].role == HEDDLE_CODE_LIBC;
}

/* The user's code that an event is of, above it: the frame of the file that the event told; 0: none is. */
static uint32_t told_from(const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t region)
{
	const struct heddle_node *told = &tree->nodes[region];
	const char *file = heddle__place_is_source(told) ? tree->strings[HEDDLE_SOURCE_FILE(told->place)] : "";
	uint32_t at = tree->nodes[region].parent;
	for (int i = 0; i < TELLING_FRAMES && tree->nodes[at].kind == HEDDLE_NODE_FRAME && naming->of_node[at]; i++) {
		if (is_in_file(naming->of_node[at], file))
			return at;
		at = tree->nodes[at].parent;
	}
	at = tree->nodes[region].parent;
	while (is_upc_runtime(tree, naming, at))
		at = tree->nodes[at].parent;
	uint32_t user = at;
	while (is_library(tree, at) || is_start_code(&tree->nodes[at], naming->of_node[at]))
		at = tree->nodes[at].parent;
	return at == 0 ? 0 : user;
}

/* A region stands under the code at the place that its event says, not under the code that told of it. */
static void mark_telling(const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint8_t *marks)
{
	for (uint32_t i = 1; i < tree->node_count; i++) {
		if (!heddle__place_is_source(&tree->nodes[i]) && !opens_upc(tree, &tree->nodes[i]))
			continue;
		uint32_t user = told_from(tree, naming, i);
		for (uint32_t at = tree->nodes[i].parent; at != user; at = tree->nodes[at].parent)
			marks[at] |= TELLS;
	}
}

/* What the compiler made of a construct is no function of the user's, told by events of functions or not. */
static bool is_outlined_function(const struct heddle_call_tree *tree, const struct heddle_node *node)
{
	return node->kind == HEDDLE_NODE_FUNCTION && heddle__is_outlined_name(tree->strings[node->place]);
}

static enum heddle_fold fold_of(const struct heddle_call_tree *tree, const struct heddle_node *node, uint8_t marks)
{
	switch (node->kind) {
	case HEDDLE_NODE_NONE:
	case HEDDLE_NODE_RUNTIME_FRAME:
		return HEDDLE_FOLD_NODE;
	case HEDDLE_NODE_OUTLINED_FRAME:
		return HEDDLE_FOLD_OUTLINED;
	case HEDDLE_NODE_FRAME:
		if (marks & (TELLS | UPC_INNER))
			return HEDDLE_FOLD_NODE;
		if ((marks & START_CODE) && (marks & HOLDS_MORE))
			return HEDDLE_FOLD_NODE;
		if (marks & UPC_CODE)
			return HEDDLE_FOLD_INLINED;
		return marks & BELOW_OPENMP ? HEDDLE_FOLD_OUTLINED : HEDDLE_FOLD_NOTHING;
	default:
		return is_outlined_function(tree, node) ? HEDDLE_FOLD_NODE : HEDDLE_FOLD_NOTHING;
	}
}

int heddle__view_folds(const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint8_t *folds)
{
	uint8_t *marks = calloc(tree->node_count + 1, 1);
	if (!marks)
		return -ENOMEM;
	mark_downwards(tree, naming, marks);
	mark_upwards(tree, marks);
	mark_telling(tree, naming, marks);
	for (size_t i = 0; i < tree->node_count; i++)
		folds[i] = (uint8_t)fold_of(tree, &tree->nodes[i], marks[i]);
	free(marks);
	return 0;
}

bool heddle__folds_spot(const struct heddle_node *node, uint8_t fold, const struct heddle_place_name *name, uint32_t i)
{
	if (name->spots[i].function->of_heddle)
		return true;
	if (fold == HEDDLE_FOLD_INLINED)
		return i > 0;
	if (fold != HEDDLE_FOLD_OUTLINED)
		return fold == HEDDLE_FOLD_NODE;
	return (i == 0 && node->kind == HEDDLE_NODE_OUTLINED_FRAME) || name->spots[i].function->outlined;
}

/*
 * Of the functions of a place, outermost first, the one whose definition holds a line: of those in that file, that
 * which begins last before it.
 */
static bool find_spot(const struct heddle_place_name *name, const char *file, uint32_t line, uint32_t *spot)
{
	uint32_t best = 0;
	bool found = false;
	for (uint32_t s = 0; s < name->count; s++) {
		const struct heddle_function *function = name->spots[s].function;
		if (!is_file(function->file, file) || (line && function->line > line))
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
	const char *file = tree->strings[HEDDLE_SOURCE_FILE(node->place)];
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
