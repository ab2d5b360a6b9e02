/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds plug-ins in the folder that the driver linked into the program. Context: main. */
#include "upc/runtime/base/plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>

#include "upc/runtime/base/say.h"

/* Weak: a statically linked program does not contain it, and could not use it. */
#pragma weak dlopen

/* The path of the measurement library; the driver defines it when it links the program. */
extern const char hupc__tool_library[] __attribute__((weak));

void *hupc__plugin_symbol(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

void hupc__plugin_unmeasured(bool begin)
{
	void (*exclude)(int);
	*(void **)&exclude = hupc__plugin_symbol("heddle_measure_exclude_threads");
	if (exclude)
		exclude(begin);
}

/* WHY: the error of the first attempt, whose folder is the more likely one. */
static void *load(const char *library, char *why, size_t size)
{
	const char *slash = hupc__tool_library ? strrchr(hupc__tool_library, '/') : NULL;
	size_t folder = slash ? (size_t)(slash - hupc__tool_library) + 1 : 0;
	char path[PATH_MAX];
	if (!folder || folder + strlen(library) >= sizeof(path))
		folder = 0;
	memcpy(path, hupc__tool_library, folder);
	memcpy(path + folder, library, strlen(library) + 1);
	void *loaded = dlopen(path, RTLD_NOW);
	if (!loaded)
		hupc__format(why, size, "%s", dlerror());
	return loaded || !folder ? loaded : dlopen(library, RTLD_NOW);
}

void *hupc__plugin_find(const char *library, const char *function, char *problem, size_t size)
{
	char why[200] = "it is another library";
	if (!dlopen || !getauxval(AT_BASE)) {
		hupc__format(problem, size,
			"that needs %s, and this program is linked statically; link it without -static", library);
		return NULL;
	}
	void *loaded = load(library, why, sizeof(why));
	void *found = loaded ? dlsym(loaded, function) : NULL;
	if (!found)
		hupc__format(problem, size,
			"that needs %s, which cannot be loaded (%s); build or install Heddle with it, or set "
			"LD_LIBRARY_PATH to its folder",
			library, why);
	return found;
}
