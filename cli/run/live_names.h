/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of functions while the program runs: from symbol tables alone, since reading debug information would take time
 * from the program. So an inlined function counts as the one around it.
 */
#ifndef HEDDLE_CLI_LIVE_NAMES_H
#define HEDDLE_CLI_LIVE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct heddle_live_module;

struct heddle_live_names {
	struct heddle_live_module *modules; /* in a list; those that had samples */
};

/*
 * The name of the function at `offset` of a module, in `text`; the module's own name where no symbol is known. Returns
 * `text`.
 */
char *heddle__live_name(struct heddle_live_names *names, const char *path, uint64_t offset, char *text, size_t size);
void heddle__live_names_free(struct heddle_live_names *names);

#endif
