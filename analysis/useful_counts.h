/* SPDX-License-Identifier: BSD-3-Clause */
/* Instructions and cycles of useful code, by the processor's counters: code outside of run-time systems and waits. */
#ifndef HEDDLE_ANALYSIS_USEFUL_COUNTS_H
#define HEDDLE_ANALYSIS_USEFUL_COUNTS_H

#include "profile/file/measurement.h"

struct heddle_useful_counts {
	double instructions, cycles; /* of all threads; 0: not counted */
};

/* Returns 0 or -ENOMEM. */
int heddle__useful_counts_make(struct heddle_useful_counts *counts, const struct profile_measurement *measurement);

#endif
