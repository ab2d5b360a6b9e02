/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Debug information of one module, indexed for fast queries: which function covers an offset, which functions were
 * inlined there, and from which line. Units, functions and inlined calls are indexed once, when first needed.
 */
#ifndef HEDDLE_PROFILE_INLINE_INDEX_H
#define HEDDLE_PROFILE_INLINE_INDEX_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A range of code, and what it belongs to: a compilation unit, a function, or an inlined call. */
struct profile_code_range {
	uint64_t low, high; /* [low, high) */
	Dwarf_Die die;
	uint32_t depth; /* inlined calls: 1 = into the function itself */
	uint32_t tag;   /* free for use by the caller; initially 0 */
};

struct profile_ranges {
	struct profile_code_range *at;
	size_t count, capacity;
};

struct profile_function_ranges {
	struct profile_code_range range;
	struct profile_ranges inlined;
	bool indexed;
};

struct profile_unit {
	Dwarf_Die die;                             /* with the line table */
	Dwarf_Die body;                            /* with the functions (another one in split DWARF) */
	struct profile_function_ranges *functions; /* by low */
	size_t function_count, function_capacity;
	bool indexed;
};

struct profile_inline_index {
	struct profile_unit *units;
	size_t unit_count, unit_capacity;
	struct profile_ranges unit_ranges; /* tag = index into units, sorted by low */
};

int profile_inline_index_open(struct profile_inline_index *index, Dwarf *dwarf);
void profile_inline_index_close(struct profile_inline_index *index);

#define HEDDLE_INLINE_DEPTH 64

struct profile_inline_place {
	Dwarf_Die *unit;                                       /* NULL: not covered by debug information */
	struct profile_code_range *chain[HEDDLE_INLINE_DEPTH]; /* [0]: the function, then inlined calls, inwards */
	size_t depth;                                          /* 0: no function is known there */
};

/* Finds what covers an offset. Valid until the index is closed. Returns 0 or -ENOMEM. */
int profile_inline_index_find(struct profile_inline_index *index, uint64_t offset, struct profile_inline_place *place);

#endif
