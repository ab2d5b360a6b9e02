/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the waiting threads, as blame sees them: a program lets time pass only after the threads whose wait it
 * measures have begun to wait. Threads that wait for locks are counted on the machine, for all processes, at the calls
 * of core/blame (-Wl,--wrap).
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

/* Declares the two functions of the linker's -Wl,--wrap, and begins the definition of the second. */
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

/* Threads of other processes are only on the board of the whole program. */
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
