/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that wrap the signal calls. */
#ifndef HEDDLE_CORE_HOST_SIGNAL_ACTION_H
#define HEDDLE_CORE_HOST_SIGNAL_ACTION_H

#include <signal.h>
#include <stdbool.h>

static inline bool heddle__is_handler(const struct sigaction *action, void (*handler)(int, siginfo_t *, void *))
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handler;
}

static inline bool heddle__is_default(const struct sigaction *action)
{
	return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

/* Runs the handler; does nothing for an action without one. Context: signal. */
static inline void heddle__call_handler(const struct sigaction *action, int number, siginfo_t *info, void *context)
{
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, info, context);
	else if (action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL)
		action->sa_handler(number);
}

/* Replaces Heddle's action by the one that the program has set. Context: any thread, signal. */
void heddle__show_program(int number, struct sigaction *action);
void heddle__show_program_claim(int number, struct sigaction *action);

/* The handler of fatal signals. */
void heddle__at_fatal_signal(int number, siginfo_t *info, void *context);

/*
 * True if the caller is a child that may share this memory (vfork). The kernel has separate actions and masks for it,
 * and it gets no samples. So it calls the real functions, and must not change this state, which is its parent's. Once
 * measurement is off for good, this returns false without a system call. Context: any thread, signal.
 */
bool heddle__is_in_child(void);

/* True if the signal is or was claimed: Heddle's handler stays set, and the program's action is recorded. */
bool heddle__is_claim(int number);

/* Sets or (NULL) queries the program's action for a signal that is or was claimed. Context: any thread, signal. */
void heddle__set_claim(int number, const struct sigaction *action, struct sigaction *old);

/* Called before the program sets the action of any signal. Context: any thread, signal. */
void heddle__follow_to_alternate_stack(int number, const struct sigaction *action);

/* Returns the claimed signal; 0: none. Context: any thread, signal. */
int heddle__claimed_signal(void);

/* True if the set has the claimed signal or one that the claim may move to. Context: any thread, signal. */
bool heddle__has_claimable(const sigset_t *set);

/* True if the signal, which is or was claimed, is a sample. Context: any thread, signal. */
bool heddle__is_claimant_s(const siginfo_t *info);

/*
 * Called if the program needs signal `number`: if it is claimed, claims another one; the calling thread follows.
 * Returns false if no other signal is available. Context: any thread, signal.
 */
bool heddle__move_claim(int number);

#endif
