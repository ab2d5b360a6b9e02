/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines in front of the names of a tree. A level takes three columns, or fewer if there is little room. Levels
 * beyond the limit are not drawn: their names are at the limit, after the number of levels left out.
 */
#ifndef HEDDLE_CLI_TREE_LINES_H
#define HEDDLE_CLI_TREE_LINES_H

#include "cli/base/terminal.h"

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_LEVELS_DRAWN 64

struct heddle_tree_lines {
	const struct heddle_terminal *terminal;
	size_t widest[HEDDLE_LEVELS_DRAWN + 1]; /* widths of names by level, in columns; last: all deeper levels */
	uint32_t deepest;
	size_t step;                        /* columns of a level */
	uint32_t limit;                     /* levels drawn */
	bool last[HEDDLE_LEVELS_DRAWN + 1]; /* of the current line and those above it: no sibling follows */
};

/* Call first, for each line, with its level (0: the root) and its name. */
void heddle__tree_lines_add(struct heddle_tree_lines *lines, uint32_t level, const char *name);

/* Returns the preferred columns for lines and names: lines a little closer than usual, long names cut. */
size_t heddle__tree_lines_wanted(const struct heddle_tree_lines *lines);

/* Chooses the form of the lines for a width of `room` columns. */
void heddle__tree_lines_fit(struct heddle_tree_lines *lines, size_t room);

/* Prints the lines before a name, in the order of the tree. `last`: no sibling follows. Returns the columns used. */
size_t heddle__tree_lines_print(struct heddle_tree_lines *lines, uint32_t level, bool last);

/*
 * Like heddle__tree_lines_print, for a line of text below the last printed name; `below`: children of that name follow.
 */
size_t heddle__tree_lines_print_below(const struct heddle_tree_lines *lines, uint32_t level, bool below);

/* Prints a line that explains the numbers of levels, if there are any. */
void heddle__tree_lines_print_omitted(const struct heddle_tree_lines *lines);

#endif
