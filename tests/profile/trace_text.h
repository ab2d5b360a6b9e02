/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces from a few lines of text, for tests. Times are in ns, each since the one before; nodes are numbered as in the
 * profile's tree.
 *
 *	nodes COUNT		 how many the tree has
 *	offset AT OFFSET ERROR	 a measurement of the clock; before the first thread
 *	thread ID [START]	 records that follow are of that thread, and times begin at START (0)
 *	chunk TIME [NODE]	 the thread's next chunk begins, with that region open
 *	begin TIME NODE		 a timed region; `begin-untimed` one that is not
 *	open TIME NODE		 a task
 *	end TIME
 *	visit TIME NODE		 does not advance the time, nor does a sample
 *	sample TIME NODE WALL
 *	attribute NAME VALUE	 of the record before: lock, task-create, task, task-end, parallel, team-size
 *	mark TIME NAME		 thread-begin, thread-end, off, on, dropped
 */
#ifndef HEDDLE_TESTS_TRACE_TEXT_H
#define HEDDLE_TESTS_TRACE_TEXT_H

#include "tests/profile/trace_builder.h"

/* Writes the file; 0, or -1 after a line that can't be read (it is printed). */
int write_trace_from_text(const char *text, const char *path);

#endif
