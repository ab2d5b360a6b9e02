/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the made-up runtime, and what it reports to a tool. */
#ifndef HEDDLE_TESTS_RELAY_H
#define HEDDLE_TESTS_RELAY_H

/*
 * Makes `size` processes of this one, and returns the rank of the calling one. relay_end: rank 0 waits for all others.
 */
int relay_start(int size);
void relay_end(void);

/* Sends `value` to the next rank, and returns the value that the previous rank sent. Blocks. */
long relay_exchange(long value);

/* Calls `body`, which the compiler made from a loop body, for each number below `count`. */
void relay_each(int count, void (*body)(int number));

/* Takes that many milliseconds of CPU time inside the runtime. */
void relay_pack(int milliseconds);

enum relay_event { RELAY_EACH, RELAY_EXCHANGE };

/* Functions of a tool, if any. `frame`, `caller`: frame and return address of the function that the user called. */
__attribute__((weak)) void relay_tool_rank(int rank);
__attribute__((weak)) void relay_tool_begin(enum relay_event event, const void *frame, const void *caller);
__attribute__((weak)) void relay_tool_end(enum relay_event event);

#endif
