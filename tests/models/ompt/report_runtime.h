/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated runtime of the report of 2015 with a program, for unit tests: a test calls a function for each event.
 * Threads are contexts that take turns on one thread; places are addresses in no module. Included in one file of a
 * test.
 */
#ifndef HEDDLE_TESTS_MODELS_OMPT_REPORT_RUNTIME_H
#define HEDDLE_TESTS_MODELS_OMPT_REPORT_RUNTIME_H

#include "tests/models/ompt/call.h"
#include "tests/support/unit.h"

#include "core/base/memory.h"
#include "core/base/process_info.h"
#include "core/process/thread_life.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt2015/ompt2015_events.h"

extern const struct heddle_frontend heddle__ompt_frontend;
extern const struct heddle_frontend heddle__ompt2015_frontend;
const struct heddle_frontend *const heddle__frontends[] = {&heddle__ompt2015_frontend, &heddle__ompt_frontend, NULL};

/* ---- the runtime; the report's numbers, repeated here ---- */

enum {
	PARALLEL_BEGIN = 1,
	PARALLEL_END,
	TASK_BEGIN,
	TASK_END,
	THREAD_BEGIN,
	THREAD_END,
	CONTROL,
	SHUTDOWN,
	IDLE_BEGIN
};
enum { WAIT_BARRIER_BEGIN = 11, WAIT_BARRIER_END, WAIT_TASKWAIT_BEGIN, WAIT_TASKWAIT_END };
enum { RELEASE_LOCK = 17, RELEASE_NEST_LOCK, RELEASE_CRITICAL };
enum { RELEASE_NEST_LOCK_PREV = 45, INIT_LOCK = 57, INIT_NEST_LOCK, DESTROY_LOCK, DESTROY_NEST_LOCK };
enum { RELEASE_ORDERED = 21, IMPLICIT_TASK_BEGIN, IMPLICIT_TASK_END, TASK_SWITCH = 26, LOOP_BEGIN, LOOP_END };
enum { BARRIER_BEGIN = 39, BARRIER_END, TASKWAIT_BEGIN, TASKWAIT_END, WAIT_LOCK = 46, WAIT_NEST_LOCK };
enum { WAIT_CRITICAL = 48, WAIT_ORDERED = 50, ACQUIRED_LOCK, ACQUIRED_NEST_LOCK, ACQUIRED_NEST_LOCK_NEXT };
enum { ACQUIRED_CRITICAL = 54, ACQUIRED_ORDERED = 56, EVENTS = 71 };

static ompt_callback_t callbacks[EVENTS];
static bool withheld[EVENTS]; /* events that the runtime does not deliver */
static ompt2015_id_t current_task, current_region;
static int current_state;

static inline int set_callback(int event, ompt_callback_t callback)
{
	assert_in_range(event, 1, EVENTS - 1);
	callbacks[event] = withheld[event] ? NULL : callback;
	return withheld[event] ? 1 : 4;
}

static ompt2015_frame_t frames[8]; /* frames of tasks, by task number */

static inline uint32_t get_task_info(
	int level, int *type, ompt2015_id_t *id, ompt2015_frame_t **frame, ompt2015_id_t *region)
{
	*type = ompt2015_task_implicit;
	*id = current_task;
	*frame = &frames[current_task % 8];
	*region = current_region;
	return level == 0 && current_task;
}

static inline ompt2015_id_t get_parallel_id(int level)
{
	return level ? 0 : current_region;
}

static inline int get_state(ompt_wait_id_t *wait_id)
{
	if (wait_id)
		*wait_id = 0;
	return current_state;
}

static int first_state = 0x81;

static inline int enumerate_state(int current, int *next, const char **name)
{
	static const struct {
		int number;
		const char *name;
	} list[] = {{0x00, "ompt_state_work_serial"}, {0x10, "ompt_state_idle"}, {0x60, "ompt_state_wait_lock"},
		{0x70, "ompt_state_undefined"}};
	if (current == first_state) {
		*next = list[0].number;
		*name = list[0].name;
		return 1;
	}
	for (size_t i = 0; i + 1 < sizeof(list) / sizeof(list[0]); i++) {
		if (list[i].number == current) {
			*next = list[i + 1].number;
			*name = list[i + 1].name;
			return 1;
		}
	}
	return 0;
}

static inline ompt_interface_fn_t lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)get_task_info;
	if (strcmp(name, "ompt_get_state") == 0)
		return (ompt_interface_fn_t)get_state;
	if (strcmp(name, "ompt_enumerate_state") == 0)
		return (ompt_interface_fn_t)enumerate_state;
	if (strcmp(name, "ompt_get_parallel_id") == 0)
		return (ompt_interface_fn_t)get_parallel_id;
	return NULL;
}

static inline void thread_begin(int type)
{
	CALL(THREAD_BEGIN, (int, uint64_t), type, UINT64_C(7));
}

static inline void parallel_begin(uint64_t task, uint64_t region, uintptr_t outlined)
{
	CALL(PARALLEL_BEGIN, (uint64_t, void *, uint64_t, uint32_t, void *, int), task, NULL, region, UINT32_C(2),
		(void *)outlined, 1);
}

static inline void parallel_end(uint64_t region, uint64_t task)
{
	CALL(PARALLEL_END, (uint64_t, uint64_t, int), region, task, 1);
}

/* Events whose arguments are two numbers. */
static inline void two(int event, uint64_t first, uint64_t second)
{
	CALL(event, (uint64_t, uint64_t), first, second);
}

static inline void one(int event, uint64_t number)
{
	CALL(event, (uint64_t), number);
}

static inline void at(int event, uint64_t region, uint64_t task, uintptr_t code)
{
	CALL(event, (uint64_t, uint64_t, void *), region, task, (void *)code);
}

static inline void task_begin(uint64_t parent, uint64_t task, uintptr_t outlined)
{
	CALL(TASK_BEGIN, (uint64_t, void *, uint64_t, void *), parent, &frames[parent % 8], task, (void *)outlined);
}

/* ---- the program ---- */

enum { REGION_1 = 0x1000, REGION_2 = 0x2000, TASK_AT = 0x3000, WAIT_AT = 0x4000, OTHER_AT = 0x5000 };
enum { INITIAL = 1, OF_MASTER, OF_WORKER, TASK, CHILD };
enum { REGION = 1, INNER };

static struct heddle_thread *master, *worker;

static inline void as(struct heddle_thread *thread)
{
	heddle__self = thread;
}

static inline uint32_t node(uint32_t parent, enum heddle_ompt_event event, uint64_t place)
{
	return heddle__tree_child(parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id), place);
}

static inline uint32_t region_1(void)
{
	return node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
}

static inline void start_runtime(unsigned int version)
{
	ompt2015_initialize_t initialize = ompt_tool();
	assert_non_null(initialize);
	memset(callbacks, 0, sizeof(callbacks));
	initialize(lookup, "a runtime for tests", version);
}

static inline int start(void **state)
{
	static char output[] = "/tmp/heddle-ompt2015-XXXXXX";
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(output), 1);
	start_runtime(2);
	rmdir(output); /* no profile is written */
	heddle__events_give_time = true;
	master = heddle__self;
	if (!master)
		return -1;
	thread_begin(1);
	worker = heddle__thread_acquire(0, HEDDLE_THREAD_WORKER + heddle__ompt_model);
	heddle__self = NULL; /* a thread has one context */
	heddle__thread_begin(worker, 1 << 20);
	thread_begin(2);
	as(master);
	return 0;
}

static inline int check_balance(void **state)
{
	(void)state;
	as(master);
	memset(withheld, 0, sizeof(withheld));
	current_task = current_region = 0;
	current_state = 0;
	first_state = 0x81;
	start_runtime(2);
	assert_int_equal(master->stack.depth, 0);
	assert_int_equal(worker->stack.depth, 0);
	assert_int_equal(atomic_load(&master->inside) + atomic_load(&worker->inside), 0);
	return 0;
}

static inline void begin_region(void)
{
	as(master);
	parallel_begin(INITIAL, REGION, REGION_1);
	two(IMPLICIT_TASK_BEGIN, REGION, OF_MASTER);
	as(worker);
	two(IMPLICIT_TASK_BEGIN, REGION, OF_WORKER);
	as(master);
}

static inline void end_region(void)
{
	as(worker);
	two(IMPLICIT_TASK_END, REGION, OF_WORKER);
	as(master);
	two(IMPLICIT_TASK_END, REGION, OF_MASTER);
	parallel_end(REGION, INITIAL);
}

#endif
