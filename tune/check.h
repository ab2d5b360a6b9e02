/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle tune --check`: whether the changed program computes the same as the original, and how much faster it is. */
#ifndef HEDDLE_TUNE_CHECK_H
#define HEDDLE_TUNE_CHECK_H

#include "cli/base/words.h"

#include <stdbool.h>

struct tune_check {
	const char *original, *changed;       /* sources */
	const struct heddle_words *flags;     /* for the compiler, in addition to -O2 */
	const struct heddle_words *launcher;  /* with its options, e.g. mpirun -n 4; empty: none */
	const struct heddle_words *arguments; /* of the program */
	const char *threads;                  /* list: "1,2,3,4,7"; not used with a launcher */
	const char *compare;                  /* command that compares two outputs; NULL: all bytes */
	bool races;                           /* results depend on the order of iterations: contents are not compared */
	unsigned runs;                        /* timed, of each program */
};

/* Prints the results. Returns an exit status: HEDDLE_EXIT_REFUSED if the programs differ. */
int heddle__tune_check(const struct tune_check *check);

#endif
