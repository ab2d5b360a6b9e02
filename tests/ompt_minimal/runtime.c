/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A minimal OpenMP runtime with the tool interface of OpenMP 5: parallel regions and explicit tasks, only the mandatory
 * callbacks, no return addresses of its own, states, and frames reported as MINIMAL_FRAMES says: "cfa", "stackaddress"
 * or "framepointer"; with MINIMAL_ADDRESSES=none, return addresses are NULL. None of its names is one of LLVM's
 * runtime.
 */
#include "tests/ompt_minimal/runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "models/ompt/ompt5.h"

#define THREADS 2

typedef void (*thread_begin_t)(ompt_thread_t type, ompt_data_t *data);
typedef void (*thread_end_t)(ompt_data_t *data);
typedef void (*parallel_begin_t)(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
	unsigned int requested, int flags, const void *return_address);
typedef void (*parallel_end_t)(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *return_address);
typedef void (*implicit_task_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
	unsigned int actual, unsigned int index, int flags);
typedef void (*task_create_t)(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task, int flags,
	int has_dependences, const void *return_address);
typedef void (*task_schedule_t)(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next);

struct task {
	ompt_data_t data;
	ompt_frame_t frame;
	ompt_data_t *parallel;
	int flags, number;
	struct task *outer;
};

struct share {
	struct task task;
	minimal_body *body;
	void *argument;
	int position;
};

static ompt_callback_t callbacks[64];
static ompt_start_tool_result_t *tool;
static _Thread_local struct task *current;
static _Thread_local int state = 0x000; /* ompt_state_work_serial */
static int position;
static bool without_addresses;

#define SEND(number, type, ...)                                 \
	do {                                                    \
		if (callbacks[number])                          \
			((type)callbacks[number])(__VA_ARGS__); \
	} while (0)

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if (event < ompt_callback_thread_begin || event > ompt_callback_implicit_task)
		return ompt_set_never;
	callbacks[event] = callback;
	return ompt_set_always;
}

static int get_task_info(int ancestor, int *flags, ompt_data_t **task_data, ompt_frame_t **frame,
	ompt_data_t **parallel_data, int *number)
{
	struct task *task = current;
	for (; task && ancestor > 0; ancestor--)
		task = task->outer;
	if (!task)
		return 0;
	*flags = task->flags;
	*task_data = &task->data;
	*frame = &task->frame;
	*parallel_data = task->parallel;
	*number = task->number;
	return 2;
}

static int get_state(ompt_wait_id_t *wait)
{
	*wait = 0;
	return state;
}

static ompt_interface_fn_t lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)get_task_info;
	if (strcmp(name, "ompt_get_state") == 0)
		return (ompt_interface_fn_t)get_state;
	return NULL;
}

static struct task initial = {.flags = ompt_task_initial};

__attribute__((constructor)) static void start(void)
{
	ompt_start_tool_result_t *(*start_tool)(unsigned int, const char *) =
		(ompt_start_tool_result_t * (*)(unsigned int, const char *)) dlsym(RTLD_DEFAULT, "ompt_start_tool");
	const char *how = getenv("MINIMAL_FRAMES"), *addresses = getenv("MINIMAL_ADDRESSES");
	without_addresses = addresses && strcmp(addresses, "none") == 0;
	position = !how || !strcmp(how, "framepointer") ? ompt_frame_framepointer
		   : !strcmp(how, "cfa")                ? ompt_frame_cfa
							: ompt_frame_stackaddress;
	tool = start_tool ? start_tool(202411, "Minimal 1.0") : NULL;
	if (!tool || !tool->initialize(lookup, 0, &tool->tool_data)) {
		tool = NULL;
		return;
	}
	current = &initial;
	SEND(ompt_callback_thread_begin, thread_begin_t, ompt_thread_initial, NULL);
	SEND(ompt_callback_implicit_task, implicit_task_t, ompt_scope_begin, NULL, &initial.data, 1, 1,
		ompt_task_initial);
}

__attribute__((destructor)) static void stop(void)
{
	if (tool)
		tool->finalize(&tool->tool_data);
}

/* Calls the program's code, and reports where the frames end. */
static __attribute__((noinline)) void call(struct task *task, minimal_body *body, void *argument)
{
	volatile char inside;
	char *record = __builtin_frame_address(0);
	task->frame.exit_frame_flags = position;
	task->frame.exit_frame.ptr = position == ompt_frame_framepointer ? record
				     : position == ompt_frame_cfa        ? (char *)__builtin_dwarf_cfa()
									 : (void *)&inside;
	inside = 0;
	state = 0x001; /* ompt_state_work_parallel */
	body(argument);
	state = 0x101; /* ompt_state_overhead */
	task->frame.exit_frame.ptr = NULL;
}

static void run_share(struct share *share)
{
	struct task *outer = current;
	share->task.outer = outer;
	current = &share->task;
	SEND(ompt_callback_implicit_task, implicit_task_t, ompt_scope_begin, share->task.parallel, &share->task.data,
		THREADS, (unsigned int)share->task.number, ompt_task_implicit);
	call(&share->task, share->body, share->argument);
	SEND(ompt_callback_implicit_task, implicit_task_t, ompt_scope_end, NULL, &share->task.data, 0,
		(unsigned int)share->task.number, ompt_task_implicit);
	current = outer;
}

static void *worker(void *argument)
{
	SEND(ompt_callback_thread_begin, thread_begin_t, ompt_thread_worker, NULL);
	run_share(argument);
	SEND(ompt_callback_thread_end, thread_end_t, NULL);
	return NULL;
}

__attribute__((noinline)) void minimal_parallel(minimal_body *body, void *argument)
{
	ompt_data_t parallel = {0};
	struct share shares[THREADS];
	pthread_t thread;
	const void *return_address = without_addresses ? NULL : __builtin_return_address(0);
	if (current) {
		current->frame.enter_frame_flags = ompt_frame_stackaddress;
		current->frame.enter_frame.ptr = &parallel;
	}
	SEND(ompt_callback_parallel_begin, parallel_begin_t, &current->data, &current->frame, &parallel, THREADS, 0,
		return_address);
	for (int i = 0; i < THREADS; i++)
		shares[i] = (struct share){.task = {.parallel = &parallel, .flags = ompt_task_implicit, .number = i},
			.body = body,
			.argument = argument};
	bool started = pthread_create(&thread, NULL, worker, &shares[1]) == 0;
	run_share(&shares[0]);
	state = 0x012; /* a wait at a barrier */
	if (started)
		pthread_join(thread, NULL);
	state = 0x000;
	SEND(ompt_callback_parallel_end, parallel_end_t, &parallel, &current->data, 0, return_address);
	if (current)
		current->frame.enter_frame.ptr = NULL;
}

__attribute__((noinline)) void minimal_task(minimal_body *body, void *argument)
{
	struct task task = {
		.flags = ompt_task_explicit, .outer = current, .parallel = current ? current->parallel : NULL};
	struct task *creator = current;
	SEND(ompt_callback_task_create, task_create_t, &creator->data, &creator->frame, &task.data, ompt_task_explicit,
		0, without_addresses ? NULL : __builtin_return_address(0));
	SEND(ompt_callback_task_schedule, task_schedule_t, &creator->data, ompt_task_switch, &task.data);
	current = &task;
	call(&task, body, argument);
	current = creator;
	SEND(ompt_callback_task_schedule, task_schedule_t, &task.data, ompt_task_complete, &creator->data);
	state = 0x001;
}
