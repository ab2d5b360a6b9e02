/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A board counts the threads that work and those that wait. For each kind of waiting it accumulates a share: ticks
 * waited, divided by the number of working threads. A thread is charged with the growth of the shares while it works.
 * Changing a board takes a lock for a few instructions; reading it, as samples do, takes none.
 */
#ifndef HEDDLE_CORE_BLAME_BOARD_H
#define HEDDLE_CORE_BLAME_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/threads/blamed.h"

struct heddle_board {
	_Atomic uint32_t taken;
	_Atomic uint32_t version; /* odd: being changed */
	_Atomic uint32_t working;
	_Atomic uint32_t waiting[HEDDLE_IDLENESS_KINDS];
	_Atomic uint64_t last;                         /* tick up to which the shares are computed */
	_Atomic uint64_t share[HEDDLE_IDLENESS_KINDS]; /* ticks charged to each working thread since the start */
	_Atomic uint64_t rest[HEDDLE_IDLENESS_KINDS];  /* remainder of the division */
};

struct heddle_blame_bucket;

/*
 * A scope: the threads of the process, in measured ticks, or the threads of the program, which may have several
 * processes, in raw ticks.
 */
struct heddle_scope {
	struct heddle_board *board;
	struct heddle_blame_bucket *buckets; /* NULL: no memory */
	bool raw;
};

extern struct heddle_scope heddle__scopes[HEDDLE_SCOPES];

/* Resets all boards, and stops sharing the program's. Context: the child's only thread, after a fork. */
void heddle__scopes_reset(void);

/* The current tick of the scope; conversion from and to measured ticks. Context: any thread, signal. */
uint64_t heddle__scope_now(const struct heddle_scope *scope);
uint64_t heddle__scope_tick(const struct heddle_scope *scope, uint64_t measured);
uint64_t heddle__scope_measured(const struct heddle_scope *scope, uint64_t tick);

/* The state of a board at `now`: shares, and the waiting since its last change that has no culprit. */
struct heddle_reckoning {
	uint32_t working, waiting;
	uint64_t now;
	uint64_t share[HEDDLE_IDLENESS_KINDS], rest[HEDDLE_IDLENESS_KINDS], no_culprit[HEDDLE_IDLENESS_KINDS];
};

/*
 * Open locks the board and brings it up to date; false: blame was given up. Count adds `by` threads to a part. Close
 * unlocks the board. Context: any thread.
 */
bool heddle__board_open(const struct heddle_scope *scope, struct heddle_reckoning *reckoning);
void heddle__board_count(struct heddle_board *board, enum heddle_part part, uint32_t by);
void heddle__board_close(struct heddle_board *board);

/*
 * Reads the board without the lock, at a tick of the scope (0: now). False if it kept changing. Context: any thread,
 * signal.
 */
bool heddle__board_read(const struct heddle_scope *scope, uint64_t now, struct heddle_reckoning *reckoning);

/*
 * Acquires a lock that is held for a few instructions only. False: its holder does not release it, and blame is given
 * up. Context: any thread.
 */
bool heddle__board_acquire(_Atomic uint32_t *taken);

/* Acquires such a lock without waiting. False: it is held. Context: any thread, signal. */
static inline bool heddle__blame_try(_Atomic uint32_t *taken)
{
	uint32_t nobody = 0;
	return atomic_compare_exchange_strong_explicit(taken, &nobody, 1, memory_order_acquire, memory_order_relaxed);
}

static inline void heddle__board_release(_Atomic uint32_t *taken)
{
	atomic_store_explicit(taken, 0, memory_order_release);
}

/* Gives up blame: from now on no board or lock is changed, and blame is incomplete. Context: any thread, signal. */
void heddle__blame_give_up(void);

#endif
