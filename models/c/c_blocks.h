/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of memory that are in use and were counted: the call path that allocated each, and its size. One table for
 * the process, in parts with a lock each. A thread that waits too long for a lock gives up (its owner may have ended)
 * and the part is no longer used.
 */
#ifndef HEDDLE_MODELS_C_C_BLOCKS_H
#define HEDDLE_MODELS_C_C_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_c_block {
	uintptr_t address; /* 0: no block */
	uint64_t size;
	uint32_t node; /* of the call path that allocated it */
};

/*
 * Adds a block. If its address is still in the table (its release was missed), `before` gets the old entry, else
 * address 0. Returns false if the block was not added. Context: any thread, not a signal handler that interrupted a
 * function of this table.
 */
bool heddle__c_block_put(const struct heddle_c_block *block, struct heddle_c_block *before);

/* Removes a block; returns false if it is not in the table. Context: as for heddle__c_block_put. */
bool heddle__c_block_take(uintptr_t address, struct heddle_c_block *block);

/* For fork: the lock keeps the table unchanged; the child empties the table. Context: the forking thread; the child. */
void heddle__c_blocks_lock(void);
void heddle__c_blocks_unlock(void);
void heddle__c_blocks_clear(void);

#endif
