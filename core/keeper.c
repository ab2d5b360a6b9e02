/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heddle's own thread: lets the modules' list follow what is loaded, keeps the clock's rate exact, writes the
 * periodic flush. It sleeps most of the time, with all signals blocked, and is counted under `[heddle]`. When all
 * threads of the program have ended (its main thread left by pthread_exit) it ends too, and with it the process.
 */
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "core/keeper.h"

#include "core/control.h"
#include "core/frontend.h"
#include "core/host.h"
#include "core/log.h"
#include "core/module.h"
#include "core/process.h"
#include "core/settings.h"
#include "core/thread.h"

#define FIRST_NAP_NS 1000000u
#define LONGEST_NAP_NS 20000000u
#define CALIBRATE_NS 100000000u

static _Atomic bool stopping;

static void account_for_itself(void)
{
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_HEDDLE);
	if (thread)
		heddle__thread_begin(thread, heddle__default_stack_size());
}

static void tick_frontends(void)
{
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->tick)
			heddle__frontends[i]->tick();
	}
}

static bool is_wanted(void)
{
	for (unsigned int i = 0; heddle__frontends[i]; i++) {
		if (heddle__frontends[i]->needs_keeper && heddle__frontends[i]->needs_keeper())
			return true;
	}
	return heddle__setting_number(HEDDLE_SETTING_FLUSH_SECONDS) > 0;
}

static void *keep(void *unused)
{
	uint64_t nap = FIRST_NAP_NS, calibrated = heddle__clock_ns(CLOCK_MONOTONIC), flushed = calibrated;
	uint64_t flush_ns = (uint64_t)heddle__setting_number(HEDDLE_SETTING_FLUSH_SECONDS) * 1000000000u;
	prctl(PR_SET_NAME, "heddle");
	account_for_itself();
	while (!atomic_load(&stopping) && !heddle__threads_all_ended()) {
		struct timespec pause = {0, (long)nap};
		nanosleep(&pause, NULL);
		nap = heddle__modules_stale() ? FIRST_NAP_NS : nap * 2 < LONGEST_NAP_NS ? nap * 2 : LONGEST_NAP_NS;
		heddle__modules_refresh();
		tick_frontends();
		uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC);
		if (now - calibrated > CALIBRATE_NS) {
			heddle__clock_calibrate();
			calibrated = now;
		}
		if (flush_ns && now - flushed >= flush_ns) {
			heddle__flush();
			flushed = now;
		}
	}
	return unused;
}

void heddle__keeper_start(void)
{
	pthread_t thread;
	if (!is_wanted())
		return;
	atomic_store(&stopping, false);
	int error = heddle__start_own_thread(&thread, keep);
	if (error)
		heddle__warn("cannot start a thread: %s; new libraries are sampled more slowly", strerror(-error));
	else
		pthread_detach(thread);
}

void heddle__keeper_stop(void)
{
	atomic_store(&stopping, true);
}
