/* SPDX-License-Identifier: BSD-3-Clause */
/* What the processor did in useful code, by its counters: the program's own, outside of run-time systems and waits. */
#ifndef HEDDLE_ANALYSIS_USEFUL_COUNTS_H
#define HEDDLE_ANALYSIS_USEFUL_COUNTS_H

#include "profile/file/measurement.h"

struct heddle_useful_counts {
	double instructions, cycles; /* of all threads; 0: not counted */
};

/* 0 or -ENOMEM. */
int heddle__useful_counts_make(struct heddle_useful_counts *counts, const struct profile_measurement *measurement);

#endif
