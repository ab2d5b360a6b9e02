/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps the calls that block signals and wait for them: the claimed signal stays unblocked, and the program never
 * receives a sample as one of its own signals. Context: any thread, signal.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/host/claimed_signal.h"
#include "core/host/host_functions.h"
#include "core/host/signal_action.h"

#define NS_PER_SECOND 1000000000u
#define MOST_NAMED 32 /* a set with more signals is taken for a filled one (sigfillset) */

static bool has(const sigset_t *set, int number)
{
	return set && number && sigismember(set, number) == 1;
}

/* True if the program has blocked the claimed signal in this thread, as it sees it. */
static bool is_blocked(void)
{
	return heddle__own_claim < 0;
}

/* `set` without the claimed signal; copied to `copy` if it contained it. */
static const sigset_t *without_claimed(const sigset_t *set, sigset_t *copy)
{
	int number = heddle__claimed_signal();
	if (!has(set, number))
		return set;
	*copy = *set;
	sigdelset(copy, number);
	return copy;
}

/* True if the set is small and has the claimed signal: the program will probably wait for it. */
static bool names_claimed(const sigset_t *set)
{
	int count = 0;
	if (!has(set, heddle__claimed_signal()))
		return false;
	for (int i = 1; i < NSIG; i++)
		count += sigismember(set, i) == 1;
	return count <= MOST_NAMED;
}

/*
 * Completes the old mask of a call that changes no signal that is or may be claimed. `own`: the thread's claim before
 * the call, which a sample may have moved since.
 */
static void show_blocked(sigset_t *old, int own)
{
	if (own < 0)
		sigaddset(old, -own);
	if (is_blocked())
		sigaddset(old, -heddle__own_claim);
}

/* True if setting that mask may change what the program sees of the claimed signal, wherever the claim moves. */
static bool concerns_claimed(int how, const sigset_t *set)
{
	return set && ((how == SIG_SETMASK && is_blocked()) || heddle__has_claimable(set));
}

/* Sets the mask of a child that shares its parent's memory. From then on, its real mask is what it has set. */
static int mask_in_child(int how, const sigset_t *set, sigset_t *old)
{
	bool inherited = !heddle__has_own_mask() && is_blocked();
	int result = HEDDLE_REAL(pthread_sigmask)(how, set, old);
	if (!result && old && inherited)
		sigaddset(old, -heddle__own_claim);
	if (!result && set)
		heddle__masked_child = getpid();
	return result;
}

static bool is_behind(void)
{
	return abs(heddle__own_claim) != heddle__claimed_signal();
}

static void change(sigset_t *mask, int how, const sigset_t *set)
{
	if (how == SIG_SETMASK) {
		*mask = *set;
		return;
	}
	for (int i = 1; i < NSIG; i++) {
		if (sigismember(set, i) == 1)
			how == SIG_BLOCK ? sigaddset(mask, i) : sigdelset(mask, i);
	}
}

/* Changes the mask of a thread that has a claim. All signals are blocked meanwhile: a sample would move the claim. */
static void change_claimed(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t all, mask, before;
	sigfillset(&all);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &mask);
	heddle__follow_claim_in(&mask);
	int number = abs(heddle__own_claim);
	if (is_blocked())
		sigaddset(&mask, number);
	before = mask;
	change(&mask, how, set); /* the set may be the same object as old */
	if (old)
		*old = before;
	heddle__own_claim = has(&mask, number) ? -number : number;
	sigdelset(&mask, number);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &mask, NULL);
}

static bool is_change(int how)
{
	return how == SIG_BLOCK || how == SIG_UNBLOCK || how == SIG_SETMASK;
}

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	bool concerned = concerns_claimed(how, set);
	if ((concerned || heddle__has_own_mask()) && heddle__is_in_child())
		return mask_in_child(how, set, old);
	if (how != SIG_UNBLOCK && names_claimed(set))
		heddle__move_claim(heddle__claimed_signal());
	else if (is_behind() && !heddle__is_in_child())
		heddle__follow_claim();
	if (concerned && heddle__own_claim && is_change(how)) {
		change_claimed(how, set, old);
		return 0;
	}
	int own = heddle__own_claim, result = HEDDLE_REAL(pthread_sigmask)(how, set, old);
	if (!result && old)
		show_blocked(old, own);
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

/* ---- waiting ---- */

static uint64_t to_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_SECOND + (uint64_t)time->tv_nsec;
}

/* The time that is left until `end_ns` of the monotonic clock. */
static struct timespec left_until(uint64_t end_ns)
{
	uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC), left = end_ns > now ? end_ns - now : 0;
	return (struct timespec){.tv_sec = (time_t)(left / NS_PER_SECOND), .tv_nsec = (long)(left % NS_PER_SECOND)};
}

/*
 * Sends a sample again that was taken from the queue, so that its handler runs. If the thread has followed the claim to
 * another signal since, the sample is dropped: its signal is blocked for the program, so it would be dequeued again
 * forever.
 */
static void return_sample(int number, siginfo_t *info)
{
	sigset_t every, mask;
	sigfillset(&every);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &every, &mask);
	if (abs(heddle__own_claim) == number)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, info);
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &mask, NULL);
}

/* Waits for the signals of the set, including the claimed one; sends samples to their handler. */
static int wait_for(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	siginfo_t own;
	struct timespec left = timeout ? *timeout : (struct timespec){0, 0};
	uint64_t end = timeout ? heddle__clock_ns(CLOCK_MONOTONIC) + to_ns(timeout) : 0;
	for (;;) {
		int number = HEDDLE_REAL(sigtimedwait)(set, &own, timeout ? &left : NULL);
		if (number > 0 && heddle__is_claim(number) && heddle__is_claimant_s(&own)) {
			return_sample(number, &own);
			if (timeout)
				left = left_until(end);
			continue;
		}
		if (number > 0 && info)
			*info = own;
		return number;
	}
}

HEDDLE_EXPORT int sigwait(const sigset_t *set, int *number)
{
	int got, saved = errno;
	if (!has(set, heddle__claimed_signal()) && !is_behind())
		return HEDDLE_REAL(sigwait)(set, number);
	do
		got = wait_for(set, NULL, NULL);
	while (got < 0 && errno == EINTR);
	int error = got < 0 ? errno : 0;
	errno = saved;
	if (!error)
		*number = got;
	return error;
}

HEDDLE_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return wait_for(set, info, NULL);
}

HEDDLE_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	return wait_for(set, info, timeout);
}

/* Samples cannot be separated from signals that a descriptor reads, so the claim moves before. */
HEDDLE_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;
	int number = heddle__claimed_signal();
	if (has(set, number) && !heddle__is_in_child())
		heddle__move_claim(number);
	return HEDDLE_REAL(signalfd)(fd, without_claimed(set, &copy), flags);
}
