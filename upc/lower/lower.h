/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns clang's bitcode of translated UPC into ordinary bitcode: every use of a UPC address space becomes arithmetic on
 * 64-bit pointers-to-shared and accesses of the mapped segments, as upc/abi.h defines them.
 */
#ifndef UPC_LOWER_LOWER_H
#define UPC_LOWER_LOWER_H

#include <stdbool.h>
#include <stddef.h>

#include "upc/translate/translate.h"

struct upc_lower_options {
	int static_threads; /* 0: dynamic */
	bool inst;
	bool inst_local;
	bool inst_functions;
	bool optimize;         /* also make direct versions of functions (direct_versions.c); else all functions test */
	const char *inst_only; /* names of events, one per line; NULL: all */
	bool keep_debug;       /* keep debug information; else it serves messages only, and is removed */
	const void *inlined;   /* bitcode of upc/lower/inline.c */
	size_t inlined_size;
	struct upc_translation *translation;
	/* Called for each error in the user's source; column is in the translated text. */
	void (*refuse)(void *context, const char *file, int line, int column, const char *message);
	void *context;
};

/*
 * Reads bitcode from the file INPUT and writes it to OUTPUT. Returns 0, or 1 after an error, which was reported through
 * refuse or on stderr.
 */
int upc__lower(const char *input, const char *output, const struct upc_lower_options *options);

#endif
