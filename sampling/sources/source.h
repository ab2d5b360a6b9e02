/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources of sampling signals, of several kinds behind one interface: each thread has one timer. */
#ifndef HEDDLE_SAMPLING_SOURCE_H
#define HEDDLE_SAMPLING_SOURCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "perf/counter.h"

struct heddle_source;

/* One thread's timer. */
struct heddle_timer {
	const struct heddle_source *source; /* the source that armed it last */
	bool armed;
	bool full_period;  /* the period is the full one; a thread's first one is shorter, at random */
	int fd, former_fd; /* perf; a signal from the former descriptor may still be pending */
	uint64_t perf_id;
	void *hold;             /* a mapping that holds the event if the program closes its descriptor; NULL: none */
	uint64_t period, count; /* perf event: its period, and its count at the last sample */
	int posix;              /* the kernel's number of the timer */
};

struct heddle_source {
	const char *name;
	bool kernel; /* time in the kernel is sampled, too, by a signal on return from it */
	bool steady; /* outside the kernel, each period ends with a signal, so none needs a weight */

	/* Returns whether it can be used on this system, for this clock. Context: init. */
	bool (*works)(bool wall);

	/*
	 * Start and stop signals to the thread `tid` of this process; periods are in ns, or in counts of the event.
	 * Returns 0 or -errno. Context: any thread.
	 */
	int (*arm)(struct heddle_timer *timer, pid_t tid, int signal, uint64_t first, uint64_t period);
	void (*disarm)(struct heddle_timer *timer);

	/* True if the program has ended an armed timer by closing its descriptor. NULL: never. Context: any thread. */
	bool (*is_lost)(const struct heddle_timer *timer);

	/* Drops a timer inherited by fork, without changing the parent's. Context: the child. */
	void (*forget)(struct heddle_timer *timer);

	/*
	 * Sets the full period after the first, shortened one. False: the timer must be armed again. NULL: the source
	 * does so by itself. Context: signal.
	 */
	bool (*set_period)(struct heddle_timer *timer, uint64_t period);

	/* Returns the number of periods that the signal accounts for; 0: not from this timer. Context: signal. */
	uint64_t (*periods)(struct heddle_timer *timer, const siginfo_t *info);
};

/* The source's row in the profile (heddle__process.sample_sources). Context: any thread, signal. */
unsigned int heddle__source_index(const struct heddle_source *source);

/* True if the signal is from a timer disarmed since; `timer` may be NULL. Context: signal. */
bool heddle__is_late_signal(const struct heddle_timer *timer, const siginfo_t *info);

/*
 * True if perf may signal by SIGTRAP, on return from the kernel: then time in the kernel is sampled, too, and no system
 * call is interrupted. It requires Linux 5.19 and permission to observe the kernel. Context: init.
 */
bool heddle__source_perf_can_trap(void);
extern bool heddle__source_perf_traps;  /* perf signals by SIGTRAP; set before the first use */
extern bool heddle__source_perf_counts; /* it counts an event: that count determines the number of periods */

extern const struct heddle_source heddle__source_perf;
extern struct heddle_perf_code heddle__source_perf_code; /* the event; default: CPU time; set before the first use */
extern const struct heddle_source heddle__source_cycles;
extern const struct heddle_source heddle__source_posix_cpu;
extern const struct heddle_source heddle__source_posix_wall;

#endif
