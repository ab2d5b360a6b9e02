/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between libheddle-memory.so, which wraps the malloc family, and libheddle.so, which measures. */
#ifndef HEDDLE_MODELS_C_MEMORY_MEMORY_CALLS_H
#define HEDDLE_MODELS_C_MEMORY_MEMORY_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum heddle_memory_kind { HEDDLE_MEMORY_MALLOC, HEDDLE_MEMORY_REALLOC, HEDDLE_MEMORY_FREE };

/* One call of a wrapper; on the wrapper's stack. */
struct heddle_memory_call {
	uintptr_t pc, sp, bp; /* of the caller, after the return */
	enum heddle_memory_kind kind;

	/* for libheddle.so only */
	bool opened;       /* a region was opened */
	bool taken;        /* the old block was in the table, and is removed */
	uint32_t old_node; /* node that allocated the old block */
	uint64_t old_size;
	const void *old_block;
	struct heddle_slot *slot; /* of the region */
};

/*
 * Called before the real function, with the block to free or resize, or NULL; and after it, with the returned block or
 * NULL and the requested size. Both preserve errno. Context: any thread, not nested.
 */
void heddle_memory_begin(struct heddle_memory_call *call, const void *block);
void heddle_memory_end(struct heddle_memory_call *call, const void *block, size_t size);

#endif
