/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of thread contexts and tasks that belong to blame. Only core/blame changes them. */
#ifndef HEDDLE_CORE_BLAMED_H
#define HEDDLE_CORE_BLAMED_H

#include <stdbool.h>
#include <stdint.h>

/* The threads that can wait for each other: those of the process, or those of all processes of the program. */
enum heddle_blame_scope { HEDDLE_SCOPE_PROCESS, HEDDLE_SCOPE_PROGRAM, HEDDLE_SCOPES };

/* What a thread does, as seen by the other threads of a scope. */
enum heddle_part {
	HEDDLE_PART_NONE, /* not accounted: serial program, measurement off, or waiting outside this scope */
	HEDDLE_PART_WORKS,
	HEDDLE_PART_BARRIER,
	HEDDLE_PART_TASKS,
	HEDDLE_PART_IDLE,
};

/* Kinds of waiting that working threads are blamed for: parts from BARRIER on. */
#define HEDDLE_IDLENESS_KINDS 3

#define HEDDLE_HELD_LIMIT 4

/* The state of one thread. */
struct heddle_blamed {
	uint8_t part[HEDDLE_SCOPES]; /* enum heddle_part */
	bool takes_part;             /* its part may be other than NONE */
	bool lost_wait;              /* the lock it waits for is unknown, or the table is full */
	uint8_t waits_in;            /* scope of the lock it waits for */
	uint32_t node;               /* the node last charged with idleness by a sample; 0: none */
	uint8_t held_count;          /* entries of `held`: locks whose waiters samples charge */
	struct heddle_held {
		uint64_t lock;
		enum heddle_blame_scope scope;
	} held[HEDDLE_HELD_LIMIT];
	uint64_t waits_for;                                  /* id of a lock; 0: none */
	uint64_t wait_began, wait_ended;                     /* measured ticks; 0: at the last event */
	uint32_t wait_node;                                  /* node of the last wait for a lock; 0: unknown */
	struct heddle_group *group;                          /* of the barrier it waits in */
	uint64_t seen[HEDDLE_SCOPES][HEDDLE_IDLENESS_KINDS]; /* shares of the board at the last charge */
	uint64_t unpaid[HEDDLE_IDLENESS_KINDS]; /* ticks to charge to the next sample with waiting threads */
};

/* Tasks that end together. The `owner` that a model passes with a task begins with this struct. */
struct heddle_group {
	_Atomic uint64_t ended; /* measured tick; 0: not ended */
	uint32_t waiting;       /* threads in its barriers, as counted on the board */
};

#endif
