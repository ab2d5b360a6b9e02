/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. Async-signal-safe. */
#include "upc/runtime/end/leave.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/job.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/others.h"

#define PATIENCE_MS 4000 /* to wait for other processes of the node to end */
#define STEP_MS 2

bool hupc__has_vanished(int thread)
{
	int pid = atomic_load(&hupc__control->thread[thread].pid);
	struct pollfd process = {.fd = pid > 0 ? (int)hupc__system(pidfd_open, pid, 0) : -1, .events = POLLIN};
	if (pid <= 0 || process.fd < 0)
		return pid > 0 && hupc__system(kill, pid, 0) != 0 && errno == ESRCH;
	bool ended = poll(&process, 1, 0) == 1;
	hupc__system(close, process.fd);
	return ended;
}

/* Returns true if that process is of this node and has not ended. */
static bool lives(int thread)
{
	return thread != hupc__mythread && hupc__is_mapped_thread(thread) && !hupc__has_vanished(thread);
}

/*
 * Returns true if THREAD must end before this process, because launchers kill all others as soon as one has failed:
 * threads that succeed or have a higher number. The others have at least notified the launcher.
 */
static bool ends_before(int thread, int status)
{
	const struct hupc__thread_control *it = &hupc__control->thread[thread];
	return !status || !atomic_load(&it->status) || thread > hupc__mythread ||
	       atomic_load(&it->state) != HUPC__FINISHED;
}

/* Waits until the processes of this node that must end first have ended. */
static void let_others_go(int status)
{
	struct timespec step = {0, STEP_MS * 1000000L};
	for (int t = 0, waited = 0; t < hupc__threads && waited < PATIENCE_MS; t++) {
		while (lives(t) && ends_before(t, status) && waited < PATIENCE_MS) {
			hupc__system(nanosleep, &step, NULL);
			waited += STEP_MS;
		}
	}
}

void hupc__leave_together(int status)
{
	if (hupc__job)
		hupc__job->finalize();
	atomic_store(&hupc__me()->state, HUPC__FINISHED);
	if (hupc__job && status)
		let_others_go(status);
}

static void notify_others(void)
{
	for (int t = 0; t < hupc__threads; t++) {
		int pid = atomic_load(&hupc__control->thread[t].pid);
		if (t != hupc__mythread && pid > 0) {
			hupc__system(kill, pid, HUPC__END_SIGNAL);
			hupc__system(kill, pid, SIGCONT);
		}
	}
}

/* While MPI is open, the launcher must end the others: it would report ranks that end by themselves. */
_Noreturn static void leave_by_launcher(bool first, int status)
{
	struct timespec patience = {first ? 0 : PATIENCE_MS / 1000, first ? 100000000 : 0};
	hupc__system(nanosleep, &patience, NULL);
	hupc__job->abort(status, "upc_global_exit");
	_exit(status);
}

/* This process ends anyway, so the launcher may kill it. */
static void obey_launcher(void)
{
	struct sigaction normal = {.sa_handler = SIG_DFL};
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaction(SIGTERM, &normal, NULL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void hupc__leave(bool first, int status)
{
	if (!hupc__watcher)
		_exit(status);
	obey_launcher();
	if (first) {
		hupc__network_end_others(status);
		notify_others();
	}
	if (hupc__job_has_mpi())
		leave_by_launcher(first, status);
	hupc__job->finalize();
	atomic_store(&hupc__me()->state, HUPC__FINISHED);
	if (first)
		let_others_go(0);
	_exit(first ? status : 0);
}
