/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signal that samples arrive by. The program can neither handle nor block it, but sees what it has set. Its own
 * signals of that number are handled as it has set them. While it blocks them, they must stay pending, where a
 * signalfd, sigpending or sigsuspend finds them: then the claim moves to a signal that the program does not use, and
 * the former one is blocked as the program has said. Each thread follows the claim by itself, at its next sample,
 * foreign signal or change of its mask.
 */
#ifndef HEDDLE_CORE_HOST_CLAIMED_SIGNAL_H
#define HEDDLE_CORE_HOST_CLAIMED_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Whose samples they are. */
struct heddle_claimant {
	void (*handler)(int number, siginfo_t *info, void *context);

	/* From now on the calling thread's samples arrive by that signal. All signals are blocked. Context: owner. */
	void (*follow)(int number);

	/* True if one of its timers has sent the signal. Context: any thread, signal. */
	bool (*is_sample)(const siginfo_t *info);
};

/*
 * Claim `number` for samples: from now on its handler is the claimant's. Returns 0 or -errno. `claimant` must remain.
 * Context: init.
 */
int heddle__claim_signal(int number, const struct heddle_claimant *claimant);

/* Claim it again in a child, where a fork handler may have changed its action before. Context: the only thread. */
void heddle__claim_after_fork(void);

/*
 * A signal that is or was claimed arrived, and is no sample: take the action that the program has set, or keep it
 * pending if the program has blocked it. `context`: ucontext_t of the interrupted code. Context: signal.
 */
void heddle__foreign_signal(int number, siginfo_t *info, void *context);

/*
 * The signal that the calling thread takes for the claimed one, negative if the program has blocked it there; 0: none
 * yet. New threads inherit it. Context: owner.
 */
extern _Thread_local int heddle__own_claim;

/*
 * The child of a vfork that has set its mask with regard to the claimed signal: its mask is as it has said, whatever
 * heddle__own_claim, its parent's, says; 0: none. Context: owner, signal.
 */
extern _Thread_local pid_t heddle__masked_child;

/* True if the calling thread's real mask is the program's. Context: owner, signal. */
bool heddle__has_own_mask(void);

/*
 * While the calling thread creates another, or executes or spawns a program: if the program has blocked the signal of
 * samples, it is blocked, and so it is in what inherits the mask; in a new thread, until that follows the claim.
 * Returns what to release; 0: nothing. Context: owner, signal.
 */
int heddle__hold_claim(void);
void heddle__release_claim(int held);

/* Follow the claim, and unblock the claimed signal in the calling thread. Context: owner. */
void heddle__follow_claim(void);

/*
 * Follow the claim; `mask` will be the calling thread's: the former signal in it is as the program has said. All
 * signals are blocked. Context: owner, signal.
 */
void heddle__follow_claim_in(sigset_t *mask);

/* The same at the end of the claimant's handler; `context`: its third argument. Context: signal. */
void heddle__follow_claim_after(void *context);

#endif
