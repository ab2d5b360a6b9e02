/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another thread moves the claim to another signal at each moment of a change of the signal mask. Afterwards the
 * thread's samples arrive by its own claimed signal, and all other signals are blocked as the program has set them.
 * Each case runs in a process of its own.
 */
#include "tests/support/unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/host/claimed_signal.h"
#include "core/host/host_functions.h"
#include "core/host/signal_action.h"

#define MOST_CALLS 12 /* an upper bound for the calls of the real pthread_sigmask */

static _Thread_local int followed; /* the signal that the claim moved to last; 0: it has not moved */

static void handle(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	if (info->si_code == SI_QUEUE)
		heddle__follow_claim_after(context);
	else
		heddle__foreign_signal(number, info, context);
	errno = saved;
}

static void follow(int number)
{
	followed = number;
}

static bool is_sample(const siginfo_t *info)
{
	return info->si_code == SI_QUEUE;
}

static const struct heddle_claimant claimant = {.handler = handle, .follow = follow, .is_sample = is_sample};

/* ---- the moment ---- */

static int calls, moment;
static bool after, sampled;

static void *move(void *unused)
{
	heddle__move_claim(heddle__claimed_signal());
	return unused;
}

static void move_beside(void)
{
	pthread_t thread;
	siginfo_t sample = {.si_signo = abs(heddle__own_claim), .si_code = SI_QUEUE};
	moment = -1;
	HEDDLE_REAL(pthread_create)(&thread, NULL, move, NULL);
	pthread_join(thread, NULL);
	if (sampled)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), sample.si_signo, &sample);
}

static int (*real_sigmask)(int how, const sigset_t *set, sigset_t *old);

static int moving_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	bool now = calls++ == moment;
	if (now && !after)
		move_beside();
	int result = real_sigmask(how, set, old);
	if (now && after)
		move_beside();
	return result;
}

/* ---- the cases ---- */

static sigset_t all, one, none;

static void block_all(void)
{
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void set_all(void)
{
	pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static void set_none(void)
{
	pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static void unblock_all(void)
{
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

static void block_one(void)
{
	pthread_sigmask(SIG_BLOCK, &one, NULL);
}

static void unblock_one(void)
{
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

static void hold(void)
{
	heddle__release_claim(heddle__hold_claim());
}

/* `blocks_one`, `blocks_others`: whether SIGURG, and all others, are blocked in the end, as the program sees it. */
static const struct {
	const char *name;
	bool begins_blocked;
	void (*change)(void);
	bool blocks_one, blocks_others;
} cases[] = {
	{"follow", true, heddle__follow_claim, true, true},
	{"follow, none blocked", false, heddle__follow_claim, false, false},
	{"hold", true, hold, true, true},
	{"block all", false, block_all, true, true},
	{"block all again", true, block_all, true, true},
	{"set all", false, set_all, true, true},
	{"set none", true, set_none, false, false},
	{"unblock all", true, unblock_all, false, false},
	{"block one", false, block_one, true, false},
	{"unblock one", true, unblock_one, false, true},
};

static bool is_as_said(const char *name, bool blocked_one, bool blocked_others)
{
	static const int claims[] = {SIGURG, SIGSTKFLT, SIGPWR};
	sigset_t real, seen;
	bool right = true;
	real_sigmask(SIG_SETMASK, NULL, &real);
	int own = abs(heddle__own_claim);
	if (own != (followed ? followed : SIGURG)) {
		fprintf(stderr, "%s: samples arrive by signal %d, not by the claimed signal %d\n", name, followed, own);
		right = false;
	}
	pthread_sigmask(SIG_SETMASK, NULL, &seen);
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		int number = claims[i], said = number == SIGURG ? blocked_one : blocked_others;
		bool wrong =
			sigismember(&real, number) != (number == own ? 0 : said) || sigismember(&seen, number) != said;
		if (wrong)
			fprintf(stderr, "%s, move %s call %d%s: signal %d is blocked: %d, seen as %d, set: %d\n", name,
				after ? "after" : "before", calls, sampled ? " with a sample" : "", number,
				sigismember(&real, number), sigismember(&seen, number), said);
		right &= !wrong;
	}
	return right;
}

static bool holds(size_t i, int at)
{
	sigset_t *start = cases[i].begins_blocked ? &all : &none;
	HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, start, NULL);
	if (heddle__claim_signal(SIGURG, &claimant))
		return false;
	heddle__host.pthread_sigmask = moving_sigmask;
	moment = at;
	cases[i].change();
	if (moment >= 0) /* the change makes fewer calls than that */
		return true;
	return is_as_said(cases[i].name, cases[i].blocks_one, cases[i].blocks_others);
}

static bool holds_in_child(size_t i, int at)
{
	int status = -1;
	pid_t child = fork();
	if (child == 0)
		_exit(holds(i, at) ? 0 : 1);
	return waitpid(child, &status, 0) == child && status == 0;
}

static void masks_are_as_said(void **state)
{
	int wrong = 0;
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int at = 0; at < 4 * MOST_CALLS; at++) {
			after = at & 1;
			sampled = at & 2;
			wrong += !holds_in_child(i, at / 4);
		}
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	sigfillset(&all);
	sigemptyset(&none);
	sigemptyset(&one);
	sigaddset(&one, SIGURG);
	real_sigmask = HEDDLE_REAL(pthread_sigmask);
	const struct CMUnitTest tests[] = {cmocka_unit_test(masks_are_as_said)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
