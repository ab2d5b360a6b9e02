/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher's side of the board that measured processes add their samples to (format/live.h), and its sums. */
#ifndef HEDDLE_CLI_LIVE_BOARD_H
#define HEDDLE_CLI_LIVE_BOARD_H

#include "cli/run/live_names.h"
#include "cli/run/live_top.h"
#include "format/live.h"

#include <stdbool.h>
#include <sys/types.h>

/* What the launcher knows of a row. */
struct heddle_live_process {
	int32_t pid;
	uint64_t cpu_ns; /* as last read */
	uint64_t seen;   /* of its latest samples */
};

struct heddle_live_board {
	void *memory;
	int file;
	pid_t program; /* counts as a process also if it is not measured */
	bool listed;   /* it has, or had, a row */
	uint64_t program_cpu_ns;
	uint64_t ended_cpu_ns, ended_samples; /* of processes whose rows were reclaimed */
	struct heddle_live_process processes[HEDDLE_LIVE_ROWS];
	struct heddle_live_names names;
	struct heddle_live_top top;
};

struct heddle_live_sums {
	uint64_t cpu_ns, samples; /* since the start, of all processes */
	unsigned int processes;   /* that run */
};

/* Makes the board, and names it in the environment. Returns 0 or a negative errno; close it in any case. */
int heddle__live_board_open(struct heddle_live_board *board);
void heddle__live_board_close(struct heddle_live_board *board);

/* Adds up, takes the samples since the last call into `top`, and reclaims the rows of processes that have ended. */
struct heddle_live_sums heddle__live_board_read(struct heddle_live_board *board);

/* Reclaims the rows of processes that said that they end. Short ones use up all rows within a second. */
void heddle__live_board_reclaim(struct heddle_live_board *board);

/*
 * The line is on the terminal: the processes may take it away. Take: the caller does so; false: a process has done it.
 * Whether none has.
 */
void heddle__live_board_show(struct heddle_live_board *board);
bool heddle__live_board_take(struct heddle_live_board *board);
bool heddle__live_board_is_shown(const struct heddle_live_board *board);

/* Bytes that the processes have written, to whatever file; what the system does not say counts 0. */
uint64_t heddle__live_board_written(const struct heddle_live_board *board);

#endif
