/* SPDX-License-Identifier: BSD-3-Clause */
/* The archive that read_otf2 checks, as far as it was read. Only read_otf2_definitions.c and read_otf2.c include this.
 */
#ifndef HEDDLE_TESTS_READ_OTF2_H
#define HEDDLE_TESTS_READ_OTF2_H

#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>

#define MOST 4096 /* definitions of each kind in the archives of tests */
#define DEPTH 512
#define MOST_TASKS (1 << 20)

enum counted {
	SAMPLES,
	GETS,
	PUTS,
	ATOMICS,
	BLOCKING,
	NONBLOCKING,
	REMOTE,
	GROUP_SYNCS,
	WAITS_FOR_CHANGE,
	RMA_REQUESTS,
	RMA_ACQUIRES,
	RMA_ATTEMPTS,
	RMA_RELEASES,
	WINDOWS,
	COLLECTIVES,
	METRICS,
	FORKS,
	JOINS,
	TEAM_BEGINS,
	TEAM_ENDS,
	CREATES,
	SWITCHES,
	COMPLETES,
	ACQUIRES,
	RELEASES,
	OFFS,
	ONS,
	FLUSHES,
	KINDS
};

struct location {
	uint64_t last, expected, seen, operations, begun[DEPTH];
	uint8_t *completed; /* by operation: here, at its target */
	size_t room;
	uint32_t regions[DEPTH], teams, forks, locks;
	int depth, collectives; /* open ones */
	int windows;            /* that it has created and not destroyed */
	char name[64];
};

struct region {
	const char *name;
	uint64_t visits, enters, ns, own_ns;
	bool defined;
};

struct archive {
	const char *strings[MOST * 4];
	struct region regions[MOST];
	struct location locations[MOST];
	uint64_t ids[MOST], members[MOST], counts[KINDS], open_operations;
	bool contexts[MOST * 16], metrics[MOST], generators[MOST];
	struct {
		bool defined;
		uint32_t size;
	} groups[MOST], comms[MOST], windows[MOST];
	uint32_t context_parents[MOST * 16];
	struct task {
		uint32_t team, creator, number;
		bool created, completed;
	} * tasks;
	size_t location_count, task_count;
	bool prints, failed;
};

extern struct archive all;

/* Prints a line, and lets the program fail. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads the definitions that all locations share. */
void read_definitions(OTF2_Reader *reader);

#endif
