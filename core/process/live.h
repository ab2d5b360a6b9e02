/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process's part of `heddle run --live`: it adds its samples to the board that the launcher shares (format/live.h).
 * Without --live nothing is mapped, and a sample costs one branch more.
 */
#ifndef HEDDLE_CORE_LIVE_H
#define HEDDLE_CORE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

extern bool heddle__is_live; /* set by heddle__live_init */

/* Finds the launcher's board; without one, nothing is shared. Context: init. */
void heddle__live_init(void);

/* Claims a row for the child. Context: the child's only thread. */
void heddle__live_after_fork(void);

/* Adds a sample of `periods`; `node` HEDDLE_TREE_ROOT: the sample hit Heddle itself. Context: owner thread, signal. */
void heddle__live_add(uint32_t node, uint64_t periods);

static inline void heddle__live_sample(uint32_t node, uint64_t periods)
{
	if (heddle__is_live)
		heddle__live_add(node, periods);
}

/* True if the launcher's line is on the terminal; the caller must then erase it. Context: any thread, signal. */
bool heddle__live_take_line(void);

/* Publishes the CPU time when measurement ends. Context: any thread, signal. */
void heddle__live_finish(void);

#endif
