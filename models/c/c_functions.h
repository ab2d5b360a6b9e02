/* SPDX-License-Identifier: BSD-3-Clause */
/* The hooks of -finstrument-functions. */
#ifndef HEDDLE_MODELS_C_C_FUNCTIONS_H
#define HEDDLE_MODELS_C_C_FUNCTIONS_H

#include <stdbool.h>

/*
 * Switches the hooks on or off; `index` is that of the front end. Before this call, hooks start Heddle. Context: init.
 */
void heddle__c_functions_start(bool wanted, unsigned int index);

/* Threads may share another thread's thread-local storage from now on. Context: any thread. */
void heddle__c_functions_share(void);

/* Context: owner thread, inside. */
struct heddle_thread;
void heddle__c_functions_thread_end(struct heddle_thread *thread);

/* Processes the events of signal handlers that interrupted Heddle. Context: owner thread, inside, signal. */
void heddle__c_functions_catch_up(struct heddle_thread *thread);

/*
 * Adds calls that were counted without events. Context: owner thread, inside; any thread, when the writer reads at
 * rest.
 */
void heddle__c_functions_add(struct heddle_thread *thread);

/* Context: the child's only thread. */
void heddle__c_functions_after_fork(void);

/* Switches the hooks off. Context: any thread, signal. */
void heddle__c_functions_stop(void);

#endif
