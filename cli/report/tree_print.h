/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a tree: columns of numbers, lines, and names, one row for each node. The report's table of functions (`struct
 * heddle_tree_rows`) decides which nodes are shown, and prints the numbers.
 */
#ifndef HEDDLE_CLI_TREE_PRINT_H
#define HEDDLE_CLI_TREE_PRINT_H

#include "cli/base/cells.h"
#include "cli/report/tree_lines.h"

struct heddle_tree;

/* `context` is that of the tree. Node 0 is the root, which is always shown. */
struct heddle_tree_rows {
	/* Returns whether a node is shown; called once for each child of a shown node, before anything is printed. */
	bool (*shows)(void *context, uint32_t node, uint32_t depth);
	struct profile_label (*label)(const void *context, uint32_t node);
	/*
	 * Called when `shows` has been called for all nodes: chooses columns of numbers that leave `wanted` columns to
	 * lines and names, and prints their heading. Returns the width of the numbers, with the gap behind them.
	 */
	size_t (*begin)(void *context, size_t wanted);
	/* Prints the numbers of a row, with the gap. */
	void (*print_numbers)(const void *context, uint32_t node);
	/* Prints further lines of a row, by heddle__tree_print_below; or NULL. */
	void (*print_below)(const void *context, const struct heddle_tree *tree, uint32_t node);
};

/* The row being printed. */
struct heddle_tree_row {
	uint32_t node, depth; /* depth of the root: 0 */
	bool last;            /* no sibling is shown below it */
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

/*
 * Prints a line of text below the current row: at the row's name if it fits there, else as far to the right as
 * possible.
 */
void heddle__tree_print_below(const struct heddle_tree *tree, const char *text);

#endif
