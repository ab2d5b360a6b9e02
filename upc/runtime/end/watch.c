/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/end/watch.h"

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/job.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/end/leave.h"

#define WATCH_MS (HUPC__NAP_MS - 50)

/* Records a process that has ended. It was lost if its last state was not that it ends. */
static void note_lost(int thread)
{
	struct hupc__thread_control *it = &hupc__control->thread[thread];
	if (atomic_load(&it->gone))
		return;
	if (atomic_load(&it->state) != HUPC__FINISHED)
		atomic_store(&it->status, HUPC__LOST);
	atomic_store(&it->gone, 1);
	atomic_fetch_add(&hupc__control->ended, 1);
}

static void check_others(void)
{
	static _Atomic uint64_t last;
	uint64_t now = hupc__now_ms(), before = atomic_load_explicit(&last, memory_order_relaxed);
	int saved = errno;
	if (now - before < WATCH_MS || !atomic_compare_exchange_strong(&last, &before, now))
		return;
	for (int t = 0; t < hupc__threads; t++) {
		if (t != hupc__mythread && hupc__has_vanished(t))
			note_lost(t);
	}
	if (!hupc__job->alive() && hupc__ask_to_end(1)) {
		hupc__say("the launcher has ended before the program");
		hupc__leave(true, 1);
	}
	errno = saved;
}

void hupc__end_if_lost(const char *what)
{
	struct hupc__site nowhere = {.file = NULL};
	for (int t = 0; t < hupc__threads; t++) {
		if (atomic_load(&hupc__control->thread[t].gone) &&
			atomic_load(&hupc__control->thread[t].status) == HUPC__LOST)
			hupc__fatal(&nowhere, "%s waits for thread %d, which has ended: it was killed, or called _exit",
				what, t);
	}
}

void hupc__watch(void)
{
	if (hupc__watcher)
		check_others();
}

void hupc__watch_begin(void)
{
	static const struct hupc__watcher watcher = {check_others, hupc__end_if_lost};
	hupc__watcher = &watcher;
}
