/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last line of the terminal, while another program prints on the lines above it: a scrolling region keeps its text
 * out of the last line. Each change is one write(), without characters that the kernel treats one by one, so it is
 * never mixed with the program's output.
 */
#ifndef HEDDLE_CLI_LIVE_SCREEN_H
#define HEDDLE_CLI_LIVE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct heddle_live_screen {
	int terminal; /* -1: none */
	bool shown;   /* the region is set */
	bool resized; /* the terminal may have moved or cut the line */
	unsigned int rows, columns;
};

/* Opens the controlling terminal. Returns NULL, or why that is not possible. */
const char *heddle__live_screen_open(struct heddle_live_screen *screen);

/* Erases the line and closes the terminal. */
void heddle__live_screen_close(struct heddle_live_screen *screen);

/*
 * True if the terminal is free for the line: this process group is in the foreground, the terminal is large enough, and
 * no program reads single keys, as full-screen programs do.
 */
bool heddle__live_screen_is_free(const struct heddle_live_screen *screen);

/* Shows a text, which must fit: its columns are less than the screen's. */
void heddle__live_screen_draw(struct heddle_live_screen *screen, const char *text);

/* Reads the terminal's size, for the next drawing. */
void heddle__live_screen_measure(struct heddle_live_screen *screen);

/* Frees the last line: erases it, or leaves it if another program may be using the whole screen. */
void heddle__live_screen_hide(struct heddle_live_screen *screen);

#endif
