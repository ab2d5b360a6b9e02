/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of `heddle info` about the traces of a measurement. */
#ifndef HEDDLE_CLI_INFO_TRACES_H
#define HEDDLE_CLI_INFO_TRACES_H

#include "cli/base/session.h"

/* Prints a section about the traces, if there are any. The session was opened with keep_threads. */
void heddle__print_traces(const struct heddle_session *session);

/* Compares the values of the traces with those of the profiles, and prints the result. Returns an exit status. */
int heddle__check_traces(const struct heddle_session *session);

#endif
