/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher's side of the board that measured processes add their samples to (format/live.h), and its sums. */
#ifndef HEDDLE_CLI_LIVE_BOARD_H
#define HEDDLE_CLI_LIVE_BOARD_H

#include "cli/run/live_names.h"
#include "cli/run/live_top.h"
#include "format/live.h"

#include <stdbool.h>
#include <sys/types.h>

/* What the launcher records about a row. */
struct heddle_live_process {
	int32_t pid;
	uint64_t cpu_ns; /* as last read */
	uint64_t seen;   /* number of its latest samples that were read */
};

struct heddle_live_board {
	void *memory;
	int file;
	pid_t program; /* counts as a process even if it is not measured */
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

/* Creates the board, and puts its name into the environment. Returns 0 or a negative errno; close it in any case. */
int heddle__live_board_open(struct heddle_live_board *board);
void heddle__live_board_close(struct heddle_live_board *board);

/* Returns the sums, adds the samples since the last call to `top`, and reclaims the rows of ended processes. */
struct heddle_live_sums heddle__live_board_read(struct heddle_live_board *board);

/* Reclaims the rows of processes that announced their end. Short processes can use up all rows within a second. */
void heddle__live_board_reclaim(struct heddle_live_board *board);

/*
 * show: the line is on the terminal, and any process may take it away. take: the caller takes it away; false: a process
 * has done so. is_shown: true if none has.
 */
void heddle__live_board_show(struct heddle_live_board *board);
bool heddle__live_board_take(struct heddle_live_board *board);
bool heddle__live_board_is_shown(const struct heddle_live_board *board);

/* Returns how many bytes the processes have written, to any file; 0 for those that the system does not report. */
uint64_t heddle__live_board_written(const struct heddle_live_board *board);

#endif
