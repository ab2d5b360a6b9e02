/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes sequences of VT100 terminals; what the program prints between two of them stays unchanged. */
#include "cli/run/live_screen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define LEAST_ROWS 3
#define LEAST_COLUMNS 20
#define SEQUENCE_SIZE 2048 /* the kernel writes as much at once */
#define TAB 8

#define SAVE "\0337" /* the cursor, with its attributes */
#define RESTORE "\0338"
#define WHOLE "\033[r" /* no scrolling region; moves the cursor */

const char *heddle__live_screen_open(struct heddle_live_screen *screen)
{
	const char *term = getenv("TERM");
	*screen = (struct heddle_live_screen){.terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)};
	if (screen->terminal < 0)
		return "no terminal";
	if (!term || *term == '\0' || strcmp(term, "dumb") == 0) {
		close(screen->terminal);
		screen->terminal = -1;
		return "TERM lacks cursor control";
	}
	heddle__live_screen_measure(screen);
	return NULL;
}

void heddle__live_screen_measure(struct heddle_live_screen *screen)
{
	struct winsize size = {0};
	if (ioctl(screen->terminal, TIOCGWINSZ, &size) != 0)
		size = (struct winsize){0};
	if (size.ws_row != screen->rows || size.ws_col != screen->columns)
		screen->resized = true;
	screen->rows = size.ws_row;
	screen->columns = size.ws_col;
}

static bool is_foreground(const struct heddle_live_screen *screen)
{
	return tcgetpgrp(screen->terminal) == getpgrp();
}

static bool reads_lines(const struct heddle_live_screen *screen)
{
	struct termios modes;
	return tcgetattr(screen->terminal, &modes) == 0 && (modes.c_lflag & ICANON);
}

bool heddle__live_screen_is_free(const struct heddle_live_screen *screen)
{
	return screen->terminal >= 0 && screen->rows >= LEAST_ROWS && screen->columns >= LEAST_COLUMNS &&
	       is_foreground(screen) && reads_lines(screen);
}

/* ---- sequences ---- */

struct sequence {
	char bytes[SEQUENCE_SIZE];
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct sequence *sequence, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	size_t room = sizeof(sequence->bytes) - sequence->length;
	int length = vsnprintf(sequence->bytes + sequence->length, room, format, list);
	va_end(list);
	if (length > 0 && (size_t)length < room)
		sequence->length += (size_t)length;
}

/*
 * Pads the sequence to a multiple of a tab's width. The kernel counts the characters of all writers in a line, for
 * terminals without tabs, and to erase a tab that was typed; a multiple leaves its tabs in place. Zeros do not change
 * the value of a parameter.
 */
static void keep_tabs(struct sequence *sequence)
{
	size_t counted = strlen("[m8");
	for (size_t i = 0; i < sequence->length; i++)
		counted +=
			((unsigned char)sequence->bytes[i] & 0xc0) != 0x80 && (unsigned char)sequence->bytes[i] >= 0x20;
	add(sequence, "\033[%.*sm", (int)((TAB - counted % TAB) % TAB), "00000000");
}

/*
 * Ends a sequence: restores the cursor, and writes. If all processes of a terminal are in the background (as after this
 * one was stopped and continued there), the terminal may stop processes that write: SIGTTOU is blocked.
 */
static void put_sequence(struct heddle_live_screen *screen, struct sequence *sequence)
{
	sigset_t output, before;
	keep_tabs(sequence);
	add(sequence, RESTORE);
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	pthread_sigmask(SIG_BLOCK, &output, &before);
	const char *bytes = sequence->bytes;
	for (size_t left = sequence->length; left > 0;) {
		ssize_t written = write(screen->terminal, bytes, left);
		if (written < 0 && errno != EINTR)
			break;
		left -= written > 0 ? (size_t)written : 0;
		bytes += written > 0 ? written : 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/*
 * Makes room: moves the cursor down and up, so that it is not in the last row; there, all rows scroll. Resized
 * terminals have moved the rows relative to their ends, but not to the cursor, so the old line is somewhere below the
 * cursor.
 */
static void make_room(const struct heddle_live_screen *screen, struct sequence *sequence)
{
	if (screen->shown)
		add(sequence, SAVE WHOLE RESTORE);
	add(sequence, "\033D\033[A" SAVE);
	if (screen->shown)
		add(sequence, "\033[B\033[G\033[J");
}

void heddle__live_screen_draw(struct heddle_live_screen *screen, const char *text)
{
	struct sequence sequence = {.length = 0};
	if (!screen->shown || screen->resized)
		make_room(screen, &sequence);
	else
		add(&sequence, SAVE);
	/* Sets the region; then resets origin mode, attributes and character sets, which programs may have set. */
	add(&sequence, "\033[1;%ur\033[?6l\033[m\033(B\017\033[%u;1H\033[2K\033[7m%s\033[m", screen->rows - 1,
		screen->rows, text);
	screen->shown = true;
	screen->resized = false;
	put_sequence(screen, &sequence);
}

void heddle__live_screen_hide(struct heddle_live_screen *screen)
{
	struct sequence sequence = {.length = 0};
	if (!screen->shown)
		return;
	add(&sequence, SAVE WHOLE);
	if (reads_lines(screen))
		add(&sequence, "\033[?6l\033[m\033[%u;1H\033[2K", screen->rows);
	screen->shown = false;
	put_sequence(screen, &sequence);
}

void heddle__live_screen_close(struct heddle_live_screen *screen)
{
	heddle__live_screen_hide(screen);
	if (screen->terminal >= 0)
		close(screen->terminal);
	screen->terminal = -1;
}
