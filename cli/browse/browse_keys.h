/* SPDX-License-Identifier: BSD-3-Clause */
/* What each key of `heddle browse` does; the help page is made from the same table. */
#ifndef HEDDLE_CLI_BROWSE_KEYS_H
#define HEDDLE_CLI_BROWSE_KEYS_H

#include <stddef.h>

enum heddle_browse_action {
	HEDDLE_ACTION_NONE,
	HEDDLE_ACTION_UP,
	HEDDLE_ACTION_DOWN,
	HEDDLE_ACTION_PAGE_UP,
	HEDDLE_ACTION_PAGE_DOWN,
	HEDDLE_ACTION_FIRST,
	HEDDLE_ACTION_LAST,
	HEDDLE_ACTION_OPEN,
	HEDDLE_ACTION_LEFT,
	HEDDLE_ACTION_RIGHT,
	HEDDLE_ACTION_EXPAND,
	HEDDLE_ACTION_COLLAPSE,
	HEDDLE_ACTION_EXPAND_BELOW,
	HEDDLE_ACTION_HOTTEST,
	HEDDLE_ACTION_EXPAND_ALL,
	HEDDLE_ACTION_COLLAPSE_ALL,
	HEDDLE_ACTION_ZOOM,
	HEDDLE_ACTION_BACK,
	HEDDLE_ACTION_SEARCH,
	HEDDLE_ACTION_SEARCH_NEXT,
	HEDDLE_ACTION_SEARCH_PREVIOUS,
	HEDDLE_ACTION_NEXT_VIEW,
	HEDDLE_ACTION_PREVIOUS_VIEW,
	HEDDLE_ACTION_VIEW_1, /* and the next ones, up to _9 */
	HEDDLE_ACTION_VIEW_9 = HEDDLE_ACTION_VIEW_1 + 8,
	HEDDLE_ACTION_SOURCE,
	HEDDLE_ACTION_NEXT_COST,
	HEDDLE_ACTION_PREVIOUS_COST,
	HEDDLE_ACTION_FILES,
	HEDDLE_ACTION_METRIC,
	HEDDLE_ACTION_THREAD,
	HEDDLE_ACTION_SORT,
	HEDDLE_ACTION_REVERSE,
	HEDDLE_ACTION_FINDINGS,
	HEDDLE_ACTION_EFFICIENCY,
	HEDDLE_ACTION_MESSAGES,
	HEDDLE_ACTION_WAITS,
	HEDDLE_ACTION_CALLERS,
	HEDDLE_ACTION_REREAD,
	HEDDLE_ACTION_REDRAW,
	HEDDLE_ACTION_HELP,
	HEDDLE_ACTION_LEAVE,
	HEDDLE_ACTION_QUIT,
};

/* Keys that are not characters. */
enum heddle_browse_key {
	HEDDLE_KEY_NONE = 0x200000,
	HEDDLE_KEY_UP,
	HEDDLE_KEY_DOWN,
	HEDDLE_KEY_LEFT,
	HEDDLE_KEY_RIGHT,
	HEDDLE_KEY_PAGE_UP,
	HEDDLE_KEY_PAGE_DOWN,
	HEDDLE_KEY_HOME,
	HEDDLE_KEY_END,
	HEDDLE_KEY_BACKSPACE,
	HEDDLE_KEY_SHIFT_TAB,
};

#define HEDDLE_BROWSE_CONTROL(letter) ((letter)&0x1f)
#define HEDDLE_BROWSE_ESCAPE 0x1b

struct heddle_browse_binding {
	enum heddle_browse_action action;
	int keys[5];       /* ends with 0 */
	const char *help;  /* NULL ends the table; "" : not in the help page */
	const char *group; /* heading in front of this row; NULL: none */
};
extern const struct heddle_browse_binding heddle__browse_bindings[];

enum heddle_browse_action heddle__browse_action_of(int key);

/* Writes the name of a key, such as "PgUp"; returns `text`. */
const char *heddle__browse_key_name(char *text, size_t size, int key);

#endif
