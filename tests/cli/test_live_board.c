/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The board of `heddle run --live` with more processes than it has rows: the launcher reclaims the rows of processes
 * that reported their end each time that it reads the board, and their samples and CPU time remain in the sums.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/run/live_board.h"

#define PROCESSES (4 * HEDDLE_LIVE_ROWS)
#define BETWEEN_LOOKS 100 /* processes that begin and end between two readings */
#define NOBODY 0x7ffffff0 /* no process has a number this great */

static struct heddle_live_row *free_row(struct heddle_live_head *head)
{
	for (size_t i = 0; i < HEDDLE_LIVE_ROWS; i++) {
		if (atomic_load(&head->rows[i].state) == HEDDLE_LIVE_FREE)
			return &head->rows[i];
	}
	return NULL;
}

static void run(struct heddle_live_row *row, int32_t pid, enum heddle_live_state state)
{
	atomic_store(&row->pid, pid);
	atomic_store(&row->samples, 3);
	atomic_store(&row->cpu_ns, 1000);
	atomic_store(&row->recent, 0);
	atomic_store(&row->state, state);
}

static void rows_of_ended_processes_are_used_again(void **state)
{
	static struct heddle_live_board board;
	(void)state;
	assert_int_equal(heddle__live_board_open(&board), 0);
	board.program = getpid();
	struct heddle_live_head *head = board.memory;
	run(free_row(head), getpid(), HEDDLE_LIVE_RUNNING);
	for (int i = 0; i < PROCESSES; i++) {
		struct heddle_live_row *row = free_row(head);
		assert_non_null(row);
		run(row, NOBODY + i % 8, HEDDLE_LIVE_ENDED);
		if (i % BETWEEN_LOOKS == 0)
			heddle__live_board_reclaim(&board);
	}
	struct heddle_live_sums sums = heddle__live_board_read(&board);
	assert_int_equal(sums.processes, 1);
	assert_int_equal(sums.samples, 3 * (PROCESSES + 1));
	assert_true(sums.cpu_ns >= 1000 * PROCESSES);
	assert_int_equal(atomic_load(&head->rows[0].state), HEDDLE_LIVE_RUNNING);
	assert_int_equal(atomic_load(&head->rows[1].state), HEDDLE_LIVE_FREE);
	heddle__live_board_close(&board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_ended_processes_are_used_again),
	};
	return cmocka_run_group_tests_name("live_board", tests, NULL, NULL);
}
