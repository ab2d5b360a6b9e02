/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded: a yield gives the processor away for a millisecond at least, as where other programs compute. The process
 * writes the number of its yields to standard error when it ends.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static atomic_int yields;

int sched_yield(void)
{
	const struct timespec slice = {.tv_nsec = 1000000};
	atomic_fetch_add(&yields, 1);
	return nanosleep(&slice, NULL);
}

static __attribute__((destructor)) void write_yields(void)
{
	fprintf(stderr, "yields %d\n", yields);
}
