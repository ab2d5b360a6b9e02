/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of the line that `heddle run --live` shows. */
#ifndef HEDDLE_CLI_LIVE_TEXT_H
#define HEDDLE_CLI_LIVE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_live_figures {
	uint64_t elapsed_ns, cpu_ns, samples;
	double busy;             /* processors, since the last refresh */
	unsigned int processors; /* that the program may use */
	unsigned int processes;  /* that run */
	const char *function;    /* with the most recent samples; NULL: no samples */
	double share;            /* its share of recent samples, 0 to 1 */
};

/*
 * Writes at most `columns` columns (20 or more) into `text`; what does not fit is left out or shortened, the function
 * last. Characters that control a terminal are replaced. Returns `text`.
 */
char *heddle__live_text(char *text, size_t size, const struct heddle_live_figures *figures, size_t columns, bool utf8);

#endif
