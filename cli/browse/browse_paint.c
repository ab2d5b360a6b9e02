/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws styles and texts by curses. All text from a profile is escaped here before it is drawn. */
#include "cli/browse/browse_paint.h"
#include "analysis/short_name.h"

#include "cli/browse/browse_text.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

static bool colors;

static attr_t attribute_of(enum heddle_style style)
{
	static const attr_t attributes[] = {
		[HEDDLE_STYLE_NORMAL] = A_NORMAL,
		[HEDDLE_STYLE_DIM] = A_DIM,
		[HEDDLE_STYLE_BOLD] = A_BOLD,
		[HEDDLE_STYLE_WARM] = A_NORMAL,
		[HEDDLE_STYLE_HOT] = A_BOLD,
		[HEDDLE_STYLE_REGION] = A_NORMAL,
		[HEDDLE_STYLE_STATE] = A_NORMAL,
	};
	return attributes[style] | (colors ? (attr_t)COLOR_PAIR(style + 1) : 0);
}

void heddle__paint_start(void)
{
	static const int of_style[] = {
		[HEDDLE_STYLE_WARM] = COLOR_YELLOW,
		[HEDDLE_STYLE_HOT] = COLOR_RED,
		[HEDDLE_STYLE_REGION] = COLOR_CYAN,
		[HEDDLE_STYLE_STATE] = COLOR_MAGENTA,
	};
	const char *none = getenv("NO_COLOR");
	if ((none && *none) || !has_colors() || start_color() == ERR)
		return;
	bool inherits = use_default_colors() == OK; /* the terminal's default colours, for styles without a colour */
	for (int style = 0; style <= HEDDLE_STYLE_STATE; style++) {
		int color = of_style[style] ? of_style[style] : inherits ? -1 : COLOR_WHITE;
		init_pair((short)(style + 1), (short)color, (short)(inherits ? -1 : COLOR_BLACK));
	}
	colors = true;
}

/* Sets the style; `selected` rows are reversed, in one style. */
void heddle__paint_style(enum heddle_style style, bool selected)
{
	attrset((int)(selected ? A_REVERSE | (style == HEDDLE_STYLE_HOT ? A_BOLD : 0) : attribute_of(style)));
}

/* Draws text from a profile, shortened or cut to `room` columns. Returns the columns used. */
size_t heddle__paint_cut(const struct heddle_browse *browse, const char *text, size_t length, size_t room)
{
	char shown[HEDDLE_PAINT_SIZE];
	heddle__browse_escape(shown, sizeof(shown), text, length, browse->terminal.utf8, false);
	char *shortened = heddle__short_name(shown, room, browse->terminal.utf8);
	const char *name = shortened ? shortened : shown;
	struct heddle_cut cut = heddle__cut(name, room, browse->terminal.utf8);
	addnstr(name, (int)cut.head);
	addstr(cut.mark);
	addstr(cut.tail);
	free(shortened);
	return cut.columns;
}

/* Draws the part of a text from column `skip` on that fits. */
size_t heddle__paint_source(const struct heddle_browse *browse, const struct heddle_browse_row *row, size_t room)
{
	char shown[HEDDLE_PAINT_SIZE];
	heddle__browse_escape(shown, sizeof(shown), row->text, row->length, browse->terminal.utf8, true);
	size_t length = strlen(shown), from = 0, bytes = 0;
	while (from < length && heddle__columns_of(shown, from) < row->skip)
		do
			from++;
		while (((unsigned char)shown[from] & 0xc0) == 0x80);
	for (size_t next = 0; from + next <= length && heddle__columns_of(shown + from, next) <= room; next++)
		if (((unsigned char)shown[from + next] & 0xc0) != 0x80)
			bytes = next;
	addnstr(shown + from, (int)bytes);
	return heddle__columns_of(shown + from, bytes);
}

size_t heddle__paint_text(const char *text, size_t used, size_t width)
{
	size_t columns = heddle__columns(text);
	if (used + columns > width)
		return used;
	addstr(text);
	return used + columns;
}
