/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/base/job.h"

#include "upc/runtime/base/plugin.h"

const struct hupc__job *hupc__job;

/* Functions of an MPI library in the process. */
static int (*is_initialized)(int *), (*is_finalized)(int *);

void hupc__job_find_mpi(void)
{
	*(void **)&is_initialized = hupc__plugin_symbol("MPI_Initialized");
	*(void **)&is_finalized = hupc__plugin_symbol("MPI_Finalized");
}

bool hupc__job_had_mpi(void)
{
	int initialized = 0;
	if (is_initialized)
		is_initialized(&initialized);
	return initialized;
}

bool hupc__job_has_mpi(void)
{
	int initialized = 0, finalized = 0;
	if (!is_initialized || !is_finalized)
		return false;
	is_initialized(&initialized);
	is_finalized(&finalized);
	return initialized && !finalized;
}
