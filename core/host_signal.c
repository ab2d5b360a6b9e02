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

static bool is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == at_fatal_signal;
}

static int catch_fatal(int number)
{
	struct sigaction ours = {.sa_sigaction = at_fatal_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigfillset(&ours.sa_mask);
	return HEDDLE_REAL(sigaction)(number, &ours, NULL);
}

void heddle__host_init(void)
{
	heddle__host_resolve();
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction now;
		if (HEDDLE_REAL(sigaction)(fatal_signals[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
			now.sa_handler == SIG_DFL)
			catch_fatal(fatal_signals[i]);
	}
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

/* The program asked for the default: keep catching. */
static bool wants_default(int number, const struct sigaction *action)
{
	return action && is_fatal_signal(number) && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
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
	struct sigaction before;
	int result = HEDDLE_REAL(sigaction)(number, action, &before);
	if (result)
		return result;
	if (is_ours(&before))
		before = (struct sigaction){.sa_handler = SIG_DFL};
	if (old)
		*old = before;
	if (wants_default(number, action) && heddle__process.output[0])
		catch_fatal(number);
	return 0;
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

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;
	return HEDDLE_REAL(pthread_sigmask)(how, how == SIG_UNBLOCK ? set : without_claimed(set, &copy), old);
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;
	return HEDDLE_REAL(sigprocmask)(how, how == SIG_UNBLOCK ? set : without_claimed(set, &copy), old);
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
