/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a loop that may be changed to its new text. Names of the new variables, what the loops of hints contain, and the
 * text itself are topics of their own.
 */
#ifndef HEDDLE_CLI_TUNE_PLAN_H
#define HEDDLE_CLI_TUNE_PLAN_H

#include "tune/loop.h"

/* A part of the source and what replaces it. */
struct tune_edit {
	const char *begin, *end, *text;
};

/* A copy of a function. */
struct tune_copied {
	struct tune_copied *next;
	const struct tune_symbol *function;
	const char *name, *rest; /* its text behind its name */
};

/* What changes in a file, for all of its loops. */
struct tune_change {
	struct tune_file *file;
	const char *newline;
	struct tune_edit *edits; /* in the order of the text once they are finished */
	int count, room;
	int first; /* the first function with an edit: its body */
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
	int rounds; /* downloads that follow each other in a tile */
};

/* ---- text.c: expressions with cached accesses ---- */

/* Finds the uses of macros that cannot stay, because a part of what they expand to changes. */
void heddle__tune_open_expansions(struct tune_loop *loop);

/*
 * Appends the text of a node, accesses to cached variables replaced. `raw` keeps comments and line ends; else it is one
 * line. `raw` text begins at the node's first token.
 */
void heddle__tune_render(const struct tune_plan *plan, struct tune_text *text, const struct tune_node *node, bool raw);
/* An element's index for the library. */
void heddle__tune_render_index(
	const struct tune_plan *plan, struct tune_text *text, const struct tune_access *access, bool raw);
/* The number of the element that a value points to. */
void heddle__tune_render_number(
	const struct tune_plan *plan, struct tune_text *text, struct tune_node *value, bool raw);
/* Refuses assignments to cached variables that the library has no call for. */
void heddle__tune_check_assignments(struct tune_loop *loop);
/* True if the access goes through a cache. */
bool heddle__tune_is_cached(const struct tune_access *access);
bool heddle__tune_is_simple(const struct tune_node *node);

/* ---- knowledge.c: what is known before the loop runs ---- */

/* Computes when each variable's value is known. */
void heddle__tune_find_levels(struct tune_loop *loop);
/* The loop of the body that an access is in, the innermost; NULL: none. */
const struct tune_node *heddle__tune_innermost_loop(const struct tune_loop *loop, const struct tune_access *access);
/* Computes levels, and the round of each cache. */
void heddle__tune_find_known(struct tune_plan *plan);
/*
 * After how many downloads the value of an expression is known; TUNE_NEVER_KNOWN: not before the loop. `first`: at the
 * first evaluation of this loop's condition.
 */
int heddle__tune_level(struct tune_loop *loop, const struct tune_node *node, const struct tune_node *first);
/* The same for all indices of an element. */
int heddle__tune_index_level(struct tune_loop *loop, const struct tune_access *access, const struct tune_node *first);
/* The same for all conditions that decide whether a node of the body is executed. */
int heddle__tune_control_level(struct tune_loop *loop, const struct tune_node *node);
/* True if a loop in the body can be repeated in a loop of hints, as far as its jumps are concerned. */
bool heddle__tune_has_no_jumps(const struct tune_node *node);

/* ---- functions.c ---- */

/* Name of the variable's cache in the text being generated. */
const char *heddle__tune_cache_name(const struct tune_loop *loop, struct tune_symbol *symbol);
/* Name of the element's number that a pointer points to, in the text being generated; NULL: it is 0. */
const char *heddle__tune_first_name(const struct tune_loop *loop, const struct tune_symbol *symbol);
/* True if a number takes the place of a pointer, in a function or with NULL in the body. */
bool heddle__tune_is_number(const struct tune_variant *variant, struct tune_symbol *symbol);
/* The cache that takes the place of an argument, or NULL. */
const struct tune_passed *heddle__tune_passed_at(const struct tune_variant *variant, int position);
void heddle__tune_name_caches(struct tune_plan *plan);
/* Adds the copies of functions to the change. Caches have their names. */
void heddle__tune_copy_functions(struct tune_plan *plan);

/* ---- hints.c ---- */

/* The body of the loop of hints before a download, indented by `depth` units; "" if it has none. */
const char *heddle__tune_hints(struct tune_plan *plan, int round, int depth);

/* ---- rewrite.c ---- */

/* Adds the edits of a loop to the change. */
void heddle__tune_rewrite(struct tune_plan *plan);

/* ---- edits.c ---- */

/* A name that is free in a function: base_suffix, base_suffix2, ... */
const char *heddle__tune_new_name(
	const struct tune_loop *loop, const struct tune_symbol *function, const char *base, const char *suffix);

void heddle__tune_start_change(struct tune_change *change, struct tune_file *file);
/* `text` replaces what is from `begin` to `end`, in the function with that body. */
void heddle__tune_edit(
	struct tune_change *change, const char *begin, const char *end, const char *text, const struct tune_symbol *in);
/* A copy of the change as it is now. */
struct tune_change *heddle__tune_keep_change(const struct tune_change *change);
/* Sorts the edits; adds the library's #include unless the file has it. */
void heddle__tune_finish_change(struct tune_change *change);
/* The whole file with the edits made. */
const char *heddle__tune_apply(const struct tune_change *change, size_t *length);
/* The first character of the line. */
const char *heddle__tune_line_start(const struct tune_source *source, const char *at);

/* ---- unified.c ---- */

/* The edits as a unified diff. `to`: the name of the new file. */
const char *heddle__tune_unified(const struct tune_change *change, const char *to);

#endif
