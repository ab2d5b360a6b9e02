/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many threads wait, as blame sees it: a program lets time pass when those that it talks of have begun to. Who
 * waits for a lock is counted on the machine, for all processes, where core/blame is told (-Wl,--wrap).
 */
#include "core/blame/blame_board.h"
#include "core/blame/blame_locks.h"
#include "core/threads/thread.h"
#include "tests/support/simulated_machine.h"

static void count(const struct heddle_thread *thread, bool waited)
{
	bool waits = thread->blamed.waits_for != 0;
	simulated_count_lock_waiters((int)waits - (int)waited);
}

/* What the linker calls the two sides of -Wl,--wrap. */
#define WRAP(name, ...)                                \
	void __real_heddle__blame_##name(__VA_ARGS__); \
	void __wrap_heddle__blame_##name(__VA_ARGS__); \
	void __wrap_heddle__blame_##name(__VA_ARGS__)

WRAP(wait, struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock)
{
	bool waited = thread->blamed.waits_for != 0;
	__real_heddle__blame_wait(thread, scope, lock);
	count(thread, waited);
}

WRAP(unwait, struct heddle_thread *thread)
{
	bool waited = thread->blamed.waits_for != 0;
	__real_heddle__blame_unwait(thread);
	count(thread, waited);
}

WRAP(hold, struct heddle_thread *thread, enum heddle_blame_scope scope, uint64_t lock, bool in_turn, uint32_t path)
{
	bool waited = thread->blamed.waits_for != 0;
	__real_heddle__blame_hold(thread, scope, lock, in_turn, path);
	count(thread, waited);
}

/* Threads of other processes are on the program's board alone. */
static unsigned int waiting_on(const struct heddle_board *board)
{
	unsigned int sum = 0;
	for (int kind = 0; board && kind < HEDDLE_IDLENESS_KINDS; kind++)
		sum += atomic_load(&board->waiting[kind]);
	return sum;
}

__attribute__((visibility("default"))) unsigned int simulated_waiting(bool for_locks)
{
	if (for_locks)
		return simulated_lock_waiters();
	unsigned int sum = waiting_on(heddle__scopes[HEDDLE_SCOPE_PROGRAM].board);
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		sum += thread->blamed.part[HEDDLE_SCOPE_PROCESS] >= HEDDLE_PART_BARRIER;
	return sum;
}
