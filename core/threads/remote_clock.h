/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The offset of this host's clock to that of the first rank's host, for traces. A model reads the other clock by its
 * own means; this knows no transport. Of several readings, the one with the least round trip counts.
 */
#ifndef HEDDLE_CORE_REMOTE_CLOCK_H
#define HEDDLE_CORE_REMOTE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the other host's CLOCK_MONOTONIC. 0: it can't be read. */
typedef int heddle__remote_clock(uint64_t *ns);

/*
 * Reads it 20 times, and keeps the offset in the trace. Whether all readings took place; false also without a trace,
 * when nothing is read. Context: any thread.
 */
bool heddle__remote_clock_measure(heddle__remote_clock *read);

#endif
