/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps the older calls that set a signal's action or the mask: signal and its variants, those of System V and of BSD.
 * The C library's functions would bypass Heddle's sigaction and pthread_sigmask, on which these are built.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/host/host_functions.h"

static _Atomic uint64_t interrupting; /* of siginterrupt: a bit for each signal that signal() sets without SA_RESTART */

static uint64_t bit_of(int number)
{
	return number > 0 && number <= 64 ? (uint64_t)1 << (number - 1) : 0;
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags, bool masks_itself)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
	if (masks_itself)
		sigaddset(&action.sa_mask, number);
	return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

static sighandler_t refuse(void)
{
	errno = EINVAL;
	return SIG_ERR;
}

static sighandler_t set_as_bsd(int number, sighandler_t handler)
{
	if (handler == SIG_ERR)
		return refuse();
	return set_handler(number, handler, atomic_load(&interrupting) & bit_of(number) ? 0 : SA_RESTART, true);
}

static sighandler_t set_as_sysv(int number, sighandler_t handler)
{
	if (handler == SIG_ERR)
		return refuse();
	return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER), false);
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	return set_as_bsd(number, handler);
}

/* POSIX removed it from the headers; programs may still use it. */
sighandler_t bsd_signal(int number, sighandler_t handler);

HEDDLE_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler)
{
	return set_as_bsd(number, handler);
}

HEDDLE_EXPORT sighandler_t ssignal(int number, sighandler_t handler)
{
	return set_as_bsd(number, handler);
}

HEDDLE_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler)
{
	return set_as_sysv(number, handler);
}

/* The function that signal() is in a program that requests only POSIX from the headers. */
sighandler_t heddle__host_sysv_signal(int number, sighandler_t handler) __asm__("__sysv_signal");

HEDDLE_EXPORT sighandler_t heddle__host_sysv_signal(int number, sighandler_t handler)
{
	return set_as_sysv(number, handler);
}

HEDDLE_EXPORT int siginterrupt(int number, int interrupts)
{
	struct sigaction action;
	if (sigaction(number, NULL, &action))
		return -1;
	if (interrupts) {
		atomic_fetch_or(&interrupting, bit_of(number));
		action.sa_flags &= ~SA_RESTART;
	} else {
		atomic_fetch_and(&interrupting, ~bit_of(number));
		action.sa_flags |= SA_RESTART;
	}
	return sigaction(number, &action, NULL);
}

/* Blocks or unblocks one signal. Returns whether it was blocked before, or -1. */
static int mask_one(int how, int number)
{
	sigset_t set, old;
	sigemptyset(&set);
	if (sigaddset(&set, number) || sigprocmask(how, &set, &old))
		return -1;
	return sigismember(&old, number);
}

HEDDLE_EXPORT sighandler_t sigset(int number, sighandler_t handler)
{
	struct sigaction now;
	bool holds = handler == SIG_HOLD;
	sighandler_t before = holds ? SIG_HOLD : set_handler(number, handler, 0, false);
	if (before == SIG_ERR)
		return SIG_ERR;
	int was_blocked = mask_one(holds ? SIG_BLOCK : SIG_UNBLOCK, number);
	if (was_blocked < 0)
		return SIG_ERR;
	if (was_blocked || !holds)
		return was_blocked ? SIG_HOLD : before;
	return sigaction(number, NULL, &now) ? SIG_ERR : now.sa_handler;
}

HEDDLE_EXPORT int sigignore(int number)
{
	return set_handler(number, SIG_IGN, 0, false) == SIG_ERR ? -1 : 0;
}

HEDDLE_EXPORT int sighold(int number)
{
	return mask_one(SIG_BLOCK, number) < 0 ? -1 : 0;
}

HEDDLE_EXPORT int sigrelse(int number)
{
	return mask_one(SIG_UNBLOCK, number) < 0 ? -1 : 0;
}

/* BSD's masks contain the first 32 signals. */
#define OLD_SIGNALS 32

static int set_old_mask(int how, unsigned int mask)
{
	sigset_t set, old;
	unsigned int before = 0;
	sigemptyset(&set);
	for (int i = 0; i < OLD_SIGNALS; i++) {
		if (mask >> i & 1u)
			sigaddset(&set, i + 1);
	}
	if (sigprocmask(how, &set, &old))
		return -1;
	for (int i = 0; i < OLD_SIGNALS; i++) {
		if (sigismember(&old, i + 1) == 1)
			before |= 1u << i;
	}
	return (int)before;
}

HEDDLE_EXPORT int sigblock(int mask)
{
	return set_old_mask(SIG_BLOCK, (unsigned int)mask);
}

HEDDLE_EXPORT int sigsetmask(int mask)
{
	return set_old_mask(SIG_SETMASK, (unsigned int)mask);
}

HEDDLE_EXPORT int siggetmask(void)
{
	return set_old_mask(SIG_BLOCK, 0);
}
