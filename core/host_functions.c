/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's own versions of the functions that Heddle stands in front of. */
#include <dlfcn.h>

#include "core/host.h"

struct heddle_host_functions heddle__host;
bool heddle__host_known;

void heddle__host_resolve(void)
{
#define X(name) heddle__host.name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);
	HEDDLE_HOST_FUNCTIONS(X)
#undef X
	heddle__host_known = true;
}
