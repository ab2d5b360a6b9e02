/* SPDX-License-Identifier: BSD-3-Clause */
/* Between libheddle-memory.so, which stands in front of the malloc family, and libheddle.so, which measures. */
#ifndef HEDDLE_MODELS_C_MEMORY_MEMORY_CALLS_H
#define HEDDLE_MODELS_C_MEMORY_MEMORY_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum heddle_memory_kind { HEDDLE_MEMORY_MALLOC, HEDDLE_MEMORY_REALLOC, HEDDLE_MEMORY_FREE };

/* One call, on the wrapper's stack. */
struct heddle_memory_call {
	uintptr_t pc, sp, bp; /* the caller's, after the return */
	enum heddle_memory_kind kind;

	/* libheddle.so's own */
	bool opened;       /* a region */
	bool taken;        /* the old block was known, and is out of the table */
	uint32_t old_node; /* where it was allocated */
	uint64_t old_size;
	const void *old_block;
	struct heddle_slot *slot; /* of the region */
};

/*
 * Before the real function; `block` is the one to free or resize, or NULL. And after it: the block that it returned, or
 * NULL, and the size asked for. errno stays. Context: any thread, not nested.
 */
void heddle_memory_begin(struct heddle_memory_call *call, const void *block);
void heddle_memory_end(struct heddle_memory_call *call, const void *block, size_t size);

#endif
