/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a module's symbol tables, by address. libdwfl's own look-up is linear. */
#ifndef HEDDLE_PROFILE_SYMBOL_INDEX_H
#define HEDDLE_PROFILE_SYMBOL_INDEX_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_symbol {
	uint64_t low, high; /* [low, high); a symbol without a size extends to its section's end */
	uint64_t reach;     /* the largest `high` of this symbol and all before it in the list */
	const char *name;   /* the module owns it */
	uint8_t rank;       /* of several at one address, the highest is shown */
};

struct profile_symbol_list {
	struct profile_symbol *at; /* by low, then rank */
	size_t count, capacity;
};

struct profile_symbol_index {
	struct profile_symbol_list sized, unsized;
};

/* Returns 0 or -ENOMEM. The index is valid as long as the module is; close it in any case. */
int profile_symbol_index_open(struct profile_symbol_index *index, Dwfl_Module *module);
void profile_symbol_index_close(struct profile_symbol_index *index);

/* Returns the innermost symbol that covers an address, preferring symbols with a size; NULL: none. */
const struct profile_symbol *profile_symbol_index_find(const struct profile_symbol_index *index, uint64_t address);

#endif
