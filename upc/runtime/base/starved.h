/* SPDX-License-Identifier: BSD-3-Clause */
/* Distinguishes a process that takes too long from one that has no processor. */
#ifndef HEDDLE_UPC_RUNTIME_STARVED_H
#define HEDDLE_UPC_RUNTIME_STARVED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Called after each step of a wait for a process. Returns true if the step does not count: the process can run, but has
 * used less than half of a step's length, in milliseconds, of CPU time since a step counted last. So a process that
 * never ends uses up its steps, however many share the processors. *cpu_ns: its CPU time then, first 0. Context: any,
 * also signal, and before constructors.
 */
bool hupc__is_starved(long process, int step_ms, uint64_t *cpu_ns);

#endif
