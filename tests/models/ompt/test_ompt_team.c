/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of parallel regions: their creator recycles one when the last reference is dropped. */
#include <sched.h>

#include "tests/support/unit.h"

#include "core/base/memory.h"
#include "core/threads/thread.h"
#include "models/ompt/ompt_team.h"

#define ROUNDS 5000
#define MANY 1000

static struct heddle_thread *make_thread(void)
{
	be_measured();
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_WORKER + heddle__ompt_model);
	assert_non_null(thread);
	return thread;
}

/* Returns true if the creator soon gets that record again. References to other records that it gets are dropped. */
static bool comes_again(struct heddle_thread *creator, const struct heddle_ompt_team *team)
{
	bool again = false;
	for (int i = 0; i < 4 * HEDDLE_OMPT_BATCH && !again; i++) {
		struct heddle_ompt_team *taken = heddle__ompt_team_take(creator);
		assert_int_equal(atomic_load(&taken->group.ended), 0);
		assert_false(taken->alone);
		again = taken == team;
		heddle__ompt_team_release(taken, creator);
	}
	return again;
}

static void a_record_is_used_again_after_the_last_let_go(void **state)
{
	struct heddle_thread *creator = make_thread(), *worker = make_thread();
	(void)state;
	struct heddle_ompt_team *team = heddle__ompt_team_take(creator);
	heddle__ompt_team_hold(team, creator);
	heddle__ompt_team_hold(team, worker);
	heddle__ompt_team_release(team, creator);
	assert_false(comes_again(creator, team));
	atomic_store(&team->group.ended, 5);
	heddle__ompt_team_release(team, creator);
	assert_false(comes_again(creator, team));
	heddle__ompt_team_release(team, worker);
	assert_true(comes_again(creator, team));
}

static void regions_without_workers_share_one_record(void **state)
{
	struct heddle_thread *creator = make_thread();
	(void)state;
	struct heddle_ompt_team *first = heddle__ompt_team_take(creator);
	first->alone = true;
	heddle__ompt_team_release(first, creator);
	for (int i = 0; i < MANY; i++) {
		struct heddle_ompt_team *team = heddle__ompt_team_take(creator);
		assert_ptr_equal(team, first);
		team->alone = true;
		heddle__ompt_team_release(team, creator);
	}
}

static void as_many_as_are_alive_are_there(void **state)
{
	static struct heddle_ompt_team *teams[MANY];
	struct heddle_thread *creator = make_thread();
	uint64_t mapped = 0;
	(void)state;
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < MANY; i++) {
			teams[i] = heddle__ompt_team_take(creator);
			assert_non_null(teams[i]);
			teams[i]->context = i;
		}
		for (uint32_t i = 0; i < MANY; i++) {
			assert_int_equal(teams[i]->context, i);
			heddle__ompt_team_release(teams[i], creator);
		}
		assert_true(!mapped || heddle__memory_mapped() == mapped);
		mapped = heddle__memory_mapped();
	}
}

/* Workers that still refer to an old region, while smaller teams come and go, cost no more than its records. */
static void records_held_for_long_do_not_make_it_grow(void **state)
{
	struct heddle_thread *creator = make_thread(), *worker = make_thread();
	(void)state;
	for (int i = 0; i < MANY; i++) {
		struct heddle_ompt_team *team = heddle__ompt_team_take(creator);
		if (i < MANY / 10)
			heddle__ompt_team_hold(team, worker);
		heddle__ompt_team_release(team, creator);
	}
	uint64_t mapped = heddle__memory_mapped();
	for (int i = 0; i < 100 * MANY; i++)
		heddle__ompt_team_release(heddle__ompt_team_take(creator), creator);
	assert_int_equal(heddle__memory_mapped(), mapped);
}

static struct heddle_ompt_team *_Atomic handed_over;
static _Atomic bool changed;

static void *hold_and_let_go(void *thread)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct heddle_ompt_team *team;
		while (!(team = atomic_exchange(&handed_over, NULL)))
			sched_yield();
		if (team->place != (uint64_t)i)
			atomic_store(&changed, true);
		heddle__ompt_team_release(team, thread);
	}
	return NULL;
}

static void a_record_that_a_worker_holds_does_not_change(void **state)
{
	struct heddle_thread *creator = make_thread(), *worker = make_thread();
	(void)state;
	pthread_t thread = start_plain(hold_and_let_go, worker);
	for (int i = 0; i < ROUNDS; i++) {
		struct heddle_ompt_team *team = heddle__ompt_team_take(creator), *expected = NULL;
		team->place = (uint64_t)i;
		heddle__ompt_team_hold(team, worker);
		heddle__ompt_team_release(team, creator);
		while (!atomic_compare_exchange_weak(&handed_over, &expected, team))
			expected = NULL, sched_yield();
	}
	pthread_join(thread, NULL);
	assert_false(atomic_load(&changed));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_used_again_after_the_last_let_go),
		cmocka_unit_test(regions_without_workers_share_one_record),
		cmocka_unit_test(as_many_as_are_alive_are_there),
		cmocka_unit_test(records_held_for_long_do_not_make_it_grow),
		cmocka_unit_test(a_record_that_a_worker_holds_does_not_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
