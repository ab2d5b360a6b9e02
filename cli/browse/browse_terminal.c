/* SPDX-License-Identifier: BSD-3-Clause */
/* What the terminal's description says. Apart, since <term.h> has macros of common names (columns, lines). */
#include "cli/browse/browse_terminal.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

bool heddle__browse_terminal_moves(const char *name)
{
	int error;
	bool known = setupterm(name, STDOUT_FILENO, &error) == OK;
	bool moves = known && cursor_address;
	if (known)
		del_curterm(cur_term);
	return moves;
}
