/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the reason why a module's debug information lacks lines and inlined functions. */
#ifndef HEDDLE_PROFILE_DEBUG_GAP_H
#define HEDDLE_PROFILE_DEBUG_GAP_H

#include "profile/names/code_file.h"

enum profile_debug_gap_kind {
	HEDDLE_GAP_NONE,
	HEDDLE_GAP_ZSTD, /* sections compressed by zstd, which this libdw can't read */
	HEDDLE_GAP_DWO,  /* a file of -gsplit-dwarf is missing */
	HEDDLE_GAP_DWP,  /* these files are in a package, which this libdw can't read */
	HEDDLE_GAP_ALT,  /* the file that dwz moved common parts to is missing */
};

struct profile_debug_gap {
	enum profile_debug_gap_kind kind;
	char *file; /* DWO, DWP, ALT: name of the missing file; to be freed */
};

/* Returns what is missing in an open file. Also NONE if there is no memory for the name. */
struct profile_debug_gap profile_debug_gap_find(const struct profile_code_file *file);

#endif
