/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a measurement's files have changed since they were read. */
#ifndef HEDDLE_CLI_BROWSE_FOLLOW_H
#define HEDDLE_CLI_BROWSE_FOLLOW_H

#include <stdint.h>

/* Returns a number that changes with the names, times and sizes of the profiles; 0: there are none. */
uint64_t heddle__browse_fingerprint(const char *path);

#endif
