/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A board says how many threads work and how many wait, and sums up, for each way of waiting, the ticks waited for each
 * thread that works: what a thread is charged with is by how much that grew while it worked. Changing a board takes a
 * lock for a few instructions; looking at it (which samples do) takes none. Locks are kept beside it (blame_locks.c).
 */
#ifndef HEDDLE_CORE_BLAME_BOARD_H
#define HEDDLE_CORE_BLAME_BOARD_H

#include "core/blame.h"

struct heddle_board {
	_Atomic uint32_t taken;
	_Atomic uint32_t version; /* odd: being changed */
	_Atomic uint32_t working;
	_Atomic uint32_t waiting[HEDDLE_IDLENESS_KINDS];
	_Atomic uint64_t last;                         /* tick up to which the shares are */
	_Atomic uint64_t share[HEDDLE_IDLENESS_KINDS]; /* ticks for each working thread, since ever */
	_Atomic uint64_t rest[HEDDLE_IDLENESS_KINDS];  /* what could not be divided */
};

struct heddle_blame_bucket;

/*
 * Threads that wait for each other: those of the process, by measured ticks; those of the program, which may be several
 * processes, by raw ones.
 */
struct heddle_scope {
	struct heddle_board *board;
	struct heddle_blame_bucket *buckets; /* NULL: no memory */
	bool raw;
};

extern struct heddle_scope heddle__scopes[HEDDLE_SCOPES];

/* A scope's tick now; a measured one as the scope's, and back. Context: any thread, signal. */
uint64_t heddle__scope_now(const struct heddle_scope *scope);
uint64_t heddle__scope_tick(const struct heddle_scope *scope, uint64_t measured);
uint64_t heddle__scope_measured(const struct heddle_scope *scope, uint64_t tick);

/* What each working thread's share is at `now`, and what of the waiting since the board's last change is nobody's. */
struct heddle_reckoning {
	uint32_t working, waiting;
	uint64_t now;
	uint64_t share[HEDDLE_IDLENESS_KINDS], rest[HEDDLE_IDLENESS_KINDS], nobodys[HEDDLE_IDLENESS_KINDS];
};

/* Take the board and bring it up to date; false: blame is given up. Then count, and close it. Context: any thread. */
bool heddle__board_open(const struct heddle_scope *scope, struct heddle_reckoning *reckoning);
void heddle__board_count(struct heddle_board *board, enum heddle_part part, uint32_t by);
void heddle__board_close(struct heddle_board *board);

/* Reckon without the lock, at a tick of the scope's (0: now). False if the board changes all the time. Signal. */
bool heddle__board_look(const struct heddle_scope *scope, uint64_t now, struct heddle_reckoning *reckoning);

/* A lock of a few instructions; false: whoever has it does not let go, and blame is given up. Context: any thread. */
bool heddle__blame_take(_Atomic uint32_t *taken);

/* The same without waiting. Context: signal, too. */
static inline bool heddle__blame_try(_Atomic uint32_t *taken)
{
	uint32_t nobody = 0;
	return atomic_compare_exchange_strong_explicit(taken, &nobody, 1, memory_order_acquire, memory_order_relaxed);
}

static inline void heddle__blame_let_go(_Atomic uint32_t *taken)
{
	atomic_store_explicit(taken, 0, memory_order_release);
}
void heddle__blame_give_up(void);

/* How much memory a scope's locks take. */
size_t heddle__blame_buckets_size(void);

/*
 * Of blame_program.c: share the program's scope with the other processes; stop doing so (any thread, signal); forget
 * them, in the child of a fork.
 */
void heddle__blame_share_program(void);
void heddle__blame_leave_program(void);
void heddle__blame_program_after_fork(void);

#endif
