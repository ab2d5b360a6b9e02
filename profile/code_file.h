/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file behind a module, found again after the measurement: opened through libdwfl, known to be the same by its
 * build id, with separate debug files (debuglink, .build-id) found by libdwfl. One per module; several may be used at
 * once by different threads, one only by one.
 */
#ifndef HEDDLE_PROFILE_CODE_FILE_H
#define HEDDLE_PROFILE_CODE_FILE_H

#include "profile/call_tree.h"
#include "profile/symbol_index.h"

#include <elfutils/libdwfl.h>

enum heddle_code_status {
	HEDDLE_CODE_FOUND,
	HEDDLE_CODE_MISSING,    /* no such file, or not readable */
	HEDDLE_CODE_CHANGED,    /* another build id than in the measurement */
	HEDDLE_CODE_NO_SYMBOLS, /* the same file, but nothing in it has a name */
};

struct heddle_code_file {
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL unless FOUND or NO_SYMBOLS */
	struct heddle_symbol_index symbols;
	uint64_t entry; /* where an executable starts; 0: none */
};

/* Always leaves *file fit for heddle__code_file_close. */
enum heddle_code_status heddle__code_file_open(struct heddle_code_file *file, const struct heddle_code_module *module);
void heddle__code_file_close(struct heddle_code_file *file);

#endif
