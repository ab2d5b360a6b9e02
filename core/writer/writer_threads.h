/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes a Thread message with its columns from the context of a thread, while measurement is frozen. */
#ifndef HEDDLE_CORE_WRITER_THREADS_H
#define HEDDLE_CORE_WRITER_THREADS_H

#include "core/threads/thread.h"
#include "core/writer/encode.h"

/* A value of a node, to be sorted. */
struct heddle_entry {
	uint32_t node;
	uint32_t metric;
	uint64_t value;
};

/* Work space, reused for all threads. A zeroed struct with the last two members set is ready for use. */
struct heddle_thread_columns {
	struct heddle_entry *entries;
	size_t room, count;
	struct heddle_buffer nodes, values, column;
	uint32_t nodes_written; /* nodes in the profile; later nodes' values are charged to their nearest ancestor */
	uint32_t strings_written;
};

/* Context of all following functions: any thread, signal, when frozen. */

/* Adds to the tree the nodes that only the writer charges. Called before the tree is written. */
void heddle__prepare_extra_nodes(void);

/* Appends the message of `thread` to `out`, which is marked as failed if memory is short; `now` is a measured tick. */
void heddle__put_thread(struct heddle_buffer *out, struct heddle_thread_columns *columns,
	const struct heddle_thread *thread, uint64_t now);

/* What the writer has of a thread that no record in a trace accounts for. */
struct heddle_thread_rest {
	size_t first;                      /* the values from that entry on are not in the thread's slots */
	uint64_t charged;                  /* the slots have elapsed time up to that tick */
	const struct heddle_slot *charges; /* the slot that was charged last; NULL: samples account for it */
};

/* Called with a thread's columns, unless NULL. */
extern void (*heddle__take_rest)(const struct heddle_thread *thread, const struct heddle_thread_columns *columns,
	const struct heddle_thread_rest *rest);

/* Unmaps the work space. */
void heddle__free_columns(struct heddle_thread_columns *columns);

/* The number of sampling periods of all threads. */
uint64_t heddle__samples_taken(void);

#endif
