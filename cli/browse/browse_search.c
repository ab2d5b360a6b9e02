/* SPDX-License-Identifier: BSD-3-Clause */
/* Searching, and the prompt for the searched text. */
#include "cli/browse/browse.h"

#include <string.h>

void heddle__browse_search(struct heddle_browse *browse, bool forward)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	struct heddle_browse_state *state = &browse->states[browse->view];
	size_t from = state->selected, found = SIZE_MAX;
	if (!*browse->wanted) {
		heddle__browse_say(browse, "no search yet; press / to search");
		return;
	}
	if (heddle__browse_rows(browse) > 0)
		found = view->search ? view->search(browse, from, forward)
				     : heddle__browse_default_search(browse, from, forward);
	if (found == SIZE_MAX)
		heddle__browse_say(browse, "not found: %s", browse->wanted);
	else
		state->selected = found;
}

void heddle__browse_type(struct heddle_browse *browse, int key)
{
	size_t length = strlen(browse->typed);
	if (key == '\n' || key == '\r') {
		browse->prompting = false;
		if (length)
			memcpy(browse->wanted, browse->typed, length + 1);
		heddle__browse_search(browse, true);
	} else if (key == HEDDLE_BROWSE_ESCAPE || key == HEDDLE_BROWSE_CONTROL('c')) {
		browse->prompting = false;
	} else if (key == HEDDLE_KEY_BACKSPACE) {
		browse->prompting = length > 0;
		while (length > 0 && ((unsigned char)browse->typed[length - 1] & 0xc0) == 0x80)
			browse->typed[--length] = '\0';
		browse->typed[length ? length - 1 : 0] = '\0';
	} else if (key >= ' ' && key <= 0xff && key != 0x7f && length + 1 < sizeof(browse->typed)) {
		browse->typed[length] = (char)key;
		browse->typed[length + 1] = '\0';
	}
}
