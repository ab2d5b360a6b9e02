/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated machine's state (simulated.h), for its parts that stand in place of Heddle's: clock and sources. */
#ifndef HEDDLE_TESTS_SUPPORT_SIMULATED_MACHINE_H
#define HEDDLE_TESTS_SUPPORT_SIMULATED_MACHINE_H

#include "tests/support/simulated.h"

#include <stdatomic.h>

struct heddle_timer;

enum simulated_timer_kind {
	SIMULATED_NO_TIMER,
	SIMULATED_CPU,  /* on the thread's CPU time */
	SIMULATED_TICK, /* the same, looked at when the processor's tick hits the thread */
	SIMULATED_WALL, /* on elapsed time */
};

struct simulated_thread {
	_Atomic pid_t tid; /* 0: free */
	pid_t process;
	_Atomic uint64_t cpu_ns, switches;
	_Atomic int kind; /* of its timer; the rest is set before */
	bool kernel;      /* a signal comes on return from the kernel */
	int signal;
	uint64_t next, period, late;
	struct heddle_timer *timer;
	uint64_t expired;             /* periods that the last signal stands for */
	_Atomic uint64_t sent, taken; /* signals */
};

/* What a test asks for in HEDDLE_SIMULATED, as in "perf=0,tick=4000000". */
struct simulated_settings {
	uint64_t perf, trap, cycles; /* whether these sources are there */
	uint64_t tick;               /* ns */
	uint64_t first; /* whether a thread's first period is shortened at random, as on the real machine */
};
extern struct simulated_settings simulated_settings;

/* Once in a process, before anything else. */
void simulated_start(void);

/* The thread of that number, new if there is none yet; the calling one. Never NULL. */
struct simulated_thread *simulated_thread_of(pid_t tid);
struct simulated_thread *simulated_self(void);

/* What such a timer of the thread goes by, in ns; the thread's timer is of that kind from now on. */
uint64_t simulated_timer_now(const struct simulated_thread *thread, enum simulated_timer_kind kind);
void simulated_set_kind(struct simulated_thread *thread, enum simulated_timer_kind kind);

/* How many threads of all processes wait for locks; `by` more do. */
unsigned int simulated_lock_waiters(void);
void simulated_count_lock_waiters(int by);

/* The clock of that number; 0, or -1 if there is none. */
int simulated_gettime(clockid_t clock, struct timespec *time);

#endif
