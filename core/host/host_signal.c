/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handlers run in signal context. Heddle handles two kinds of signals: the one that delivers samples, which the
 * program cannot block or claim; and fatal signals, caught only where the program left the default action, so that the
 * profile is written before that action.
 */
#include "core/host/host_signal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/process_info.h"
#include "core/host/host_functions.h"

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGUSR2,
	SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS};
#define LARGE_ALTERNATE_STACK ((size_t)20 << 10)
#define FATAL_SIGNALS (sizeof(fatal_signals) / sizeof(fatal_signals[0]))

static _Atomic bool retired;
static void (*on_end)(const char *ended_by); /* set before a fatal signal is caught */
static _Atomic int claimed;
static void (*claimed_handler)(int, siginfo_t *, void *);
static _Atomic bool uses_alternate_stack;
static struct sigaction claimed_as; /* the program's action for the claimed signal, as far as it knows */
static struct sigaction once[65];   /* actions that the program set with SA_RESETHAND, by signal */
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

/* Whether returning from the handler executes the faulting instruction again. */
static bool is_repeatable_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

/*
 * Writes, restores the default action, and lets the signal recur: a fault by returning to the instruction, any other
 * signal by sending it again, so that the end (status, core file) is the same as without Heddle. If several threads
 * have one, the first ends the process: the others, which come back from `on_end` when it does, wait a moment longer.
 */
static void at_fatal_signal(int number, siginfo_t *info, void *context)
{
	char text[16];
	static _Atomic bool ends;
	static const struct timespec moment = {0, 100000000};
	struct sigaction standard = {.sa_handler = SIG_DFL};
	bool first = !atomic_exchange(&ends, true);
	(void)context;
	if (on_end)
		on_end(name_of(number, text));
	if (!first)
		syscall(SYS_nanosleep, &moment, NULL);
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
	static const struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction ours = {.sa_sigaction = at_fatal_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigfillset(&ours.sa_mask);
	return HEDDLE_REAL(sigaction)(number, atomic_load(&retired) ? &standard : &ours, NULL);
}

/* Runs a program's SA_RESETHAND handler: from now on the default action is set, which is Heddle's. */
static void at_signal_once(int number, siginfo_t *info, void *context)
{
	catch_fatal(number);
	call_handler(&once[number], number, info, context);
}

void heddle__host_init(void (*at_end)(const char *ended_by))
{
	on_end = at_end;
	heddle__host_resolve();
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction now;
		if (HEDDLE_REAL(sigaction)(fatal_signals[i], NULL, &now) == 0 && is_default(&now))
			catch_fatal(fatal_signals[i]);
	}
}

void heddle__host_retire(void)
{
	atomic_store(&retired, true);
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction now;
		if (HEDDLE_REAL(sigaction)(fatal_signals[i], NULL, &now) == 0 && is_handler(&now, at_fatal_signal))
			catch_fatal(fatal_signals[i]);
	}
}

/* Signals whose default action is to do nothing. */
static bool is_ignored_by_default(int number)
{
	return number == SIGURG || number == SIGCHLD || number == SIGWINCH || number == SIGCONT;
}

/* The kernel had no memory for the signal's siginfo; signals that a program sends have one. */
static bool has_lost_its_origin(const siginfo_t *info)
{
	return info->si_code == SI_USER && info->si_pid == 0;
}

void heddle__foreign_signal(int number, siginfo_t *info, void *context)
{
	if (has_lost_its_origin(info))
		return;
	if (!is_default(&claimed_as))
		call_handler(&claimed_as, number, info, context);
	else if (!is_ignored_by_default(number))
		at_fatal_signal(number, info, context);
}

void heddle__guard_signals(struct heddle_signal_guard *guard)
{
	sigset_t all, pending;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel_state);
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &guard->before);
	sigpending(&pending);
	guard->size_limit_pending = sigismember(&pending, SIGXFSZ) == 1;
	guard->pipe_pending = sigismember(&pending, SIGPIPE) == 1;
}

/* Removes a pending signal that writing caused. */
static void take_back(int number, bool was_pending)
{
	static const struct timespec now = {0, 0};
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	if (!was_pending)
		HEDDLE_REAL(sigtimedwait)(&set, NULL, &now);
}

void heddle__release_signals(const struct heddle_signal_guard *guard)
{
	take_back(SIGXFSZ, guard->size_limit_pending);
	take_back(SIGPIPE, guard->pipe_pending);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &guard->before, NULL);
	pthread_setcancelstate(guard->cancel_state, NULL);
}

/* The action as the program would see it without Heddle. */
static void show_program(int number, struct sigaction *action)
{
	if (is_handler(action, at_fatal_signal))
		*action = (struct sigaction){.sa_handler = SIG_DFL};
	else if (is_handler(action, at_signal_once))
		*action = once[number];
}

static int catch_claimed(int number, struct sigaction *before)
{
	struct sigaction ours = {.sa_sigaction = claimed_handler, .sa_flags = SA_SIGINFO | SA_RESTART};
	if (atomic_load(&uses_alternate_stack))
		ours.sa_flags |= SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	return HEDDLE_REAL(sigaction)(number, &ours, before);
}

/* Of a handler that takes samples: about 10 KiB with AVX-512's registers, and as much again to be safe. */
static bool has_large_alternate_stack(void)
{
	stack_t stack;
	return !sigaltstack(NULL, &stack) && !(stack.ss_flags & SS_DISABLE) && stack.ss_size >= LARGE_ALTERNATE_STACK;
}

/*
 * Go runs code on stacks too small for a signal handler, and demands that all handlers have SA_ONSTACK. Elsewhere the
 * alternate stack is the smaller one: programs provide what their own handlers need, often 2 to 8 KiB. So it is used
 * only if the program itself handles the claimed signal, or SIGURG, on a large one: as Go does before its first
 * goroutine, whatever signal is claimed.
 */
static void follow_to_alternate_stack(int number, const struct sigaction *action)
{
	int ours = atomic_load(&claimed);
	bool handled =
		(action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
	if (!ours || (number != ours && number != SIGURG) || !handled || !(action->sa_flags & SA_ONSTACK) ||
		!has_large_alternate_stack())
		return;
	atomic_store(&uses_alternate_stack, true);
	catch_claimed(ours, NULL);
}

int heddle__claim_signal(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction urgent;
	claimed_handler = handler;
	if (catch_claimed(number, &claimed_as))
		return -errno;
	show_program(number, &claimed_as);
	atomic_store(&claimed, number);
	follow_to_alternate_stack(number, &claimed_as);
	if (number != SIGURG && !HEDDLE_REAL(sigaction)(SIGURG, NULL, &urgent))
		follow_to_alternate_stack(SIGURG, &urgent);
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

/* Sets the action for a fatal signal; it stays caught if the program sets the default action. */
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
	return heddle__process.output[0] && is_fatal_signal(number) && !atomic_load(&retired);
}

HEDDLE_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	if (action)
		follow_to_alternate_stack(number, action);
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

/* POSIX removed it from the headers; programs may still use it. */
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

/* `set` without the claimed signal; copied to `copy` if it contained it. */
static const sigset_t *without_claimed(const sigset_t *set, sigset_t *copy)
{
	int number = atomic_load(&claimed);
	if (!set || !number || sigismember(set, number) != 1)
		return set;
	*copy = *set;
	sigdelset(copy, number);
	return copy;
}

/*
 * Updates the blocked state of the claimed signal that the program sees: as its call requested it, and as it was
 * before.
 */
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
