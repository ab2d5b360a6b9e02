/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds plug-ins at the place that the driver linked into the program. Context: main. */
#include "upc/runtime/plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "upc/runtime/say.h"

/* Not in programs that are linked statically. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

/* The path of the measurement library, defined by the driver's linking. */
extern const char hupc__tool_library[] __attribute__((weak));

void *hupc__plugin_symbol(const char *name)
{
	return dlsym ? dlsym(RTLD_DEFAULT, name) : NULL;
}

void hupc__plugin_unmeasured(bool begin)
{
	void (*tell)(int);
	*(void **)&tell = hupc__plugin_symbol("heddle_measure_exclude_threads");
	if (tell)
		tell(begin);
}

static void *load_beside(const char *library)
{
	const char *slash = hupc__tool_library ? strrchr(hupc__tool_library, '/') : NULL;
	size_t folder = slash ? (size_t)(slash - hupc__tool_library) + 1 : 0;
	char path[PATH_MAX];
	if (!folder || folder + strlen(library) >= sizeof(path))
		return NULL;
	memcpy(path, hupc__tool_library, folder);
	strcpy(path + folder, library);
	return dlopen(path, RTLD_NOW);
}

void *hupc__plugin_find(const char *library, const char *function, char *problem, size_t size)
{
	if (!dlopen || !dlsym || !dlerror) {
		hupc__format(problem, size,
			"that needs %s, and this program is linked statically; link it without -static", library);
		return NULL;
	}
	void *loaded = load_beside(library);
	char first[200];
	hupc__format(first, sizeof(first), "%s", loaded ? "" : dlerror());
	if (!loaded)
		loaded = dlopen(library, RTLD_NOW);
	void *found = loaded ? dlsym(loaded, function) : NULL;
	if (!found)
		hupc__format(problem, size,
			"that needs %s, which cannot be loaded (%s); build or install Heddle with it, or set "
			"LD_LIBRARY_PATH to its folder",
			library, loaded ? "it is another library" : first);
	return found;
}
