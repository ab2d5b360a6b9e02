/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of call-path trees that are written down as text, without files or code to name. First functions that are not
 * plain ones, then a tree, two blanks a level (all below the program, which is not written):
 *
 *   def NAME FILE:LINE [outlined] [heddle] [unknown] [as=SHOWN]     where it is defined (others: a.c:1)
 *   section                                                         the program has the section of a runtime
 *   frame SPOTS            outlined SPOTS            runtime SPOTS
 *   region EVENT [SPOTS]   source EVENT FILE:LINE    EVENT: parallel, barrier, loop, masked, get, upc-barrier
 *   phase NAME             told NAME (a function that events report by name)
 *   state NAME             as in ids.h: IDLE, OVERHEAD, ...
 *
 * SPOTS is what stands at a place: `NAME FILE:LINE > NAME FILE:LINE`, the outermost function first, then those put
 * inline. After them {start} (code that starts programs), {libc}, {runtime} (a library of OpenMP's), {upc} (of the UPC
 * run-time system), {upc-main}, or {entry} (the first instruction of its function). At the end of a line: ` | METRIC
 * VALUE METRIC VALUE`.
 */
#ifndef HEDDLE_TESTS_VIEW_TEXT_H
#define HEDDLE_TESTS_VIEW_TEXT_H

#include "profile/view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct view_from_text {
	struct profile_view view;
	struct view_text *text; /* what the view was made from */
};

/* Fails the test when the text can't be read, or when a metric's sum over the view is not that over the tree. */
void make_view(struct view_from_text *made, const char *text, struct profile_view_options options);
void free_view(struct view_from_text *made);

/*
 * The view in lines, depth first, two blanks a level, siblings by their sums of samples: each node's label and its own
 * values (`solve | samples 5 visits 2`). Nodes without values in and below them are left out, and so is the program if
 * it has none itself. free() it.
 */
char *print_view(const struct profile_view *view);

/* The sites of the view, the program left out: `solve at a.c:7 inlined`. free() it. */
char *print_sites(const struct view_from_text *made);

/* The two together: fails the test unless the view of `text` is `wanted`. */
void check_view(const char *text, struct profile_view_options options, const char *wanted);

#define USER_LEVEL ((struct profile_view_options){0})
#define WITH_LINES ((struct profile_view_options){.lines = true})
#define WITH_RUNTIME ((struct profile_view_options){.runtime_frames = true})

#endif
