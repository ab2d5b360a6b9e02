/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signal that samples arrive by, the claimed signal. The program's calls can neither handle nor block it, but
 * return what the program has set. Its own signals of that number are handled by its own action. While it blocks them,
 * they must stay pending, where a signalfd, sigpending or sigsuspend finds them: then the claim moves to a signal that
 * the program does not use, and the former one is really blocked. Each thread follows the claim by itself, at its next
 * sample, foreign signal or change of its mask.
 */
#ifndef HEDDLE_CORE_HOST_CLAIMED_SIGNAL_H
#define HEDDLE_CORE_HOST_CLAIMED_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* The owner of the samples. */
struct heddle_claimant {
	void (*handler)(int number, siginfo_t *info, void *context);

	/* Delivers the calling thread's samples by that signal from now on. All signals are blocked. Context: owner. */
	void (*follow)(int number);

	/* True if one of the claimant's timers has sent the signal. Context: any thread, signal. */
	bool (*is_sample)(const siginfo_t *info);
};

/*
 * Claims `number` for samples: from now on its handler is the claimant's. Returns 0 or -errno. `claimant` must stay
 * valid. Context: init.
 */
int heddle__claim_signal(int number, const struct heddle_claimant *claimant);

/* Claims the signal again in a child, where a fork handler may have changed its action. Context: the only thread. */
void heddle__claim_after_fork(void);

/*
 * Handles a signal that is or was claimed and is not a sample: takes the action that the program has set, or keeps the
 * signal pending if the program has blocked it. `context`: ucontext_t of the interrupted code. Context: signal.
 */
void heddle__foreign_signal(int number, siginfo_t *info, void *context);

/*
 * The claimed signal as this thread has followed it, negative if the program has blocked it in this thread; 0: none
 * yet. New threads inherit it. Context: owner.
 */
extern _Thread_local int heddle__own_claim;

/*
 * The process number of a vfork's child that has set its mask for the claimed signal; 0: none. Its real mask is what it
 * has set, whatever heddle__own_claim is, which its parent shares. Context: owner, signal.
 */
extern _Thread_local pid_t heddle__masked_child;

/* True if the calling thread's real mask is the program's. Context: owner, signal. */
bool heddle__has_own_mask(void);

/*
 * Called while the calling thread creates another, or executes or spawns a program. If the program has blocked the
 * signal of samples, it is really blocked, also in what inherits the mask; in a new thread, until that follows the
 * claim. heddle__hold_claim returns what to pass to heddle__release_claim; 0: nothing was blocked. Context: owner,
 * signal.
 */
int heddle__hold_claim(void);
void heddle__release_claim(int held);

/* Follows the claim, and unblocks the claimed signal in the calling thread. Context: owner. */
void heddle__follow_claim(void);

/*
 * Follows the claim. `mask` will be the calling thread's mask: the former claimed signal is blocked in it if the
 * program has blocked it. All signals are blocked. Context: owner, signal.
 */
void heddle__follow_claim_in(sigset_t *mask);

/*
 * Like heddle__follow_claim_in(), at the end of the claimant's handler; `context`: its third argument. Context: signal.
 */
void heddle__follow_claim_after(void *context);

#endif
