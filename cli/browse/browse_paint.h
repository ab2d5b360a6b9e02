/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing of `heddle browse`, by curses, from pieces of text to parts of the screen. */
#ifndef HEDDLE_CLI_BROWSE_PAINT_H
#define HEDDLE_CLI_BROWSE_PAINT_H

#include "cli/browse/browse.h"

#define HEDDLE_PAINT_SIZE 4096 /* bytes of a line */
#define HEDDLE_PAINT_ROWS 3    /* the line of the first row */

/* ---- browse_paint.c: at the cursor ---- */

/* Colours, if the terminal has them and they are wanted. */
void heddle__paint_start(void);

/* `selected` rows are shown reversed, without colours. */
void heddle__paint_style(enum heddle_style style, bool selected);

/* Text from a profile, escaped and cut in the middle to `room` columns; returns those it took. */
size_t heddle__paint_cut(const struct heddle_browse *browse, const char *text, size_t length, size_t room);

/* A line of source, cut at its end. */
size_t heddle__paint_source(const struct heddle_browse *browse, const struct heddle_browse_row *row, size_t room);

/* Text of Heddle's own, if it fits a line of which `used` columns are taken; returns what is taken then. */
size_t heddle__paint_text(const char *text, size_t used, size_t width);

/* ---- browse_table.c ---- */

/* The heading and the rows of the current view that fit. */
void heddle__paint_table(struct heddle_browse *browse);

/* ---- browse_frame.c ---- */

/* The lines around the table, and what stands there if there is none. */
void heddle__paint_head(const struct heddle_browse *browse);
void heddle__paint_details(const struct heddle_browse *browse);
void heddle__paint_status(const struct heddle_browse *browse);
void heddle__paint_missing(const struct heddle_browse *browse, const char *missing);
void heddle__paint_too_small(const struct heddle_browse *browse);

#endif
