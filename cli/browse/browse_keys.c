/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of `heddle browse`: as in less and perf report where these have the same function. */
#include "cli/browse/browse_keys.h"

#include <stdio.h>

#define CONTROL HEDDLE_BROWSE_CONTROL

const struct heddle_browse_binding heddle__browse_bindings[] = {
	{HEDDLE_ACTION_UP, {HEDDLE_KEY_UP, 'k'}, "one line up", "Moving"},
	{HEDDLE_ACTION_DOWN, {HEDDLE_KEY_DOWN, 'j'}, "one line down", NULL},
	{HEDDLE_ACTION_PAGE_UP, {HEDDLE_KEY_PAGE_UP, CONTROL('b'), 'b'}, "one page up", NULL},
	{HEDDLE_ACTION_PAGE_DOWN, {HEDDLE_KEY_PAGE_DOWN, CONTROL('f'), ' '}, "one page down", NULL},
	{HEDDLE_ACTION_FIRST, {HEDDLE_KEY_HOME, 'g', '<'}, "first line", NULL},
	{HEDDLE_ACTION_LAST, {HEDDLE_KEY_END, 'G', '>'}, "last line", NULL},

	{HEDDLE_ACTION_NEXT_VIEW, {'\t'}, "next view", "Views"},
	{HEDDLE_ACTION_PREVIOUS_VIEW, {HEDDLE_KEY_SHIFT_TAB}, "previous view", NULL},
	{HEDDLE_ACTION_VIEW_1, {'1'}, "call tree", NULL},
	{HEDDLE_ACTION_VIEW_1 + 1, {'2'}, "functions, summed over all callers", NULL},
	{HEDDLE_ACTION_VIEW_1 + 2, {'3'}, "source, with the cost of each line", NULL},
	{HEDDLE_ACTION_VIEW_1 + 3, {'4'}, "threads, and how they spent their time", NULL},
	{HEDDLE_ACTION_VIEW_1 + 4, {'5'}, "blame: code that made others wait", NULL},
	{HEDDLE_ACTION_FINDINGS, {'f'}, "findings: what matters most, in sentences", NULL},
	{HEDDLE_ACTION_EFFICIENCY, {'e'}, "parallel efficiency, and its losses", NULL},
	{HEDDLE_ACTION_MESSAGES, {'M'}, "messages of ranks: by size, communicator, file and pair", NULL},
	{HEDDLE_ACTION_WAITS, {'w'}, "who waited for whom (needs a trace)", NULL},
	{HEDDLE_ACTION_CALLERS, {'c'}, "who calls the selected function, and what it calls", NULL},
	{HEDDLE_ACTION_OPEN, {'\n', '\r'}, "open: expand, go to the call path, choose", NULL},
	{HEDDLE_ACTION_SOURCE, {'a'}, "source of the selected line", NULL},
	{HEDDLE_ACTION_BACK, {HEDDLE_BROWSE_ESCAPE, HEDDLE_KEY_BACKSPACE}, "back: out of a zoom, to the view before",
		NULL},

	{HEDDLE_ACTION_EXPAND, {'+', '='}, "expand", "Call tree"},
	{HEDDLE_ACTION_COLLAPSE, {'-'}, "collapse", NULL},
	{HEDDLE_ACTION_RIGHT, {HEDDLE_KEY_RIGHT, 'l'}, "expand, then go down; in source: scroll", NULL},
	{HEDDLE_ACTION_LEFT, {HEDDLE_KEY_LEFT}, "collapse, then go to the caller; in source: scroll", NULL},
	{HEDDLE_ACTION_EXPAND_BELOW, {'*'}, "expand all below", NULL},
	{HEDDLE_ACTION_HOTTEST, {'H'}, "expand the most expensive path, and go to its end", NULL},
	{HEDDLE_ACTION_EXPAND_ALL, {'E'}, "expand everything", NULL},
	{HEDDLE_ACTION_COLLAPSE_ALL, {'C'}, "collapse everything", NULL},
	{HEDDLE_ACTION_ZOOM, {'z'}, "zoom: only the selected path, in all views", NULL},

	{HEDDLE_ACTION_NEXT_COST, {']'}, "next line with a cost of its own", "Source"},
	{HEDDLE_ACTION_PREVIOUS_COST, {'['}, "previous line with a cost of its own", NULL},
	{HEDDLE_ACTION_FILES, {'o'}, "another file", NULL},

	{HEDDLE_ACTION_SEARCH, {'/'}, "search; lower case also matches upper case", "Searching and choosing"},
	{HEDDLE_ACTION_SEARCH_NEXT, {'n'}, "next match", NULL},
	{HEDDLE_ACTION_SEARCH_PREVIOUS, {'N'}, "previous match", NULL},
	{HEDDLE_ACTION_METRIC, {'m'}, "another metric", NULL},
	{HEDDLE_ACTION_THREAD, {'t'}, "only one thread, or all", NULL},
	{HEDDLE_ACTION_SORT, {'s'}, "sort by the next column (* in the heading)", NULL},
	{HEDDLE_ACTION_REVERSE, {'S'}, "reverse the order", NULL},

	{HEDDLE_ACTION_HELP, {'h', '?'}, "this page", "Other"},
	{HEDDLE_ACTION_REREAD, {'r'}, "reload the measurement", NULL},
	{HEDDLE_ACTION_REDRAW, {CONTROL('l')}, "redraw the screen", NULL},
	{HEDDLE_ACTION_LEAVE, {'q'}, "quit; out of this page and of lists: back", NULL},
	{HEDDLE_ACTION_QUIT, {'Q'}, "quit", NULL},
	{HEDDLE_ACTION_NONE, {0}, NULL, NULL},
};

enum heddle_browse_action heddle__browse_action_of(int key)
{
	for (const struct heddle_browse_binding *binding = heddle__browse_bindings; binding->help; binding++)
		for (size_t i = 0; i < sizeof(binding->keys) / sizeof(*binding->keys); i++)
			if (binding->keys[i] && binding->keys[i] == key)
				return binding->action;
	return HEDDLE_ACTION_NONE;
}

const char *heddle__browse_key_name(char *text, size_t size, int key)
{
	static const struct {
		int key;
		const char *name;
	} names[] = {
		{HEDDLE_KEY_UP, "Up"},
		{HEDDLE_KEY_DOWN, "Down"},
		{HEDDLE_KEY_LEFT, "Left"},
		{HEDDLE_KEY_RIGHT, "Right"},
		{HEDDLE_KEY_PAGE_UP, "PgUp"},
		{HEDDLE_KEY_PAGE_DOWN, "PgDn"},
		{HEDDLE_KEY_HOME, "Home"},
		{HEDDLE_KEY_END, "End"},
		{HEDDLE_KEY_BACKSPACE, "Backspace"},
		{HEDDLE_KEY_SHIFT_TAB, "Shift-Tab"},
		{HEDDLE_BROWSE_ESCAPE, "Esc"},
		{'\n', "Enter"},
		{'\r', ""}, /* the same key */
		{'\t', "Tab"},
		{' ', "Space"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].key == key)
			return names[i].name;
	if (key < ' ')
		snprintf(text, size, "Ctrl-%c", key + '@');
	else
		snprintf(text, size, "%c", key);
	return text;
}
