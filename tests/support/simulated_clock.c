/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces core/base/clock_choice.c and sampling/sources/switches.c by the simulated machine's clocks and switches. */
#include "core/base/clock.h"
#include "sampling/sources/switch_rate.h"
#include "tests/support/simulated_machine.h"

void heddle__clock_choose(void)
{
	simulated_start();
	heddle__clock_read = simulated_gettime;
	heddle__clock_is_tsc = false;
}

uint64_t heddle__own_switches(void)
{
	return atomic_load(&simulated_self()->switches);
}
