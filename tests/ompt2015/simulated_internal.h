/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the parts of the simulated runtime: its structures, the numbers of the report, and how events are sent. The
 * numbers are repeated here, separate from Heddle's header, so that a wrong number there is detected.
 */
#ifndef SIMULATED_INTERNAL_H
#define SIMULATED_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "simulated.h"

#define NOINLINE __attribute__((noinline))

enum {
	STATE_WORK_SERIAL = 0x00,
	STATE_WORK_PARALLEL = 0x01,
	STATE_IDLE = 0x10,
	STATE_OVERHEAD = 0x20,
	STATE_WAIT_BARRIER_IMPLICIT = 0x41,
	STATE_WAIT_BARRIER_EXPLICIT = 0x42,
	STATE_WAIT_TASKWAIT = 0x50,
	STATE_WAIT_TASKGROUP = 0x51,
	STATE_WAIT_LOCK = 0x60, /* nest lock, critical, atomic and ordered follow */
	STATE_WAIT_TARGET = 0x70,
	STATE_UNDEFINED = 0x80,
	STATE_FIRST = 0x81
};

enum { TASK_SERIAL = 1, TASK_IMPLICIT = 2, TASK_EXPLICIT = 3, TASK_TARGET = 4 };

/* number, name */
#define EVENTS(X)                       \
	X(1, parallel_begin)            \
	X(2, parallel_end)              \
	X(3, task_begin)                \
	X(4, task_end)                  \
	X(5, thread_begin)              \
	X(6, thread_end)                \
	X(7, control)                   \
	X(8, runtime_shutdown)          \
	X(9, idle_begin)                \
	X(10, idle_end)                 \
	X(11, wait_barrier_begin)       \
	X(12, wait_barrier_end)         \
	X(13, wait_taskwait_begin)      \
	X(14, wait_taskwait_end)        \
	X(15, wait_taskgroup_begin)     \
	X(16, wait_taskgroup_end)       \
	X(17, release_lock)             \
	X(18, release_nest_lock_last)   \
	X(19, release_critical)         \
	X(20, release_atomic)           \
	X(21, release_ordered)          \
	X(22, implicit_task_begin)      \
	X(23, implicit_task_end)        \
	X(24, initial_task_begin)       \
	X(25, initial_task_end)         \
	X(26, task_switch)              \
	X(27, loop_begin)               \
	X(28, loop_end)                 \
	X(29, sections_begin)           \
	X(30, sections_end)             \
	X(31, single_in_block_begin)    \
	X(32, single_in_block_end)      \
	X(33, single_others_begin)      \
	X(34, single_others_end)        \
	X(35, workshare_begin)          \
	X(36, workshare_end)            \
	X(37, master_begin)             \
	X(38, master_end)               \
	X(39, barrier_begin)            \
	X(40, barrier_end)              \
	X(41, taskwait_begin)           \
	X(42, taskwait_end)             \
	X(43, taskgroup_begin)          \
	X(44, taskgroup_end)            \
	X(45, release_nest_lock_prev)   \
	X(46, wait_lock)                \
	X(47, wait_nest_lock)           \
	X(48, wait_critical)            \
	X(49, wait_atomic)              \
	X(50, wait_ordered)             \
	X(51, acquired_lock)            \
	X(52, acquired_nest_lock_first) \
	X(53, acquired_nest_lock_next)  \
	X(54, acquired_critical)        \
	X(55, acquired_atomic)          \
	X(56, acquired_ordered)         \
	X(57, init_lock)                \
	X(58, init_nest_lock)           \
	X(59, destroy_lock)             \
	X(60, destroy_nest_lock)        \
	X(61, flush)                    \
	X(62, target_task_begin)        \
	X(63, target_task_end_sync)     \
	X(64, target_task_end_async)    \
	X(65, target_data_begin)        \
	X(66, target_data_end)          \
	X(67, target_data_map_begin)    \
	X(68, target_data_map_end)      \
	X(69, task_dependences)         \
	X(70, task_dependence_pair)

enum {
#define X(number, name) EVENT_##name = number,
	EVENTS(X)
#undef X
		EVENT_LIMIT
};

struct frame {
	void *exit, *reenter;
};

struct dependence {
	void *variable;
	uint32_t flags;
};

struct group {
	unsigned int members;
	struct group *outer;
};

struct task {
	uint64_t id;
	int type;
	struct frame frame;
	struct task *parent, *next, *suspended;
	int state_before; /* of the thread that executes it */
	struct team *team;
	struct group *group, *inner_group;
	unsigned int children, number, singles, references; /* by an explicit task and by each child */
	void (*body)(void *);
	void *argument;
	const void *code;
};

struct team {
	uint64_t id;
	unsigned int size, arrived, rounds, left, unfinished, singles;
	void (*body)(void *);
	void *argument;
	struct task *creator, *tasks, **last_task;
};

struct thread {
	uint64_t id, wait_id, last_dependent;
	int type;
	volatile int state;
	struct task initial;
	struct task *volatile current;
	struct team *job;
	unsigned int number;
	bool leave;
	pthread_t handle;
	struct thread *next;
};

extern __thread struct thread *sim_self; /* NULL: not a thread of the runtime */
extern bool sim_is_llvm;                 /* version 1 of the interface, as in LLVM's 3.9 to 5.0 */
extern void (*sim_callbacks[EVENT_LIMIT])(void);

static inline struct team *team_of(const struct thread *thread)
{
	return thread->current->team;
}

/* Returns this thread of the runtime. Registers it, and initializes the runtime, if necessary. */
struct thread *sim_me(void);

void sim_start(void);
void sim_restart(void);
void sim_prepare_fork(void);
void sim_dismiss_workers(void);

#define FIRE_NUMBER(number, parameters, ...)                                      \
	do {                                                                      \
		if (sim_callbacks[number])                                        \
			((void(*) parameters)sim_callbacks[number])(__VA_ARGS__); \
	} while (0)
#define FIRE(name, parameters, ...) FIRE_NUMBER(EVENT_##name, parameters, __VA_ARGS__)

/* Send an event; one function for each signature of callbacks. */
void sim_fire_parallel(int event, const struct thread *thread);
void sim_fire_sync(int event, const struct thread *thread, const void *code);
void sim_fire_work(int event, const struct thread *thread, const void *code);
void sim_fire_wait(int event, uint64_t wait_id);
void sim_fire_lock(int event, uint64_t wait_id);
void sim_fire_mutex_wait(enum sim_mutex kind, uint64_t wait_id);

/* Returns a device function for ompt's lookup; NULL if there is none with that name. */
void (*sim_target_lookup(const char *name))(void);
void sim_target_shutdown(void);

uint64_t sim_new_task_id(void);

#endif
