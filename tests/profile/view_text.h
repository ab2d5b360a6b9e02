/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of call-path trees that are written as text, without files or code to name. First come functions with special
 * properties, then a tree, two blanks a level (all below the program, which is not written):
 *
 *   def NAME FILE:LINE [outlined] [heddle] [unknown] [as=SHOWN]     where it is defined (others: a.c:1)
 *   section                                                         the program has the section of a runtime
 *   frame SPOTS            outlined SPOTS            runtime SPOTS
 *   region EVENT [SPOTS]   source EVENT FILE:LINE    EVENT: parallel, barrier, loop, masked, get, upc-barrier
 *   phase NAME             told NAME (a function that events report by name)
 *   state NAME             as in ids.h: IDLE, OVERHEAD, ...
 *
 * SPOTS are the functions at a place: `NAME FILE:LINE > NAME FILE:LINE`, the outermost first, then those inlined into
 * it. They may be followed by {start} (code that starts programs), {libc}, {runtime} (a library of OpenMP's), {upc} (of
 * the UPC run-time system), {upc-main}, or {entry} (the first instruction of its function). At the end of a line: ` |
 * METRIC VALUE METRIC VALUE`.
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

/* Fails the test if the text cannot be read, or if a metric's sum over the view differs from that over the tree. */
void make_view(struct view_from_text *made, const char *text, struct profile_view_options options);
void free_view(struct view_from_text *made);

/*
 * Returns the view as lines, depth first, two blanks a level, siblings by their sums of samples: each node's label and
 * its own values (`solve | samples 5 visits 2`). Nodes are left out if neither they nor nodes below have values; the
 * program is left out if it has no values itself. free() the text.
 */
char *print_view(const struct profile_view *view);

/* Returns the sites of the view, except the program's: `solve at a.c:7 inlined`. free() the text. */
char *print_sites(const struct view_from_text *made);

/* Makes, prints and frees the view of `text`: fails the test unless it is `wanted`. */
void check_view(const char *text, struct profile_view_options options, const char *wanted);

#define USER_LEVEL ((struct profile_view_options){0})
#define WITH_LINES ((struct profile_view_options){.lines = true})
#define WITH_RUNTIME ((struct profile_view_options){.runtime_frames = true})

#endif
