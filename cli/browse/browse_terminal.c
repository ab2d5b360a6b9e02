/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the terminal's description. A separate file, since <term.h> defines macros with common names (columns, lines).
 */
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
