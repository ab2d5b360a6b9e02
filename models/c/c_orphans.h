/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes freed by threads that have no context: unmeasured threads, and threads whose final totals are computed. They
 * are recorded for each node that allocated them, until a measured thread adds them to its own values.
 */
#ifndef HEDDLE_MODELS_C_C_ORPHANS_H
#define HEDDLE_MODELS_C_C_ORPHANS_H

#include <stdbool.h>
#include <stdint.h>

/* Records `bytes` for `node`; they are lost if memory is exhausted. Context: any thread, signal. */
void heddle__c_orphan_leave(uint32_t node, uint64_t bytes);

/* True if any bytes are recorded. Context: any thread, signal. */
bool heddle__c_orphans_wait(void);

/* Passes all recorded bytes to `take`, once. Context: any thread, signal. */
void heddle__c_orphans_take(void (*take)(void *to, uint32_t node, uint64_t bytes), void *to);

/* Drops all recorded bytes. Context: the child's only thread. */
void heddle__c_orphans_clear(void);

#endif
