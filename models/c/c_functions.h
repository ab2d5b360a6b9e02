/* SPDX-License-Identifier: BSD-3-Clause */
/* The hooks of -finstrument-functions. */
#ifndef HEDDLE_MODELS_C_C_FUNCTIONS_H
#define HEDDLE_MODELS_C_C_FUNCTIONS_H

#include <stdbool.h>

/* Whether the hooks do anything; `index`: the front end's. Before this is known they start Heddle. Context: init. */
void heddle__c_functions_start(bool wanted, unsigned int index);

/* Context: owner thread, inside. */
struct heddle_thread;
void heddle__c_functions_thread_end(struct heddle_thread *thread);

/* They don't any more. Context: any thread, signal. */
void heddle__c_functions_stop(void);

#endif
