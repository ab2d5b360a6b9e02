/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding the measurement that a command reads when none is given. */
#ifndef HEDDLE_CLI_NEWEST_H
#define HEDDLE_CLI_NEWEST_H

/*
 * Returns the directory in the current one whose profile was written last; "." if only the current directory itself
 * holds profiles; NULL if there is none. Static storage, valid until the next call.
 */
const char *heddle__newest_measurement(void);

#endif
