/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handlers run in signal context. Two kinds of signals are Heddle's business: the one that samples arrive by, which
 * the program can't block or take, and the fatal ones, caught only where the program left them at their default so that
 * the profile is written before they take their course.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/host.h"
#include "core/process.h"

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGUSR2,
	SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS};
#define FATAL_SIGNALS (sizeof(fatal_signals) / sizeof(fatal_signals[0]))

static _Atomic int claimed;
static struct sigaction claimed_as; /* what the program believes of the claimed signal */
static struct sigaction once[65];   /* what it set with SA_RESETHAND, by signal */
_Thread_local bool heddle__claimed_is_blocked;

/* "signal 11", without stdio. */
static const char *name_of(int number, char *text)
{
	char *at = text;
	for (const char *word = "signal "; *word; word++)
		*at++ = *word;
	if (number >= 10)
		*at++ = (char)('0' + number / 10);
	*at++ = (char)('0' + number % 10);
	*at = '\0';
	return text;
}

/* Returning from the handler runs the faulting instruction once more. */
static bool is_repeatable_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

/*
 * Write, put the default action back, and let the signal come again: a fault by returning to the instruction, anything
 * else by sending it once more, so that the end (status, core) is the same as without us.
 */
static void at_fatal_signal(int number, siginfo_t *info, void *context)
{
	char text[16];
	struct sigaction standard = {.sa_handler = SIG_DFL};
	(void)context;
	heddle__finish(name_of(number, text));
	HEDDLE_REAL(sigaction)(number, &standard, NULL);
	if (info->si_code <= 0 || !is_repeatable_fault(number))
		syscall(SYS_tgkill, getpid(), gettid(), number);
}

static bool is_handler(const struct sigaction *action, void (*handler)(int, siginfo_t *, void *))
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handler;
}

static bool is_default(const struct sigaction *action)
{
	return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

static void call_handler(const struct sigaction *action, int number, siginfo_t *info, void *context)
{
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, info, context);
	else if (action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL)
		action->sa_handler(number);
}

static int catch_fatal(int number)
{
	struct sigaction ours = {.sa_sigaction = at_fatal_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigfillset(&ours.sa_mask);
	return HEDDLE_REAL(sigaction)(number, &ours, NULL);
}

/* The program's handler for one time is at work: from now on the default holds, which is ours. */
static void at_signal_once(int number, siginfo_t *info, void *context)
{
	catch_fatal(number);
	call_handler(&once[number], number, info, context);
}

void heddle__host_init(void)
{
	heddle__host_resolve();
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction now;
		if (HEDDLE_REAL(sigaction)(fatal_signals[i], NULL, &now) == 0 && is_default(&now))
			catch_fatal(fatal_signals[i]);
	}
}

/* Sent by somebody, or by a timer or queue of the program's: not what the kernel sends for an expired sampling period.
 */
static bool is_sent(const siginfo_t *info)
{
	return info->si_code <= 0;
}

void heddle__foreign_signal(int number, siginfo_t *info, void *context)
{
	if (!is_sent(info))
		return;
	if (is_default(&claimed_as))
		at_fatal_signal(number, info, context);
	else
		call_handler(&claimed_as, number, info, context);
}

void heddle__guard_signals(struct heddle_signal_guard *guard)
{
	sigset_t all, pending;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel_state);
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &guard->before);
	sigpending(&pending);
	guard->size_limit_pending = sigismember(&pending, SIGXFSZ) == 1;
}

void heddle__release_signals(const struct heddle_signal_guard *guard)
{
	static const struct timespec now = {0, 0};
	sigset_t size_limit;
	sigemptyset(&size_limit);
	sigaddset(&size_limit, SIGXFSZ);
	if (!guard->size_limit_pending)
		HEDDLE_REAL(sigtimedwait)(&size_limit, NULL, &now);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &guard->before, NULL);
	pthread_setcancelstate(guard->cancel_state, NULL);
}

int heddle__claim_signal(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigfillset(&ours.sa_mask);
	if (HEDDLE_REAL(sigaction)(number, &ours, &claimed_as))
		return -errno;
	atomic_store(&claimed, number);
	heddle__unblock_claimed_signal();
	return 0;
}

void heddle__unblock_claimed_signal(void)
{
	sigset_t set;
	int number = atomic_load(&claimed);
	if (!number)
		return;
	sigemptyset(&set);
	sigaddset(&set, number);
	HEDDLE_REAL(pthread_sigmask)(SIG_UNBLOCK, &set, NULL);
}

static bool is_fatal_signal(int number)
{
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		if (fatal_signals[i] == number)
			return true;
	}
	return false;
}

/* What the program would see without us. */
static void show_program(int number, struct sigaction *action)
{
	if (is_handler(action, at_fatal_signal))
		*action = (struct sigaction){.sa_handler = SIG_DFL};
	else if (is_handler(action, at_signal_once))
		*action = once[number];
}

static int set_once(int number, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction ours = *action;
	ours.sa_sigaction = at_signal_once;
	ours.sa_flags = (action->sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO;
	int result = HEDDLE_REAL(sigaction)(number, &ours, before);
	show_program(number, before);
	if (!result)
		once[number] = *action;
	return result;
}

/* Set an action for a fatal signal, which stays caught where the program leaves the end to the default. */
static int set_fatal(int number, const struct sigaction *action, struct sigaction *before)
{
	if ((action->sa_flags & (int)SA_RESETHAND) && !is_default(action))
		return set_once(number, action, before);
	int result = HEDDLE_REAL(sigaction)(number, action, before);
	show_program(number, before);
	if (!result && is_default(action))
		catch_fatal(number);
	return result;
}

static bool is_caught(int number)
{
	return heddle__process.output[0] && is_fatal_signal(number);
}

HEDDLE_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	if (number && number == atomic_load(&claimed)) {
		if (old)
			*old = claimed_as;
		if (action)
			claimed_as = *action;
		return 0;
	}
	if (!is_caught(number))
		return HEDDLE_REAL(sigaction)(number, action, old);
	struct sigaction before;
	int result = action ? set_fatal(number, action, &before) : HEDDLE_REAL(sigaction)(number, NULL, &before);
	if (!action)
		show_program(number, &before);
	if (!result && old)
		*old = before;
	return result;
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
	if (!(flags & SA_RESETHAND))
		sigaddset(&action.sa_mask, number);
	return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	return set_handler(number, handler, SA_RESTART);
}

/* POSIX took it out of the headers, not out of programs. */
sighandler_t bsd_signal(int number, sighandler_t handler);

HEDDLE_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler)
{
	return set_handler(number, handler, SA_RESTART);
}

HEDDLE_EXPORT sighandler_t ssignal(int number, sighandler_t handler)
{
	return set_handler(number, handler, SA_RESTART);
}

HEDDLE_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler)
{
	return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

/* `set` without the claimed signal, in `copy` if it had it. */
static const sigset_t *without_claimed(const sigset_t *set, sigset_t *copy)
{
	int number = atomic_load(&claimed);
	if (!set || !number || sigismember(set, number) != 1)
		return set;
	*copy = *set;
	sigdelset(copy, number);
	return copy;
}

/* Keep the program's belief about the claimed signal: what its call asked for, and what it saw before. */
static void note_mask(int how, const sigset_t *set, sigset_t *old)
{
	int number = atomic_load(&claimed);
	bool before = heddle__claimed_is_blocked;
	if (!number)
		return;
	if (set && how == SIG_SETMASK)
		heddle__claimed_is_blocked = sigismember(set, number) == 1;
	else if (set && sigismember(set, number) == 1)
		heddle__claimed_is_blocked = how == SIG_BLOCK;
	if (old && before)
		sigaddset(old, number);
}

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy, wanted;
	if (set)
		wanted = *set; /* it may be the same object as old */
	const sigset_t *real_set = how == SIG_UNBLOCK ? set : without_claimed(set, &copy);
	int result = HEDDLE_REAL(pthread_sigmask)(how, real_set, old);
	if (!result)
		note_mask(how, set ? &wanted : NULL, old);
	return result;
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int error = pthread_sigmask(how, set, old);
	if (!error)
		return 0;
	errno = error;
	return -1;
}

HEDDLE_EXPORT int sigwait(const sigset_t *set, int *number)
{
	sigset_t copy;
	return HEDDLE_REAL(sigwait)(without_claimed(set, &copy), number);
}

HEDDLE_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	sigset_t copy;
	return HEDDLE_REAL(sigwaitinfo)(without_claimed(set, &copy), info);
}

HEDDLE_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	sigset_t copy;
	return HEDDLE_REAL(sigtimedwait)(without_claimed(set, &copy), info, timeout);
}
