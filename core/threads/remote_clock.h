/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures the offset of this host's clock to that of the first rank's host, for traces. A model reads the other clock;
 * this code does not depend on how. Of several readings, the one with the shortest round trip counts.
 */
#ifndef HEDDLE_CORE_REMOTE_CLOCK_H
#define HEDDLE_CORE_REMOTE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the other host's CLOCK_MONOTONIC. 0: it can't be read. */
typedef int heddle__remote_clock(uint64_t *ns);

/*
 * Reads the other clock 20 times, and stores the offset in the trace. Returns whether all readings succeeded; false,
 * too, without a trace: then nothing is read. Context: any thread.
 */
bool heddle__remote_clock_measure(heddle__remote_clock *read);

#endif
