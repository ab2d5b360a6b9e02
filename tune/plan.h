/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a loop that may be changed to its new text. Names of new variables, contents of the loops of hints, and the text
 * itself are separate parts.
 */
#ifndef HEDDLE_TUNE_PLAN_H
#define HEDDLE_TUNE_PLAN_H

#include "tune/loop.h"

/* A part of the source, and the text that replaces it. */
struct tune_edit {
	const char *begin, *end, *text;
};

/* A copy of a function. */
struct tune_copied {
	struct tune_copied *next;
	const struct tune_symbol *function;
	const char *name, *rest; /* the text of the copy after its name */
};

/* The changes of a file, for all of its loops. */
struct tune_change {
	struct tune_file *file;
	const char *newline;
	struct tune_edit *edits; /* in the order of the text once they are finished */
	int count, room;
	int first; /* the body of the first function with an edit */
	struct tune_copied *copies;
};

struct tune_plan {
	struct tune_loop *loop;
	struct tune_change *change;
	const char *chunk;  /* iterations of a tile, an expression of type int */
	const char *policy; /* HEDDLE_CACHE_... */
	/* New names. */
	const char *tile, *end, *chunk_name;
	/* Layout of the surrounding text. */
	const char *newline, *indent, *unit;
	int rounds; /* the number of consecutive downloads in a tile */
};

/* ---- text.c: expressions with cached accesses ---- */

/* Finds uses of macros that must be expanded, because a part of their expansion changes. */
void heddle__tune_open_expansions(struct tune_loop *loop);

/*
 * Appends the text of a node, with accesses to cached variables replaced. `raw` keeps comments and line ends; otherwise
 * the text is one line. `raw` text begins at the node's first token.
 */
void heddle__tune_render(const struct tune_plan *plan, struct tune_text *text, const struct tune_node *node, bool raw);
/* Appends an element's index for the library. */
void heddle__tune_render_index(
	const struct tune_plan *plan, struct tune_text *text, const struct tune_access *access, bool raw);
/* Appends the number of the element that a value points to. */
void heddle__tune_render_number(
	const struct tune_plan *plan, struct tune_text *text, struct tune_node *value, bool raw);
/* Refuses assignments to cached variables for which the library has no call. */
void heddle__tune_check_assignments(struct tune_loop *loop);
/* Returns true if the access goes through a cache. */
bool heddle__tune_is_cached(const struct tune_access *access);
bool heddle__tune_is_simple(const struct tune_node *node);

/* ---- knowledge.c: values that are known before the loop runs ---- */

/* Computes the level of each variable: when its value is known. */
void heddle__tune_find_levels(struct tune_loop *loop);
/* The innermost loop of the body that contains an access; NULL: none. */
const struct tune_node *heddle__tune_innermost_loop(const struct tune_loop *loop, const struct tune_access *access);
/* Computes the levels, and the round of each cache. */
void heddle__tune_find_known(struct tune_plan *plan);
/*
 * The number of downloads after which the value of an expression is known; TUNE_NEVER_KNOWN: not before the loop.
 * `first`: a loop, at the first evaluation of its condition.
 */
int heddle__tune_level(struct tune_loop *loop, const struct tune_node *node, const struct tune_node *first);
/* The level of all indices of an element. */
int heddle__tune_index_level(struct tune_loop *loop, const struct tune_access *access, const struct tune_node *first);
/* The level of all conditions that decide whether a node of the body is executed. */
int heddle__tune_control_level(struct tune_loop *loop, const struct tune_node *node);
/* Returns true if a loop in the body has no jumps that prevent its repetition in a loop of hints. */
bool heddle__tune_has_no_jumps(const struct tune_node *node);

/* ---- functions.c ---- */

/* The name of the variable's cache in the generated text. */
const char *heddle__tune_cache_name(const struct tune_loop *loop, struct tune_symbol *symbol);
/* The name, in the generated text, of the number of the element that a pointer points to; NULL: it is 0. */
const char *heddle__tune_first_name(const struct tune_loop *loop, const struct tune_symbol *symbol);
/* Returns true if a pointer becomes a number, in a function or, if `variant` is NULL, in the body. */
bool heddle__tune_is_number(const struct tune_variant *variant, struct tune_symbol *symbol);
/* The cache that replaces an argument, or NULL. */
const struct tune_passed *heddle__tune_passed_at(const struct tune_variant *variant, int position);
void heddle__tune_name_caches(struct tune_plan *plan);
/* Adds the copies of functions to the change. The caches must have names. */
void heddle__tune_copy_functions(struct tune_plan *plan);

/* ---- hints.c ---- */

/* The body of the loop of hints before a download, indented by `depth` units; "" if there is none. */
const char *heddle__tune_hints(struct tune_plan *plan, int round, int depth);

/* ---- rewrite.c ---- */

/* Adds the edits of a loop to the change. */
void heddle__tune_rewrite(struct tune_plan *plan);

/* ---- edits.c ---- */

/* A name that is free in a function: base_suffix, base_suffix2, ... */
const char *heddle__tune_new_name(
	const struct tune_loop *loop, const struct tune_symbol *function, const char *base, const char *suffix);

void heddle__tune_start_change(struct tune_change *change, struct tune_file *file);
/* Replaces the text from `begin` to `end`, in the function with that body. */
void heddle__tune_edit(
	struct tune_change *change, const char *begin, const char *end, const char *text, const struct tune_symbol *in);
/* A copy of the current state of the change. */
struct tune_change *heddle__tune_keep_change(const struct tune_change *change);
/* Sorts the edits; adds the library's #include if the file does not have it. */
void heddle__tune_finish_change(struct tune_change *change);
/* The whole file with the edits applied. */
const char *heddle__tune_apply(const struct tune_change *change, size_t *length);
/* The first character of the line that contains AT. */
const char *heddle__tune_line_start(const struct tune_source *source, const char *at);

/* ---- unified.c ---- */

/* The edits as a unified diff. `to`: the name of the new file. */
const char *heddle__tune_unified(const struct tune_change *change, const char *to);

#endif
