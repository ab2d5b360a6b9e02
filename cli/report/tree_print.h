/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a tree: columns of numbers, lines, and names, one row a node. What the numbers are, and which nodes are shown,
 * is up to the table of functions that a report brings (`struct heddle_tree_rows`).
 */
#ifndef HEDDLE_CLI_TREE_PRINT_H
#define HEDDLE_CLI_TREE_PRINT_H

#include "cli/base/cells.h"
#include "cli/report/tree_lines.h"

struct heddle_tree;

/* `context` is the tree's. Node 0 is the root, and always shown. */
struct heddle_tree_rows {
	/* Whether a node is shown; asked once of each child of a node that is, before anything is printed. */
	bool (*shows)(void *context, uint32_t node, uint32_t depth);
	struct profile_label (*label)(const void *context, uint32_t node);
	/*
	 * After all nodes were asked: chooses columns of numbers that leave the `wanted` ones to lines and names, and
	 * prints their heading. Returns the width of the numbers, with the gap behind them.
	 */
	size_t (*begin)(void *context, size_t wanted);
	/* The numbers of a row, with the gap. */
	void (*print_numbers)(const void *context, uint32_t node);
	/* Further lines of a row, by heddle__tree_print_below; or NULL. */
	void (*print_below)(const void *context, const struct heddle_tree *tree, uint32_t node);
};

/* The row being printed. */
struct heddle_tree_row {
	uint32_t node, depth; /* depth of the root: 0 */
	bool last;            /* no sibling of it is shown below it */
	bool holds;           /* a child of it is shown */
};

struct heddle_tree {
	/* Set by the caller, and only read here: */
	const struct heddle_terminal *terminal;
	const struct heddle_tree_rows *rows;
	void *context;
	size_t node_count;
	const uint32_t *first, *list; /* children in the order of printing, as in struct profile_view_children */
	/* Zero before heddle__tree_print; then `lines` is for heddle__tree_lines_print_omitted: */
	struct heddle_tree_lines lines;
	size_t numbers_width;
	const struct heddle_tree_row *row;
};

/* Prints heading and rows. 0 or -ENOMEM, and then nothing was printed. */
int heddle__tree_print(struct heddle_tree *tree);

/* A line of text below the current row: at its name when there is room, else as far to the right as it goes. */
void heddle__tree_print_below(const struct heddle_tree *tree, const char *text);

#endif
