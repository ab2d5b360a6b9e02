/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From clang's bitcode of translated UPC to plain bitcode: everything that touches an address space of UPC becomes
 * arithmetic on 64-bit pointers-to-shared and accesses of the mapped segments, as upc/abi.h lays them out.
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
	bool optimize;         /* with inst: functions that tell nothing, too, for programs without a tool */
	const char *inst_only; /* names of events, one a line; NULL: all */
	bool keep_debug;       /* else debug information is there for messages only, and is removed */
	const void *inlined;   /* bitcode of upc/lower/inline.c */
	size_t inlined_size;
	const struct upc_translation *translation;
	/* Told of each error in the user's source; column is one of the translated text. */
	void (*refuse)(void *context, const char *file, int line, int column, const char *message);
	void *context;
};

/*
 * Reads bitcode from the file INPUT and writes it to OUTPUT. Returns 0, or 1 when the source was refused or something
 * failed (which it has told, by refuse or on stderr).
 */
int upc__lower(const char *input, const char *output, const struct upc_lower_options *options);

#endif
