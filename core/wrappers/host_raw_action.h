/* SPDX-License-Identifier: BSD-3-Clause */
/* The system call rt_sigaction, made without the C library's sigaction. */
#ifndef HEDDLE_CORE_WRAPPERS_HOST_RAW_ACTION_H
#define HEDDLE_CORE_WRAPPERS_HOST_RAW_ACTION_H

#include <stdbool.h>

/* The system call's arguments, in order. */
struct heddle_raw_action {
	long number;
	long action, old; /* addresses; 0: none */
	long mask_size;   /* bytes */
};

/*
 * Returns true if the call is for a signal that samples arrive by, or did. Then the action is recorded in place of the
 * call, whose result must be 0. Context: any thread, signal.
 */
bool heddle__take_raw_action(const struct heddle_raw_action *call);

#endif
