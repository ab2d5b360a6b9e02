/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes how many columns a tree's lines take, and prints them. It uses levels and widths of names only. */
#include "cli/report/tree_lines.h"

#include <inttypes.h>
#include <string.h>

#define LONG_NAME 32  /* longer names may be cut before lines are drawn closer together */
#define SHORT_NAME 24 /* columns that are always left for names */
#define NUMBER 5      /* columns for the number of levels that are not drawn, with sign and blank */

void heddle__tree_lines_add(struct heddle_tree_lines *lines, uint32_t level, const char *name)
{
	size_t columns = heddle__columns(name);
	uint32_t slot = level < HEDDLE_LEVELS_DRAWN ? level : HEDDLE_LEVELS_DRAWN;
	lines->widest[slot] = columns > lines->widest[slot] ? columns : lines->widest[slot];
	lines->deepest = level > lines->deepest ? level : lines->deepest;
}

/* Returns the columns needed with `step` columns for each level and names cut at `most`. */
static size_t columns_needed(const struct heddle_tree_lines *lines, size_t step, size_t most)
{
	size_t needed = 0;
	for (size_t level = 0; level <= HEDDLE_LEVELS_DRAWN && level <= lines->deepest; level++) {
		size_t name = lines->widest[level] < most ? lines->widest[level] : most;
		size_t line = step * level + name;
		needed = line > needed ? line : needed;
	}
	return needed + (lines->deepest > HEDDLE_LEVELS_DRAWN ? NUMBER : 0);
}

size_t heddle__tree_lines_wanted(const struct heddle_tree_lines *lines)
{
	return columns_needed(lines, 2, SHORT_NAME);
}

void heddle__tree_lines_fit(struct heddle_tree_lines *lines, size_t room)
{
	static const struct {
		size_t step, name;
	} ways[] = {{3, LONG_NAME}, {2, LONG_NAME}, {2, SHORT_NAME}, {1, SHORT_NAME}};
	lines->step = 3;
	lines->limit = HEDDLE_LEVELS_DRAWN;
	for (size_t i = 0; lines->terminal->width && i < sizeof(ways) / sizeof(*ways); i++) {
		lines->step = ways[i].step;
		if (columns_needed(lines, ways[i].step, ways[i].name) <= room)
			return;
	}
	size_t name = columns_needed(lines, 0, SHORT_NAME) + NUMBER;
	if (lines->terminal->width)
		lines->limit = room > name + 4 ? (uint32_t)(room - name) : 4;
	if (lines->limit > HEDDLE_LEVELS_DRAWN)
		lines->limit = HEDDLE_LEVELS_DRAWN;
}

/* Prints a piece of three characters, cut to the columns of a level; only dashes or blanks are cut. */
static void put_piece(const struct heddle_tree_lines *lines, const char *piece)
{
	size_t at = 0;
	for (size_t taken = 0; piece[at] && taken < lines->step; taken++)
		for (at++; ((unsigned char)piece[at] & 0xc0) == 0x80;)
			at++;
	fwrite(piece, 1, at, stdout);
}

static void put_passing(const struct heddle_tree_lines *lines, uint32_t levels)
{
	const struct heddle_terminal *terminal = lines->terminal;
	for (uint32_t level = 1; level <= levels && level <= lines->limit; level++)
		put_piece(lines, lines->last[level] ? terminal->nothing : terminal->through);
}

size_t heddle__tree_lines_print(struct heddle_tree_lines *lines, uint32_t level, bool last)
{
	size_t taken = lines->step * (level < lines->limit ? level : lines->limit);
	heddle__style(lines->terminal, HEDDLE_STYLE_DIM);
	put_passing(lines, level ? level - 1 : 0);
	if (level > 0 && level <= lines->limit) {
		lines->last[level] = last;
		put_piece(lines, last ? lines->terminal->last : lines->terminal->branch);
	} else if (level > 0) {
		taken += (size_t)printf("+%" PRIu32 " ", level - lines->limit);
	}
	heddle__style(lines->terminal, HEDDLE_STYLE_NORMAL);
	return taken;
}

size_t heddle__tree_lines_print_below(const struct heddle_tree_lines *lines, uint32_t level, bool below)
{
	put_passing(lines, level);
	if (level < lines->limit)
		put_piece(lines, below ? lines->terminal->through : lines->terminal->nothing);
	return lines->step * (level < lines->limit ? level + 1 : lines->limit);
}

void heddle__tree_lines_print_omitted(const struct heddle_tree_lines *lines)
{
	if (lines->deepest <= lines->limit)
		return;
	heddle__style(lines->terminal, HEDDLE_STYLE_DIM);
	printf("+N: N levels deeper than the %" PRIu32 " that are drawn\n", lines->limit);
	heddle__style(lines->terminal, HEDDLE_STYLE_NORMAL);
}
