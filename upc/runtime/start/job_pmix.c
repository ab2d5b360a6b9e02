/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of PMIx, for Open MPI's mpirun and for Slurm: the plug-in libheddle-upc-pmix.so. PMIx counts its users in a
 * process, so an MPI library may use it, too.
 */
#include <linux/futex.h>
#include <pmix.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "upc/runtime/start/launcher.h"

#define PATIENCE_S 2

static pmix_proc_t self;
static struct hupc__job job;

static bool put(const char *key, const char *value)
{
	char name[64], copy[256];
	pmix_value_t it = {.type = PMIX_STRING};
	snprintf(name, sizeof(name), "hupc-%s", key);
	snprintf(copy, sizeof(copy), "%s", value);
	it.data.string = copy;
	return PMIx_Put(PMIX_GLOBAL, name, &it) == PMIX_SUCCESS;
}

static bool fence(void)
{
	pmix_info_t collect;
	bool yes = true;
	PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
	bool good = PMIx_Commit() == PMIX_SUCCESS && PMIx_Fence(NULL, 0, &collect, 1) == PMIX_SUCCESS;
	PMIX_INFO_DESTRUCT(&collect);
	return good;
}

static bool get(int rank, const char *key, char *value, size_t size)
{
	char name[64];
	pmix_proc_t proc;
	pmix_value_t *it = NULL;
	bool found = false;
	snprintf(name, sizeof(name), "hupc-%s", key);
	PMIX_LOAD_PROCID(&proc, self.nspace, (pmix_rank_t)rank);
	if (PMIx_Get(&proc, name, NULL, 0, &it) != PMIX_SUCCESS || !it)
		return false;
	if (it->type == PMIX_STRING && it->data.string)
		found = snprintf(value, size, "%s", it->data.string) < (int)size;
	PMIX_VALUE_RELEASE(it);
	return found;
}

/* A signal handler must not call PMIx. A thread that sleeps until the end calls it instead. */
enum last_word { NOTHING, FINALIZE, ABORT };
static _Atomic uint32_t wanted, done;
static int abort_status;

static void sleep_on(_Atomic uint32_t *word, const struct timespec *limit)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, limit, NULL, 0);
}

static void set(_Atomic uint32_t *word, uint32_t value)
{
	atomic_store(word, value);
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *speak_last(void *unused)
{
	while (!atomic_load(&wanted))
		sleep_on(&wanted, NULL);
	if (atomic_load(&wanted) == FINALIZE)
		PMIx_Finalize(NULL, 0);
	else
		PMIx_Abort(abort_status, NULL, NULL, 0);
	set(&done, 1);
	return unused;
}

static void say_last(enum last_word word)
{
	struct timespec limit = {PATIENCE_S, 0};
	set(&wanted, word);
	if (!atomic_load(&done))
		sleep_on(&done, &limit);
}

static void finalize(void)
{
	say_last(FINALIZE);
}

static void end_all(int status, const char *why)
{
	(void)why;
	abort_status = status;
	say_last(ABORT);
}

/* The launcher has ended, so nothing else can end this process. */
static atomic_bool lost;

static bool alive(void)
{
	return !atomic_load(&lost);
}

/* Registered for all events, because PMIx does not report this event to a handler for it alone. */
static void on_event(size_t registration, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[],
	size_t infos, pmix_info_t results[], size_t result_count, pmix_event_notification_cbfunc_fn_t complete,
	void *complete_data)
{
	(void)registration, (void)source, (void)info, (void)infos, (void)results, (void)result_count;
	if (status == PMIX_ERR_LOST_CONNECTION) {
		atomic_store(&lost, true);
		kill(getpid(), SIGTERM);
	}
	if (complete)
		complete(PMIX_EVENT_NO_ACTION_TAKEN, NULL, 0, NULL, NULL, complete_data);
}

static int size_of_job(void)
{
	pmix_proc_t all;
	pmix_value_t *it = NULL;
	int size = 0;
	PMIX_LOAD_PROCID(&all, self.nspace, PMIX_RANK_WILDCARD);
	if (PMIx_Get(&all, PMIX_JOB_SIZE, NULL, 0, &it) != PMIX_SUCCESS || !it)
		return 0;
	if (it->type == PMIX_UINT32)
		size = (int)it->data.uint32;
	PMIX_VALUE_RELEASE(it);
	return size;
}

static bool start_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	bool good = pthread_create(&thread, &attributes, speak_last, NULL) == 0;
	pthread_attr_destroy(&attributes);
	return good;
}

__attribute__((visibility("default"))) const struct hupc__job *hupc_job_open(
	uint32_t version, char *problem, size_t problem_size)
{
	if (version != HUPC__JOB_VERSION) {
		snprintf(problem, problem_size, "libheddle-upc-pmix.so is of another version; link the program again");
		return NULL;
	}
	pmix_status_t status = PMIx_Init(&self, NULL, 0);
	if (status != PMIX_SUCCESS) {
		snprintf(problem, problem_size, "PMIx_Init failed: %s", PMIx_Error_string(status));
		return NULL;
	}
	job = (struct hupc__job){
		HUPC__JOB_VERSION, "PMIx", (int)self.rank, size_of_job(), put, fence, get, finalize, end_all, alive};
	if (job.size > 0 && start_thread()) {
		PMIx_Register_event_handler(NULL, 0, NULL, 0, on_event, NULL, NULL);
		return &job;
	}
	snprintf(problem, problem_size, "PMIx does not report the number of processes, or no thread can be made");
	PMIx_Finalize(NULL, 0);
	return NULL;
}
