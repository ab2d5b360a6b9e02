/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks a tree twice: to determine its width, and to print it. No recursion: a file may have paths of any depth. */
#include "cli/report/tree_print.h"

#include <errno.h>
#include <stdlib.h>

/* Lists the rows in the order of printing. Returns how many; `stack` also has room for all nodes. */
static size_t collect_rows(const struct heddle_tree *tree, struct heddle_tree_row *rows, struct heddle_tree_row *stack)
{
	size_t count = 0, depth = 0;
	for (stack[depth++] = (struct heddle_tree_row){.last = true}; depth > 0;) {
		struct heddle_tree_row *row = &rows[count++];
		*row = stack[--depth];
		for (uint32_t c = tree->first[row->node + 1]; c-- > tree->first[row->node];) {
			if (!tree->rows->shows(tree->context, tree->list[c], row->depth + 1))
				continue;
			stack[depth++] = (struct heddle_tree_row){
				.node = tree->list[c], .depth = row->depth + 1, .last = !row->holds};
			row->holds = true;
		}
	}
	return count;
}

static void lay_out(struct heddle_tree *tree, const struct heddle_tree_row *rows, size_t count)
{
	const struct heddle_terminal *terminal = tree->terminal;
	tree->lines.terminal = terminal;
	for (size_t i = 0; i < count; i++)
		heddle__tree_lines_add(
			&tree->lines, rows[i].depth, tree->rows->label(tree->context, rows[i].node).text);
	tree->numbers_width = tree->rows->begin(tree->context, heddle__tree_lines_wanted(&tree->lines));
	heddle__tree_lines_fit(
		&tree->lines, terminal->width > tree->numbers_width ? terminal->width - tree->numbers_width : 0);
}

static void print_row(struct heddle_tree *tree, const struct heddle_tree_row *row)
{
	struct profile_label label = tree->rows->label(tree->context, row->node);
	tree->row = row;
	tree->rows->print_numbers(tree->context, row->node);
	size_t used = tree->numbers_width + heddle__tree_lines_print(&tree->lines, row->depth, row->last);
	heddle__print_label(tree->terminal, &label, used);
	putchar('\n');
	if (tree->rows->print_below)
		tree->rows->print_below(tree->context, tree, row->node);
}

int heddle__tree_print(struct heddle_tree *tree)
{
	struct heddle_tree_row *rows = malloc(tree->node_count * sizeof(*rows));
	struct heddle_tree_row *stack = malloc(tree->node_count * sizeof(*stack));
	int error = rows && stack ? 0 : -ENOMEM;
	if (!error) {
		size_t count = collect_rows(tree, rows, stack);
		lay_out(tree, rows, count);
		for (size_t i = 0; i < count; i++)
			print_row(tree, &rows[i]);
	}
	tree->row = NULL;
	free(rows);
	free(stack);
	return error;
}

void heddle__tree_print_below(const struct heddle_tree *tree, const char *text)
{
	const struct heddle_terminal *terminal = tree->terminal;
	size_t used = tree->numbers_width + tree->lines.step * ((size_t)tree->row->depth + 1);
	size_t length = heddle__columns(text);
	heddle__style(terminal, HEDDLE_STYLE_DIM);
	if (terminal->width == 0 || used + length <= terminal->width) {
		printf("%*s", (int)tree->numbers_width, "");
		used = tree->numbers_width;
		used += heddle__tree_lines_print_below(&tree->lines, tree->row->depth, tree->row->holds);
	} else {
		used = terminal->width > length + 2 ? terminal->width - length : 2;
		printf("%*s", (int)used, "");
	}
	heddle__print_fitting(terminal, text, used);
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
	putchar('\n');
}
