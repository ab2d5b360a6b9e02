/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated runtime's tool interface: OMP_TOOL, registration, inquiry, control. */
#include "simulated_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef void (*function)(void);
typedef void (*initializer)(function (*lookup)(const char *), const char *, unsigned int);
typedef void (*appendix_initializer)(const char *, unsigned int, function (*lookup)(const char *));

__attribute__((weak)) initializer ompt_tool(void);
__attribute__((weak)) initializer ompt_tool(void)
{
	return NULL;
}

void (*sim_callbacks[EVENT_LIMIT])(void);
bool sim_is_llvm;
static bool is_minimal, is_llvm_39, initializing;

/* ---- signatures ---- */

#define GARBAGE ((const void *)0x5a5a) /* what an argument register may contain */

void sim_fire_parallel(int event, const struct thread *thread)
{
	const struct team *team = team_of(thread);
	FIRE_NUMBER(event, (uint64_t, uint64_t, const void *), team ? team->id : 0, thread->current->id, GARBAGE);
}

void sim_fire_sync(int event, const struct thread *thread, const void *code)
{
	const struct team *team = team_of(thread);
	FIRE_NUMBER(event, (uint64_t, uint64_t, const void *), team ? team->id : 0, thread->current->id,
		sim_is_llvm ? GARBAGE : code);
}

/* LLVM's runtime passes the outlined function of the region instead of the call's address. */
void sim_fire_work(int event, const struct thread *thread, const void *code)
{
	const struct team *team = team_of(thread);
	FIRE_NUMBER(event, (uint64_t, uint64_t, const void *), team ? team->id : 0, thread->current->id,
		sim_is_llvm && team ? (const void *)team->body : code);
}

void sim_fire_wait(int event, uint64_t wait_id)
{
	FIRE_NUMBER(event, (uint64_t), wait_id);
}

void sim_fire_lock(int event, uint64_t wait_id)
{
	FIRE_NUMBER(event, (uint64_t, uint32_t, uint32_t), wait_id, UINT32_C(0), UINT32_C(1));
}

void sim_fire_mutex_wait(enum sim_mutex kind, uint64_t wait_id)
{
	static const int events[] = {
		EVENT_wait_lock, EVENT_wait_nest_lock, EVENT_wait_critical, EVENT_wait_atomic, EVENT_wait_ordered};
	FIRE_NUMBER(events[kind], (uint64_t, uint32_t, uint32_t), wait_id, UINT32_C(1), UINT32_C(1));
}

/* ---- what tools look up ---- */

static bool is_delivered(int event)
{
	static const unsigned char not_in_llvm[] = {
		13, 14, 15, 16, 24, 25, 29, 30, 35, 36, 43, 44, 46, 47, 48, 54, 61, 62, 63, 64, 65, 66, 67, 68};
	if (sim_is_llvm && memchr(not_in_llvm, event, sizeof not_in_llvm))
		return false;
	if (is_llvm_39 && event == EVENT_task_switch)
		return false;
	return !is_minimal || event <= EVENT_runtime_shutdown;
}

static int set_callback(int event, function callback)
{
	if (!initializing || event < 1 || event >= EVENT_LIMIT)
		return 0;
	if (!is_delivered(event))
		return 1;
	sim_callbacks[event] = callback;
	return 4;
}

static int get_callback(int event, function *callback)
{
	if (event < 1 || event >= EVENT_LIMIT || !sim_callbacks[event])
		return 0;
	*callback = sim_callbacks[event];
	return 1;
}

struct named {
	int number;
	const char *name;
};

static int enumerate(const struct named *list, int current, int *next, const char **name)
{
	while (list->name && list->number != current)
		list++;
	if (!list->name || !list[1].name)
		return 0;
	*next = list[1].number;
	*name = list[1].name;
	return 1;
}

static int enumerate_state(int current, int *next, const char **name)
{
	static const struct named states[] = {{STATE_FIRST, "ompt_state_first"},
		{STATE_WORK_SERIAL, "ompt_state_work_serial"}, {STATE_WORK_PARALLEL, "ompt_state_work_parallel"},
		{STATE_IDLE, "ompt_state_idle"}, {STATE_OVERHEAD, "ompt_state_overhead"},
		{STATE_WAIT_BARRIER_IMPLICIT, "ompt_state_wait_barrier_implicit"},
		{STATE_WAIT_BARRIER_EXPLICIT, "ompt_state_wait_barrier_explicit"},
		{STATE_WAIT_TASKWAIT, "ompt_state_wait_taskwait"}, {STATE_WAIT_TASKGROUP, "ompt_state_wait_taskgroup"},
		{STATE_WAIT_LOCK, "ompt_state_wait_lock"}, {STATE_WAIT_LOCK + 1, "ompt_state_wait_nest_lock"},
		{STATE_WAIT_LOCK + 2, "ompt_state_wait_critical"}, {STATE_WAIT_LOCK + 3, "ompt_state_wait_atomic"},
		{STATE_WAIT_LOCK + 4, "ompt_state_wait_ordered"}, {STATE_WAIT_TARGET, "ompt_state_wait_target"},
		{STATE_UNDEFINED, "ompt_state_undefined"}, {0, NULL}};
	static const struct named llvm[] = {{0x71, "ompt_state_first"}, {0x00, "ompt_state_work_serial"},
		{0x01, "ompt_state_work_parallel"}, {0x02, "ompt_state_work_reduction"}, {0x10, "ompt_state_idle"},
		{0x20, "ompt_state_overhead"}, {0x40, "ompt_state_wait_barrier"},
		{0x41, "ompt_state_wait_barrier_implicit"}, {0x42, "ompt_state_wait_barrier_explicit"},
		{0x50, "ompt_state_wait_taskwait"}, {0x51, "ompt_state_wait_taskgroup"}, {0x60, "ompt_state_wait_lock"},
		{0x61, "ompt_state_wait_nest_lock"}, {0x62, "ompt_state_wait_critical"},
		{0x63, "ompt_state_wait_atomic"}, {0x64, "ompt_state_wait_ordered"}, {0x6F, "ompt_state_wait_single"},
		{0x70, "ompt_state_undefined"}, {0, NULL}};
	return enumerate(sim_is_llvm ? llvm : states, current, next, name);
}

static int enumerate_lock_type(int current, int *next, const char **name)
{
	static const struct named types[] = {{0, "first"}, {1, "condition variable"}, {0, NULL}};
	return enumerate(types, current, next, name);
}

static int enumerate_atomic_type(int current, int *next, const char **name)
{
	static const struct named types[] = {{0, "first"}, {1, "one lock for all"}, {0, NULL}};
	return enumerate(types, current, next, name);
}

static uint64_t get_thread_id(void)
{
	return sim_self ? sim_self->id : 0;
}

static int get_state(uint64_t *wait_id)
{
	if (wait_id)
		*wait_id = sim_self ? sim_self->wait_id : 0;
	return sim_self ? sim_self->state : sim_is_llvm ? 0x70 : STATE_UNDEFINED;
}

static const struct team *team_at(int level)
{
	const struct team *team = sim_self && sim_self->state != STATE_IDLE ? team_of(sim_self) : NULL;
	while (team && level--)
		team = team->creator->team;
	return team;
}

static uint64_t get_parallel_id(int level)
{
	const struct team *team = team_at(level);
	return team ? team->id : 0;
}

static int get_parallel_team_size(int level)
{
	const struct team *team = team_at(level);
	return team ? (int)team->size : -1;
}

/* In a region with one thread, LLVM's runtimes return the implicit task while an explicit one is current. */
static struct task *task_at(int level)
{
	struct task *task = sim_self ? sim_self->current : NULL;
	while (sim_is_llvm && task && task->type == TASK_EXPLICIT && task->team->size == 1)
		task = task->parent;
	while (task && level--)
		task = task->parent;
	return task;
}

static uint32_t get_task_info(int level, int *type, uint64_t *id, struct frame **frame, uint64_t *parallel)
{
	struct task *task = task_at(level);
	if (!task)
		return 0;
	if (type)
		*type = task->type;
	if (id)
		*id = task->id;
	if (frame)
		*frame = &task->frame;
	if (parallel)
		*parallel = task->team ? task->team->id : 0;
	return 1;
}

static uint64_t get_task_id(int depth)
{
	struct task *task = task_at(depth);
	return task ? task->id : 0;
}

static struct frame *get_task_frame(int depth)
{
	struct task *task = task_at(depth);
	return task ? &task->frame : NULL;
}

static function lookup(const char *name)
{
	static const struct {
		const char *name;
		function report, llvm;
	} functions[] = {
#define BOTH(name) {"ompt_" #name, (function)name, (function)name}
#define ONE(name, report, llvm)             \
	{                                   \
		"ompt_" #name, report, llvm \
	}
		BOTH(set_callback), BOTH(get_callback), BOTH(enumerate_state), BOTH(get_thread_id), BOTH(get_state),
		BOTH(get_parallel_id), BOTH(get_parallel_team_size), ONE(get_task_info, (function)get_task_info, NULL),
		ONE(enumerate_lock_type, (function)enumerate_lock_type, NULL),
		ONE(enumerate_atomic_type, (function)enumerate_atomic_type, NULL),
		ONE(get_task_id, NULL, (function)get_task_id), ONE(get_task_frame, NULL, (function)get_task_frame)};
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		if (strcmp(name, functions[i].name) == 0)
			return sim_is_llvm ? functions[i].llvm : functions[i].report;
	}
	return sim_is_llvm || is_minimal ? NULL : sim_target_lookup(name);
}

/* ---- start and end ---- */

static bool tool_is_enabled(void)
{
	char value[64];
	const char *text = getenv("OMP_TOOL");
	if (!text || (sim_is_llvm && !*text))
		return true;
	snprintf(value, sizeof value, "%s", text + strspn(text, " \t"));
	for (size_t end = strlen(value); end && isspace((unsigned char)value[end - 1]); end--)
		value[end - 1] = '\0';
	if (strcasecmp(value, "enabled") == 0)
		return true;
	if (strcasecmp(value, "disabled") == 0)
		return false;
	fprintf(stderr, "fatal error: illegal value for OMP_TOOL: \"%s\"\n", text);
	exit(1);
}

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static bool started;

static void start(void)
{
	const char *kind = getenv("SIMULATED");
	is_llvm_39 = kind && strcmp(kind, "llvm39") == 0;
	sim_is_llvm = is_llvm_39 || (kind && strcmp(kind, "llvm") == 0);
	is_minimal = kind && strcmp(kind, "minimal") == 0;
	initializer initialize = tool_is_enabled() ? ompt_tool() : NULL;
	if (!initialize)
		return;
	initializing = true;
	const char *form = getenv("SIMULATED_FORM");
	if (form && strcmp(form, "appendix") == 0)
		((appendix_initializer)(function)initialize)("simulated runtime 1.0", 2, lookup);
	else
		initialize(lookup, "simulated runtime 1.0", sim_is_llvm ? 1 : 2);
	initializing = false;
	for (int event = 1; getenv("SIMULATED_REGISTERED") && event < EVENT_LIMIT; event++)
		if (sim_callbacks[event])
			fprintf(stderr, "registered %d\n", event);
}

void sim_start(void)
{
	static bool prepared;
	pthread_mutex_lock(&start_lock);
	if (!started) {
		started = true;
		start();
	}
	if (!prepared)
		sim_prepare_fork();
	prepared = true;
	pthread_mutex_unlock(&start_lock);
}

void sim_restart(void)
{
	pthread_mutex_init(&start_lock, NULL);
	started = false;
	memset(sim_callbacks, 0, sizeof sim_callbacks);
}

__attribute__((destructor)) static void end(void)
{
	if (!started)
		return;
	sim_dismiss_workers();
	sim_target_shutdown();
	if (sim_self) {
		FIRE(initial_task_end, (uint64_t), sim_self->initial.id);
		FIRE(thread_end, (int, uint64_t), sim_self->type, sim_self->id);
	}
	if (sim_callbacks[EVENT_runtime_shutdown])
		sim_callbacks[EVENT_runtime_shutdown]();
	memset(sim_callbacks, 0, sizeof sim_callbacks);
}

/* ---- control ---- */

void ompt_control(uint64_t command, uint64_t modifier)
{
	sim_me();
	FIRE(control, (uint64_t, uint64_t), command, modifier);
}

void ompt_control_(const int64_t *command, const int64_t *modifier)
{
	ompt_control((uint64_t)*command, (uint64_t)*modifier);
}
