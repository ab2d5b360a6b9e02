/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for other processes: spin as long as that pays, then sleep. */
#ifndef HEDDLE_UPC_RUNTIME_WAIT_H
#define HEDDLE_UPC_RUNTIME_WAIT_H

#include "upc/runtime/control.h"

/* How often to look before sleeping: less when threads have to share processors. */
int hupc__spin_limit(void);

/* How long sleepers sleep before they look whether they wait in vain. */
#define HUPC__NAP_MS 300

void hupc__mutex_lock(struct hupc__mutex *mutex);
bool hupc__mutex_try(struct hupc__mutex *mutex);
void hupc__mutex_unlock(struct hupc__mutex *mutex);

#endif
