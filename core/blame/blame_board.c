/* SPDX-License-Identifier: BSD-3-Clause */
/* Boards of working and waiting threads. They are read in signal handlers, which never wait for a board's lock. */
#include "core/blame/blame_board.h"

#include <sched.h>
#include <string.h>

#include "core/base/notes.h"
#include "core/threads/control.h"

#define SPINS 100
#define YIELDS 100000
#define READS 1000

static struct heddle_board boards[HEDDLE_SCOPES];
struct heddle_scope heddle__scopes[HEDDLE_SCOPES] = {
	[HEDDLE_SCOPE_PROCESS] = {.board = &boards[HEDDLE_SCOPE_PROCESS]},
	[HEDDLE_SCOPE_PROGRAM] = {.board = &boards[HEDDLE_SCOPE_PROGRAM], .raw = true},
};
static _Atomic bool given_up;

#define GET(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define SET(field, value) atomic_store_explicit(&(field), value, memory_order_relaxed)

void heddle__scopes_reset(void)
{
	heddle__scopes[HEDDLE_SCOPE_PROGRAM].board = &boards[HEDDLE_SCOPE_PROGRAM];
	memset(boards, 0, sizeof(boards));
}

void heddle__blame_give_up(void)
{
	atomic_store(&given_up, true);
}

/*
 * The lock is held for nanoseconds. But a signal handler may end the program meanwhile, on a path that acquires this
 * lock again; and another process may have been killed while it held the lock. So the wait is limited.
 */
bool heddle__board_acquire(_Atomic uint32_t *taken)
{
	for (uint32_t i = 0; i < YIELDS; i++) {
		uint32_t nobody = 0;
		if (GET(given_up))
			return false;
		if (!GET(*taken) && atomic_compare_exchange_weak_explicit(
					    taken, &nobody, 1, memory_order_acquire, memory_order_relaxed))
			return true;
		if (i >= SPINS)
			sched_yield();
	}
	heddle__blame_give_up();
	heddle__note("blame is incomplete: a thread stopped in the middle of an event");
	return false;
}

/*
 * Returns the difference of raw and measured ticks. Raw ticks continue while measurement is paused; waits between
 * processes include that time.
 */
static uint64_t offset(void)
{
	uint64_t clock = GET(heddle__measured_clock);
	return clock & 1 ? heddle__ticks() - (clock >> 1) : clock >> 1;
}

uint64_t heddle__scope_now(const struct heddle_scope *scope)
{
	return scope->raw ? heddle__ticks() : heddle__measured_ticks();
}

uint64_t heddle__scope_tick(const struct heddle_scope *scope, uint64_t measured)
{
	return scope->raw ? measured + offset() : measured;
}

uint64_t heddle__scope_measured(const struct heddle_scope *scope, uint64_t tick)
{
	return scope->raw ? tick - offset() : tick;
}

static void reckon(struct heddle_board *board, uint64_t now, struct heddle_reckoning *reckoning)
{
	uint64_t last = GET(board->last);
	reckoning->now = now > last ? now : last;
	reckoning->working = GET(board->working);
	reckoning->waiting = 0;
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		uint32_t waiting = GET(board->waiting[kind]);
		uint64_t ticks = (reckoning->now - last) * waiting;
		reckoning->waiting += waiting;
		reckoning->share[kind] = GET(board->share[kind]);
		reckoning->rest[kind] = GET(board->rest[kind]);
		reckoning->no_culprit[kind] = 0;
		if (ticks && reckoning->working) {
			ticks += reckoning->rest[kind];
			reckoning->share[kind] += ticks / reckoning->working;
			reckoning->rest[kind] = ticks % reckoning->working;
		} else {
			reckoning->no_culprit[kind] = ticks;
		}
	}
}

bool heddle__board_read(const struct heddle_scope *scope, uint64_t now, struct heddle_reckoning *reckoning)
{
	struct heddle_board *board = scope->board;
	for (unsigned int i = 0; i < READS; i++) {
		uint32_t version = atomic_load_explicit(&board->version, memory_order_acquire);
		reckon(board, now ? now : heddle__scope_now(scope), reckoning);
		atomic_thread_fence(memory_order_acquire);
		if (!(version & 1) && GET(board->version) == version)
			return true;
	}
	return false;
}

bool heddle__board_open(const struct heddle_scope *scope, struct heddle_reckoning *reckoning)
{
	struct heddle_board *board = scope->board;
	if (!heddle__board_acquire(&board->taken))
		return false;
	SET(board->version, GET(board->version) + 1);
	atomic_thread_fence(memory_order_release);
	reckon(board, heddle__scope_now(scope), reckoning);
	SET(board->last, reckoning->now);
	for (unsigned int kind = 0; kind < HEDDLE_IDLENESS_KINDS; kind++) {
		SET(board->share[kind], reckoning->share[kind]);
		SET(board->rest[kind], reckoning->rest[kind]);
	}
	return true;
}

void heddle__board_count(struct heddle_board *board, enum heddle_part part, uint32_t by)
{
	if (part == HEDDLE_PART_WORKS)
		SET(board->working, GET(board->working) + by);
	else if (part >= HEDDLE_PART_BARRIER)
		SET(board->waiting[part - HEDDLE_PART_BARRIER], GET(board->waiting[part - HEDDLE_PART_BARRIER]) + by);
}

void heddle__board_close(struct heddle_board *board)
{
	atomic_store_explicit(&board->version, GET(board->version) + 1, memory_order_release);
	heddle__board_release(&board->taken);
}
