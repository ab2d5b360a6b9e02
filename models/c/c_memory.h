/* SPDX-License-Identifier: BSD-3-Clause */
/* The malloc family: what libheddle-memory.so tells (models/c/memory/memory_calls.h) becomes regions and bytes. */
#ifndef HEDDLE_MODELS_C_C_MEMORY_H
#define HEDDLE_MODELS_C_C_MEMORY_H

/* Begin to measure, if the setting asks for it and the program's malloc is ours. Context: init. */
void heddle__c_memory_start(void);

/* No more from now on. Context: any thread, signal. */
void heddle__c_memory_stop(void);

/* The parent's blocks are not the child's. Context: the child's only thread. */
void heddle__c_memory_after_fork(void);

#endif
