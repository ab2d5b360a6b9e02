/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads wait, as blame sees it: a program lets time pass when those that it talks of have begun to. */
#include "core/blame/blame_board.h"
#include "core/threads/thread.h"
#include "tests/support/simulated.h"

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
	unsigned int sum = for_locks ? 0 : waiting_on(heddle__scopes[HEDDLE_SCOPE_PROGRAM].board);
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		const struct heddle_blamed *mine = &thread->blamed;
		sum += for_locks ? mine->waits_for != 0 : mine->part[HEDDLE_SCOPE_PROCESS] >= HEDDLE_PART_BARRIER;
	}
	return sum;
}
