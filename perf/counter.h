/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of a thread besides time: their names, and how they are requested from the kernel. `heddle run`
 * translates PAPI's names to codes of the kernel and passes these in HEDDLE_METRICS, so the library in the measured
 * process needs only the kernel.
 */
#ifndef HEDDLE_PERF_COUNTER_H
#define HEDDLE_PERF_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HEDDLE_COUNTER_LIMIT 16 /* counters per measurement */
#define HEDDLE_COUNTER_TERMS 8  /* hardware events per counter */
#define HEDDLE_COUNTER_NAME 96

/* The origin of the value: a perf event, or statistics that the kernel keeps for each thread. */
enum heddle_counter_way {
	HEDDLE_COUNTER_PERF,
	HEDDLE_COUNTER_FAULTS,
	HEDDLE_COUNTER_MINOR_FAULTS,
	HEDDLE_COUNTER_MAJOR_FAULTS,
	HEDDLE_COUNTER_SWITCHES,
	HEDDLE_COUNTER_CPU_TIME,
};

/*
 * name (perf's, or PAPI's for the same event), unit, how it is counted, type and config of the perf event
 * (linux/perf_event.h), meaning of one unit. In the order of `heddle run --metric help`.
 */
#define HEDDLE_COUNTERS(X)                                                                                     \
	X("page-faults", "count", FAULTS, 1, 0x2, "pages that were touched and not there")                     \
	X("minor-faults", "count", MINOR_FAULTS, 1, 0x5, "page faults for which nothing was read from disk")   \
	X("major-faults", "count", MAJOR_FAULTS, 1, 0x6, "page faults that read from disk")                    \
	X("context-switches", "count", SWITCHES, 1, 0x3, "times the thread left its processor")                \
	X("task-clock", "ns", CPU_TIME, 1, 0x1, "CPU time, read at the borders of regions and at samples")     \
	X("cpu-migrations", "count", PERF, 1, 0x4, "times the thread went to another processor")               \
	X("cycles", "count", PERF, 0, 0x0, "processor cycles outside the kernel")                              \
	X("instructions", "count", PERF, 0, 0x1, "instructions retired outside the kernel")                    \
	X("ref-cycles", "count", PERF, 0, 0x9, "cycles at the processor's nominal rate")                       \
	X("cache-references", "count", PERF, 0, 0x2, "accesses to the last-level cache")                       \
	X("cache-misses", "count", PERF, 0, 0x3, "accesses that missed the last-level cache")                  \
	X("branches", "count", PERF, 0, 0x4, "branch instructions retired")                                    \
	X("branch-misses", "count", PERF, 0, 0x5, "branches predicted wrongly")                                \
	X("stalled-cycles-frontend", "count", PERF, 0, 0x7, "cycles in which no instruction could be fetched") \
	X("stalled-cycles-backend", "count", PERF, 0, 0x8, "cycles in which no instruction could be finished") \
	X("L1-dcache-loads", "count", PERF, 3, 0x0, "loads from the first-level data cache")                   \
	X("L1-dcache-load-misses", "count", PERF, 3, 0x10000, "loads that missed the first-level data cache")  \
	X("LLC-loads", "count", PERF, 3, 0x2, "loads from the last-level cache")                               \
	X("LLC-load-misses", "count", PERF, 3, 0x10002, "loads that missed the last-level cache")              \
	X("dTLB-load-misses", "count", PERF, 3, 0x10003, "loads whose page was not in the TLB")                \
	X("PAPI_TOT_CYC", "count", PERF, 0, 0x0, "total cycles")                                               \
	X("PAPI_TOT_INS", "count", PERF, 0, 0x1, "instructions completed")                                     \
	X("PAPI_REF_CYC", "count", PERF, 0, 0x9, "reference clock cycles")                                     \
	X("PAPI_BR_INS", "count", PERF, 0, 0x4, "branch instructions")                                         \
	X("PAPI_BR_MSP", "count", PERF, 0, 0x5, "branch instructions mispredicted")

/* A perf event, as in struct perf_event_attr. */
struct heddle_perf_code {
	uint32_t type;
	uint64_t config, config1, config2;
};

struct heddle_counter {
	char name[HEDDLE_COUNTER_NAME];
	const char *unit, *meaning; /* meaning: "" for a counter given by its code */
	uint8_t way;                /* enum heddle_counter_way */
	uint8_t term_count;
	struct {
		struct heddle_perf_code code;
		int32_t factor; /* the counter's value is the sum of all terms times their factors */
	} terms[HEDDLE_COUNTER_TERMS];
};

/* Context of all functions, unless stated: any thread, signal. */

/* Returns counter `index` of the list above; false past its end. */
bool heddle__counter_listed(size_t index, struct heddle_counter *counter);

/*
 * Parses `length` bytes of text: a name of the list, or any name with its code,
 * "NAME{type:config:config1:config2+...-2*...}" in hexadecimal, without trailing zeros. Returns 0; -ENOENT: the name is
 * not in the list; -EINVAL: the code is invalid.
 */
int heddle__counter_parse(const char *text, size_t length, struct heddle_counter *counter);

/* The inverse of heddle__counter_parse. Returns the length, like snprintf; the text is cut off at `size`. */
size_t heddle__counter_print(const struct heddle_counter *counter, char *text, size_t size);

/*
 * Parses "EVENT@PERIOD". Returns 0, or for EVENT the errors of heddle__counter_parse; -ERANGE: the period is invalid;
 * -ENOTSUP: the event cannot be sampled; -EDOM: the period is so short that there would be too many samples.
 */
int heddle__sample_event_parse(const char *text, struct heddle_counter *counter, uint64_t *period);

/* Returns the shortest valid period of an event; longer for clocks and hardware events, which count continuously. */
uint64_t heddle__sample_event_shortest(const struct heddle_counter *counter);

/* Tries whether it can be counted on this system. Returns 0 or the kernel's -errno. Context: not a signal handler. */
int heddle__counter_try(const struct heddle_counter *counter);

/*
 * True if an event counts what the kernel does, rather than execution of the program's code: counting it requires
 * permission to observe the kernel, and it cannot be sampled.
 */
bool heddle__perf_code_is_kernels(const struct heddle_perf_code *code);

/*
 * Opens a perf event for one thread, on a descriptor above those of the program. `group`: descriptor of the leader,
 * whose read returns all values of the group, or -1. Not counting yet if `disabled`. Returns the descriptor, or -errno.
 * Context: any thread, signal.
 */
int heddle__perf_open(const struct heddle_perf_code *code, pid_t tid, int group, bool disabled);

struct heddle_perf_sampling {
	uint64_t period;   /* events between two signals */
	bool by_frequency; /* `period` is signals per second; the kernel chooses the period */
	bool trap;         /* SIGTRAP on return to user space, time in the kernel included; else outside the kernel */
	uint64_t mark;     /* with `trap`: delivered with each signal (si_perf_data) */
};

/* Like heddle__perf_open(), for samples; disabled. */
int heddle__perf_open_sampling(
	const struct heddle_perf_code *code, pid_t tid, const struct heddle_perf_sampling *sampling);

/*
 * Tries whether an event may signal by SIGTRAP (`trap`). Returns 0, or -errno. It requires permission to observe the
 * kernel, and Linux 5.19: before, the signal ended a thread that had blocked it. Context: not a signal handler.
 */
int heddle__perf_try_trap(const struct heddle_perf_code *code);

/* True if a kernel's release, such as "5.19.0-41-generic", is at least that version; false if it is not a release. */
bool heddle__kernel_is_at_least(const char *release, unsigned int major, unsigned int minor);

#endif
