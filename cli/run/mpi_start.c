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

static bool lists(const char *models, const char *model)
{
	for (const char *at = models; *at != '\0'; at += strspn(at, ",")) {
		size_t length = strcspn(at, ",");
		if (length == strlen(model) && strncmp(at, model, length) == 0)
			return true;
		at += length;
	}
	return false;
}

/* Whether the user says so: 1 or 0; -1: nothing. */
static int is_asked_for(const char *model)
{
	const char *models = getenv("HEDDLE_MODELS");
	return models && *models != '\0' ? lists(models, model) : -1;
}

bool heddle__mpi_is_likely(const struct heddle_program *program, bool launched)
{
	int asked = is_asked_for("mpi");
	return asked >= 0 ? asked : program->needs_mpi || launched || is_launcher(program->path);
}

bool heddle__shmem_is_likely(const struct heddle_program *program, bool launched)
{
	int asked = is_asked_for("shmem");
	if (is_asked_for("mpi") == 1 && program->needs_shmem)
		return true; /* for which calls of MPI are the library's */
	bool loads_later = (launched && !program->needs_mpi) || is_launcher(program->path);
	return asked >= 0 ? asked : program->needs_shmem || loads_later;
}
