/* SPDX-License-Identifier: BSD-3-Clause */
/* Distinguishes a process that takes too long from one that has no processor. */
#ifndef HEDDLE_UPC_RUNTIME_STARVED_H
#define HEDDLE_UPC_RUNTIME_STARVED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Called after each step of a wait for a process. Returns true if it can run, but had less than half of a processor
 * during the step, whose length is in milliseconds. *cpu_ns is its CPU time at the last call, first 0. Context: any,
 * also signal, and before constructors.
 */
bool hupc__is_starved(long process, int step_ms, uint64_t *cpu_ns);

#endif
