/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a module's symbol tables, by address: libdwfl's own look-up goes through all of them each time. */
#ifndef HEDDLE_PROFILE_SYMBOL_INDEX_H
#define HEDDLE_PROFILE_SYMBOL_INDEX_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_symbol {
	uint64_t low, high; /* [low, high); without a size of its own: up to its section's end */
	uint64_t reach;     /* the largest `high` of this and all before it in the list */
	const char *name;   /* the module's */
	uint8_t rank;       /* of several at one address the highest is shown */
};

struct heddle_symbol_list {
	struct heddle_symbol *at; /* by low, then rank */
	size_t count, capacity;
};

struct heddle_symbol_index {
	struct heddle_symbol_list sized, unsized;
};

/* 0 or -ENOMEM. The index is valid as long as the module is, and to be closed in any case. */
int heddle__symbol_index_open(struct heddle_symbol_index *index, Dwfl_Module *module);
void heddle__symbol_index_close(struct heddle_symbol_index *index);

/* The innermost symbol that covers an address, one with a size before one without; NULL: none. */
const struct heddle_symbol *heddle__symbol_index_find(const struct heddle_symbol_index *index, uint64_t address);

#endif
