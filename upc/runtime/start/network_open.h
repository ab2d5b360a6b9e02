/* SPDX-License-Identifier: BSD-3-Clause */
/* The start of the network of a job on several nodes. */
#ifndef HEDDLE_UPC_RUNTIME_NETWORK_OPEN_H
#define HEDDLE_UPC_RUNTIME_NETWORK_OPEN_H

#include "upc/runtime/start/places.h"

/* Opens the network. Ends the process with a message if that fails. Context: init; the job is connected. */
void hupc__network_start(const struct hupc__common *common);

/* Counts the calls of that network, if the environment requests it. Context: init. */
const struct hupc__network *hupc__network_count(const struct hupc__network *network);

/* The number of threads whose address was looked up. */
extern int hupc__network_connections;

#endif
