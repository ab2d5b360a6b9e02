/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs whose processes are late by known times, however busy the machine is: the delay of the late process
 * begins when the others wait inside their call. Processes announce their arrival in the memory of a shared file. Their
 * CPU time shows that they are inside the call, since MPI and OpenSHMEM libraries poll while they wait. All processes
 * must run on one host.
 */
#ifndef HEDDLE_TESTS_SUPPORT_LATE_H
#define HEDDLE_TESTS_SUPPORT_LATE_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define STEPS 32
#define RANKS 4
#define INSIDE_NS 1000000 /* of CPU time after arrival: more than any code between it and the call's begin takes */

static struct step {
	_Atomic int others;    /* that have arrived */
	_Atomic int64_t since; /* sum of their times, in us */
	struct {
		_Atomic int pid;    /* 0: has not arrived */
		_Atomic int64_t ns; /* its CPU time at arrival */
	} rank[RANKS];
} * steps;
static int step = -1;

/* Maps the file that all processes of the job name; a new file has no steps. */
static inline bool map_steps(const char *path)
{
	int file = open(path, O_RDWR | O_CREAT, 0600);
	if (file < 0 || ftruncate(file, STEPS * sizeof(*steps)))
		return false;
	steps = mmap(NULL, STEPS * sizeof(*steps), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	return steps != MAP_FAILED;
}

static inline int64_t ns_of(clockid_t clock)
{
	struct timespec now = {0};
	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static inline int64_t now_us(void)
{
	return ns_of(CLOCK_MONOTONIC) / 1000;
}

/* Announces that the call in which this rank is to wait follows. */
static inline void come(int rank)
{
	atomic_store(&steps[step].rank[rank].ns, ns_of(CLOCK_PROCESS_CPUTIME_ID));
	atomic_fetch_add(&steps[step].since, now_us());
	atomic_store(&steps[step].rank[rank].pid, getpid());
	atomic_fetch_add(&steps[step].others, 1);
}

static inline bool are_inside(int others)
{
	clockid_t clock;
	if (atomic_load(&steps[step].others) < others)
		return false;
	for (int rank = 0; rank < RANKS; rank++) {
		int pid = atomic_load(&steps[step].rank[rank].pid);
		if (pid && clock_getcpuclockid(pid, &clock) == 0 &&
			ns_of(clock) < atomic_load(&steps[step].rank[rank].ns) + INSIDE_NS)
			return false;
	}
	return true;
}

/*
 * Makes this rank late: returns `us` after `others` ranks are inside their calls. Until then it calls `progress`, a
 * function of the library: one of the others may still be in an earlier call, which this rank must help to end.
 */
static inline void be_late(int others, useconds_t us, void (*progress)(void))
{
	while (!are_inside(others)) {
		progress();
		usleep(1000);
	}
	usleep(us);
}

/* Returns the sum of the times since the arrival of each of this step's others, in us. */
static inline int64_t waited(void)
{
	return steps[step].others * now_us() - steps[step].since;
}

#endif
