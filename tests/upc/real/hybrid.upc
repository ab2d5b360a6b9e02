/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known shares of the time of UPC threads and their OpenMP threads: computing, gets, puts, barriers, waiting for locks,
 * tasks, and idleness. Each activity is a function, and each thread times its own activities. Prints a line for each
 * activity: its name, and the sum over the OpenMP threads of this UPC thread in ns.
 *
 *     hybrid [ROUNDS]
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define NOINLINE __attribute__((noinline))
#define MOST 64
#define PART 65536 /* ints of a thread, each of its OpenMP threads takes its turn with all of them */

enum { COMPUTE, GET, PUT, BARRIER, LOCK, TASK, IDLE, ACTIVITIES };
static const char *const names[] = {"compute", "get", "put", "barrier", "lock", "task", "idle"};

static shared [PART] int field[PART * THREADS];
static upc_lock_t *between;
static omp_lock_t within;
static struct thread {
	uint64_t times[ACTIVITIES], left;
	int own[PART];
} all[MOST];
static uint64_t ended; /* of the last parallel region */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void burn(double ms)
{
	uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + (uint64_t)(ms * 1e6);
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 10000; i++)
			;
}

NOINLINE static void compute(double ms)
{
	burn(ms);
}

NOINLINE static void get_all(struct thread *self)
{
	for (int i = 0; i < 100; i++)
		upc_memget(self->own, &field[(size_t)PART * ((MYTHREAD + 1) % THREADS)], sizeof self->own);
}

NOINLINE static void put_all(struct thread *self)
{
	for (int i = 0; i < 100; i++)
		upc_memput(&field[(size_t)PART * ((MYTHREAD + 1) % THREADS)], self->own, sizeof self->own);
}

NOINLINE static void meet(void)
{
#pragma omp barrier
	__asm__ volatile("");
}

NOINLINE static void meet_all(void)
{
	upc_barrier;
}

NOINLINE static void take_lock(void)
{
	omp_set_lock(&within);
}

NOINLINE static void take_lock_of_all(void)
{
	upc_lock(between);
}

NOINLINE static void run_task(void)
{
	uint64_t start = now();
	burn(3);
	all[omp_get_thread_num()].times[TASK] += now() - start;
}

/* The other threads wait at its end, and execute tasks there. */
NOINLINE static void share_tasks(void)
{
#pragma omp single
	for (int i = 0; i < 3 * omp_get_num_threads() / 2; i++) {
#pragma omp task
		run_task();
	}
	__asm__ volatile("");
}

static uint64_t add(struct thread *self, int what, uint64_t since)
{
	uint64_t at = now();
	self->times[what] += at - since;
	return at;
}

/* Between two regions, a worker is first in the barrier at the end of the first one, then idle. */
static uint64_t enter(struct thread *self)
{
	uint64_t at = now();
	if (self->left)
		self->times[BARRIER] += ended - self->left;
	if (self->left && self != all)
		self->times[IDLE] += at - ended;
	return at;
}

NOINLINE static void work(int number)
{
	struct thread *self = &all[number];
	uint64_t at = enter(self);
	compute(4 + 4 * number);
	at = add(self, COMPUTE, at);
	get_all(self);
	at = add(self, GET, at);
	put_all(self);
	at = add(self, PUT, at);
	meet();
	at = add(self, BARRIER, at);
	take_lock();
	at = add(self, LOCK, at);
	compute(3);
	omp_unset_lock(&within);
	at = add(self, COMPUTE, at);
	uint64_t before = self->times[TASK];
	share_tasks();
	self->times[BARRIER] -= self->times[TASK] - before;
	self->left = add(self, BARRIER, at);
}

NOINLINE static void go_round(void)
{
#pragma omp parallel
	work(omp_get_thread_num());
	uint64_t at = ended = now();
	compute(8);
	at = add(all, COMPUTE, at);
	take_lock_of_all();
	at = add(all, LOCK, at);
	compute(4);
	upc_unlock(between);
	at = add(all, COMPUTE, at);
	meet_all();
	add(all, BARRIER, at);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	between = upc_all_lock_alloc();
	omp_init_lock(&within);
	for (int i = 0; i < rounds; i++)
		go_round();
	for (int i = 0; i < MOST && all[i].left; i++)
		enter(&all[i]); /* the time since the thread's last activity */
	for (int what = 0; what < ACTIVITIES; what++) {
		uint64_t sum = 0;
		for (int i = 0; i < MOST; i++)
			sum += all[i].times[what];
		printf("%s %lu\n", names[what], sum);
	}
	return 0;
}
