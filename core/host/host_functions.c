/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up the C library's versions of the functions that Heddle wraps. */
#include "core/host/host_functions.h"

#include <dlfcn.h>

struct heddle_host_functions heddle__host;
bool heddle__host_known;

void heddle__host_resolve(void)
{
#define X(name) heddle__host.name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);
	HEDDLE_HOST_FUNCTIONS(X)
#undef X
	heddle__host_known = true;
}
