/* SPDX-License-Identifier: BSD-3-Clause */
/* Which files are a measured program's own sources, by its modules on this machine. */
#ifndef HEDDLE_PROFILE_SOURCE_OWNER_H
#define HEDDLE_PROFILE_SOURCE_OWNER_H

#include "profile/file/measurement.h"

/* True if a path lies below a directory; both absolute, without links. */
bool profile_is_below(const char *path, const char *directory);

enum profile_source_claim {
	HEDDLE_CLAIM_BESIDE, /* it is beside the module's file, or below */
	HEDDLE_CLAIM_NAMED,  /* the module's debug information names it */
	HEDDLE_CLAIM_BOTH,
};

/*
 * True if a module of the measurement, which is on this machine as it was measured and belongs to the user or to root,
 * claims a file, by its path without links. The module's compilation directory counts for nothing: who makes a module
 * chooses it freely. Context: one thread.
 */
bool profile_source_is_owned(
	const struct profile_measurement *measurement, const char *path, enum profile_source_claim claim);

#endif
