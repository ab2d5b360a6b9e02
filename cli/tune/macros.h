/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The macros that a source defines, itself or in the files that it includes by "name". Macros of other headers are not
 * known; names that no declaration and no macro explains are refused by those who meet them.
 */
#ifndef HEDDLE_CLI_TUNE_MACROS_H
#define HEDDLE_CLI_TUNE_MACROS_H

#include "cli/tune/syntax.h"

struct tune_macro {
	struct tune_macro *next;
	const char *name;
	bool has_parameters, seen;
	struct tune_source body; /* with the parameters in front, in their brackets */
	const char *path;
	int line;
};

struct tune_macros {
	struct tune_macro *list;
	bool strict;     /* strict accesses are the default somewhere: upc_strict.h, or a pragma */
	int strict_line; /* in the main file, 0: in an included one */
};

/* Collects macros of the file; `definitions`: of the compiler's options, as -DN=3 without -D, ended by NULL. */
void heddle__tune_read_macros(struct tune_file *file, const char *const *definitions, struct tune_macros *macros);
const struct tune_macro *heddle__tune_macro(
	const struct tune_macros *macros, const struct tune_source *source, int token);

/*
 * Refuses the use of a name without declaration at `token` of the file, unless it is a constant or an expression of
 * its parameters that accesses nothing else.
 */
void heddle__tune_check_macro(struct tune_file *file, struct tune_macros *macros, int token, bool called);

/* A function of the C library without side effects, or one of UPC that only asks about a pointer. */
bool heddle__tune_is_pure(const struct tune_source *source, int token);

#endif
