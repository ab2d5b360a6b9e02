/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handlers run in signal context. Heddle handles two kinds of signals: the one that delivers samples
 * (claimed_signal.c); and fatal signals, caught only where the program left the default action, so that the profile is
 * written before that action.
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
#include "core/host/signal_action.h"

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGUSR2,
	SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS};
#define FATAL_SIGNALS (sizeof(fatal_signals) / sizeof(fatal_signals[0]))

static _Atomic bool retired;
static void (*on_end)(const char *ended_by); /* set before a fatal signal is caught */
static struct sigaction once[65];            /* actions that the program set with SA_RESETHAND, by signal */

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

/* True if returning from the handler executes the faulting instruction again. */
static bool is_repeatable_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

/*
 * Writes the profile, restores the default action, and lets the signal recur: a fault by returning to the instruction,
 * any other signal by sending it again, so that the end (status, core file) is the same as without Heddle. If several
 * threads get a fatal signal, the first one ends the process: `on_end` returns in the others at the same time, so they
 * wait longer.
 */
void heddle__at_fatal_signal(int number, siginfo_t *info, void *context)
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

static int catch_fatal(int number)
{
	static const struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction ours = {.sa_sigaction = heddle__at_fatal_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigfillset(&ours.sa_mask);
	return HEDDLE_REAL(sigaction)(number, atomic_load(&retired) ? &standard : &ours, NULL);
}

/* Runs a program's SA_RESETHAND handler: from now on the default action is set, which is Heddle's. */
static void at_signal_once(int number, siginfo_t *info, void *context)
{
	catch_fatal(number);
	heddle__call_handler(&once[number], number, info, context);
}

void heddle__host_init(void (*at_end)(const char *ended_by))
{
	on_end = at_end;
	heddle__host_resolve();
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction now;
		if (HEDDLE_REAL(sigaction)(fatal_signals[i], NULL, &now) == 0 && heddle__is_default(&now))
			catch_fatal(fatal_signals[i]);
	}
}

void heddle__host_retire(void)
{
	atomic_store(&retired, true);
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction now;
		if (HEDDLE_REAL(sigaction)(fatal_signals[i], NULL, &now) == 0 &&
			heddle__is_handler(&now, heddle__at_fatal_signal))
			catch_fatal(fatal_signals[i]);
	}
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
void heddle__show_program(int number, struct sigaction *action)
{
	if (heddle__is_handler(action, heddle__at_fatal_signal))
		*action = (struct sigaction){.sa_handler = SIG_DFL};
	else if (heddle__is_handler(action, at_signal_once))
		*action = once[number];
	else
		heddle__show_program_claim(number, action);
}

bool heddle__is_in_child(void)
{
	return on_end && !atomic_load(&retired) && !heddle__is_own_process();
}

static int set_in_child(int number, const struct sigaction *action, struct sigaction *old)
{
	int result = HEDDLE_REAL(sigaction)(number, action, old);
	if (!result && old)
		heddle__show_program(number, old);
	return result;
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
	heddle__show_program(number, before);
	if (!result)
		once[number] = *action;
	return result;
}

/* Sets the action for a fatal signal; it stays caught if the program sets the default action. */
static int set_fatal(int number, const struct sigaction *action, struct sigaction *before)
{
	if ((action->sa_flags & (int)SA_RESETHAND) && !heddle__is_default(action))
		return set_once(number, action, before);
	int result = HEDDLE_REAL(sigaction)(number, action, before);
	heddle__show_program(number, before);
	if (!result && heddle__is_default(action))
		catch_fatal(number);
	return result;
}

static bool is_caught(int number)
{
	return heddle__process.output[0] && is_fatal_signal(number) && !atomic_load(&retired);
}

HEDDLE_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	if (heddle__is_in_child())
		return set_in_child(number, action, old);
	if (action)
		heddle__follow_to_alternate_stack(number, action);
	if (heddle__is_claim(number)) {
		heddle__set_claim(number, action, old);
		return 0;
	}
	if (!is_caught(number))
		return HEDDLE_REAL(sigaction)(number, action, old);
	struct sigaction before;
	int result = action ? set_fatal(number, action, &before) : HEDDLE_REAL(sigaction)(number, NULL, &before);
	if (!action)
		heddle__show_program(number, &before);
	if (!result && old)
		*old = before;
	return result;
}
