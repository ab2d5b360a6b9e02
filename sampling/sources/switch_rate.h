/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Determines how often a thread is switched, and so its sample source. Perf's clock delivers the requested rate, but
 * its timer is started and cancelled at each context switch of the thread: several microseconds each on a virtual
 * machine. So a thread that switches often uses a source without that cost, until it switches seldom.
 */
#ifndef HEDDLE_SAMPLING_SWITCH_RATE_H
#define HEDDLE_SAMPLING_SWITCH_RATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Context switches per second of CPU time: at or above the first number a thread switches often, below the second it
 * does not. A switch costs up to 10 us: at most 3 % before the thread changes its source.
 */
#define HEDDLE_SWITCHES_OFTEN 3000u
#define HEDDLE_SWITCHES_SELDOM 1000u

struct heddle_switch_rate {
	bool often;        /* the last decision */
	uint8_t returns;   /* how often it was changed back */
	uint64_t switches; /* of the thread, at the start of the current span of time */
	uint64_t cpu_ns;   /* its CPU time then */
};

/*
 * Updates the decision by the thread's context switches and CPU time so far (ns). Returns true if `often` has changed.
 * Context: owner thread, signal.
 */
bool heddle__switch_rate_update(struct heddle_switch_rate *rate, uint64_t switches, uint64_t cpu_ns);

/* The calling thread's context switches so far. Context: any thread, signal. */
uint64_t heddle__own_switches(void);

#endif
