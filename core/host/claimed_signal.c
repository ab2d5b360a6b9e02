/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers, except heddle__claim_signal. */
#include "core/host/claimed_signal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/host/host_functions.h"
#include "core/host/signal_action.h"

#define LARGE_ALTERNATE_STACK ((size_t)20 << 10)
#define SIGNALS 64

static const struct heddle_claimant *claimant;
static _Atomic int claimed;
static _Atomic uint64_t claims;             /* all signals that are or were claimed, a bit each */
static struct sigaction given[SIGNALS + 1]; /* the program's actions for these signals, as it sees them */
static _Atomic bool uses_alternate_stack;
_Thread_local int heddle__own_claim;
_Thread_local pid_t heddle__masked_child;

/* Standard signals that the claim moves to: the kernel and programs send them seldom or never. */
static const int candidates[] = {
#ifdef SIGSTKFLT
	SIGSTKFLT,
#endif
	SIGPWR,
	SIGURG,
};

int heddle__claimed_signal(void)
{
	return atomic_load(&claimed);
}

bool heddle__is_claim(int number)
{
	return number > 0 && number <= SIGNALS && atomic_load(&claims) >> (number - 1) & 1u;
}

bool heddle__has_claimable(const sigset_t *set)
{
	int now = atomic_load(&claimed);
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		if (sigismember(set, candidates[i]) == 1)
			return true;
	}
	return now && sigismember(set, now) == 1;
}

bool heddle__is_claimant_s(const siginfo_t *info)
{
	return claimant->is_sample(info);
}

void heddle__set_claim(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction before = given[number];
	if (action)
		given[number] = *action;
	if (old)
		*old = before;
}

void heddle__show_program_claim(int number, struct sigaction *action)
{
	if (heddle__is_claim(number) && heddle__is_handler(action, claimant->handler))
		*action = given[number];
}

static int catch_claim(int number, struct sigaction *before)
{
	struct sigaction ours = {.sa_sigaction = claimant->handler, .sa_flags = SA_SIGINFO | SA_RESTART};
	if (atomic_load(&uses_alternate_stack))
		ours.sa_flags |= SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	return HEDDLE_REAL(sigaction)(number, &ours, before);
}

/* The sample handler needs about 10 KiB with AVX-512's registers; this requires twice as much. */
static bool has_large_alternate_stack(void)
{
	stack_t stack;
	return !sigaltstack(NULL, &stack) && !(stack.ss_flags & SS_DISABLE) && stack.ss_size >= LARGE_ALTERNATE_STACK;
}

/*
 * Go runs code on stacks too small for a signal handler, and demands that all handlers have SA_ONSTACK. In other
 * programs the alternate stack is smaller than the normal one: they provide what their own handlers need, often 2 to 8
 * KiB. So it is used only if the program itself handles the claimed signal, or SIGURG, on a large alternate stack; Go
 * does this before its first goroutine, whatever signal is claimed.
 */
void heddle__follow_to_alternate_stack(int number, const struct sigaction *action)
{
	bool handled =
		(action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
	if (!atomic_load(&claimed) || (!heddle__is_claim(number) && number != SIGURG) || !handled ||
		!(action->sa_flags & SA_ONSTACK) || !has_large_alternate_stack())
		return;
	atomic_store(&uses_alternate_stack, true);
	for (int i = 1; i <= SIGNALS; i++) {
		if (heddle__is_claim(i))
			catch_claim(i, NULL);
	}
}

/* Sends a signal again. Only the first thread may do so with the siginfo of a kill() to the process. */
static void send_again(int number, siginfo_t *info)
{
	pid_t process = getpid();
	if (info->si_code == SI_TKILL)
		syscall(SYS_rt_tgsigqueueinfo, process, gettid(), number, info);
	else if (syscall(SYS_rt_sigqueueinfo, process, number, info))
		syscall(SYS_kill, process, number);
}

/* Removes the samples that are pending in the calling thread, where all signals are blocked. */
static void take_pending_samples(int number)
{
	static const struct timespec now = {0, 0};
	siginfo_t info, foreign[2]; /* at most one to the thread and one to the process */
	int count = 0;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	while (count < 2 && HEDDLE_REAL(sigtimedwait)(&set, &info, &now) == number) {
		if (!claimant->is_sample(&info))
			foreign[count++] = info;
	}
	while (count)
		send_again(number, &foreign[--count]);
}

void heddle__follow_claim_in(sigset_t *mask)
{
	int own = heddle__own_claim, now = atomic_load(&claimed);
	if (abs(own) == now)
		return;
	heddle__own_claim = sigismember(mask, now) == 1 ? -now : now;
	sigdelset(mask, now);
	claimant->follow(now);
	if (own >= 0)
		return;
	take_pending_samples(-own);
	sigaddset(mask, -own);
}

void heddle__follow_claim(void)
{
	sigset_t all, mask;
	if (!atomic_load(&claimed))
		return;
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &mask);
	heddle__follow_claim_in(&mask);
	sigdelset(&mask, abs(heddle__own_claim));
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &mask, NULL);
}

void heddle__follow_claim_after(void *context)
{
	ucontext_t *interrupted = context;
	if (heddle__own_claim)
		heddle__follow_claim_in(&interrupted->uc_sigmask);
}

bool heddle__has_own_mask(void)
{
	return heddle__masked_child && heddle__masked_child == getpid();
}

/*
 * A new thread inherits its creator's mask before it applies what the program has blocked: a signal of the program that
 * arrived then would not stay pending. The loop repeats if a sample moved the claim just before the signal was blocked.
 */
int heddle__hold_claim(void)
{
	int own;
	do {
		sigset_t set;
		own = heddle__own_claim;
		if (own >= 0 || heddle__has_own_mask())
			return 0;
		sigemptyset(&set);
		sigaddset(&set, -own);
		HEDDLE_REAL(pthread_sigmask)(SIG_BLOCK, &set, NULL);
	} while (heddle__own_claim != own);
	return -own;
}

/* If the thread has followed the claim meanwhile, the signal stays blocked, as the program has blocked it. */
void heddle__release_claim(int held)
{
	sigset_t all, mask;
	if (!held)
		return;
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &mask);
	if (abs(heddle__own_claim) == held)
		sigdelset(&mask, held);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &mask, NULL);
}

static bool claim_next(int from, int number)
{
	struct sigaction now;
	uint64_t bit = (uint64_t)1 << (number - 1);
	if (HEDDLE_REAL(sigaction)(number, NULL, &now) || !heddle__is_default(&now) ||
		atomic_fetch_or(&claims, bit) & bit)
		return false;
	if (catch_claim(number, NULL))
		return false;
	return atomic_compare_exchange_strong(&claimed, &from, number);
}

/* Changes the claimed signal, unless another thread already did. Returns false if there is no other signal. */
static bool change_claim(int from)
{
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		if (atomic_load(&claimed) != from || claim_next(from, candidates[i]))
			return true;
	}
	return atomic_load(&claimed) != from;
}

bool heddle__move_claim(int number)
{
	if (atomic_load(&claimed) == number && !change_claim(number))
		return false;
	heddle__follow_claim();
	return true;
}

/* Signals whose default action is to do nothing. */
static bool is_ignored_by_default(int number)
{
	return number == SIGURG || number == SIGCHLD || number == SIGWINCH || number == SIGCONT;
}

/* True if the kernel had no memory for the signal's siginfo; signals that a program sends have one. */
static bool has_lost_its_origin(const siginfo_t *info)
{
	return info->si_code == SI_USER && info->si_pid == 0;
}

/* False for a fault or breakpoint of the thread itself: if it is blocked, the kernel ends the process. */
static bool is_blockable(int number, const siginfo_t *info)
{
	return info->si_code <= 0 || number == SIGURG || number == SIGIO;
}

/* If the program has blocked a signal that the real mask does not, blocks it and leaves it pending. */
static bool keep_pending(int number, siginfo_t *info, ucontext_t *interrupted)
{
	if (number != -heddle__own_claim || !is_blockable(number, info) || heddle__is_in_child())
		return false;
	if (atomic_load(&claimed) == number && !change_claim(number))
		return false;
	heddle__follow_claim_in(&interrupted->uc_sigmask);
	send_again(number, info);
	return true;
}

void heddle__foreign_signal(int number, siginfo_t *info, void *context)
{
	if (has_lost_its_origin(info) || keep_pending(number, info, context))
		return;
	struct sigaction action;
	heddle__set_claim(number, NULL, &action);
	if (!heddle__is_default(&action))
		heddle__call_handler(&action, number, info, context);
	else if (!is_ignored_by_default(number))
		heddle__at_fatal_signal(number, info, context);
}

/* The program may have inherited a mask that blocks the signal. */
static int first_own_claim(int number)
{
	sigset_t mask;
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, NULL, &mask);
	return sigismember(&mask, number) == 1 ? -number : number;
}

int heddle__claim_signal(int number, const struct heddle_claimant *by)
{
	struct sigaction urgent, before;
	claimant = by;
	if (catch_claim(number, &before))
		return -errno;
	heddle__show_program(number, &before);
	given[number] = before;
	heddle__own_claim = first_own_claim(number);
	atomic_store(&claims, (uint64_t)1 << (number - 1));
	atomic_store(&claimed, number);
	heddle__follow_to_alternate_stack(number, &before);
	if (number != SIGURG && !HEDDLE_REAL(sigaction)(SIGURG, NULL, &urgent))
		heddle__follow_to_alternate_stack(SIGURG, &urgent);
	heddle__follow_claim();
	return 0;
}

void heddle__claim_after_fork(void)
{
	struct sigaction now;
	int number = atomic_load(&claimed);
	if (HEDDLE_REAL(sigaction)(number, NULL, &now) || heddle__is_handler(&now, claimant->handler))
		return;
	given[number] = now;
	catch_claim(number, NULL);
}
