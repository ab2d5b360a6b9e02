/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which files are a measured program's own sources, by its modules on this system. */
#ifndef HEDDLE_PROFILE_SOURCE_OWNER_H
#define HEDDLE_PROFILE_SOURCE_OWNER_H

#include "profile/file/measurement.h"

/* True if a path is below a directory; both are absolute, with links resolved. */
bool profile_is_below(const char *path, const char *directory);

enum profile_source_claim {
	HEDDLE_CLAIM_BESIDE, /* it is in the directory of the module's file, or below */
	HEDDLE_CLAIM_NAMED,  /* the module's debug information names it */
	HEDDLE_CLAIM_BOTH,
};

/*
 * True if a module of the measurement claims a file, given by its path with links resolved. The module must be the
 * measured one, and belong to the user or to root. Its compilation directory is ignored, because anyone who makes a
 * module can choose it freely. Context: one thread.
 */
bool profile_source_is_owned(
	const struct profile_measurement *measurement, const char *path, enum profile_source_claim claim);

#endif
