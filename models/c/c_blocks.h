/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of memory that are in use and were counted: which call path allocated them, and their sizes. One table a
 * process, in parts with a lock each; whoever waits for one gives up after a while and does without (the owner was
 * ended in between).
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
 * Enter one. If the address is in the table still (its freeing escaped us), `before` gets that one, else address 0.
 * False: it is not entered. Context: any thread, not a signal handler that interrupted one of these.
 */
bool heddle__c_block_put(const struct heddle_c_block *block, struct heddle_c_block *before);

/* Take one out; false: it is not known. Context: as above. */
bool heddle__c_block_take(uintptr_t address, struct heddle_c_block *block);

/* Around fork: nobody changes the table; in the child it is emptied. Context: the forking thread; the child. */
void heddle__c_blocks_lock(void);
void heddle__c_blocks_unlock(void);
void heddle__c_blocks_clear(void);

#endif
