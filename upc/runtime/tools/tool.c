/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs before constructors: calls no function of the C library that needs one. */
#include "upc/runtime/tools/tool.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>

#include "upc/runtime/base/environment.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"

#define LIBRARY "libheddle.so"
#define MEMORY_LIBRARY "libheddle-memory.so"

/* The path of the library of the Heddle that linked the program; the driver defines it when it links. */
extern const char hupc__tool_library[] __attribute__((weak));

static bool is_set(char **environment, const char *name)
{
	const char *value = hupc__environment_value(environment, name);
	return value && *value;
}

/* Finds the file LIBRARY in a list of paths; returns its path's length; 0: not found. */
static size_t find_in_list(const char *list, const char **found)
{
	for (size_t length; *list; list += length + (list[length] != '\0')) {
		length = strcspn(list, ":");
		*found = list;
		if (length > strlen(LIBRARY) && strncmp(list + length - strlen(LIBRARY), LIBRARY, strlen(LIBRARY)) == 0)
			return length;
	}
	return 0;
}

/* Heddle's arguments precede a "--". */
static bool argument_asks(char **argv)
{
	for (char **word = argv[0] ? argv + 1 : argv; *word && strcmp(*word, "--") != 0; word++) {
		if (strncmp(*word, "--heddle-", 9) == 0)
			return true;
	}
	return false;
}

/* Returns true if a variable requests a measurement; other settings only configure it. */
static bool variable_asks(char **environment)
{
	static const char *const names[] = {"HEDDLE_OUTPUT", "HEDDLE_SAMPLE_HZ", "HEDDLE_SAMPLE_EVENT",
		"HEDDLE_METRICS", "HEDDLE_BLAME", "HEDDLE_ACCESSES"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (is_set(environment, names[i]))
			return true;
	}
	return false;
}

/*
 * Writes the path of the library to preload; returns false if no measurement is requested. OpenMP's variables are
 * considered first, as by the OpenMP runtime.
 */
static bool find_library(char *path, size_t size, char **argv, char **environment)
{
	const char *tool = hupc__environment_value(environment, "OMP_TOOL"), *library = NULL;
	const char *list = hupc__environment_value(environment, "OMP_TOOL_LIBRARIES");
	bool enabled = !tool || !*tool || strcasecmp(tool, "enabled") == 0;
	size_t length = list && enabled ? find_in_list(list, &library) : 0;
	bool asked = tool && *tool && enabled && (!list || !*list);
	if (length && *library == '/' && length < size) {
		memcpy(path, library, length);
		path[length] = '\0';
		return true;
	}
	if (!hupc__tool_library || !*hupc__tool_library)
		return false;
	hupc__format(path, size, "%s", hupc__tool_library);
	return asked || length || variable_asks(environment) || argument_asks(argv);
}

static bool can_be_preloaded(const char *path)
{
	if (hupc__system(faccessat, AT_FDCWD, path, R_OK) != 0)
		hupc__say("%s is missing: the program runs unmeasured; link it again with heddle upcc", path);
	else if (strpbrk(path, " :"))
		hupc__say("%s: a blank or colon in the name: the program runs unmeasured; start it with heddle run",
			path);
	else
		return true;
	return false;
}

static void make_preload(struct hupc__tool *tool, const char *path, char **environment)
{
	const char *memory = hupc__environment_value(environment, "HEDDLE_MEMORY");
	const char *before = hupc__environment_value(environment, "LD_PRELOAD");
	int folder = (int)(strlen(path) - strlen(LIBRARY));
	char other[PATH_MAX + sizeof(MEMORY_LIBRARY)] = "";
	if (memory && *memory && strcmp(memory, "0") != 0) {
		memcpy(other, path, (size_t)folder);
		memcpy(other + folder, MEMORY_LIBRARY, sizeof(MEMORY_LIBRARY));
	}
	if (*other && hupc__system(faccessat, AT_FDCWD, other, R_OK) != 0)
		*other = '\0';
	hupc__format(tool->preload_text, sizeof(tool->preload_text), "LD_PRELOAD=%s%s%s%s%s", path, *other ? ":" : "",
		other, before && *before ? ":" : "", before ? before : "");
	tool->preload = tool->preload_text;
}

/* Chooses one directory for all processes, with the name that a single process would choose. */
static void make_output(struct hupc__tool *tool, const char *program, const char *job, char **environment)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(program, '/');
	if (is_set(environment, "HEDDLE_OUTPUT") || hupc__system(getcwd, folder, sizeof(folder)) <= 0)
		return;
	hupc__format(tool->output_text, sizeof(tool->output_text), "HEDDLE_OUTPUT=%s/heddle-%s-%s", folder,
		slash ? slash + 1 : program, job);
	tool->output = tool->output_text;
}

bool hupc__tool_wanted(struct hupc__tool *tool, const char *program, const char *job, char **argv, char **environment)
{
	const char *preloaded = hupc__environment_value(environment, "LD_PRELOAD");
	char path[PATH_MAX];
	tool->preload = tool->output = NULL;
	if ((preloaded && strstr(preloaded, LIBRARY)) || !find_library(path, sizeof(path), argv, environment) ||
		!can_be_preloaded(path))
		return false;
	make_preload(tool, path, environment);
	make_output(tool, program, job, environment);
	return true;
}
