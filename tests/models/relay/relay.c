/* SPDX-License-Identifier: BSD-3-Clause */
/* The made-up runtime: a ring of processes and pipes. */
#include "tests/models/relay/relay.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 16

static int rank, size, pipes[LIMIT][2];

int relay_start(int wanted)
{
	size = wanted < LIMIT ? wanted : LIMIT;
	for (int i = 0; i < size; i++)
		if (pipe(pipes[i]) != 0)
			abort();
	for (int i = 1; i < size && rank == 0; i++)
		rank = fork() == 0 ? i : 0;
	if (relay_tool_rank)
		relay_tool_rank(rank);
	return rank;
}

void relay_end(void)
{
	while (rank == 0 && wait(NULL) > 0)
		;
}

long relay_exchange(long value)
{
	if (relay_tool_begin)
		relay_tool_begin(RELAY_EXCHANGE, __builtin_frame_address(0), __builtin_return_address(0));
	if (write(pipes[(rank + 1) % size][1], &value, sizeof(value)) != sizeof(value) ||
		read(pipes[rank][0], &value, sizeof(value)) != sizeof(value))
		abort();
	if (relay_tool_end)
		relay_tool_end(RELAY_EXCHANGE);
	return value;
}

void relay_each(int count, void (*body)(int number))
{
	if (relay_tool_begin)
		relay_tool_begin(RELAY_EACH, __builtin_frame_address(0), __builtin_return_address(0));
	for (int i = 0; i < count; i++)
		body(i);
	if (relay_tool_end)
		relay_tool_end(RELAY_EACH);
}

static long cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void relay_pack(int milliseconds)
{
	for (long end = cpu_ms() + milliseconds; cpu_ms() < end;)
		for (int i = 0; i < 10000; i++)
			__asm__ volatile("" ::"r"(i));
}
