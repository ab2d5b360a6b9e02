/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that stand in front of the signal calls share. */
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

/* Replaces an action of Heddle's by what the program has set. Context: any thread, signal. */
void heddle__show_program(int number, struct sigaction *action);
void heddle__show_program_claim(int number, struct sigaction *action);

/* The handler of fatal signals. */
void heddle__at_fatal_signal(int number, siginfo_t *info, void *context);

/*
 * True if the caller is a child that may share this memory (vfork). The kernel keeps its actions and masks apart from
 * the parent's, and it gets no samples: so it calls the real functions, and leaves what is noted here to its parent.
 * Once measurement is off for good, no system call may be made to find out. Context: any thread, signal.
 */
bool heddle__is_in_child(void);

/* True if the signal is or was claimed: Heddle's handler remains, and the program's action is noted. */
bool heddle__is_claim(int number);

/* The program sets or queries (NULL) its action of such a signal. Context: any thread, signal. */
void heddle__set_claim(int number, const struct sigaction *action, struct sigaction *old);

/* The program is about to set that action of any signal. Context: any thread, signal. */
void heddle__follow_to_alternate_stack(int number, const struct sigaction *action);

/* The claimed signal; 0: none. Context: any thread, signal. */
int heddle__claimed_signal(void);

/* True if the set has the claimed signal or one that the claim may move to. Context: any thread, signal. */
bool heddle__has_claimable(const sigset_t *set);

/* True if the signal, which is or was claimed, is a sample. Context: any thread, signal. */
bool heddle__is_claimant_s(const siginfo_t *info);

/*
 * The program needs signal `number`, which was claimed, for itself: claim another, and let the calling thread follow.
 * False: there is no other. Context: any thread, signal.
 */
bool heddle__move_claim(int number);

#endif
