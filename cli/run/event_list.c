/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of --inst-only and checks its names. The compiler commands use the events. */
#include "cli/run/event_list.h"

#include "profile/base/regular_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of include/heddle/gasp_c.h and gasp_upc.h (a test compares), and those of other compilers. */
static const char *const c_names[] = {"FUNC", "MALLOC", "REALLOC", "FREE"};
static const char *const upc_names[] = {"COLLECTIVE_EXIT", "NONCOLLECTIVE_EXIT", "NOTIFY", "WAIT", "BARRIER", "FENCE",
	"FORALL", "GLOBAL_ALLOC", "ALL_ALLOC", "ALLOC", "FREE", "GLOBAL_LOCK_ALLOC", "ALL_LOCK_ALLOC", "LOCK_FREE",
	"LOCK", "LOCK_ATTEMPT", "UNLOCK", "MEMCPY", "MEMGET", "MEMPUT", "MEMSET", "GET", "PUT", "NB_GET_INIT",
	"NB_GET_DATA", "NB_PUT_INIT", "NB_PUT_DATA", "NB_SYNC", "CACHE_MISS", "CACHE_HIT", "CACHE_INVALIDATE",
	"ALL_BROADCAST", "ALL_SCATTER", "ALL_GATHER", "ALL_GATHER_ALL", "ALL_EXCHANGE", "ALL_PERMUTE", "ALL_REDUCE",
	"ALL_PREFIX_REDUCE"};
static const char *const whole_names[] = {"GASP_COLLECTIVE_EXIT", "GASP_NONCOLLECTIVE_EXIT", "GASP_HUPC_STATIC_SHARED",
	"GASP_BUPC_NB_TRYSYNC", "GASP_BUPC_NB_MEMGET_INIT", "GASP_BUPC_NB_MEMPUT_INIT", "GASP_BUPC_NB_MEMCPY_INIT",
	"GASP_BUPC_STATIC_SHARED"};
#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

static bool is_one_of(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

bool heddle__event_is_known(const char *name)
{
	if (strncmp(name, "ompt_", 5) == 0)
		return true;
	if (strncmp(name, "GASP_C_", 7) == 0)
		return is_one_of(c_names, COUNT(c_names), name + 7);
	if (strncmp(name, "GASP_UPC_", 9) == 0)
		return is_one_of(upc_names, COUNT(upc_names), name + 9);
	return is_one_of(whole_names, COUNT(whole_names), name);
}

int heddle__event_list_read(const char *command, const char *path, struct heddle_event_list *list)
{
	static const char blanks[] = " \t\r\n";
	FILE *file = profile_open_stream(path);
	char *line = NULL, *rest;
	size_t size = 0;
	int error;
	if (!file)
		return -errno;
	errno = 0;
	while (getline(&line, &size, file) >= 0) {
		line[strcspn(line, "#")] = '\0';
		for (char *name = strtok_r(line, blanks, &rest); name; name = strtok_r(NULL, blanks, &rest)) {
			list->functions |= strcmp(name, "GASP_C_FUNC") == 0;
			if (!heddle__event_is_known(name))
				fprintf(stderr, "heddle: %s: %s: no event is named '%s'; see: man heddle-%s\n", command,
					path, name, command);
		}
	}
	error = ferror(file) ? -errno : 0;
	free(line);
	fclose(file);
	return error;
}
