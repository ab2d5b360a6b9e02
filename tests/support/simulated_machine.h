/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the simulated machine (simulated.h), for the files that replace Heddle's clock and sample sources. */
#ifndef HEDDLE_TESTS_SUPPORT_SIMULATED_MACHINE_H
#define HEDDLE_TESTS_SUPPORT_SIMULATED_MACHINE_H

#include "tests/support/simulated.h"

#include <stdatomic.h>

struct heddle_timer;

enum simulated_timer_kind {
	SIMULATED_NO_TIMER,
	SIMULATED_CPU,  /* on the thread's CPU time */
	SIMULATED_TICK, /* on CPU time, too, but checked only when the processor's tick hits the thread */
	SIMULATED_WALL, /* on elapsed time */
};

struct simulated_thread {
	_Atomic pid_t tid; /* 0: free */
	pid_t process;
	_Atomic uint64_t cpu_ns, switches;
	_Atomic int kind; /* of its timer; set after the members below */
	bool kernel;      /* a signal arrives on return from the kernel */
	int signal;
	uint64_t next, period, late;
	struct heddle_timer *timer;
	uint64_t expired;             /* periods that the last signal accounts for */
	_Atomic uint64_t sent, taken; /* signals */
};

/* Settings that a test writes into HEDDLE_SIMULATED, such as "perf=0,tick=4000000". */
struct simulated_settings {
	uint64_t perf, trap, cycles; /* whether these sources work */
	uint64_t tick;               /* ns */
	uint64_t first; /* whether a thread's first period is shortened at random, as on the real machine */
};
extern struct simulated_settings simulated_settings;

/* Maps the machine at the first call in a process. */
void simulated_start(void);

/* Returns the entry of thread tid, added if there is none, or that of the calling thread. Never NULL. */
struct simulated_thread *simulated_thread_of(pid_t tid);
struct simulated_thread *simulated_self(void);

/* Returns the time of the clock that timers of this kind use, in ns; sets the kind of the thread's timer. */
uint64_t simulated_timer_now(const struct simulated_thread *thread, enum simulated_timer_kind kind);
void simulated_set_kind(struct simulated_thread *thread, enum simulated_timer_kind kind);

/* Returns the number of threads of all processes that wait for locks; adds `by` to it. */
unsigned int simulated_lock_waiters(void);
void simulated_count_lock_waiters(int by);

/* Like clock_gettime. Returns -1 if there is no such clock. */
int simulated_gettime(clockid_t clock, struct timespec *time);

#endif
