/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC, OpenMP, user phases and functions nested in each other, in every combination; mixed.sh lists the resulting
 * paths. Only burn() takes processor time. At the end, each UPC thread prints the time of its burns at each place,
 * which exceeds the requested time if a virtual machine is held up.
 */
#include <heddle.h>
#include <pupc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define PART 4096
#define GETS 50
static shared [PART] int parts[PART * THREADS];
static shared int cells[THREADS];
static unsigned int outer, first, second, handed;
static int sink;
#define NOINLINE __attribute__((noinline))

static uint64_t thread_cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

enum place { OTHER, FETCH, ORPHAN, GUARDED, LOOP, CHILD, ALONE, OPEN, IN, CLOSE, BETWEEN, PLACES };
static const char *const names[PLACES] = {"other", "fetch", "orphan", "guarded", "loop", "child", "alone",
	"open_phase", "in_phase", "close_phase", "in_between"};
static uint64_t took[PLACES];

/* MIXED_PERCENT in the environment: burns that percentage of the time, if times are not checked. */
static unsigned percent = 100;

NOINLINE static void burn(int ms, enum place place)
{
	uint64_t start = thread_cpu_ns(), end = start + (uint64_t)ms * 10000u * percent, now;
	do {
		for (volatile int i = 0; i < 20000; i++)
			;
		now = thread_cpu_ns();
	} while (now < end);
	__atomic_fetch_add(&took[place], now - start, __ATOMIC_RELAXED);
}

NOINLINE static void fetch(enum place place)
{
	int own[PART];
	for (int i = 0; i < GETS; i++)
		upc_memget(own, &parts[PART * ((MYTHREAD + 1) % THREADS)], sizeof own); /* line: memget */
	for (int i = 0; i < GETS; i++)
		sink += cells[(MYTHREAD + 1) % THREADS]; /* line: get */
	burn(10, place);
}

/* Some workers burn while the others wait. */
NOINLINE static void orphan(int number)
{
	burn(number ? 40 : 1, ORPHAN);
#pragma omp barrier /* line: barrier */
	burn(1, ORPHAN);
}

NOINLINE static void guarded(void)
{
#pragma omp critical /* line: critical */
	burn(30, GUARDED);
	burn(1, OTHER);
}

NOINLINE static void loop(void)
{
#pragma omp for schedule(static, 1) /* line: loop */
	for (int i = 0; i < 3; i++)
		burn(15, LOOP);
	burn(1, OTHER);
}

NOINLINE static void team(void)
{
#pragma omp parallel num_threads(2) /* line: team */
	{
		extern int omp_get_thread_num(void);
		fetch(FETCH);
		orphan(omp_get_thread_num());
		guarded();
		loop();
	}
	burn(1, OTHER);
}

NOINLINE static void child(void)
{
	burn(15, CHILD);
	fetch(CHILD);
}

NOINLINE static void hand_out(void)
{
	pupc_event_start(first);
	for (int i = 0; i < 4; i++) {
#pragma omp task /* line: task */
		child();
	}
	pupc_event_end(first);
	pupc_event_start(second);
#pragma omp taskwait /* line: taskwait */
	burn(1, OTHER);
	pupc_event_end(second);
}

NOINLINE static void tasks(void)
{
#pragma omp parallel num_threads(2) /* line: tasks */
#pragma omp single /* line: single */
	hand_out();
	burn(1, OTHER);
}

NOINLINE static void alone(void)
{
	heddle_phase_begin("calculation");
#pragma omp parallel num_threads(2) /* line: alone */
	burn(15, ALONE);
	heddle_phase_end("calculation");
	burn(1, OTHER);
}

NOINLINE static void open_phase(void)
{
	pupc_event_start(handed);
	burn(15, OPEN);
}

NOINLINE static void in_phase(void)
{
	burn(15, IN);
}

NOINLINE static void close_phase(void)
{
	burn(15, CLOSE);
	pupc_event_end(handed);
}

/* Inlined into main, where the phase is open. */
__attribute__((always_inline)) static inline void in_between(void)
{
	burn(15, BETWEEN);
}

/* Most of the time is spent on events. */
NOINLINE static void many_gets(void)
{
	for (int i = 0; i < 300000; i++)
		sink += cells[(MYTHREAD + 1) % THREADS]; /* line: many */
}

int main(int argc, char **argv)
{
	(void)argv;
	if (getenv("MIXED_PERCENT"))
		percent = (unsigned)atoi(getenv("MIXED_PERCENT"));
	outer = pupc_create_event("outer", NULL);
	first = pupc_create_event("first", NULL);
	second = pupc_create_event("second", NULL);
	handed = pupc_create_event("handed", NULL);
	upc_forall (int t = 0; t < THREADS; t++; t) { /* line: forall */
		pupc_event_start(outer);
		team();
		in_between();
		pupc_event_end(outer);
	}
	tasks();
	alone();
	open_phase();
	in_phase();
	close_phase();
	if (argc > 1)
		many_gets();
	upc_barrier; /* line: upc_barrier */
	for (int i = 0; i < PLACES; i++)
		printf("%s %llu\n", names[i], (unsigned long long)took[i]);
	return sink != 0;
}
