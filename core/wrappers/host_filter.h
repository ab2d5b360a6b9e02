/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles programs that restrict their system calls (seccomp). */
#ifndef HEDDLE_CORE_HOST_FILTER_H
#define HEDDLE_CORE_HOST_FILTER_H

/* The system call by which a program installs a filter. */
struct heddle_filter_call {
	long number; /* SYS_prctl or SYS_seccomp */
	long argument[5];
};

/*
 * Tries in a copy of the process whether Heddle can continue under the filter. If not, writes the profile, reports it
 * and switches measurement off for good: from then on Heddle makes no system call. errno is preserved. Context: the
 * calling thread, outside signal handlers, while the keeper is stopped.
 */
void heddle__before_filter(const struct heddle_filter_call *call);

#endif
