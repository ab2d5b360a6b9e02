/* SPDX-License-Identifier: BSD-3-Clause */
/* Some threads leave bytes while another one takes them: none are lost or taken twice. */
#include "tests/support/unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "models/c/c_orphans.h"

enum { NODES = 40000, LEAVERS = 3, ROUNDS = 5 };

static uint64_t taken[NODES];
static _Atomic int left;

static void take(void *to, uint32_t node, uint64_t bytes)
{
	assert_true(node < NODES);
	((uint64_t *)to)[node] += bytes;
}

static void *leave(void *unused)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t node = 0; node < NODES; node++)
			heddle__c_orphan_leave(node, node);
	}
	atomic_fetch_add(&left, 1);
	return unused;
}

static void what_threads_leave_is_taken_once(void **state)
{
	pthread_t threads[LEAVERS];
	(void)state;
	for (int i = 0; i < LEAVERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, leave, NULL), 0);
	while (atomic_load(&left) < LEAVERS)
		heddle__c_orphans_take(take, taken);
	for (int i = 0; i < LEAVERS; i++)
		pthread_join(threads[i], NULL);
	heddle__c_orphans_take(take, taken);
	for (uint32_t node = 0; node < NODES; node++)
		assert_int_equal(taken[node], (uint64_t)node * ROUNDS * LEAVERS);
	assert_false(heddle__c_orphans_wait());
}

static void nothing_is_kept_after_clearing(void **state)
{
	uint64_t none[8] = {0};
	(void)state;
	heddle__c_orphan_leave(7, 100);
	assert_true(heddle__c_orphans_wait());
	heddle__c_orphans_clear();
	assert_false(heddle__c_orphans_wait());
	heddle__c_orphan_leave(7, 3);
	heddle__c_orphans_take(take, none);
	assert_int_equal(none[7], 3);
	heddle__c_orphan_leave(UINT32_MAX, 1); /* no node of any tree */
	assert_false(heddle__c_orphans_wait());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_threads_leave_is_taken_once),
		cmocka_unit_test(nothing_is_kept_after_clearing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
