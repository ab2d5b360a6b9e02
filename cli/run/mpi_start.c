/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. A launcher is recognized by its name, or by that of the file to which a link leads. */
#include "cli/run/mpi_start.h"

#include "cli/run/launch_words.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool is_launcher(const char *path)
{
	char target[PATH_MAX];
	return heddle__is_launcher_name(path) || (realpath(path, target) && heddle__is_launcher_name(target));
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

/* Whether the user's list of models has this one: 1 or 0; -1: there is no list. */
static int is_asked_for(const char *model)
{
	const char *models = getenv("HEDDLE_MODELS");
	return models && *models != '\0' ? lists(models, model) : -1;
}

static const char *const models[] = {
#define X(key, library, model, label, pattern) [HEDDLE_WRAPPED_##key] = model,
	HEDDLE_WRAPPED(X)
#undef X
};

static bool may_be_loaded_later(const struct heddle_program *program, enum heddle_wrapped which, bool launched)
{
	if (which == HEDDLE_WRAPPED_MPI)
		return launched || is_launcher(program->path);
	if (which == HEDDLE_WRAPPED_SHMEM)
		return (launched && !program->needs_wrapped[HEDDLE_WRAPPED_MPI]) || is_launcher(program->path);
	return false;
}

bool heddle__wrapped_is_likely(const struct heddle_program *program, enum heddle_wrapped which, bool launched)
{
	int asked = is_asked_for(models[which]);
	bool needed = program->needs_wrapped[which];
	if (which == HEDDLE_WRAPPED_SHMEM && needed && is_asked_for("mpi") == 1)
		return true; /* to find out which calls of MPI are made by the OpenSHMEM library */
	return asked >= 0 ? asked : needed || may_be_loaded_later(program, which, launched);
}
