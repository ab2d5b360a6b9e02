/* SPDX-License-Identifier: BSD-3-Clause */
/* What a measurement with --accesses says of a source: which loop to change, and which variables of it. */
#ifndef HEDDLE_CLI_TUNE_MEASURED_H
#define HEDDLE_CLI_TUNE_MEASURED_H

#include "cli/tune/loop.h"

/* Remote accesses of one line to one variable. */
struct tune_measured {
	const char *variable; /* "": unknown */
	int line;
	double seconds; /* of all threads, in these accesses */
};

struct tune_measurement {
	struct tune_measured *rows;
	size_t count;
};

/* Reads the accesses of a source's lines, into the memory of `work`. 0, or an exit status after a line on stderr. */
int heddle__tune_read_measurement(
	struct tune_work *work, const char *directory, const char *path, struct tune_measurement *measurement);

/* The line and column of the loop with the most time in remote accesses; refuses if there is none. */
void heddle__tune_choose_loop(
	const struct tune_file *file, const struct tune_measurement *measurement, int *line, int *column);

/* Chooses the variables that account for 1 % or more of a loop's time in remote accesses; refuses if there are none. */
void heddle__tune_choose_measured(struct tune_loop *loop, const struct tune_measurement *measurement);

#endif
