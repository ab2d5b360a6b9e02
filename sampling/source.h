/* SPDX-License-Identifier: BSD-3-Clause */
/* Where sampling signals come from: one timer a thread, of one of several kinds behind one interface. */
#ifndef HEDDLE_SAMPLING_SOURCE_H
#define HEDDLE_SAMPLING_SOURCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "format/counter.h"

struct heddle_source;

/* One thread's timer. */
struct heddle_timer {
	const struct heddle_source *source; /* that armed it last */
	bool armed;
	int fd; /* perf */
	uint64_t perf_id;
	bool full_period; /* the first one of a thread is shorter, by chance */
	timer_t posix;
};

struct heddle_source {
	const char *name;

	/* Can it be used here, for this clock ("cpu", "wall")? Context: init. */
	bool (*works)(bool wall);

	/*
	 * Start and stop signals to the thread `tid` of this process; periods are in ns, or what the source counts.
	 * Returns 0 or -errno. Context: any thread.
	 */
	int (*arm)(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period);
	void (*disarm)(struct heddle_timer *timer);

	/* Let go of a timer that a fork copied from the parent, without touching the parent's. Context: the child. */
	void (*forget)(struct heddle_timer *timer);

	/* The first, shortened period is over. NULL: the source goes on by itself. Context: signal. */
	void (*set_period)(struct heddle_timer *timer, uint64_t period);

	/* Periods that this signal stands for; 0: it is none of this timer's. Context: signal. */
	uint64_t (*periods)(struct heddle_timer *timer, const siginfo_t *info);
};

extern const struct heddle_source heddle__source_perf;
extern struct heddle_perf_code heddle__source_perf_code; /* what it counts: CPU time, unless set before the first use */
extern const struct heddle_source heddle__source_posix_cpu;
extern const struct heddle_source heddle__source_posix_wall;

#endif
