/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exit statuses of all commands. `run` ends with its program's status once the program was started, the compiler
 * wrappers with the compiler's. heddle(1) documents them; they are never renumbered.
 */
#ifndef HEDDLE_CLI_EXIT_STATUS_H
#define HEDDLE_CLI_EXIT_STATUS_H

enum heddle_exit {
	HEDDLE_EXIT_HELPED =
		-1, /* a command's run() only: help was printed and nothing else is to be done; ends as 0 */
	HEDDLE_EXIT_OK = 0,
	HEDDLE_EXIT_FAILED = 1,    /* no memory, or another error of the system */
	HEDDLE_EXIT_USAGE = 2,     /* unknown command or option, bad argument */
	HEDDLE_EXIT_NOT_FOUND = 3, /* no such measurement, none in the directory, or not readable */
	HEDDLE_EXIT_BROKEN = 4,    /* all of it truncated, damaged, or not Heddle's */
	HEDDLE_EXIT_NEWER = 5,     /* written by a newer Heddle */
	HEDDLE_EXIT_OUTPUT = 6,    /* the output cannot be written, or exists already */
	HEDDLE_EXIT_NO_VALUES = 7, /* the measurement has no values of the requested metric */
	HEDDLE_EXIT_WORSE = 8,     /* heddle diff, scale: worse than --fail-above or --expect allows */
	HEDDLE_EXIT_REFUSED = 9, /* heddle tune: the program cannot be changed safely, or the change failed its check */
	/* As in shells, for a program or compiler that cannot be started. */
	HEDDLE_EXIT_NOT_EXECUTABLE = 126,
	HEDDLE_EXIT_NO_PROGRAM = 127,
};

#endif
