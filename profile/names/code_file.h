/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file of a module, found again after the measurement. It is opened through libdwfl and identified by its build id;
 * libdwfl finds separate debug files (debuglink, .build-id). Each module has one. Different threads may use different
 * code files at the same time, but not the same one.
 */
#ifndef HEDDLE_PROFILE_CODE_FILE_H
#define HEDDLE_PROFILE_CODE_FILE_H

#include "profile/file/call_tree.h"
#include "profile/names/symbol_index.h"

#include <elfutils/libdwfl.h>

enum profile_code_status {
	HEDDLE_CODE_FOUND,
	HEDDLE_CODE_MISSING,    /* no such file, or not readable */
	HEDDLE_CODE_CHANGED,    /* its build id differs from the measured one */
	HEDDLE_CODE_NO_SYMBOLS, /* the same file, but it has no symbols */
};

struct profile_code_file {
	Dwfl_Callbacks callbacks; /* of dwfl */
	char *path;               /* the path that `callbacks` points to */
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL unless FOUND or NO_SYMBOLS */
	struct profile_symbol_index symbols;
	uint64_t entry; /* entry point of an executable; 0: none */
};

/* On return *file can always be passed to profile_code_file_close. */
enum profile_code_status profile_code_file_open(
	struct profile_code_file *file, const struct profile_code_module *module);
void profile_code_file_close(struct profile_code_file *file);

#endif
