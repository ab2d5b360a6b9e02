/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit statuses of all commands but `run`, which ends with its program's own. Part of the interface: never renumbered.
 */
#ifndef HEDDLE_CLI_EXIT_STATUS_H
#define HEDDLE_CLI_EXIT_STATUS_H

enum heddle_exit {
	HEDDLE_EXIT_OK = 0,
	HEDDLE_EXIT_FAILED = 1,    /* no memory, or trouble of the system's that has no number of its own */
	HEDDLE_EXIT_USAGE = 2,     /* unknown command or option, bad argument */
	HEDDLE_EXIT_NOT_FOUND = 3, /* no such measurement, none in the directory, or not readable */
	HEDDLE_EXIT_BROKEN = 4,    /* all of it truncated, damaged, or not Heddle's */
	HEDDLE_EXIT_NEWER = 5,     /* written by a newer Heddle */
	HEDDLE_EXIT_OUTPUT = 6,    /* the output can't be written */
	HEDDLE_EXIT_NO_VALUES = 7, /* the measurement has no values of the metric asked for */
	HEDDLE_EXIT_WORSE = 8,     /* heddle diff: what was measured rose by more than --fail-above */
};

#endif
