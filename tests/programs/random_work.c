/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_work SEED LIBRARY: a program determined by its seed: calls, locks, handlers that interrupt them, threads,
 * OpenMP regions with loops, tasks and locks, forks, a library that is opened and closed, phases, and one of several
 * ways to end. The work of a team is chosen before it begins, so that all threads encounter the same constructs.
 */
#include <heddle/heddle.h>

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define DEPTH 5
#define LOCKS 3

/* no_tasks: in threads of the program. LLVM's runtime 14 corrupts memory if several of these end with tasks. */
struct random {
	uint64_t state;
	bool no_tasks;
};

static _Atomic long sink;
static pthread_mutex_t mutexes[LOCKS] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static omp_lock_t lock;
static const char *library;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static atomic_int forks;

/* xorshift64* */
static uint64_t draw(struct random *random, uint64_t below)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return (random->state * 0x2545f4914f6cdd1dull >> 33) % below;
}

static struct random other(struct random *random)
{
	return (struct random){draw(random, UINT32_MAX) | 1, random->no_tasks};
}

/* ---- calls ---- */

NOINLINE void leaf(long count)
{
	for (long i = 0; i < count; i++)
		sink++;
}

NOINLINE void inner(struct random *random)
{
	leaf((long)draw(random, 2000));
}

NOINLINE void recurse(struct random *random, int levels)
{
	leaf(20);
	if (levels > 0)
		recurse(random, levels - 1);
}

NOINLINE void in_handler(int number)
{
	leaf(number);
}

NOINLINE void locked(struct random *random)
{
	pthread_mutex_t *mutex = &mutexes[draw(random, LOCKS)];
	pthread_mutex_lock(mutex);
	inner(random);
	pthread_mutex_unlock(mutex);
}

NOINLINE void from_library(void)
{
	pthread_mutex_lock(&loading);
	void *handle = dlopen(library, RTLD_NOW);
	void (*entry)(void) = handle ? (void (*)(void))dlsym(handle, "library_entry") : NULL;
	if (entry)
		entry();
	if (handle)
		dlclose(handle);
	pthread_mutex_unlock(&loading);
}

static void plain(struct random *random)
{
	switch (draw(random, 6)) {
	case 0:
		recurse(random, (int)draw(random, 12));
		break;
	case 1:
		locked(random);
		break;
	case 2:
		raise(SIGUSR1);
		break;
	case 3:
		free(malloc(1 + draw(random, 4000)));
		break;
	default:
		inner(random);
	}
}

/* ---- OpenMP ---- */

NOINLINE void tasks(struct random *random, int levels)
{
	uint64_t count = 1 + draw(random, 3);
	for (uint64_t i = 0; i < count; i++) {
		struct random own = other(random);
#pragma omp task firstprivate(own) if (own.state % 4)
		{
			plain(&own);
			if (levels > 0)
				tasks(&own, levels - 1);
		}
	}
	if (draw(random, 2)) {
#pragma omp taskwait
	}
}

static void some_tasks(struct random *random, int levels)
{
	if (random->no_tasks)
		plain(random);
	else
		tasks(random, levels);
}

static void construct(uint64_t kind, struct random *random)
{
	switch (kind) {
	case 0:
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 16; i++)
			leaf(100 * i);
		break;
	case 1:
#pragma omp for schedule(static) nowait
		for (int i = 0; i < 16; i++)
			leaf(200);
		break;
	case 2:
#pragma omp single
		some_tasks(random, 2);
		break;
	case 3:
#pragma omp critical
		inner(random);
		break;
	case 4:
#pragma omp barrier
		break;
	case 5:
		omp_set_lock(&lock);
		inner(random);
		omp_unset_lock(&lock);
		break;
	case 6:
#pragma omp masked
		plain(random);
		break;
	case 7:
		some_tasks(random, 1);
		break;
	case 8:
#pragma omp sections
	{
#pragma omp section
		leaf(3000);
#pragma omp section
		leaf(100);
	} break;
	default:
		plain(random);
	}
}

NOINLINE void region(struct random *random, int levels)
{
	uint64_t kinds[4], seed = draw(random, UINT32_MAX);
	int count = 1 + (int)draw(random, 4), size = 1 + (int)draw(random, 3);
	bool no_tasks = random->no_tasks;
	for (int i = 0; i < count; i++)
		kinds[i] = draw(random, 12);
#pragma omp parallel num_threads(size)
	{
		struct random own = {(seed + (uint64_t)omp_get_thread_num() * 977) | 1, no_tasks};
		for (int i = 0; i < count; i++)
			construct(kinds[i], &own);
		if (levels > 0 && seed % 3 == 0)
			region(&own, levels - 1);
	}
}

/* ---- all ---- */

static void work(struct random *random, int levels);

static void *thread(void *seed)
{
	struct random random = {(uint64_t)(uintptr_t)seed | 1, true};
	work(&random, DEPTH - 2);
	return NULL;
}

NOINLINE void threads(struct random *random)
{
	pthread_t made[3];
	uint64_t count = 1 + draw(random, 3);
	for (uint64_t i = 0; i < count; i++)
		if (pthread_create(&made[i], NULL, thread, (void *)(uintptr_t)draw(random, UINT32_MAX)))
			abort();
	for (uint64_t i = 0; i < count; i++)
		pthread_join(made[i], NULL);
}

/* The child calls functions only: locks that other threads held at the fork are never released in it. */
NOINLINE void child(struct random *random)
{
	if (atomic_fetch_add(&forks, 1) >= 3)
		return;
	pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 5; i++)
			recurse(random, 3);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

NOINLINE void phased(struct random *random, int levels)
{
	heddle_phase_begin("random");
	work(random, levels);
	heddle_phase_end("random");
}

static void work(struct random *random, int levels)
{
	uint64_t steps = 1 + draw(random, 5);
	for (uint64_t i = 0; i < steps; i++) {
		uint64_t kind = draw(random, 12);
		if (levels == 0 || kind < 5)
			plain(random);
		else if (kind < 8)
			region(random, 1);
		else if (kind == 8)
			threads(random);
		else if (kind == 9)
			phased(random, levels - 1);
		else if (kind == 10)
			from_library();
		else
			child(random);
	}
}

static void *work_for_ever(void *unused)
{
	for (;;)
		leaf(500);
	return unused;
}

/* How the program ends. 0: returns from main; 1: exit; 2: _exit; 3: exit while another thread works */
static int end(uint64_t how)
{
	pthread_t left;
	if (how == 3)
		pthread_create(&left, NULL, work_for_ever, NULL);
	if (how == 2)
		_exit(0);
	if (how)
		exit(0);
	return 0;
}

int main(int argc, char **argv)
{
	struct random random = {argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 + 1 : 1, false};
	struct sigaction action = {.sa_handler = in_handler, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 1300}, {0, 1300}}, never = {{0, 0}, {0, 0}};
	library = argc > 2 ? argv[2] : "";
	omp_init_lock(&lock);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	for (int i = 0; i < 20; i++)
		draw(&random, 2);
	if (draw(&random, 2))
		setitimer(ITIMER_REAL, &often, NULL);
	work(&random, DEPTH);
	setitimer(ITIMER_REAL, &never, NULL);
	return end(draw(&random, 4));
}
