/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals: the fatal ones, which end measurement, the one that samples arrive by, and keeping signals away while
 * Heddle works.
 */
#ifndef HEDDLE_CORE_HOST_SIGNAL_H
#define HEDDLE_CORE_HOST_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

/*
 * Look up the real functions and catch fatal signals whose action is the default. `on_end` is called with the name of a
 * fatal signal before the signal ends the process. Context: init; of `on_end`: signal.
 */
void heddle__host_init(void (*on_end)(const char *ended_by));

/*
 * Measurement has ended before the program: restore the default actions of fatal signals and catch none from now on.
 * Context: any thread.
 */
void heddle__host_retire(void);

/*
 * Claim `signal` for samples. From now on the program can neither handle nor block it; queries return what the program
 * has set. Returns 0 or -errno. Context: init.
 */
int heddle__claim_signal(int signal, void (*handler)(int, siginfo_t *, void *));

/* The claimed signal arrived and is no sample: take the action that the program has set. Context: signal. */
void heddle__foreign_signal(int number, siginfo_t *info, void *context);

/* The program has blocked the claimed signal in this thread, as it sees it; new threads inherit it. Context: owner. */
extern _Thread_local bool heddle__claimed_is_blocked;

/*
 * Block signals and cancellation in the calling thread while Heddle writes, and discard the signals that writing causes
 * (SIGXFSZ, SIGPIPE). Context: any thread, signal.
 */
struct heddle_signal_guard {
	sigset_t before;
	bool size_limit_pending, pipe_pending;
	int cancel_state;
};
void heddle__guard_signals(struct heddle_signal_guard *guard);
void heddle__release_signals(const struct heddle_signal_guard *guard);

/* Unblock the claimed signal in the calling thread. Context: any thread. */
void heddle__unblock_claimed_signal(void);

#endif
