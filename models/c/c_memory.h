/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The malloc family: turns calls that libheddle-memory.so reports (models/c/memory/memory_calls.h) into regions and
 * bytes.
 */
#ifndef HEDDLE_MODELS_C_C_MEMORY_H
#define HEDDLE_MODELS_C_C_MEMORY_H

/* Starts measuring, if the setting requests it and malloc is Heddle's wrapper. Context: init. */
void heddle__c_memory_start(void);

/* Stops measuring for the rest of the process. Context: any thread, signal. */
void heddle__c_memory_stop(void);

/* Clears what the child inherited from its parent. Context: the child's only thread. */
void heddle__c_memory_after_fork(void);

#endif
