/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fatal signals, which end measurement, and blocking of signals while Heddle works. claimed_signal.h has the signal
 * that samples arrive by.
 */
#ifndef HEDDLE_CORE_HOST_SIGNAL_H
#define HEDDLE_CORE_HOST_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

/*
 * Looks up the real functions and catches fatal signals whose action is the default. `on_end` is called with the name
 * of a fatal signal before the signal ends the process. Context: init; of `on_end`: signal.
 */
void heddle__host_init(void (*on_end)(const char *ended_by));

/*
 * Called if measurement ends before the program: restores the default actions of fatal signals, and catches none from
 * now on. Context: any thread.
 */
void heddle__host_retire(void);

/* True for signals that an instruction causes: if they are blocked, they end the process at once. */
static inline bool heddle__is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
	       number == SIGSYS;
}

/*
 * Blocks signals and cancellation in the calling thread while Heddle writes, and discards the signals that writing
 * causes (SIGXFSZ, SIGPIPE). Context: any thread, signal.
 */
struct heddle_signal_guard {
	sigset_t before;
	bool size_limit_pending, pipe_pending;
	int cancel_state;
};
void heddle__guard_signals(struct heddle_signal_guard *guard);
void heddle__release_signals(const struct heddle_signal_guard *guard);

#endif
