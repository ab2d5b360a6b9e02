/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the malloc family: in use at the end, and at most. */
#ifndef HEDDLE_ANALYSIS_MEMORY_H
#define HEDDLE_ANALYSIS_MEMORY_H

#include "profile/file/measurement.h"

struct heddle_memory {
	size_t processes;                        /* whose memory was measured */
	uint64_t in_use;                         /* bytes, at the end */
	const Heddle__Profile__Process *highest; /* the one with the largest peak; NULL: none was measured */
};

struct heddle_memory heddle__memory_of(const struct profile_measurement *measurement);

#endif
