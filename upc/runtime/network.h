/* SPDX-License-Identifier: BSD-3-Clause */
/* The network of a job on several nodes. On one node there is none, and everything goes through shared memory. */
#ifndef HEDDLE_UPC_RUNTIME_NETWORK_H
#define HEDDLE_UPC_RUNTIME_NETWORK_H

#include "upc/runtime/job.h"

/* Opens the network of a job on several nodes. Ends the process with a message if that fails. Context: init. */
void hupc__network_start(const struct hupc__job *job);

#endif
