/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the made-up runtime, and what it reports to a tool. */
#ifndef HEDDLE_TESTS_RELAY_H
#define HEDDLE_TESTS_RELAY_H

/* Makes `size` processes of this one; returns the rank of the calling one. And waits for all; of rank 0 only. */
int relay_start(int size);
void relay_end(void);

/* Hands `value` to the next rank; returns what the one before handed over. Blocks. */
long relay_exchange(long value);

/* Calls `body`, which the compiler made of a loop, for each number below `count`. */
void relay_each(int count, void (*body)(int number));

/* Works for so many milliseconds of CPU time inside the runtime. */
void relay_pack(int milliseconds);

enum relay_event { RELAY_EACH, RELAY_EXCHANGE };

/* A tool's, if there is one. `frame` and `caller`: frame address and return address of the function the user called. */
__attribute__((weak)) void relay_tool_rank(int rank);
__attribute__((weak)) void relay_tool_begin(enum relay_event event, const void *frame, const void *caller);
__attribute__((weak)) void relay_tool_end(enum relay_event event);

#endif
