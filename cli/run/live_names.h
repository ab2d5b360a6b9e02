/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of functions while the program runs, from symbol tables only, since reading debug information would take time
 * from the program. Therefore an inlined function counts as the function that contains it.
 */
#ifndef HEDDLE_CLI_LIVE_NAMES_H
#define HEDDLE_CLI_LIVE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct heddle_live_module;

struct heddle_live_names {
	struct heddle_live_module *modules; /* list of the modules that had samples */
};

/*
 * Writes the name of the function at `offset` of a module to `text`; the module's own name if no symbol is known.
 * Returns `text`.
 */
char *heddle__live_name(struct heddle_live_names *names, const char *path, uint64_t offset, char *text, size_t size);
void heddle__live_names_free(struct heddle_live_names *names);

#endif
