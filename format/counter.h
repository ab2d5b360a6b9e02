/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be counted on a thread besides time: names, and how the kernel is asked for them. `heddle run` turns PAPI's
 * names into codes of the kernel and hands them on in HEDDLE_METRICS; so the library in the measured process needs
 * nothing but the kernel.
 */
#ifndef HEDDLE_FORMAT_COUNTER_H
#define HEDDLE_FORMAT_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HEDDLE_COUNTER_LIMIT 16 /* counters of one measurement */
#define HEDDLE_COUNTER_TERMS 8  /* events of the processor that one counter is put together from */
#define HEDDLE_COUNTER_NAME 96

/* Where the value comes from: a perf event, or what the kernel keeps for each thread anyway. */
enum heddle_counter_way {
	HEDDLE_COUNTER_PERF,
	HEDDLE_COUNTER_FAULTS,
	HEDDLE_COUNTER_MINOR_FAULTS,
	HEDDLE_COUNTER_MAJOR_FAULTS,
	HEDDLE_COUNTER_SWITCHES,
	HEDDLE_COUNTER_CPU_TIME,
};

/*
 * name (perf's own, or PAPI's for the same), unit, how it is counted, type and config of the perf event (linux/
 * perf_event.h), what one unit of it is. The order is that of `heddle run --metric help`.
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
	X("dTLB-load-misses", "count", PERF, 3, 0x10003, "loads whose page's address was not at hand")         \
	X("PAPI_TOT_CYC", "count", PERF, 0, 0x0, "total cycles")                                               \
	X("PAPI_TOT_INS", "count", PERF, 0, 0x1, "instructions completed")                                     \
	X("PAPI_REF_CYC", "count", PERF, 0, 0x9, "reference clock cycles")                                     \
	X("PAPI_BR_INS", "count", PERF, 0, 0x4, "branch instructions")                                         \
	X("PAPI_BR_MSP", "count", PERF, 0, 0x5, "branch instructions mispredicted")

/* A perf event, as perf_event_open wants it. */
struct heddle_perf_code {
	uint32_t type;
	uint64_t config, config1, config2;
};

struct heddle_counter {
	char name[HEDDLE_COUNTER_NAME];
	const char *unit, *meaning; /* meaning: "" for one that came with its code */
	uint8_t way;                /* enum heddle_counter_way */
	uint8_t term_count;
	struct {
		struct heddle_perf_code code;
		int32_t factor; /* the counter's value is the sum of all terms' times theirs */
	} terms[HEDDLE_COUNTER_TERMS];
};

/* All of these: context any thread, signal. */

/* Number `index` of the list above; false behind its end. */
bool heddle__counter_listed(size_t index, struct heddle_counter *counter);

/*
 * From `length` bytes of text: a name of the list, or any name with its code,
 * "NAME{type:config:config1:config2+...-2*...}" in hexadecimal, trailing zeros left out. 0; -ENOENT: the name is not in
 * the list; -EINVAL: the code makes no sense.
 */
int heddle__counter_parse(const char *text, size_t length, struct heddle_counter *counter);

/* The same as text; returns its length, or what it would need (as snprintf). */
size_t heddle__counter_print(const struct heddle_counter *counter, char *text, size_t size);

/*
 * "EVENT@PERIOD", EVENT as above. 0; -ENOENT and -EINVAL as above; -ERANGE: the period is none; -ENOTSUP: no samples
 * can be taken by that; -EDOM: of so short a period there would be too many.
 */
int heddle__sample_event_parse(const char *text, struct heddle_counter *counter, uint64_t *period);

/* The shortest period of it: clocks tick all the time. */
uint64_t heddle__sample_event_shortest(const struct heddle_counter *counter);

/* Can it be counted here? 0, or -errno of the kernel: it really tries. Context: not a signal handler. */
int heddle__counter_try(const struct heddle_counter *counter);

/*
 * What the kernel does, as opposed to what happens while the program's own code runs: counting it needs the right to
 * look at the kernel, and no sample can be taken of it.
 */
bool heddle__perf_code_is_kernels(const struct heddle_perf_code *code);

/*
 * A perf event for one thread, out of the way of the program's own descriptors. `group`: descriptor of the leader whose
 * values are read together, or -1. `period`: a signal every so many; 0: it only counts. Not yet counting if `disabled`.
 * Returns the descriptor, or -errno.
 */
int heddle__perf_open(const struct heddle_perf_code *code, pid_t tid, int group, uint64_t period, bool disabled);

#endif
