/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A runtime calls the first ompt_start_tool in the process: the program's, if the executable has one, else that of this
 * library, when it is preloaded. If that declines, it calls those of the libraries in OMP_TOOL_LIBRARIES; `heddle run`
 * appends this library to the list. The program keeps the tool that it would have without Heddle.
 */
#include "models/ompt/ompt_other_tools.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/notes.h"
#include "core/base/settings.h"
#include "format/ids.h"

#define LIBRARY "libheddle.so"

/* Why OpenMP is not measured, unless a runtime is measured later; "": unknown. */
static char reason[640];
static _Atomic bool measured;

static bool is_enabled(void)
{
	const char *tool = getenv("OMP_TOOL");
	return heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp") && !(tool && strcasecmp(tool, "disabled") == 0);
}

/* The library or executable that contains an address. */
struct origin {
	const char *path;
	const void *base; /* NULL: unknown */
};

static struct origin origin_of(const void *address)
{
	Dl_info info;
	if (!address || !dladdr(address, &info) || !info.dli_fname)
		return (struct origin){0};
	return (struct origin){info.dli_fname, info.dli_fbase};
}

static void note_tool_in(struct origin origin)
{
	snprintf(reason, sizeof(reason),
		HEDDLE_NOTE_OTHER_TOOL " (in %.400s); run the program without it to measure OpenMP",
		origin.path ? origin.path : "an unknown file");
}

/*
 * Returns the origin of the first definition in the process. (In this file, a function's address would also be that of
 * the first one.)
 */
static struct origin first_origin(const char *name)
{
	return origin_of(dlsym(RTLD_DEFAULT, name));
}

static bool is_own(struct origin origin)
{
	return origin.base == origin_of(reason).base;
}

/* Notes the tool that takes precedence over this one. An ompt_start_tool in the runtime itself is not a tool. */
static void find_tool(const char *name)
{
	struct origin tool = first_origin(name), runtime = first_origin("omp_get_max_threads");
	if (tool.base && runtime.base && tool.base != runtime.base && !is_own(tool))
		note_tool_in(tool);
}

/*
 * True if the library of `function` defines ompt_start_tool, as a runtime with a tool interface does, for use without a
 * tool.
 */
static bool asks_for_tools(const void *function)
{
	struct origin runtime = origin_of(function);
	void *library = runtime.path ? dlopen(runtime.path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	bool asks = library && origin_of(dlsym(library, "ompt_start_tool")).base == runtime.base;
	if (library)
		dlclose(library);
	return asks;
}

void heddle__ompt_find_other_tools(void)
{
	if (!is_enabled())
		return;
	find_tool("ompt_tool");
	find_tool("ompt_start_tool");
	const void *gomp = dlsym(RTLD_DEFAULT, "GOMP_parallel");
	if (gomp && !dlsym(RTLD_DEFAULT, "__kmpc_fork_call") && !asks_for_tools(gomp))
		snprintf(reason, sizeof(reason),
			"OpenMP context is missing: GCC's OpenMP runtime (libgomp) offers no tool interface; add "
			"--openmp-runtime llvm to run the program on LLVM's");
}

/* ---- when a runtime calls ompt_start_tool ---- */

typedef ompt_start_tool_result_t *(*start_tool_t)(unsigned int, const char *);

static bool is_this_library(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strcmp(slash ? slash + 1 : path, LIBRARY) == 0;
}

/* Calls the tools that precede this one in the list. */
static ompt_start_tool_result_t *ask_list(char *list, unsigned int omp_version, const char *runtime_version)
{
	ompt_start_tool_result_t *result = NULL;
	for (char *state, *path = strtok_r(list, ":", &state); path && !result && !is_this_library(path);
		path = strtok_r(NULL, ":", &state)) {
		void *library = dlopen(path, RTLD_LAZY);
		start_tool_t start = library ? (start_tool_t)dlsym(library, "ompt_start_tool") : NULL;
		result = start ? start(omp_version, runtime_version) : NULL;
	}
	return result;
}

ompt_start_tool_result_t *heddle__ompt_ask_other_tools(unsigned int omp_version, const char *runtime_version)
{
	const char *value = getenv("OMP_TOOL_LIBRARIES");
	if (!is_own(first_origin("ompt_start_tool")))
		return NULL; /* this library is in the list: the runtime has called those before it */
	start_tool_t next = (start_tool_t)dlsym(RTLD_NEXT, "ompt_start_tool");
	ompt_start_tool_result_t *result = next ? next(omp_version, runtime_version) : NULL;
	char *list = !result && value ? strdup(value) : NULL;
	if (list)
		result = ask_list(list, omp_version, runtime_version);
	free(list);
	if (result)
		note_tool_in(origin_of((const void *)result->initialize));
	return result;
}

void heddle__ompt_is_measured(void)
{
	atomic_store(&measured, true);
}

void heddle__ompt_note_unmeasured(void)
{
	if (*reason && !atomic_load(&measured))
		heddle__note(reason);
}
