/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated runtime's device. */
#include "simulated_internal.h"

void (*sim_target_lookup(const char *name))(void)
{
	(void)name;
	return NULL;
}

void sim_target_shutdown(void)
{
}
