/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers. A waiting thread may have been interrupted anywhere, also while it holds a lock that the
 * ending thread needs. Both give up after some seconds, the ending thread first (take_turn, wait_until_quiet).
 */
#include "core/process/ending.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/patience.h"

#define LONGEST_WAIT_NS 10000000000u
#define CHECK_NS 50000000 /* interval of checks whether the other thread exists */

static _Atomic pid_t ender;   /* the thread that ends measurement; 0: none */
static _Atomic uint32_t done; /* a futex */

bool heddle__end_begin(void)
{
	pid_t nobody = 0;
	if (atomic_compare_exchange_strong(&ender, &nobody, gettid()))
		return true;
	heddle__end_await();
	return false;
}

void heddle__end_done(void)
{
	atomic_store(&done, 1);
	syscall(SYS_futex, &done, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

bool heddle__end_has_begun(void)
{
	return atomic_load(&ender);
}

bool heddle__end_in_progress(void)
{
	return atomic_load(&ender) && !atomic_load(&done);
}

void heddle__end_await(void)
{
	pid_t other = atomic_load(&ender);
	if (!heddle__end_in_progress() || other == gettid())
		return;
	struct heddle_patience patience;
	heddle__patience_renew(&patience);
	while (!atomic_load(&done) && !syscall(SYS_tgkill, getpid(), other, 0) &&
		heddle__patience_lasts(&patience, LONGEST_WAIT_NS)) {
		struct timespec pause = {0, CHECK_NS};
		syscall(SYS_futex, &done, FUTEX_WAIT_PRIVATE, 0, &pause, NULL, 0);
	}
}

void heddle__end_after_fork(void)
{
	atomic_store(&ender, 0);
	atomic_store(&done, 0);
}
