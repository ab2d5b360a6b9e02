/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces from a few lines of text, for tests. A line is a word and its operands; lines that begin with # are comments.
 * TIME is the time since the last record that advanced the time, in ns unless `info` has another ratio. Nodes are
 * numbered as in the profile's tree; an entry is a node, or -node if it is not timed.
 *
 *	info NS_PER_TICK START_TICKS MONOTONIC_NS UNIX_NS END_TICKS	(the first one in 1/1000 ns)
 *	nodes COUNT			number of nodes in the tree
 *	offset AT OFFSET ERROR		a measurement of the clock; before the first thread
 *	group IDENTITY NUMBER NAME RANK ALL_RANK	a communicator; before the first thread
 *	rest THREAD NODE METRIC VALUE	values at the end
 *	thread ID [START]		records that follow are of that thread, and times begin at START (0)
 *	chunk TIME [NODE]		the thread's next chunk begins, with that region open
 *	chunk THREAD ORDER FIRST PAUSED	a chunk begins, with these values; a stack must follow
 *	stack TIME STAYS ENTRY...
 *	begin TIME ENTRY		a region
 *	open TIME ENTRY			a task
 *	end TIME
 *	visit TIME NODE			does not advance the time, nor does a sample
 *	sample TIME NODE TICKS		one period, of as much CPU time
 *	sample TIME NODE PERIODS CPU_NS TICKS
 *	idle TIME ENTRY
 *	add NODE METRIC AMOUNT
 *	argument NODE NUMBER TEXT VALUE
 *	access NODE OPERAND PARTNER BYTES
 *	attribute NAME VALUE		of the record before: handle, lock, task-create, task, task-end, parallel,
 *					team-size, address, bytes, meets, communicator, root, across; or a number of
 *					enum heddle_trace_attribute
 *	message TIME NAME GROUP PARTNER TAG BYTES REQUEST
 *					sent, expected, received, send-end, shared, joined, left, granted,
 *					awaited; -1: any
 *	mark TIME NAME [VALUE]		thread-begin, thread-end, off, on, paused, dropped, waited; or a number
 */
#ifndef HEDDLE_TESTS_TRACE_TEXT_H
#define HEDDLE_TESTS_TRACE_TEXT_H

#include "tests/profile/trace_builder.h"

/* Writes the file. Returns 0, or -1 if a line cannot be read (it is printed). */
int write_trace_from_text(const char *text, const char *path);

#endif
