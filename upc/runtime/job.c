/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells from the environment whether a launcher started this process. Runs before constructors: no function of the C
 * library that needs one.
 */
#include "upc/runtime/job.h"

#include "upc/runtime/options.h"

/*
 * Numbers of a process, as launchers give them. Open MPI and Slurm set theirs beside PMIx's, which has no size. Slurm's
 * are those of a step, which only srun sets.
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
		int number = hupc__options_number(environment, variables[i].rank);
		int count = hupc__options_number(environment, variables[i].size);
		if (!hupc__environment_value(environment, variables[i].needed) || number < 0 || count <= number)
			continue;
		*rank = number;
		*size = count;
		return true;
	}
	*rank = hupc__environment_value(environment, "PMIX_NAMESPACE") ? hupc__options_number(environment, "PMIX_RANK")
								       : -1;
	*size = 0;
	return *rank >= 0;
}
