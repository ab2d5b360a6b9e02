/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connects to the launcher by the protocol that the environment names. PMIx needs a library: a plug-in is linked with
 * it, so programs need it only with such a launcher. Context: main.
 */
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/runtime/base/plugin.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/start/launcher.h"

#define PLUGIN "libheddle-upc-pmix.so"
#define PROBLEM_SIZE 400
#define LINE_MS 200 /* for the launcher to print a line before it ends the job */

static const struct hupc__job *open_pmix(char *problem, size_t size)
{
	hupc__job_open_function *open = hupc__plugin_find(PLUGIN, "hupc_job_open", problem, size);
	sigset_t all, before;
	if (!open)
		return NULL;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	hupc__plugin_unmeasured(true);
	const struct hupc__job *job = open(HUPC__JOB_VERSION, problem, size);
	hupc__plugin_unmeasured(false);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return job;
}

/*
 * Replaces PMIx's own function, for an MPI library that shares PMIx with the plug-in. Open MPI 5 initializes PMIx, and
 * gets its rank from that, only if PMIx is not initialized, and fails if it is: the first call after the plug-in has
 * initialized PMIx returns 0, as without the plug-in. PMIx counts its users. Context: any thread.
 */
static atomic_bool only_plugin_uses_pmix;

int PMIx_Initialized(void);
__attribute__((visibility("default"))) int PMIx_Initialized(void)
{
	int (*real)(void) = NULL;
	if (atomic_exchange(&only_plugin_uses_pmix, false))
		return 0;
	*(void **)&real = dlsym(RTLD_NEXT, "PMIx_Initialized");
	return real ? real() : 0;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value;
}

void hupc__job_await_line(void)
{
	usleep(1000 * LINE_MS);
}

void hupc__job_meet(const struct hupc__job *job)
{
	if (job->fence())
		return;
	if (!job->alive())
		_exit(1);
	hupc__say("thread %d: the launcher no longer answers in %s; see its own messages", job->rank, job->name);
	hupc__job_await_line();
	_exit(1);
}

const struct hupc__job *hupc__job_open(void)
{
	const struct hupc__job *job;
	char problem[PROBLEM_SIZE] = "it offers neither PMI-1 nor PMIx; with Slurm, use srun --mpi=pmix or --mpi=pmi2";
	hupc__job_find_mpi();
	if (is_set("PMI_FD"))
		job = hupc__job_open_pmi1(problem, sizeof(problem));
	else if (is_set("PMIX_RANK"))
		job = open_pmix(problem, sizeof(problem)), atomic_store(&only_plugin_uses_pmix, job);
	else
		job = NULL;
	if (!job)
		hupc__say("cannot connect to the launcher: %s", problem);
	return job;
}
