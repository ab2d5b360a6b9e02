/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of the user-level view. The measured process marked frames of runtimes; outlined functions and the code
 * that starts programs and threads are recognized here, first by role and then by name (a stripped C library has no
 * names, and not every runtime reports which function was outlined).
 */
#include "profile/view/view_fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	IN_CONSTRUCT = 1, /* below a region of a model whose compiler outlines constructs */
	START_CODE = 2,   /* only start code from the root, or from a thread's creation, to this node */
	HOLDS_MORE = 4,   /* nodes below are not only start code */
	REPORTS = 8,      /* reporting code, between an event and the user's code */
	LINKED_CODE = 16, /* a runtime linked into the program, or the C library called by it */
	INNER_CODE = 32,  /* the same, but not called directly by the user's code */
	IN_MAIN = 64,     /* the main function of a program whose runtime calls it from elsewhere, or below it */
	ABOVE_MAIN = 128, /* above that main function */
};

static bool opens_construct(const struct profile_call_tree *tree, const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_REGION &&
	       profile_model_names(profile_model_of_node(tree, node), HEDDLE_NAMED_OUTLINED);
}

static bool is_start_code(const struct profile_node *node, const struct profile_place_name *name)
{
	return node->kind == HEDDLE_NODE_FRAME && name && name->starts_program;
}

/* True for the call that created a thread; what the thread did is below it. */
static bool creates_thread(const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t number)
{
	const struct profile_node *node = &tree->nodes[number];
	const struct profile_place_name *name = naming->of_node[number];
	if (node->kind != HEDDLE_NODE_FRAME || !name || name->from_start != 0 ||
		tree->modules[HEDDLE_PLACE_MODULE(node->place)].role != HEDDLE_CODE_LIBC)
		return false;
	const char *function = name->spots[0].function->name;
	return strcmp(function, "pthread_create") == 0 || strcmp(function, "thrd_create") == 0;
}

/* True for a region reported by a runtime that is linked into the program. */
static bool opens_linked(const struct profile_call_tree *tree, const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_REGION &&
	       profile_model_names(profile_model_of_node(tree, node), HEDDLE_NAMED_RUNTIME);
}

static bool only_reports(const struct profile_call_tree *tree, const struct profile_place_name *name)
{
	return profile_models_match(&tree->models, HEDDLE_NAMED_EVENT, name->spots[0].function->linkage);
}

/* True for a region that a library function opened for its own duration: below it, C library code is the function's. */
static bool runs_in_library(const struct profile_call_tree *tree, const struct profile_naming *naming,
	const struct profile_node *node, uint8_t above)
{
	const struct profile_place_name *opener = naming->of_node[node->parent];
	return opens_linked(tree, node) && (above & LINKED_CODE) && !(opener && only_reports(tree, opener));
}

/*
 * True if a function of a runtime that is linked into the program is one that programs call, by a name of its interface
 * or one that reports show by an interface name. Others are called by compiled code, or entered by a jump.
 */
static bool is_interface(const struct profile_call_tree *tree, const struct profile_place_name *name)
{
	const char *linkage = name->spots[0].function->linkage;
	return profile_models_match(&tree->models, HEDDLE_NAMED_SHOWN, linkage) ||
	       (linkage[0] != '_' && profile_models_match(&tree->models, HEDDLE_NAMED_RUNTIME, linkage));
}

static uint8_t linked_marks(const struct profile_call_tree *tree, const struct profile_node *node,
	const struct profile_place_name *name, uint8_t above)
{
	if (node->kind != HEDDLE_NODE_FRAME || !name)
		return 0;
	bool library = tree->modules[HEDDLE_PLACE_MODULE(node->place)].role == HEDDLE_CODE_LIBC;
	if (!name->of_runtime && !(library && (above & LINKED_CODE)))
		return 0;
	if ((above & LINKED_CODE) || opens_linked(tree, profile_region_of(tree, &tree->nodes[node->parent])) ||
		only_reports(tree, name) || (name->of_runtime && !is_interface(tree, name)))
		return LINKED_CODE | INNER_CODE;
	return LINKED_CODE;
}

/*
 * Marks code that compiled code calls without the user's doing, and the main function of such programs, which the
 * runtime calls from elsewhere.
 */
static uint8_t service_marks(const struct profile_call_tree *tree, const struct profile_node *node,
	const struct profile_place_name *name, uint8_t above)
{
	uint8_t marks = above & IN_MAIN;
	if ((node->kind != HEDDLE_NODE_FRAME && node->kind != HEDDLE_NODE_OUTLINED_FRAME) || !name)
		return marks;
	if (name->is_main)
		marks |= IN_MAIN;
	const struct profile_function *function = name->spots[0].function;
	if (function->only_reports ||
		(function->known && profile_models_match(&tree->models, HEDDLE_NAMED_SERVICE, function->linkage)))
		marks |= REPORTS;
	return marks;
}

/*
 * Returns the nearest node above except phases: an interpreter's phases are above all frames, even those of thread
 * start.
 */
static uint32_t above_phases(const struct profile_call_tree *tree, const struct profile_node *node)
{
	uint32_t at = node->parent;
	while (at != 0 && tree->nodes[at].kind == HEDDLE_NODE_PHASE)
		at = tree->nodes[at].parent;
	return at;
}

static void mark_downwards(const struct profile_call_tree *tree, const struct profile_naming *naming, uint8_t *marks)
{
	marks[0] = START_CODE;
	for (size_t i = 1; i < tree->node_count; i++) {
		const struct profile_node *node = &tree->nodes[i];
		uint8_t above = marks[node->parent];
		marks[i] = above & IN_CONSTRUCT;
		if (node->kind == HEDDLE_NODE_OBJECT) { /* like its region */
			marks[i] |= above & (LINKED_CODE | IN_MAIN);
			continue;
		}
		if (opens_construct(tree, node))
			marks[i] |= IN_CONSTRUCT;
		if (is_start_code(node, naming->of_node[i]) &&
			((marks[above_phases(tree, node)] & START_CODE) || creates_thread(tree, naming, node->parent)))
			marks[i] |= START_CODE;
		marks[i] |= linked_marks(tree, node, naming->of_node[i], above);
		marks[i] |= service_marks(tree, node, naming->of_node[i], above);
		if (runs_in_library(tree, naming, node, above))
			marks[i] |= LINKED_CODE;
	}
}

static void mark_upwards(const struct profile_call_tree *tree, uint8_t *marks)
{
	for (size_t i = tree->node_count; i-- > 1;) {
		uint32_t parent = tree->nodes[i].parent;
		if (!(marks[i] & START_CODE) || (marks[i] & HOLDS_MORE))
			marks[parent] |= HOLDS_MORE;
		if ((marks[i] & (IN_MAIN | ABOVE_MAIN)) && !(marks[parent] & IN_MAIN))
			marks[parent] |= ABOVE_MAIN;
	}
}

static bool ends_with(const char *path, const char *part)
{
	size_t length = strlen(path), size = strlen(part);
	return size && size <= length && strcmp(path + length - size, part) == 0 &&
	       (size == length || path[length - size - 1] == '/');
}

/*
 * True if both are the same file, compared by whole components: compilers report a file as it was given, debug
 * information with its full path, or relative to the directory of the compilation.
 */
static bool is_file(const char *path, const char *given)
{
	while (strncmp(given, "./", 2) == 0)
		given += 2;
	return ends_with(path, given) || (*path != '/' && ends_with(given, path));
}

static bool is_in_file(const struct profile_place_name *name, const char *file)
{
	for (uint32_t i = 0; i < name->count; i++)
		if (is_file(name->spots[i].file, file))
			return true;
	return false;
}

/* Decides by name only if the program has no section of a runtime: if it has one, such a name is the user's. */
static bool is_linked_runtime(const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t node)
{
	const struct profile_place_name *name = naming->of_node[node];
	if (tree->nodes[node].kind != HEDDLE_NODE_FRAME || !name)
		return false;
	const char *linkage = name->spots[0].function->linkage;
	if (name->of_runtime || profile_models_match(&tree->models, HEDDLE_NAMED_SERVICE, linkage))
		return true;
	return !naming->runtime && profile_models_is_linked(&tree->models, linkage);
}

/* True for the C library, which calls run-time systems when a program ends. */
static bool is_library(const struct profile_call_tree *tree, uint32_t node)
{
	return tree->nodes[node].kind == HEDDLE_NODE_FRAME &&
	       tree->modules[HEDDLE_PLACE_MODULE(tree->nodes[node].place)].role == HEDDLE_CODE_LIBC;
}

/* A library may have been recognized as a runtime's only after a sample in it. */
static bool is_runtime(const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t node)
{
	return is_linked_runtime(tree, naming, node) ||
	       (tree->nodes[node].kind == HEDDLE_NODE_FRAME && profile_is_runtime_code(tree, &tree->nodes[node]));
}

/*
 * Returns the nearest node, from `at` upwards, that is not code which reports an event of `file`: a runtime's, or the C
 * library's called by it. Any other frame belongs to the user, whatever its file, because the function of `file` may
 * have ended in a tail call.
 */
static uint32_t skip_reporting(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t at, const char *file)
{
	uint32_t user = at;
	for (; tree->nodes[at].kind == HEDDLE_NODE_FRAME; at = tree->nodes[at].parent) {
		if (naming->of_node[at] && is_in_file(naming->of_node[at], file))
			break;
		if (is_runtime(tree, naming, at))
			user = tree->nodes[at].parent;
		else if (!is_library(tree, at))
			break;
	}
	return user;
}

/* Returns the user's code above an event; 0: there is none. */
static uint32_t reported_from(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t region)
{
	const struct profile_node *from = &tree->nodes[region];
	const char *file = profile_place_is_source(from) ? tree->strings[HEDDLE_SOURCE_FILE(from->place)] : "";
	uint32_t user = skip_reporting(tree, naming, from->parent, file), at = user;
	while (is_library(tree, at) || is_start_code(&tree->nodes[at], naming->of_node[at]))
		at = tree->nodes[at].parent;
	return at == 0 ? 0 : user;
}

/* A region is placed below the code at its event's position, not below the reporting code. */
static void mark_reporting(const struct profile_call_tree *tree, const struct profile_naming *naming, uint8_t *marks)
{
	for (uint32_t i = 1; i < tree->node_count; i++) {
		if (!profile_place_is_source(&tree->nodes[i]) && !opens_linked(tree, &tree->nodes[i]))
			continue;
		uint32_t user = reported_from(tree, naming, i);
		for (uint32_t at = tree->nodes[i].parent; at != user; at = tree->nodes[at].parent)
			marks[at] |= REPORTS;
	}
}

/* An outlined function is not a function of the user, even if events report it as one. */
static bool is_outlined_function(const struct profile_call_tree *tree, const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_FUNCTION &&
	       profile_models_match(&tree->models, HEDDLE_NAMED_OUTLINED, tree->strings[node->place]);
}

/*
 * Start code above the user's code is folded. If no code of the user is below it, one frame of it is shown, unless the
 * thread's creation is shown.
 */
static bool folds_start(const struct profile_node *node, uint8_t marks, uint8_t above)
{
	if (!(marks & START_CODE))
		return false;
	bool created = node->parent != 0 && !(above & START_CODE);
	return created || (marks & HOLDS_MORE) || (node->parent != 0 && !(above & HOLDS_MORE));
}

/* True for a routine of a runtime that the user calls for its result. */
static bool is_called(const struct profile_call_tree *tree, const struct profile_place_name *name)
{
	const struct profile_function *function = name ? name->spots[0].function : NULL;
	return function && function->known &&
	       profile_models_match(&tree->models, HEDDLE_NAMED_CALLED, function->linkage);
}

/* `above` has the marks of the node's parent. */
static enum profile_fold fold_of(const struct profile_call_tree *tree, const struct profile_node *node,
	const struct profile_place_name *name, uint8_t marks, uint8_t above)
{
	switch (node->kind) {
	case HEDDLE_NODE_NONE:
	case HEDDLE_NODE_RUNTIME_FRAME:
		return HEDDLE_FOLD_NODE;
	case HEDDLE_NODE_OUTLINED_FRAME:
		return marks & REPORTS ? HEDDLE_FOLD_NODE : HEDDLE_FOLD_OUTLINED;
	case HEDDLE_NODE_FRAME: /* a library may have been recognized as a runtime's only after a sample in it */
		if (profile_is_runtime_code(tree, node))
			return is_called(tree, name) ? HEDDLE_FOLD_NOTHING : HEDDLE_FOLD_NODE;
		if (marks & (REPORTS | INNER_CODE | ABOVE_MAIN))
			return HEDDLE_FOLD_NODE;
		if (folds_start(node, marks, above))
			return HEDDLE_FOLD_NODE;
		if (marks & LINKED_CODE)
			return HEDDLE_FOLD_INLINED;
		return marks & IN_CONSTRUCT ? HEDDLE_FOLD_OUTLINED : HEDDLE_FOLD_NOTHING;
	default:
		return is_outlined_function(tree, node) ? HEDDLE_FOLD_NODE : HEDDLE_FOLD_NOTHING;
	}
}

int profile_view_folds(const struct profile_call_tree *tree, const struct profile_naming *naming, uint8_t *folds)
{
	uint8_t *marks = calloc(tree->node_count + 1, 1);
	if (!marks)
		return -ENOMEM;
	mark_downwards(tree, naming, marks);
	mark_upwards(tree, marks);
	mark_reporting(tree, naming, marks);
	for (size_t i = 0; i < tree->node_count; i++)
		folds[i] = (uint8_t)fold_of(
			tree, &tree->nodes[i], naming->of_node[i], marks[i], marks[tree->nodes[i].parent]);
	free(marks);
	return 0;
}

bool profile_folds_spot(
	const struct profile_node *node, uint8_t fold, const struct profile_place_name *name, uint32_t i)
{
	if (name->spots[i].function->only_reports)
		return true;
	if (fold == HEDDLE_FOLD_INLINED)
		return i > 0;
	if (fold != HEDDLE_FOLD_OUTLINED)
		return fold == HEDDLE_FOLD_NODE;
	const struct profile_function *function = name->spots[i].function;
	return function->outlined || (i == 0 && node->kind == HEDDLE_NODE_OUTLINED_FRAME && !function->known);
}

/*
 * Finds the function of a place whose definition contains a line: of the functions in that file, the last one that
 * begins before it.
 */
static bool find_spot(const struct profile_place_name *name, const char *file, uint32_t line, uint32_t *spot)
{
	uint32_t best = 0;
	bool found = false;
	for (uint32_t s = 0; s < name->count; s++) {
		const struct profile_function *function = name->spots[s].function;
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

struct profile_opener profile_find_opener(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t region)
{
	const struct profile_node *node = &tree->nodes[region];
	const char *file = tree->strings[HEDDLE_SOURCE_FILE(node->place)];
	uint32_t line = (uint32_t)HEDDLE_SOURCE_LINE(node->place);
	struct profile_opener opener = {0};
	for (uint32_t at = node->parent; *file && at != 0; at = tree->nodes[at].parent) {
		at = skip_reporting(tree, naming, at, file);
		uint8_t kind = tree->nodes[at].kind;
		bool code = kind == HEDDLE_NODE_FRAME || kind == HEDDLE_NODE_OUTLINED_FRAME;
		if (code && naming->of_node[at] && find_spot(naming->of_node[at], file, line, &opener.spot))
			opener.frame = at;
		if (opener.frame || kind == HEDDLE_NODE_FRAME || kind == HEDDLE_NODE_STATE)
			break;
		if (!code && kind != HEDDLE_NODE_RUNTIME_FRAME && !opener.region)
			opener.region = at;
	}
	return opener;
}
