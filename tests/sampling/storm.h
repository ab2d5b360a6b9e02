/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call chain records of itself, to check a walk of it. */
#ifndef HEDDLE_TESTS_STORM_H
#define HEDDLE_TESTS_STORM_H

#include <stdint.h>

#define STORM_DEPTH 8

struct storm_chain {
	volatile int depth;
	struct {
		uintptr_t cfa, return_address;
	} volatile frames[STORM_DEPTH];
};

typedef void storm_callback(struct storm_chain *chain);

/* The frame counts only after both words are stored. */
#define STORM_NOTE(chain)                                                                                \
	do {                                                                                             \
		(chain)->frames[(chain)->depth].cfa = (uintptr_t)__builtin_dwarf_cfa();                  \
		(chain)->frames[(chain)->depth].return_address = (uintptr_t)__builtin_return_address(0); \
		(chain)->depth++;                                                                        \
	} while (0)

/* Keeps the array on the stack before and after the call. */
#define STORM_KEEP(array) __asm__ volatile("" : : "r"(array) : "memory")

#endif
