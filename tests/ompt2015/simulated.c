/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads, teams, tasks and mutexes of the simulated runtime. One lock protects everything: it need not be fast. */
#include "simulated_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

__thread struct thread *sim_self;
static _Atomic uint64_t last_id[3];

static uint64_t next_id(int kind)
{
	return atomic_fetch_add(&last_id[kind], 1) + 1;
}
enum { THREAD_ID, PARALLEL_ID, TASK_ID };

uint64_t sim_new_task_id(void)
{
	return next_id(TASK_ID);
}

/* ---- threads ---- */

static struct thread *new_thread(int type)
{
	struct thread *thread = calloc(1, sizeof *thread);
	thread->id = next_id(THREAD_ID);
	thread->type = type;
	thread->state = type == 1 ? STATE_WORK_SERIAL : STATE_IDLE;
	thread->initial.type = TASK_SERIAL;
	thread->initial.id = next_id(TASK_ID);
	thread->current = &thread->initial;
	return thread;
}

struct thread *sim_me(void)
{
	if (!sim_self) {
		struct thread *thread = new_thread(1);
		sim_start();
		sim_self = thread;
		FIRE(thread_begin, (int, uint64_t), thread->type, thread->id);
		FIRE(initial_task_begin, (uint64_t), thread->initial.id);
	}
	return sim_self;
}

static struct thread *workers;

/* In a forked child, makes the runtime initialize itself again at the next construct of its only thread. */
static void after_fork(void)
{
	pthread_mutex_init(&lock, NULL);
	pthread_cond_init(&changed, NULL);
	sim_self = NULL;
	workers = NULL;
	sim_restart();
}

void sim_prepare_fork(void)
{
	pthread_atfork(NULL, NULL, after_fork);
}

static void run_implicit_task(struct team *team, unsigned int number, int state_after);

static void *work(void *argument)
{
	struct thread *thread = argument;
	sim_self = thread;
	FIRE(thread_begin, (int, uint64_t), thread->type, thread->id);
	for (;;) {
		thread->state = STATE_IDLE;
		FIRE(idle_begin, (uint64_t), thread->id);
		pthread_mutex_lock(&lock);
		while (!thread->job && !thread->leave)
			pthread_cond_wait(&changed, &lock);
		struct team *team = thread->job;
		unsigned int number = thread->number;
		pthread_mutex_unlock(&lock);
		FIRE(idle_end, (uint64_t), thread->id);
		if (!team)
			break;
		run_implicit_task(team, number, STATE_IDLE);
		pthread_mutex_lock(&lock);
		thread->job = NULL;
		team->left++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	FIRE(thread_end, (int, uint64_t), thread->type, thread->id);
	return NULL;
}

/* Assigns a place in the team to an idle worker, or to a new thread if all are busy. Context: locked. */
static void hire(struct team *team, unsigned int number)
{
	struct thread *thread = workers;
	while (thread && (thread->job || thread->leave))
		thread = thread->next;
	if (thread) {
		thread->number = number;
		thread->job = team;
		return;
	}
	thread = new_thread(2);
	thread->number = number;
	thread->job = team;
	thread->next = workers;
	workers = thread;
	pthread_create(&thread->handle, NULL, work, thread);
}

void sim_dismiss_workers(void)
{
	pthread_mutex_lock(&lock);
	for (struct thread *thread = workers; thread; thread = thread->next)
		thread->leave = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (struct thread *thread = workers; thread; thread = thread->next)
		pthread_join(thread->handle, NULL);
	workers = NULL;
}

/* ---- tasks ---- */

/* Removes and returns the oldest task of the team; NULL if there is none. Context: locked. */
static struct task *take_task(struct team *team)
{
	struct task *task = team ? team->tasks : NULL;
	if (task) {
		team->tasks = task->next;
		if (!team->tasks)
			team->last_task = &team->tasks;
	}
	return task;
}

static NOINLINE void call_task_body(struct task *task)
{
	task->frame.exit = __builtin_frame_address(0);
	task->body(task->argument);
	task->frame.exit = NULL;
	__asm__ volatile("");
}

/* Drops a reference to a task. It is freed, for reuse, when it and its children have ended. Context: locked. */
static void let_go(struct task *task)
{
	while (task && task->type == TASK_EXPLICIT && !--task->references) {
		struct task *parent = task->parent;
		free(task);
		task = parent;
	}
}

/* Makes the task the current one. The task and the state before are stored in it. */
static void start_task(struct task *task)
{
	struct thread *me = sim_self;
	task->suspended = me->current;
	task->state_before = me->state;
	me->current = task;
	me->state = STATE_WORK_PARALLEL;
	if (sim_is_llvm) /* LLVM's runtimes report a task only now, and on this thread */
		FIRE(task_begin, (uint64_t, struct frame *, uint64_t, const void *), task->parent->id,
			&task->parent->frame, task->id, task->code);
}

static void finish_task(struct task *task)
{
	struct thread *me = sim_self;
	struct task *before = task->suspended;
	FIRE(task_end, (uint64_t), task->id);
	me->current = before;
	me->state = task->state_before;
	if (!sim_is_llvm)
		FIRE(task_switch, (uint64_t, uint64_t), UINT64_C(0), before->id);
	pthread_mutex_lock(&lock);
	task->parent->children--;
	if (task->group)
		task->group->members--;
	team_of(me)->unfinished--;
	let_go(task);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void run_task(struct task *task)
{
	start_task(task);
	FIRE(task_switch, (uint64_t, uint64_t), task->suspended->id, task->id);
	call_task_body(task);
	if (sim_is_llvm)
		FIRE(task_switch, (uint64_t, uint64_t), task->id, task->suspended->id);
	finish_task(task);
}

/* Executes tasks until the counter is zero. Events of waiting enclose each time without a task. */
static void wait_for(const unsigned int *counter, int event_begin, int state)
{
	struct thread *me = sim_self;
	int state_before = me->state;
	bool waiting = false;
	me->state = state;
	pthread_mutex_lock(&lock);
	while (*counter) {
		struct task *task = take_task(team_of(me));
		if (!task && !waiting) {
			pthread_mutex_unlock(&lock);
			sim_fire_parallel(event_begin, me);
			waiting = true;
			pthread_mutex_lock(&lock);
			continue;
		}
		if (!task) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		pthread_mutex_unlock(&lock);
		if (waiting)
			sim_fire_parallel(event_begin + 1, me);
		waiting = false;
		run_task(task);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	if (waiting)
		sim_fire_parallel(event_begin + 1, me);
	me->state = state_before;
}

static struct task *new_task(void (*body)(void *), void *argument)
{
	struct thread *me = sim_me();
	struct task *task = calloc(1, sizeof *task);
	task->type = TASK_EXPLICIT;
	task->id = next_id(TASK_ID);
	task->parent = me->current;
	task->group = me->current->inner_group ? me->current->inner_group : me->current->group;
	task->team = me->current->team;
	task->body = body;
	task->code = (const void *)body;
	task->argument = argument;
	pthread_mutex_lock(&lock);
	task->references = 1;
	task->parent->references++;
	task->parent->children++;
	if (task->group)
		task->group->members++;
	task->team->unfinished++;
	pthread_mutex_unlock(&lock);
	return task;
}

static void announce_task(struct task *task)
{
	if (!sim_is_llvm)
		FIRE(task_begin, (uint64_t, struct frame *, uint64_t, const void *), task->parent->id,
			&task->parent->frame, task->id, task->code);
}

static void enqueue(struct task *task)
{
	struct team *team = team_of(sim_self);
	pthread_mutex_lock(&lock);
	*team->last_task = task;
	team->last_task = &task->next;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void sim_task(void (*body)(void *), void *argument)
{
	struct task *task = new_task(body, argument);
	task->parent->frame.reenter = __builtin_frame_address(1);
	announce_task(task);
	enqueue(task);
	sim_self->current->frame.reenter = NULL;
}

void *sim_task_if0_begin(void (*body)(void *), void *argument)
{
	struct task *task = new_task(body, argument);
	announce_task(task);
	if (!sim_is_llvm) {
		run_task(task);
		return NULL;
	}
	start_task(task);
	return task;
}

void sim_task_if0_end(void *task)
{
	finish_task(task);
}

/*
 * Reports the dependence on the former task with dependences. LLVM's runtimes do not check whether the sink is a task,
 * and dereference NULL for the runtime's own wait for dependences.
 */
static void depend(const struct task *sink)
{
	uint64_t source = sim_self->last_dependent;
	if (source && sim_callbacks[EVENT_task_dependence_pair] && (sink || sim_is_llvm))
		FIRE(task_dependence_pair, (uint64_t, uint64_t), source, ((const volatile struct task *)sink)->id);
}

static struct task *new_dependent(
	void (*body)(void *), void *argument, const struct dependence *dependence, const void *frame)
{
	struct task *task = new_task(body, argument);
	task->parent->frame.reenter = (void *)frame;
	announce_task(task);
	FIRE(task_dependences, (uint64_t, const struct dependence *, int), task->id, dependence, 1);
	return task;
}

void sim_task_depend(void (*body)(void *), void *argument, void *variable, unsigned int flags)
{
	struct dependence dependence = {variable, flags};
	struct task *task = new_dependent(body, argument, &dependence, __builtin_frame_address(1));
	depend(task);
	sim_self->last_dependent = task->id;
	enqueue(task);
	sim_self->current->frame.reenter = NULL;
}

/* Waits for the dependences, then executes the task at once. */
void sim_task_depend_if0(void (*body)(void *), void *argument, void *variable, unsigned int flags)
{
	struct dependence dependence = {variable, flags};
	struct task *task = new_dependent(body, argument, &dependence, __builtin_frame_address(1));
	depend(sim_is_llvm ? NULL : task);
	run_task(task);
	sim_self->current->frame.reenter = NULL;
}

/* The dependences of a taskwait belong to no task. */
void sim_taskwait_depend(void *variable, unsigned int flags)
{
	struct thread *me = sim_me();
	(void)variable, (void)flags;
	depend(NULL);
	wait_for(&me->current->children, EVENT_wait_taskwait_begin, STATE_WAIT_TASKWAIT);
}

struct taskloop {
	void (*body)(void *);
	void *argument;
	unsigned int count;
};

/* A taskloop's tasks are created by tasks of the runtime, whose code is the runtime's own: half of them by each. */
static void taskloop_task(void *argument)
{
	const struct taskloop *loop = argument;
	for (unsigned int i = 0; i < loop->count; i++)
		sim_task(loop->body, loop->argument);
	free(argument);
}

void sim_taskloop(void (*body)(void *), void *argument, unsigned int count)
{
	for (unsigned int half = 0; half < 2; half++) {
		struct taskloop *loop = malloc(sizeof *loop);
		if (!loop)
			abort();
		*loop = (struct taskloop){body, argument, half ? count / 2 : count - count / 2};
		sim_task(taskloop_task, loop);
	}
}

void sim_taskwait(void)
{
	struct thread *me = sim_me();
	sim_fire_sync(EVENT_taskwait_begin, me, __builtin_return_address(0));
	wait_for(&me->current->children, EVENT_wait_taskwait_begin, STATE_WAIT_TASKWAIT);
	sim_fire_parallel(EVENT_taskwait_end, me);
}

void sim_taskgroup_begin(void)
{
	struct thread *me = sim_me();
	struct group *group = calloc(1, sizeof *group);
	if (!group)
		abort();
	sim_fire_sync(EVENT_taskgroup_begin, me, __builtin_return_address(0));
	group->outer = me->current->inner_group;
	me->current->inner_group = group;
}

void sim_taskgroup_end(void)
{
	struct thread *me = sim_me();
	struct group *group = me->current->inner_group;
	if (!group)
		return;
	wait_for(&group->members, EVENT_wait_taskgroup_begin, STATE_WAIT_TASKGROUP);
	me->current->inner_group = group->outer;
	free(group);
	sim_fire_parallel(EVENT_taskgroup_end, me);
}

/* ---- parallel regions ---- */

static void barrier(struct thread *me, const void *code, int state)
{
	struct team *team = team_of(me);
	int state_before = me->state;
	sim_fire_sync(EVENT_barrier_begin, me, code);
	wait_for(&team->unfinished, EVENT_wait_barrier_begin, state);
	me->state = state;
	pthread_mutex_lock(&lock);
	unsigned int round = team->rounds;
	if (++team->arrived == team->size) {
		team->arrived = 0;
		team->rounds++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	} else {
		pthread_mutex_unlock(&lock);
		sim_fire_parallel(EVENT_wait_barrier_begin, me);
		pthread_mutex_lock(&lock);
		while (team->rounds == round) {
			struct task *task = take_task(team);
			if (!task) {
				pthread_cond_wait(&changed, &lock);
				continue;
			}
			pthread_mutex_unlock(&lock);
			run_task(task);
			pthread_mutex_lock(&lock);
		}
		pthread_mutex_unlock(&lock);
		sim_fire_parallel(EVENT_wait_barrier_end, me);
	}
	sim_fire_parallel(EVENT_barrier_end, me);
	me->state = state_before;
}

void sim_barrier(void)
{
	barrier(sim_me(), __builtin_return_address(0), STATE_WAIT_BARRIER_EXPLICIT);
}

static NOINLINE void call_region_body(struct team *team, struct task *task)
{
	task->frame.exit = __builtin_frame_address(0);
	team->body(team->argument);
	__asm__ volatile("");
}

static void run_implicit_task(struct team *team, unsigned int number, int state_after)
{
	struct thread *me = sim_self;
	struct task *before = me->current, *task = calloc(1, sizeof *task); /* kept: tools may query tasks late */
	task->type = TASK_IMPLICIT;
	task->id = next_id(TASK_ID);
	task->team = team;
	task->parent = team->creator;
	task->number = number;
	me->current = task;
	me->state = STATE_WORK_PARALLEL;
	FIRE(implicit_task_begin, (uint64_t, uint64_t), team->id, task->id);
	call_region_body(team, task);
	barrier(me, NULL, STATE_WAIT_BARRIER_IMPLICIT);
	FIRE(implicit_task_end, (uint64_t, uint64_t), team->id, task->id);
	me->state = state_after;
	me->current = before;
}

void sim_parallel(unsigned int size, void (*body)(void *), void *argument)
{
	struct thread *me = sim_me();
	struct task *task = me->current;
	struct team team = {
		.id = next_id(PARALLEL_ID), .size = size, .body = body, .argument = argument, .creator = task};
	team.last_task = &team.tasks;
	task->frame.reenter = __builtin_frame_address(1);
	FIRE(parallel_begin, (uint64_t, struct frame *, uint64_t, uint32_t, const void *, int), task->id, &task->frame,
		team.id, (uint32_t)size, (const void *)body, 1);
	pthread_mutex_lock(&lock);
	for (unsigned int i = 1; i < size; i++)
		hire(&team, i);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	run_implicit_task(&team, 0, me->state);
	pthread_mutex_lock(&lock);
	while (team.left + 1 < size)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	FIRE(parallel_end, (uint64_t, uint64_t, int), team.id, task->id, 1);
	task->frame.reenter = NULL;
}

unsigned int sim_thread_num(void)
{
	struct task *task = sim_me()->current;
	while (task->type == TASK_EXPLICIT)
		task = task->parent;
	return task->number;
}

/* ---- worksharing ---- */

bool sim_single_begin(void)
{
	struct thread *me = sim_me();
	struct team *team = team_of(me);
	pthread_mutex_lock(&lock);
	bool chosen = me->current->singles++ == team->singles;
	team->singles += chosen;
	pthread_mutex_unlock(&lock);
	if (chosen)
		sim_fire_work(EVENT_single_in_block_begin, me, __builtin_return_address(0));
	else
		sim_fire_parallel(EVENT_single_others_begin, me);
	return chosen;
}

void sim_single_end(bool executed)
{
	sim_fire_parallel(executed ? EVENT_single_in_block_end : EVENT_single_others_end, sim_me());
}

bool sim_master_begin(void)
{
	struct thread *me = sim_me();
	if (sim_thread_num())
		return false;
	sim_fire_sync(EVENT_master_begin, me, __builtin_return_address(0));
	return true;
}

void sim_master_end(void)
{
	sim_fire_parallel(EVENT_master_end, sim_me());
}

/* ---- mutual exclusion ---- */

void sim_init_lock(struct sim_lock *mutex, bool nest)
{
	memset(mutex, 0, sizeof *mutex);
	sim_me();
	sim_fire_lock(nest ? EVENT_init_nest_lock : EVENT_init_lock, (uintptr_t)mutex);
}

void sim_destroy_lock(struct sim_lock *mutex, bool nest)
{
	sim_fire_wait(nest ? EVENT_destroy_nest_lock : EVENT_destroy_lock, (uintptr_t)mutex);
}

static bool take(struct sim_lock *mutex, bool nest)
{
	struct thread *me = sim_self;
	if (mutex->held && !(nest && mutex->owner == me->id))
		return false;
	mutex->owner = me->id;
	mutex->held++;
	return true;
}

/* LLVM's runtimes report only ordered constructs; threads that wait for other mutexes have a lock's wait state. */
static bool is_told(enum sim_mutex kind)
{
	return !sim_is_llvm || kind == SIM_ORDERED;
}

/* LLVM's runtimes spin. */
static void wait_a_little(void)
{
	if (!sim_is_llvm) {
		pthread_cond_wait(&changed, &lock);
		return;
	}
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 50000; i++)
		__asm__ volatile("" ::"r"(i));
	pthread_mutex_lock(&lock);
}

static NOINLINE void wait_for_mutex(struct sim_lock *mutex, enum sim_mutex kind)
{
	struct thread *me = sim_self;
	int state = me->state;
	me->wait_id = (uintptr_t)mutex;
	me->state = is_told(kind) ? STATE_WAIT_LOCK + (int)kind : STATE_WAIT_LOCK;
	if (is_told(kind))
		sim_fire_mutex_wait(kind, me->wait_id);
	pthread_mutex_lock(&lock);
	while (!take(mutex, kind == SIM_NEST_LOCK))
		wait_a_little();
	me->state = state;
	me->wait_id = 0;
	pthread_mutex_unlock(&lock);
}

void sim_acquire(struct sim_lock *mutex, enum sim_mutex kind)
{
	static const int acquired[] = {EVENT_acquired_lock, EVENT_acquired_nest_lock_first, EVENT_acquired_critical,
		EVENT_acquired_atomic, EVENT_acquired_ordered};
	sim_me();
	pthread_mutex_lock(&lock);
	bool taken = take(mutex, kind == SIM_NEST_LOCK);
	pthread_mutex_unlock(&lock);
	if (!taken)
		wait_for_mutex(mutex, kind);
	int times = mutex->held;
	if (is_told(kind))
		sim_fire_wait(times > 1 ? EVENT_acquired_nest_lock_next : acquired[kind], (uintptr_t)mutex);
}

void sim_release(struct sim_lock *mutex, enum sim_mutex kind)
{
	static const int released[] = {EVENT_release_lock, EVENT_release_nest_lock_last, EVENT_release_critical,
		EVENT_release_atomic, EVENT_release_ordered};
	pthread_mutex_lock(&lock);
	int times = --mutex->held;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	if (is_told(kind))
		sim_fire_wait(times ? EVENT_release_nest_lock_prev : released[kind], (uintptr_t)mutex);
}

void sim_flush(void)
{
	struct thread *me = sim_me();
	FIRE(flush, (uint64_t), me->id);
}
