/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps tcsetattr, by which a program that is about to use the whole terminal requests single keys. Erases the line of
 * `heddle run --live` before that: its scrolling region would displace the program's first screen, and the launcher
 * checks the terminal only at intervals. Without --live, and on other terminals, nothing is written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "core/host/host_functions.h"
#include "core/process/live.h"
#include "core/threads/control.h"

static bool is_same_terminal(int one, int other)
{
	unsigned int first, second;
	return ioctl(one, TIOCGDEV, &first) == 0 && ioctl(other, TIOCGDEV, &second) == 0 && first == second;
}

/* Like heddle__live_screen_hide (cli/run/live_screen.c). In the background, writing might stop the program. */
static void take_line(int terminal)
{
	char text[80];
	struct winsize size;
	if (tcgetpgrp(terminal) != getpgrp() || ioctl(terminal, TIOCGWINSZ, &size) != 0 || !heddle__live_take_line())
		return;
	int length = snprintf(
		text, sizeof(text), "\0337\033[r\033[?6l\033[m\033[%u;1H\033[2K\0338", (unsigned int)size.ws_row);
	while (write(terminal, text, (size_t)length) < 0 && errno == EINTR)
		;
}

static void give_way(int file)
{
	int saved = errno, terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal >= 0) {
		if (is_same_terminal(file, terminal))
			take_line(terminal);
		close(terminal);
	}
	errno = saved;
}

HEDDLE_EXPORT int tcsetattr(int file, int when, const struct termios *modes)
{
	if (heddle__is_live && atomic_load(&heddle__run_state) != HEDDLE_OFF && modes && !(modes->c_lflag & ICANON))
		give_way(file);
	return HEDDLE_REAL(tcsetattr)(file, when, modes);
}
