/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/end/lost.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/job.h"
#include "upc/runtime/base/plugin.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/starved.h"
#include "upc/runtime/end/others.h"

#define LOSS_MS 1500 /* before a lost connection is reported: the other thread may end this one first */
#define OTHER_MS 400 /* more for the higher of two that lost each other: the lower one's line ends the job by then */
#define STEP_MS 50   /* in which one of these is waited for; does not count if this process had no processor */
#define LINE_MS 200  /* for the launcher to print the line before it ends the job */

/* A thread that was lost or has sent an invalid message, and the reason. */
static struct {
	int thread;
	bool broken;
	char why[100];
} loss;

/*
 * The thread that ends the program may have ended the lost thread before this one, so it gets the time to print its
 * message. If several threads lose the same thread, the one with the lowest number reports it first.
 */
static int grace_ms(void)
{
	int ms = LOSS_MS + (hupc__mythread < 500 ? hupc__mythread : 500);
	return loss.thread < hupc__mythread ? ms + OTHER_MS : ms;
}

/* Waits for that long, or until the program ends. */
static void wait_for_end(int ms)
{
	uint64_t cpu_ns = 0;
	while (ms > 0 && !hupc__network_expects_end()) {
		int step_ms = ms < STEP_MS ? ms : STEP_MS;
		usleep(1000 * (useconds_t)step_ms);
		if (!hupc__is_starved(getpid(), step_ms, &cpu_ns))
			ms -= step_ms;
	}
}

static void *report_loss(void *unused)
{
	bool first;
	if (!loss.broken)
		wait_for_end(grace_ms());
	if (hupc__network_expects_end())
		return unused;
	first = hupc__ask_to_end(1);
	if (first && loss.broken)
		hupc__say("thread %d: thread %d sent a message that is not part of this program (%s); is its memory "
			  "overwritten, or is it another program?",
			hupc__mythread, loss.thread, loss.why);
	else if (first)
		hupc__say("thread %d: lost thread %d, which was killed or can no longer be reached (%s)",
			hupc__mythread, loss.thread, loss.why);
	/* A broken thread is no lost one: the others learn that this one ends, or would report that they lost it. */
	if (first && loss.broken)
		hupc__network_end_others(1);
	hupc__network_expect_end();
	usleep(1000 * LINE_MS);
	hupc__job->abort(1, loss.broken ? "a thread is broken" : "a thread was lost");
	kill(getpid(), HUPC__END_SIGNAL);
	return unused;
}

/* Starts the end of the job; does not wait. */
static void give_up_on(int thread, bool broken, const char *why)
{
	static bool once;
	sigset_t all, before;
	pthread_t reporter;
	if (hupc__network_expects_end() || once)
		return;
	once = true;
	loss.thread = thread;
	loss.broken = broken;
	hupc__format(loss.why, sizeof(loss.why), "%s", why);
	hupc__plugin_unmeasured(true);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&reporter, NULL, report_loss, NULL) == 0)
		pthread_detach(reporter);
	else
		report_loss(NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	hupc__plugin_unmeasured(false);
}

void hupc__report_lost(int thread, const char *why)
{
	give_up_on(thread, false, why);
}

void hupc__report_broken(int thread, const char *why)
{
	give_up_on(thread, true, why);
}
