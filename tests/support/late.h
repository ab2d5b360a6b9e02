/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs whose processes are late by known times, however busy the machine is: who is late begins to be when the
 * others wait inside of their call. That they have come, they say in memory of a file; that they are inside, their CPU
 * time shows, since MPI and OpenSHMEM libraries poll while they wait. Processes of one host.
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
#define INSIDE_NS 1000000 /* of CPU time after coming: more than any code between that and the call's begin takes */

static struct step {
	_Atomic int others;    /* that have come */
	_Atomic int64_t since; /* sum of their times, in us */
	struct {
		_Atomic int pid;    /* 0: has not come */
		_Atomic int64_t ns; /* its CPU time then */
	} rank[RANKS];
} * steps;
static int step = -1;

/* Maps the file that all of the job name; a new one has no steps. */
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

/* This rank calls next what it is to wait in. */
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
 * This rank is late by `us`, after that many others. Until they are inside, it calls the library: one of them may still
 * be in an earlier call, which needs this rank to end.
 */
static inline void be_late(int others, useconds_t us, void (*progress)(void))
{
	while (!are_inside(others)) {
		progress();
		usleep(1000);
	}
	usleep(us);
}

/* In us: how long this step's others have been there, all together. */
static inline int64_t waited(void)
{
	return steps[step].others * now_us() - steps[step].since;
}

#endif
