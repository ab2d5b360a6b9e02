/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's own signal handlers are on the stack: one on the normal stack raises another one on the sigaltstack.
 * The sampling handler itself runs on the interrupted stack, or with the argument "onstack" on the sigaltstack.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "walk_compare.h"

#define COUNT 300
#define ALTERNATE_SIZE (256 << 10)

static volatile long sink;
static unsigned seed = 1;

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void work(void)
{
	int numbers[COUNT];
	struct timespec t;

	for (int i = 0; i < COUNT; i++)
		numbers[i] = rand_r(&seed);
	qsort(numbers, COUNT, sizeof(*numbers), by_number);
	for (int i = 0; i < COUNT; i++) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		sink += t.tv_nsec + numbers[i];
	}
}

static void handler(int signal)
{
	if (signal == SIGUSR1)
		raise(SIGUSR2);
	for (int i = 0; i < 10; i++)
		work();
}

int main(int argc, char **argv)
{
	stack_t alternate = {.ss_sp = malloc(ALTERNATE_SIZE), .ss_size = ALTERNATE_SIZE};
	struct sigaction action = {.sa_handler = handler};
	double from = walk_seconds();

	if (walk_compare_init(NULL) || sigaltstack(&alternate, NULL))
		return 1;
	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &action, NULL);
	walk_compare_start(500, argc > 1 && !strcmp(argv[1], "onstack"));
	while (walk_seconds() - from < 2) {
		work();
		raise(SIGUSR1);
	}
	walk_compare_stop();
	if (walk_compare_trampolines < 1000) {
		printf("only %u trampolines were met\n", walk_compare_trampolines);
		return 1;
	}
	return walk_compare_report("signals", 1000);
}
