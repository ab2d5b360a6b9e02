/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "cli/run/annotations_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Variables by which programs find a tool, and the tool's name in messages. */
static const struct {
	const char *variable, *of;
} variables[] = {
	{"KOKKOS_TOOLS_LIBS", "Kokkos"},
	{"NVTX_INJECTION64_PATH", "NVTX"},
	{"INTEL_LIBITTNOTIFY64", "ITT"},
};

/* Only old Kokkos libraries read it. Newer ones warn about it, so it is not set for them. */
static const char old_kokkos[] = "KOKKOS_PROFILE_LIBRARY";

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);
	return value && *value != '\0';
}

bool heddle__annotations_are_wanted(void)
{
	const char *models = getenv("HEDDLE_MODELS");
	for (const char *at = models; at && *at != '\0'; at += strspn(at, ",")) {
		size_t length = strcspn(at, ",");
		if (length == strlen("annotations") && strncmp(at, "annotations", length) == 0)
			return true;
		at += length;
	}
	return !models || *models == '\0';
}

void heddle__annotations_offer(const struct heddle_program *program, const char *library)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		if (!is_set(variables[i].variable))
			setenv(variables[i].variable, library, 1);
	if (program->old_kokkos && !is_set(old_kokkos))
		setenv(old_kokkos, library, 1);
}

static void warn(const char *variable, const char *of)
{
	fprintf(stderr, "heddle: %s names another tool: %s's annotations go there and are not measured\n", variable,
		of);
}

void heddle__annotations_warn(const struct heddle_program *program)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *variable = variables[i].variable;
		bool asks = is_set(variable) && heddle__file_mentions(program->path, variable);
		if (asks || (i == 0 && is_set(variable) && program->needs_kokkos && !program->old_kokkos))
			warn(variable, variables[i].of);
	}
	if (program->old_kokkos && is_set(old_kokkos))
		warn(old_kokkos, "Kokkos");
}
