/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. A launcher is known by its name, or by that of the file which a link leads to. */
#include "cli/run/mpi_start.h"

#include "format/pattern.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const launchers[] = {"mpirun{,.*,_rsh,-*}", "mpiexec{,.*,-*}", "orterun", "prterun{,-*}", "prun",
	"oshrun{,.*}", "shmemrun", "srun", "aprun", "jsrun", "ibrun"};

static bool is_launcher_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof(launchers) / sizeof(*launchers); i++)
		if (heddle__pattern_matches(launchers[i], name))
			return true;
	return false;
}

static bool is_launcher(const char *path)
{
	char target[PATH_MAX];
	return is_launcher_name(path) || (realpath(path, target) && is_launcher_name(target));
}

static bool lists_mpi(const char *models)
{
	for (const char *at = models; *at != '\0'; at += strspn(at, ",")) {
		size_t length = strcspn(at, ",");
		if (length == 3 && strncmp(at, "mpi", 3) == 0)
			return true;
		at += length;
	}
	return false;
}

bool heddle__mpi_is_likely(const struct heddle_program *program, bool launched)
{
	const char *models = getenv("HEDDLE_MODELS");
	if (models && *models != '\0')
		return lists_mpi(models);
	return program->needs_mpi || launched || is_launcher(program->path);
}
