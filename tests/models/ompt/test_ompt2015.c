/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the report's events, from a runtime that the included file simulates, are measured, and what is ignored if the
 * runtime has version 1 (LLVM's). Explicit tasks are in test_ompt2015_tasks.c.
 */
#include "tests/models/ompt/report_runtime.h"

static void all_events_of_the_report_are_taken(void **state)
{
	(void)state;
	for (int event = 1; event < EVENTS; event++)
		assert_non_null(callbacks[event]);
}

static void threads_continue_from_where_their_region_was_created(void **state)
{
	(void)state;
	begin_region();
	assert_int_equal(heddle__current_node(master), region_1());
	assert_int_equal(heddle__current_node(worker), region_1());
	assert_int_equal(worker->number, 6); /* the runtime's number, from 0 */
	parallel_begin(OF_MASTER, INNER, REGION_2);
	two(IMPLICIT_TASK_BEGIN, INNER, TASK);
	assert_int_equal(heddle__current_node(master), node(region_1(), HEDDLE_OMPT_PARALLEL, REGION_2));
	two(IMPLICIT_TASK_END, INNER, TASK);
	parallel_end(INNER, OF_MASTER);
	end_region();
	assert_int_equal(value_of(master, region_1(), HEDDLE_METRIC_VISITS), 1);
	assert_int_equal(value_of(worker, region_1(), HEDDLE_METRIC_VISITS), 0);
}

static void a_creator_s_missing_end_is_made_up_for(void **state)
{
	(void)state;
	begin_region();
	as(worker);
	two(IMPLICIT_TASK_END, REGION, OF_WORKER);
	as(master);
	parallel_end(REGION, INITIAL);
}

static void idling_leaves_what_was_open(void **state)
{
	(void)state;
	begin_region();
	as(worker);
	one(IDLE_BEGIN, 7);
	assert_int_equal(worker->stack.depth, 0);
	end_region();
}

static void addresses_are_believed_from_version_2_on(void **state)
{
	(void)state;
	for (unsigned int version = 1; version <= 2; version++) {
		uint64_t place = version == 2 ? WAIT_AT - 1 : REGION_1; /* an event without a place has the region's */
		start_runtime(version);
		begin_region();
		at(BARRIER_BEGIN, REGION, OF_MASTER, WAIT_AT);
		assert_int_equal(heddle__current_node(master), node(region_1(), HEDDLE_OMPT_BARRIER, place));
		two(BARRIER_END, REGION, OF_MASTER);
		at(LOOP_BEGIN, REGION, OF_MASTER, WAIT_AT);
		assert_int_equal(heddle__current_node(master), node(region_1(), HEDDLE_OMPT_LOOP, place));
		two(LOOP_END, REGION, OF_MASTER);
		end_region();
	}
}

static void a_wait_stands_for_a_region_that_is_not_told(void **state)
{
	(void)state;
	withheld[TASKWAIT_BEGIN] = withheld[TASKWAIT_END] = true;
	start_runtime(2);
	begin_region();
	two(WAIT_TASKWAIT_BEGIN, REGION, OF_MASTER);
	assert_int_equal(heddle__current_node(master), node(region_1(), HEDDLE_OMPT_TASKWAIT, REGION_1));
	two(WAIT_TASKWAIT_END, REGION, OF_MASTER);
	at(BARRIER_BEGIN, REGION, OF_MASTER, WAIT_AT);
	uint32_t depth = master->stack.depth;
	two(WAIT_BARRIER_BEGIN, REGION, OF_MASTER);
	assert_int_equal(master->stack.depth, depth); /* not counted twice */
	two(WAIT_BARRIER_END, REGION, OF_MASTER);
	two(BARRIER_END, REGION, OF_MASTER);
	end_region();
}

static void mutexes_take_time_until_they_are_acquired(void **state)
{
	(void)state;
	static const struct {
		int wait, acquired;
	} kinds[] = {{WAIT_LOCK, ACQUIRED_LOCK}, {WAIT_NEST_LOCK, ACQUIRED_NEST_LOCK},
		{WAIT_NEST_LOCK, ACQUIRED_NEST_LOCK_NEXT}, {WAIT_CRITICAL, ACQUIRED_CRITICAL},
		{WAIT_ORDERED, ACQUIRED_ORDERED}};
	static const int releases[] = {
		RELEASE_LOCK, RELEASE_NEST_LOCK, RELEASE_NEST_LOCK_PREV, RELEASE_CRITICAL, RELEASE_ORDERED};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		CALL(kinds[i].wait, (uint64_t, uint32_t, uint32_t), UINT64_C(77), UINT32_C(1), UINT32_C(2));
		assert_int_equal(master->stack.depth, 1);
		assert_int_equal(master->stack.regions[0].state, HEDDLE_STATE_LOCK_WAIT);
		one(kinds[i].acquired, 77);
		one(releases[i], 77);
		assert_int_equal(master->stack.depth, 0);
	}
}

static void take_lock(uint64_t lock)
{
	CALL(WAIT_LOCK, (uint64_t, uint32_t, uint32_t), lock, UINT32_C(0), UINT32_C(0));
	assert_int_equal(master->stack.regions[master->stack.depth - 1].state, HEDDLE_STATE_LOCK_WAIT);
	one(ACQUIRED_LOCK, lock);
}

/* No event reports the place of a lock in the program: without samples, it is the place of the region. */
static uint32_t locks_below(uint32_t parent, unsigned int count)
{
	return count ? locks_below(node(parent, HEDDLE_OMPT_LOCK, REGION_1), count - 1) : parent;
}

static void locks_are_held_until_they_are_released(void **state)
{
	(void)state;
	begin_region();
	for (uint64_t lock = 1; lock <= 3; lock++) {
		take_lock(lock);
		assert_int_equal(heddle__current_node(master), locks_below(region_1(), (unsigned int)lock));
	}
	static const uint64_t order[] = {2, 2, 1, 2, 3, 3}; /* a further release has no effect */
	static const unsigned int left[] = {2, 2, 1, 1, 0, 0};
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		one(RELEASE_LOCK, order[i]);
		assert_int_equal(heddle__current_node(master), locks_below(region_1(), left[i]));
	}
	for (unsigned int count = 1; count <= 3; count++)
		assert_int_equal(value_of(master, locks_below(region_1(), count), HEDDLE_METRIC_VISITS), 1);
	one(ACQUIRED_LOCK, 4); /* acquired without a wait, because it was free or tested */
	assert_int_equal(heddle__current_node(master), locks_below(region_1(), 1));
	one(RELEASE_LOCK, 4);
	assert_int_equal(heddle__current_node(master), region_1());
	end_region();
}

static void a_nest_lock_is_held_once_however_often_it_is_taken(void **state)
{
	(void)state;
	begin_region();
	uint32_t held = node(region_1(), HEDDLE_OMPT_NEST_LOCK, REGION_1);
	for (int i = 0; i < 3; i++) {
		CALL(WAIT_NEST_LOCK, (uint64_t, uint32_t, uint32_t), UINT64_C(9), UINT32_C(0), UINT32_C(0));
		one(i ? ACQUIRED_NEST_LOCK_NEXT : ACQUIRED_NEST_LOCK, 9);
		assert_int_equal(heddle__current_node(master), held);
	}
	for (int i = 0; i < 2; i++) {
		one(RELEASE_NEST_LOCK_PREV, 9);
		assert_int_equal(heddle__current_node(master), held);
	}
	one(RELEASE_NEST_LOCK, 9);
	assert_int_equal(heddle__current_node(master), region_1());
	assert_int_equal(value_of(master, held, HEDDLE_METRIC_VISITS), 1);
	end_region();
}

/* A lock that is destroyed, initialized or acquired again without a release, or left locked at the end of its task. */
static void a_lock_that_is_never_released_is_over(void **state)
{
	(void)state;
	begin_region();
	take_lock(1);
	one(DESTROY_LOCK, 1);
	assert_int_equal(heddle__current_node(master), region_1());
	take_lock(1);
	CALL(INIT_LOCK, (uint64_t, uint32_t, uint32_t), UINT64_C(1), UINT32_C(0), UINT32_C(0));
	assert_int_equal(heddle__current_node(master), region_1());
	for (int i = 0; i < 3; i++) {
		take_lock(1);
		assert_int_equal(heddle__current_node(master), locks_below(region_1(), 1));
	}
	end_region();
	assert_int_equal(master->stack.depth, 0);
	one(RELEASE_LOCK, 1);
	assert_int_equal(master->stack.depth, 0);
}

/* If the runtime does not report releases, a held lock is not a region. */
static void a_lock_whose_release_is_not_told_is_counted(void **state)
{
	(void)state;
	withheld[RELEASE_LOCK] = true;
	start_runtime(2);
	begin_region();
	uint64_t before = value_of(master, locks_below(region_1(), 1), HEDDLE_METRIC_VISITS);
	for (uint64_t lock = 1; lock <= 3; lock++) {
		take_lock(lock);
		assert_int_equal(heddle__current_node(master), region_1());
	}
	assert_int_equal(value_of(master, locks_below(region_1(), 1), HEDDLE_METRIC_VISITS), before + 3);
	end_region();
}

static void what_was_never_begun_changes_nothing(void **state)
{
	(void)state;
	parallel_end(99, INITIAL);
	two(IMPLICIT_TASK_END, 99, 98);
	two(IMPLICIT_TASK_BEGIN, 99, 98);
	two(IMPLICIT_TASK_END, 99, 98);
	one(TASK_END, 97);
	two(TASK_SWITCH, 96, 95);
	one(RELEASE_LOCK, 5);
	one(RELEASE_NEST_LOCK, 5);
	one(RELEASE_NEST_LOCK_PREV, 5);
	one(DESTROY_LOCK, 5);
	two(BARRIER_END, 99, 98);
	parallel_begin(0, 0, REGION_1); /* not a number of a region */
	parallel_end(0, 0);
}

static void a_runtime_that_tells_little_is_asked(void **state)
{
	struct heddle_inquiry inquiry;
	(void)state;
	for (int event = 9; event < EVENTS; event++)
		withheld[event] = true;
	start_runtime(2);
	as(master);
	parallel_begin(INITIAL, REGION, REGION_1);
	as(worker);
	current_task = OF_WORKER;
	current_region = REGION;
	heddle__inquire(worker, &inquiry);
	assert_int_equal(inquiry.base, region_1());
	current_state = 0x10;
	heddle__inquire(worker, &inquiry);
	assert_int_equal(inquiry.state, HEDDLE_STATE_IDLE);
	current_state = 0;
	parallel_begin(OF_WORKER, INNER, REGION_2);
	current_region = INNER;
	current_task = TASK;
	heddle__inquire(worker, &inquiry);
	assert_int_equal(inquiry.base, node(region_1(), HEDDLE_OMPT_PARALLEL, REGION_2));
	current_region = REGION;
	current_task = OF_WORKER;
	parallel_end(INNER, OF_WORKER);
	as(master);
	current_region = 0;
	current_task = INITIAL;
	parallel_end(REGION, INITIAL);
	as(worker);
	current_task = CHILD; /* the next task: the former one has ended */
	parallel_begin(CHILD, INNER, REGION_2);
	parallel_end(INNER, CHILD);
}

static uint64_t idle_time(void)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_IDLE);
	uint32_t idle = heddle__tree_child(HEDDLE_TREE_ROOT, meta, heddle__ompt_model);
	return value_of(worker, idle, HEDDLE_METRIC_WALL_TIME);
}

/* Measures the worker's idle time after the event that it is idle, and then after the event that it is not. */
static void take_idle_times(uint64_t idle[2])
{
	const struct timespec moment = {.tv_nsec = 1000000};
	as(worker);
	heddle__set_idle(worker, NULL);
	thread_begin(2);
	for (int i = 0; i < 2; i++) {
		if (callbacks[IDLE_BEGIN + i])
			one(IDLE_BEGIN + i, 7);
		uint64_t before = idle_time();
		nanosleep(&moment, NULL);
		heddle__charge_before_change(worker);
		idle[i] = idle_time() - before;
	}
}

/* Without events of its tasks, only idle events show whether a worker works. */
static void a_worker_is_idle_when_events_say_so(void **state)
{
	uint64_t idle[2];
	(void)state;
	withheld[IMPLICIT_TASK_BEGIN] = withheld[IMPLICIT_TASK_END] = true;
	start_runtime(2);
	take_idle_times(idle);
	assert_true(idle[0] > 0);
	assert_int_equal(idle[1], 0);
	withheld[IDLE_BEGIN] = withheld[IDLE_BEGIN + 1] = true;
	start_runtime(2);
	take_idle_times(idle);
	assert_int_equal(idle[0] + idle[1], 0);
	memset(withheld, 0, sizeof(withheld));
	start_runtime(2);
	thread_begin(2); /* idle again, as the other tests expect */
}

static void a_wait_that_no_event_told_is_known_by_its_state(void **state)
{
	struct heddle_inquiry inquiry;
	(void)state;
	for (int round = 0; round < 2; round++) {
		first_state = round ? 0x71 : 0x81; /* the first state in LLVM's runtime is another one */
		start_runtime(round ? 1 : 2);
		begin_region();
		current_task = OF_MASTER;
		current_state = 0x60;
		heddle__inquire(master, &inquiry);
		assert_int_equal(inquiry.state, HEDDLE_STATE_LOCK_WAIT);
		current_state = 0x70; /* not a wait for a target: the runtime names this state "undefined" */
		heddle__inquire(master, &inquiry);
		assert_int_not_equal(inquiry.state, HEDDLE_STATE_TASK_WAIT);
		current_state = 0;
		end_region();
	}
}

static void memory_does_not_grow_with_the_number_of_regions(void **state)
{
	uint64_t mapped = 0;
	(void)state;
	for (uint64_t round = 0; round < 200000; round++) {
		as(master);
		parallel_begin(INITIAL, 10 + round, REGION_1);
		two(IMPLICIT_TASK_BEGIN, 10 + round, 10 + 2 * round);
		task_begin(10 + 2 * round, 11 + 2 * round, TASK_AT);
		one(TASK_END, 11 + 2 * round);
		two(IMPLICIT_TASK_END, 10 + round, 10 + 2 * round);
		parallel_end(10 + round, INITIAL);
		if (round == 100000)
			mapped = heddle__memory_mapped();
	}
	assert_int_equal(heddle__memory_mapped(), mapped);
}

/* ---- callbacks of OpenMP 5, by their numbers and signatures there ---- */

static char told[512];

static void tell(const char *format, ...)
{
	va_list list;
	size_t length = strlen(told);
	va_start(list, format);
	vsnprintf(told + length, sizeof(told) - length, format, list);
	va_end(list);
}

static void on_target(int kind, int endpoint, int device, void *task, uint64_t id, const void *code)
{
	tell("target %d %d device %d task %d id %d at %#lx; ", kind, endpoint, device, task != NULL, (int)id,
		(unsigned long)(uintptr_t)code);
}

static void on_data_op(int endpoint, void *target_task, void *target, void *operation, int kind, void *source,
	int source_device, void *destination, int destination_device, size_t bytes, const void *code)
{
	(void)target_task, (void)target, (void)operation, (void)code;
	tell("op %d %d: %#lx on %d to %#lx on %d, %zu; ", kind, endpoint, (unsigned long)(uintptr_t)source,
		source_device, (unsigned long)(uintptr_t)destination, destination_device, bytes);
}

struct five_dependence {
	ompt_data_t variable;
	int type;
};

static void on_dependences(void *task, const struct five_dependence *list, int count)
{
	(void)task;
	for (int i = 0; i < count; i++)
		tell("%d %#lx; ", list[i].type, (unsigned long)(uintptr_t)list[i].variable.ptr);
}

/* The report and OpenMP 5 have exchanged numbers for in and out. */
static void dependences_become_openmp_5_s(void **state)
{
	struct {
		void *variable;
		uint32_t flags;
	} list[] = {{(void *)0x10, 1}, {(void *)0x20, 2}, {(void *)0x30, 3}};
	(void)state;
	told[0] = 0;
	heddle__ompt2015_keep_callback(18, (ompt_callback_t)on_dependences);
	CALL(69, (uint64_t, void *, int), UINT64_C(50), list, 3);
	assert_string_equal(told, "2 0x10; 1 0x20; 3 0x30; ");
	heddle__ompt2015_keep_callback(18, NULL);
}

static void target_events_become_openmp_5_s(void **state)
{
	struct ompt2015_map_entry items[] = {{(void *)0x10, (void *)0x20, 100, ompt2015_map_to | 8},
		{(void *)0x50, (void *)0x60, 300, 7}, {(void *)0x30, (void *)0x40, 200, ompt2015_map_from}};
	(void)state;
	told[0] = 0;
	heddle__ompt2015_keep_callback(8, (ompt_callback_t)on_target);
	heddle__ompt2015_keep_callback(34, (ompt_callback_t)on_data_op);
	CALL(62, (uint64_t, void *, uint64_t, int, void *, int), UINT64_C(1), NULL, UINT64_C(50), 3, NULL, 4);
	CALL(67, (uint64_t, int, void *, uint32_t, uint64_t), UINT64_C(50), 3, items, UINT32_C(3), UINT64_C(9));
	CALL(68, (int, uint64_t), 3, UINT64_C(9));
	one(64, 50);
	assert_string_equal(told, "target 4 1 device 3 task 1 id 50 at 0; "
				  "op 2 3: 0x10 on -1 to 0x20 on 3, 100; op 3 1: 0x40 on 3 to 0x30 on -1, 200; "
				  "op 3 2: 0 on 3 to 0 on -1, 0; "
				  "target 4 2 device 3 task 1 id 50 at 0; ");
	told[0] = 0;
	CALL(65, (uint64_t, int, void *), UINT64_C(1), 3, (void *)WAIT_AT);
	one(66, 1);
	assert_string_equal(
		told, "target 15 1 device 3 task 1 id 0 at 0x4000; target 15 2 device 0 task 1 id 0 at 0; ");
	heddle__ompt2015_keep_callback(8, NULL);
	heddle__ompt2015_keep_callback(34, NULL);
}

static void target_begins(uint64_t id)
{
	CALL(62, (uint64_t, void *, uint64_t, int, void *, int), UINT64_C(1), NULL, id, 3, NULL, 1);
}

/* The end of a detached target may arrive on any thread; its own thread continues, as its next event shows. */
static void a_detached_target_is_over_when_its_thread_goes_on(void **state)
{
	uint32_t target = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TARGET, 0);
	(void)state;
	start_runtime(2);
	as(master);
	target_begins(60);
	assert_int_equal(heddle__current_node(master), target);
	target_begins(61);
	as(worker);
	one(64, 60);
	as(master);
	assert_int_equal(heddle__current_node(master), target);
	CALL(41, (uint64_t, uint64_t, const void *), UINT64_C(0), (uint64_t)INITIAL, (void *)WAIT_AT);
	assert_int_equal(heddle__current_node(master), node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TASKWAIT, WAIT_AT - 1));
	one(64, 61);
	CALL(42, (uint64_t, uint64_t), UINT64_C(0), (uint64_t)INITIAL);
	assert_int_equal(master->stack.depth, 0);
	target_begins(62);
	one(63, 62);
	assert_int_equal(master->stack.depth, 0);
}

/* The appendix of the report has another order of arguments than its text. */
static void both_orders_of_the_initializer_s_arguments_will_do(void **state)
{
	typedef void (*appendix_t)(const char *version_text, unsigned int version, ompt_function_lookup_t lookup);
	ompt2015_initialize_t initialize = ompt_tool();
	(void)state;
	memset(callbacks, 0, sizeof(callbacks));
	((appendix_t)(ompt_callback_t)initialize)("of the appendix", 2, lookup);
	assert_non_null(callbacks[1]);
	assert_non_null(strstr(heddle__process.runtime, "of the appendix (OMPT of 2015, version 2)"));
	memset(callbacks, 0, sizeof(callbacks));
	initialize(lookup, NULL, 2);
	assert_non_null(callbacks[1]);
	assert_non_null(strstr(heddle__process.runtime, "unknown runtime (OMPT of 2015, version 2)"));
}

static void a_process_is_measured_through_one_door(void **state)
{
	(void)state;
	ompt_start_tool_result_t *other = ompt_start_tool(202011, "a runtime of OpenMP 5");
	assert_non_null(other);
	assert_int_equal(other->initialize(lookup, 0, &other->tool_data), 0);
	start_runtime(2); /* this runtime may start again */
	assert_non_null(callbacks[PARALLEL_BEGIN]);
}

static void after_its_shutdown_a_runtime_is_not_asked(void **state)
{
	struct heddle_inquiry inquiry;
	(void)state;
	current_state = 0x60;
	CALL(SHUTDOWN, (void), );
	heddle__inquire(master, &inquiry);
	assert_int_equal(inquiry.state, HEDDLE_STATE_WORK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, check_balance)
		TEST(all_events_of_the_report_are_taken),
		TEST(threads_continue_from_where_their_region_was_created),
		TEST(a_creator_s_missing_end_is_made_up_for),
		TEST(idling_leaves_what_was_open),
		TEST(addresses_are_believed_from_version_2_on),
		TEST(a_wait_stands_for_a_region_that_is_not_told),
		TEST(mutexes_take_time_until_they_are_acquired),
		TEST(locks_are_held_until_they_are_released),
		TEST(a_nest_lock_is_held_once_however_often_it_is_taken),
		TEST(a_lock_that_is_never_released_is_over),
		TEST(a_lock_whose_release_is_not_told_is_counted),
		TEST(what_was_never_begun_changes_nothing),
		TEST(a_runtime_that_tells_little_is_asked),
		TEST(a_worker_is_idle_when_events_say_so),
		TEST(a_wait_that_no_event_told_is_known_by_its_state),
		TEST(memory_does_not_grow_with_the_number_of_regions),
		TEST(dependences_become_openmp_5_s),
		TEST(target_events_become_openmp_5_s),
		TEST(a_detached_target_is_over_when_its_thread_goes_on),
		TEST(both_orders_of_the_initializer_s_arguments_will_do),
		TEST(a_process_is_measured_through_one_door),
		TEST(after_its_shutdown_a_runtime_is_not_asked),
	};
	return cmocka_run_group_tests(tests, start, NULL);
}
