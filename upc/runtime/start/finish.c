/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that returns from main or calls exit runs its exit handlers, then waits for all others, because shared data
 * must exist until the program ends. A thread that must end because another one requests it gets a signal from the
 * monitor.
 */
#include "upc/runtime/start/finish.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "upc/runtime/base/job.h"
#include "upc/runtime/base/library.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/ending.h"
#include "upc/runtime/end/leave.h"
#include "upc/runtime/end/others.h"
#include "upc/runtime/end/watch.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/events/site.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/barrier.h"
#include "upc/runtime/sync/lock.h"

static pid_t owner; /* the pid of the thread process: children that the program forks end for themselves */

static bool all_have_ended(void)
{
	for (int t = 0; t < hupc__threads; t++) {
		if (!hupc__has_ended(t))
			return false;
	}
	return true;
}

static void wait_for_others(void)
{
	_Atomic uint32_t *ended = &hupc__control->ended;

	for (;;) {
		uint32_t seen = atomic_load(ended);
		if (all_have_ended())
			return;
		hupc__sleep(ended, seen);
	}
}

/* Wakes threads that may wait for this one, so that they check whether it has ended. */
static void wake_others(void)
{
	atomic_fetch_add(&hupc__control->ended, 1);
	hupc__futex_wake(&hupc__control->ended, INT_MAX);
	hupc__futex_wake(&hupc__control->barrier.generation, INT_MAX);
}

/*
 * Waits for the threads of all nodes. A thread that is lost before all have arrived is reported; a thread that has
 * arrived closes its connections with a message.
 */
static void finish_on_network(const struct hupc__site *site, int status)
{
	hupc__network_orphan_locks(status);
	hupc__meet(site, HUPC__END, (uint64_t)status & 0xff);
	hupc__network_expect_end();
}

static void finish(int status, void *unused)
{
	struct hupc__site site = {.file = NULL};
	(void)unused;
	if (getpid() != owner)
		return;
	site.events = hupc__gasp_here();
	fflush(NULL);
	hupc__event(&site, GASP_UPC_COLLECTIVE_EXIT, GASP_START, status);
	atomic_store(&hupc__me()->status, status & 0xff);
	atomic_store(&hupc__me()->state, HUPC__FINISHING);
	if (hupc__network) {
		finish_on_network(&site, status);
	} else {
		wake_others();
		wait_for_others();
	}
	uint32_t ending = atomic_load(&hupc__control->ending);
	if (ending) /* the end was requested, not reached by all threads */
		hupc__leave(false, (int)(ending & 0xff));
	if (hupc__watcher)
		hupc__end_if_lost("the end of the program");
	hupc__event(&site, GASP_UPC_COLLECTIVE_EXIT, GASP_END, status);
	if (hupc__network)
		hupc__network->close();
	hupc__leave_together(status & 0xff);
}

void upc_global_exit(int status)
{
	struct hupc__site site = hupc__site_take();
	if (!site.events)
		site.events = hupc__gasp_here();
	hupc__event(&site, GASP_UPC_NONCOLLECTIVE_EXIT, GASP_ATOMIC, status);
	hupc__speak_undisturbed();
	bool first = hupc__ask_to_end(status);
	fflush(NULL);
	hupc__leave(first, status);
}

static void end_now(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	hupc__flush_in_signal(hupc__interrupted(context));
	hupc__leave(false, (int)(atomic_load(&hupc__control->ending) & 0xff));
}

/* A rank blocks the end signal from its start on (ranks.c). From here on, it handles requests to end. */
static void unblock(void)
{
	sigset_t end;
	if (!hupc__job)
		return;
	sigemptyset(&end);
	sigaddset(&end, HUPC__END_SIGNAL);
	pthread_sigmask(SIG_UNBLOCK, &end, NULL);
}

void hupc__finish_prepare(void)
{
	struct sigaction action = {.sa_sigaction = end_now, .sa_flags = SA_SIGINFO};
	owner = getpid();
	hupc__ending_prepare();
	sigfillset(&action.sa_mask);
	if (hupc__threads > 1)
		sigaction(HUPC__END_SIGNAL, &action, NULL);
	unblock();
	on_exit(finish, NULL);
}
