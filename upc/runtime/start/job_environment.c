/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Determines from the environment whether a launcher started this process. Runs before constructors: calls no function
 * of the C library that needs one.
 */
#include "upc/runtime/base/environment.h"
#include "upc/runtime/start/launcher.h"

#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"

/*
 * The variables in which launchers pass rank and size. Open MPI and Slurm set their own in addition to PMIx's, which
 * have no size. Slurm's are those of a step, which only srun sets.
 */
static const struct {
	const char *needed, *rank, *size;
} variables[] = {
	{"PMI_FD", "PMI_RANK", "PMI_SIZE"},
	{"PMIX_NAMESPACE", "PMIX_RANK", "OMPI_COMM_WORLD_SIZE"},
	{"PMIX_NAMESPACE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
	{"SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

bool hupc__job_is_rank(char **environment, int *rank, int *size)
{
	*rank = 0;
	*size = 1;
	if (hupc__environment_value(environment, HUPC__JOB_TAKEN))
		return false;
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		int number = hupc__environment_number(environment, variables[i].rank);
		int count = hupc__environment_number(environment, variables[i].size);
		if (!hupc__environment_value(environment, variables[i].needed) || number < 0 || count <= number)
			continue;
		*rank = number;
		*size = count;
		return true;
	}
	*rank = hupc__environment_value(environment, "PMIX_NAMESPACE")
			? hupc__environment_number(environment, "PMIX_RANK")
			: -1;
	*size = 0;
	return *rank >= 0;
}

static bool is_step_of_slurm(char **environment, int rank, int size)
{
	return hupc__environment_value(environment, "SLURM_JOB_ID") &&
	       hupc__environment_value(environment, "SLURM_STEP_ID") &&
	       hupc__environment_number(environment, "SLURM_PROCID") == rank &&
	       hupc__environment_number(environment, "SLURM_STEP_NUM_TASKS") == size;
}

void hupc__job_name(char **environment, int rank, int size, char *name, size_t name_size)
{
	const char *space = hupc__environment_value(environment, "PMIX_NAMESPACE");
	if (space && *space)
		hupc__format(name, name_size, "%s", space);
	else if (is_step_of_slurm(environment, rank, size))
		hupc__format(name, name_size, "%s.%s", hupc__environment_value(environment, "SLURM_JOB_ID"),
			hupc__environment_value(environment, "SLURM_STEP_ID"));
	else
		hupc__format(name, name_size, "%d", (int)hupc__system(getppid, 0));
	for (; *name; name++) {
		if (*name == '/')
			*name = '_';
	}
}
