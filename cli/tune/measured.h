/* SPDX-License-Identifier: BSD-3-Clause */
/* What a measurement with --accesses says of a source: which loop to change, and which variables of it. */
#ifndef HEDDLE_CLI_TUNE_MEASURED_H
#define HEDDLE_CLI_TUNE_MEASURED_H

#include "cli/tune/loop.h"

/* Of a loop in its file, from 1; column 0: not given. */
struct tune_position {
	int line, column;
};

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

/*
 * The loops that account for 1 % or more of the time in remote accesses of loops, in the order of the file; refuses if
 * there is none. Ended by line 0.
 */
const struct tune_position *heddle__tune_choose_loops(
	const struct tune_file *file, const struct tune_measurement *measurement);

/* Chooses the variables that account for 1 % or more of a loop's time in remote accesses; refuses if there are none. */
void heddle__tune_choose_measured(struct tune_loop *loop, const struct tune_measurement *measurement);

#endif
