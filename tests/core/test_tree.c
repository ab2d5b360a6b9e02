/* SPDX-License-Identifier: BSD-3-Clause */
/* The call-path tree: a path has one number, whichever thread adds it, and whatever interrupts the insertion. */
#include <signal.h>
#include <sys/time.h>

#include "tests/support/unit.h"

#define META(number) HEDDLE_NODE_META(HEDDLE_NODE_FRAME, number)
#define THREADS 4
#define PATHS 20000u

static void the_same_child_has_the_same_number(void **state)
{
	(void)state;
	uint32_t child = heddle__tree_child(HEDDLE_TREE_ROOT, META(0), 100);
	assert_int_not_equal(child, HEDDLE_TREE_ROOT);
	assert_int_equal(heddle__tree_child(HEDDLE_TREE_ROOT, META(0), 100), child);
	assert_int_equal(heddle__tree_count(), child + 1);
	assert_int_equal(heddle__tree_node(child)->parent, HEDDLE_TREE_ROOT);
	assert_int_equal(heddle__tree_node(child)->place, 100);
	assert_int_equal(heddle__tree_node(child)->meta, META(0));
}

static void another_place_kind_event_or_parent_is_another_child(void **state)
{
	(void)state;
	uint32_t child = heddle__tree_child(HEDDLE_TREE_ROOT, META(0), 200);
	const uint32_t others[] = {
		heddle__tree_child(HEDDLE_TREE_ROOT, META(0), 201),
		heddle__tree_child(HEDDLE_TREE_ROOT, META(0), (uint64_t)1 << 48 | 200),
		heddle__tree_child(HEDDLE_TREE_ROOT, META(1), 200),
		heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, 0), 200),
		heddle__tree_child(child, META(0), 200),
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_int_not_equal(others[i], child);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(others[i], others[j]);
	}
}

static void the_root_and_numbers_never_given_can_be_asked_for(void **state)
{
	(void)state;
	assert_int_equal(HEDDLE_META_KIND(heddle__tree_node(HEDDLE_TREE_ROOT)->meta), HEDDLE_NODE_ROOT);
	assert_int_equal(HEDDLE_META_KIND(heddle__tree_node(HEDDLE_TREE_LIMIT - 1)->meta), HEDDLE_NODE_NONE);
}

static uint32_t region(uint32_t parent, uint16_t event, uint64_t place)
{
	return heddle__tree_child(parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event), place);
}

static void recursion_is_found_from_a_level_on(void **state)
{
	(void)state;
	const uint32_t task = HEDDLE_NODE_META(HEDDLE_NODE_REGION, 7), other = HEDDLE_NODE_META(HEDDLE_NODE_REGION, 8);
	uint32_t first = region(heddle__tree_child(HEDDLE_TREE_ROOT, META(0), 300), 7, 1);
	uint32_t second = region(heddle__tree_child(first, META(0), 301), 7, 2);
	uint32_t third = region(heddle__tree_child(second, META(0), 302), 7, 1);
	uint32_t frame = heddle__tree_child(third, META(0), 303);
	assert_int_equal(heddle__tree_enclosing(frame, task, 1, 1), third);
	assert_int_equal(heddle__tree_enclosing(frame, task, 1, 3), third);
	assert_int_equal(heddle__tree_enclosing(frame, task, 2, 3), second);
	assert_int_equal(heddle__tree_enclosing(frame, task, 1, 4), 0);
	assert_int_equal(heddle__tree_enclosing(frame, task, 3, 1), 0);
	assert_int_equal(heddle__tree_enclosing(frame, other, 1, 1), 0);
	assert_int_equal(heddle__tree_enclosing(second, task, 1, 2), first);
	assert_int_equal(heddle__tree_enclosing(HEDDLE_TREE_ROOT, task, 1, 1), 0);
}

/* Path i continues path i / 2, which makes the tree wide and deep. `base` separates the paths of different tests. */
static void add_paths(uint64_t base, uint32_t *ids, uint32_t count)
{
	ids[0] = HEDDLE_TREE_ROOT;
	for (uint32_t i = 1; i < count; i++)
		ids[i] = heddle__tree_child(ids[i / 2], META(i & 1), base + i);
}

/* Each node is found by its own path, or marked unused: no path is there twice, and no node is incomplete. */
static void assert_no_path_twice(void)
{
	for (uint32_t id = 1; id < heddle__tree_count(); id++) {
		const struct heddle_node *node = heddle__tree_node(id);
		if (node->meta == HEDDLE_NODE_UNUSED)
			continue;
		assert_int_not_equal(HEDDLE_META_KIND(node->meta), HEDDLE_NODE_NONE);
		assert_true(node->parent < id);
		assert_int_equal(heddle__tree_child(node->parent, node->meta, node->place), id);
	}
}

static uint32_t ids_of[THREADS][PATHS];
static pthread_barrier_t together;

static void *add_at_once(void *ids)
{
	pthread_barrier_wait(&together);
	add_paths(1 << 20, ids, PATHS);
	return NULL;
}

static void threads_that_add_the_same_paths_get_the_same_numbers(void **state)
{
	(void)state;
	pthread_t threads[THREADS];
	assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
	for (int i = 0; i < THREADS; i++)
		threads[i] = start_plain(add_at_once, ids_of[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 1; i < THREADS; i++)
		assert_memory_equal(ids_of[i], ids_of[0], sizeof(ids_of[0]));
	for (uint32_t i = 1; i < PATHS; i++) {
		const struct heddle_node *node = heddle__tree_node(ids_of[0][i]);
		assert_int_equal(node->place, (1 << 20) + i);
		assert_int_equal(node->parent, ids_of[0][i / 2]);
	}
	assert_no_path_twice();
	assert_int_equal(heddle__tree_dropped(), 0);
}

#define STORM_BASE ((uint64_t)1 << 30)
#define STORM_PATHS 50000u

static uint32_t by_thread[STORM_PATHS], by_handler[STORM_PATHS];
static volatile uint32_t handled = 1;

/* Adds some of the same paths, a part of them before the interrupted thread does. */
static void add_some(int number)
{
	(void)number;
	by_handler[0] = HEDDLE_TREE_ROOT;
	for (uint32_t end = handled + 400; handled < end && handled < STORM_PATHS; handled++)
		by_handler[handled] =
			heddle__tree_child(by_handler[handled / 2], META(handled & 1), STORM_BASE + handled);
}

static void a_handler_adds_paths_while_its_thread_adds_them(void **state)
{
	(void)state;
	struct sigaction action = {.sa_handler = add_some}, before;
	struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &often, NULL);
	add_paths(STORM_BASE, by_thread, STORM_PATHS);
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	assert_true(handled > 1);
	for (uint32_t i = 1; i < handled; i++)
		assert_int_equal(by_handler[i], by_thread[i]);
	assert_no_path_twice();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_child_has_the_same_number),
		cmocka_unit_test(another_place_kind_event_or_parent_is_another_child),
		cmocka_unit_test(the_root_and_numbers_never_given_can_be_asked_for),
		cmocka_unit_test(recursion_is_found_from_a_level_on),
		cmocka_unit_test(threads_that_add_the_same_paths_get_the_same_numbers),
		cmocka_unit_test(a_handler_adds_paths_while_its_thread_adds_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
