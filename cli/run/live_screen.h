/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last line of the terminal, while another program prints on the lines above: a scrolling region keeps it out of
 * the last one. Each change is one write(), without characters that the kernel treats one by one, so what the program
 * writes stands before it or after it.
 */
#ifndef HEDDLE_CLI_LIVE_SCREEN_H
#define HEDDLE_CLI_LIVE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct heddle_live_screen {
	int terminal; /* -1: there is none */
	bool shown;   /* the region is set */
	bool resized; /* the terminal may have moved or cut the line */
	unsigned int rows, columns;
};

/* Opens the controlling terminal. NULL, or why that is not possible. */
const char *heddle__live_screen_open(struct heddle_live_screen *screen);

/* Takes the line away. */
void heddle__live_screen_close(struct heddle_live_screen *screen);

/*
 * True if it is ours to draw on: this process group is in the foreground, the terminal is large enough, and no program
 * reads single keys, as those do that use the whole screen.
 */
bool heddle__live_screen_is_free(const struct heddle_live_screen *screen);

/* Shows a text, which must fit: its columns are less than the screen's. */
void heddle__live_screen_draw(struct heddle_live_screen *screen, const char *text);

/* Reads the terminal's size, for the next drawing. */
void heddle__live_screen_measure(struct heddle_live_screen *screen);

/* Gives the last line back: erased, or as it is if another program may have taken the whole screen. */
void heddle__live_screen_hide(struct heddle_live_screen *screen);

#endif
