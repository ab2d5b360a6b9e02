/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. Asks the kernel; tests replace this by a simulated machine. */
#include <sys/resource.h>

#include "sampling/sources/switch_rate.h"

uint64_t heddle__own_switches(void)
{
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage))
		return 0;
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}
