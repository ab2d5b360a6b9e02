/* SPDX-License-Identifier: BSD-3-Clause */
/* The writer's half for threads: a Thread message with its columns, from a frozen context. */
#ifndef HEDDLE_CORE_WRITER_THREADS_H
#define HEDDLE_CORE_WRITER_THREADS_H

#include "core/encode.h"
#include "core/thread.h"

/* One value of a node, to be sorted. */
struct heddle_entry {
	uint32_t node;
	uint32_t metric;
	uint64_t value;
};

/* Work space, kept from one thread to the next. */
struct heddle_thread_columns {
	struct heddle_entry *entries;
	size_t room, count;
	struct heddle_buffer nodes, values, column;
	uint32_t nodes_written; /* of the tree; later ones count as their nearest ancestor below that */
	uint32_t strings_written;
};

/* All of these: context any thread, signal; measurement frozen. */

/* Put nodes that only the writer uses into the tree, before the tree is written. */
void heddle__prepare_extra_nodes(void);

void heddle__put_thread(struct heddle_buffer *out, struct heddle_thread_columns *columns,
	const struct heddle_thread *thread, uint64_t now);

void heddle__free_columns(struct heddle_thread_columns *columns);

/* Sampling periods taken by all threads. */
uint64_t heddle__samples_taken(void);

#endif
