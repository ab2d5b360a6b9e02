/* SPDX-License-Identifier: BSD-3-Clause */
/* The system call rt_sigaction, made without the C library's sigaction. */
#ifndef HEDDLE_CORE_WRAPPERS_HOST_RAW_ACTION_H
#define HEDDLE_CORE_WRAPPERS_HOST_RAW_ACTION_H

#include <stdbool.h>

/* Its arguments, in their order. */
struct heddle_raw_action {
	long number;
	long action, old; /* addresses; 0: none */
	long mask_size;   /* bytes */
};

/*
 * True if the call is for a signal that samples arrive by, or did. If so it is done: the action is noted in place of
 * the call, whose result would be 0. Context: any thread, signal.
 */
bool heddle__take_raw_action(const struct heddle_raw_action *call);

#endif
