/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing of `heddle browse`, by curses, from pieces of text to parts of the screen. */
#ifndef HEDDLE_CLI_BROWSE_PAINT_H
#define HEDDLE_CLI_BROWSE_PAINT_H

#include "cli/browse/browse.h"

#define HEDDLE_PAINT_SIZE 4096 /* bytes of a line */
#define HEDDLE_PAINT_ROWS 3    /* the line of the first row */

/* ---- browse_paint.c: at the cursor ---- */

/* Starts colours, if the terminal has them and NO_COLOR is not set. */
void heddle__paint_start(void);

/* Sets a style; `selected` rows are reversed, without colours. */
void heddle__paint_style(enum heddle_style style, bool selected);

/* Draws text from a profile, escaped and cut in the middle to `room` columns; returns the columns used. */
size_t heddle__paint_cut(const struct heddle_browse *browse, const char *text, size_t length, size_t room);

/* Draws a line of source, cut at its end. */
size_t heddle__paint_source(const struct heddle_browse *browse, const struct heddle_browse_row *row, size_t room);

/*
 * Draws Heddle's own text, if it fits a line of which `used` columns are taken; returns how many are taken afterwards.
 */
size_t heddle__paint_text(const char *text, size_t used, size_t width);

/* ---- browse_table.c ---- */

/* Draws the heading and the rows of the current view that fit. */
void heddle__paint_table(struct heddle_browse *browse);

/* ---- browse_frame.c ---- */

/* Draw the lines around the table, and a text instead of a missing table. */
void heddle__paint_head(const struct heddle_browse *browse);
void heddle__paint_details(const struct heddle_browse *browse);
void heddle__paint_status(const struct heddle_browse *browse);
void heddle__paint_missing(const struct heddle_browse *browse, const char *missing);
void heddle__paint_too_small(const struct heddle_browse *browse);

#endif
