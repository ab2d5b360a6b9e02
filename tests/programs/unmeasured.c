/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with helper threads that are excluded from measurement (heddle_unmeasured_threads): each of them, and the
 * threads that they create, burns CPU time and allocates; so do two measured threads, one of them created while another
 * thread has excluded itself.
 *
 *   unmeasured [WAY]   WAY: "constructor" begins in the program's own preinit function, before any library's
 * constructor; "exit" ends by exit() in the excluded thread; "fork" forks in it; "running" leaves it running
 */
#include <heddle/heddle.h>

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "burn.h"

static const char *way = "";
static pthread_barrier_t both;
static pthread_t early;

static void allocate_here(void)
{
	for (int i = 0; i < 1000; i++) {
		void *volatile block = malloc(10000);
		block = realloc(block, 20000);
		free(block);
	}
}

NOINLINE void burn_inside_helper(double ms)
{
	burn_ms(ms);
	allocate_here();
	__asm__ volatile("");
}

NOINLINE void burn_in_program(double ms)
{
	burn_ms(ms);
	__asm__ volatile("");
}

static void *helpers_helper(void *unused)
{
	burn_inside_helper(100);
	return unused;
}

static int c11_helper(void *unused)
{
	(void)unused;
	burn_inside_helper(100);
	return 0;
}

static void phases(void)
{
	heddle_phase_begin("of a helper");
	burn_inside_helper(100);
	heddle_phase_end("of a helper");
}

static void *helper(void *unused)
{
	pthread_t other;
	thrd_t another;
	phases();
	if (pthread_create(&other, NULL, helpers_helper, NULL) || thrd_create(&another, c11_helper, NULL))
		exit(1);
	pthread_join(other, NULL);
	thrd_join(another, NULL);
	if (strcmp(way, "exit") == 0)
		exit(3);
	if (strcmp(way, "fork") == 0) {
		pid_t child = fork();
		if (child == 0) {
			burn_inside_helper(50);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	while (strcmp(way, "running") == 0)
		burn_inside_helper(10);
	pthread_exit(unused);
}

static void *program_thread(void *unused)
{
	pthread_barrier_wait(&both); /* meanwhile the main thread excludes its own */
	pthread_t other;
	if (pthread_create(&other, NULL, unused, NULL))
		exit(1);
	pthread_join(other, NULL);
	burn_in_program(200);
	return NULL;
}

static void *threads_thread(void *unused)
{
	burn_in_program(200);
	return unused;
}

/* The library is not initialized yet when this runs. */
static void before_constructors(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "constructor") != 0)
		return;
	heddle_unmeasured_threads(1);
	if (pthread_create(&early, NULL, helpers_helper, NULL))
		exit(1);
	heddle_unmeasured_threads(0);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **) = before_constructors;

int main(int argc, char **argv)
{
	pthread_t one, other;
	way = argc > 1 ? argv[1] : "";
	pthread_barrier_init(&both, NULL, 2);
	if (pthread_create(&one, NULL, program_thread, threads_thread))
		return 1;
	heddle_unmeasured_threads(1);
	heddle_unmeasured_threads(1); /* pairs nest */
	heddle_unmeasured_threads(0);
	pthread_barrier_wait(&both);
	if (pthread_create(&other, NULL, helper, NULL))
		return 1;
	heddle_unmeasured_threads(0);
	heddle_unmeasured_threads(0); /* an unpaired call has no effect */
	burn_in_program(200);
	pthread_join(one, NULL);
	if (strcmp(way, "running") != 0)
		pthread_join(other, NULL);
	if (strcmp(way, "constructor") == 0)
		pthread_join(early, NULL);
	return 0;
}
