/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the first copy of the library by a symbol that only this library exports. */
#include "core/process/first_copy.h"

#include <dlfcn.h>
#include <stddef.h>

/* Only libheddle.so exports this symbol. */
#define MARK "heddle_mpi_attach"

static const void *base_of(const void *address)
{
	Dl_info info;
	return address && dladdr(address, &info) ? info.dli_fbase : NULL;
}

void *heddle__first_copy(const char *name)
{
	static const char here;
	const void *first = base_of(dlsym(RTLD_DEFAULT, MARK));
	if (!first || first == base_of(&here))
		return NULL;
	void *found = dlsym(RTLD_DEFAULT, name);
	return base_of(found) == first ? found : NULL;
}
