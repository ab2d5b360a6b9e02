/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of parallel regions: one holder at a time, used again when the last has let go. */
#include "tests/support/unit.h"

#include "core/memory.h"
#include "models/ompt/ompt_team.h"

#define THREADS 4
#define ROUNDS 50000
#define MANY 1000

static void a_record_is_used_again_after_the_last_let_go(void **state)
{
	(void)state;
	struct heddle_ompt_team *team = heddle__ompt_team_take();
	heddle__ompt_team_hold(team);
	heddle__ompt_team_let_go(team);
	struct heddle_ompt_team *other = heddle__ompt_team_take();
	assert_ptr_not_equal(other, team);
	atomic_store(&team->group.ended, 5);
	team->alone = true;
	heddle__ompt_team_let_go(team);
	assert_ptr_equal(heddle__ompt_team_take(), team);
	assert_int_equal(atomic_load(&team->group.ended), 0);
	assert_false(team->alone);
	heddle__ompt_team_let_go(team);
	heddle__ompt_team_let_go(other);
}

static void as_many_as_are_alive_are_there(void **state)
{
	(void)state;
	static struct heddle_ompt_team *teams[MANY];
	uint64_t mapped = 0;
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < MANY; i++) {
			teams[i] = heddle__ompt_team_take();
			assert_non_null(teams[i]);
			teams[i]->context = i;
		}
		for (uint32_t i = 0; i < MANY; i++) {
			assert_int_equal(teams[i]->context, i);
			heddle__ompt_team_let_go(teams[i]);
		}
		assert_true(!mapped || heddle__memory_mapped() == mapped);
		mapped = heddle__memory_mapped();
	}
}

static _Atomic bool taken_twice;

static void *take_and_let_go(void *mark)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct heddle_ompt_team *first = heddle__ompt_team_take(), *second = heddle__ompt_team_take();
		first->place = second->place = (uintptr_t)mark;
		if (first == second || first->place != (uintptr_t)mark)
			atomic_store(&taken_twice, true);
		heddle__ompt_team_let_go(i & 1 ? first : second);
		if ((i & 1 ? second : first)->place != (uintptr_t)mark)
			atomic_store(&taken_twice, true);
		heddle__ompt_team_let_go(i & 1 ? second : first);
	}
	return NULL;
}

static void no_two_threads_have_the_same(void **state)
{
	(void)state;
	pthread_t threads[THREADS];
	for (uintptr_t i = 0; i < THREADS; i++)
		threads[i] = start_plain(take_and_let_go, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_false(atomic_load(&taken_twice));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_used_again_after_the_last_let_go),
		cmocka_unit_test(as_many_as_are_alive_are_there),
		cmocka_unit_test(no_two_threads_have_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
