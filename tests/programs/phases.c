/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases that begin or end inside OpenMP's regions. Each function burns a known time. Prints how many calls of Heddle
 * failed. */
#include <heddle/heddle.h>
#include <omp.h>

#include "burn.h"

#define MS 60.0

static omp_lock_t lock;
static int wrong;

static void begin(const char *name)
{
	wrong += heddle_phase_begin(name) != 0;
}

static void end(const char *name)
{
	wrong += heddle_phase_end(name) != 0;
}

static NOINLINE void burn_critical(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void burn_locked(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void burn_solve(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void burn_iterations(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void burn_in_task(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void burn_after_task(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void burn_nested(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void burn_after_nested(void)
{
	burn_ms(MS);
	__asm__ volatile("");
}

static NOINLINE void end_in_critical(void)
{
#pragma omp parallel num_threads(2)
	{
		begin("enter");
#pragma omp critical
		{
			end("enter");
			burn_critical();
		}
	}
}

static NOINLINE void end_with_lock(void)
{
	begin("acquire");
	omp_set_lock(&lock);
	end("acquire");
	burn_locked();
	omp_unset_lock(&lock);
}

/* The other thread has no phase. Barriers keep it from burning while this one is in the construct. */
static NOINLINE void begin_in_master(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		begin("solve");
#pragma omp barrier
		burn_solve();
#pragma omp barrier
#pragma omp master
		end("solve");
	}
}

static NOINLINE void begin_in_loop(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < 2; i++)
			begin("iterations");
		burn_iterations();
		end("iterations");
	}
}

/* The task ends without ending its phase. */
static NOINLINE void leave_open_in_task(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task
		{
			begin("task");
			burn_in_task();
		}
#pragma omp taskwait
		burn_after_task();
	}
}

/* The inner region, of one thread or two, ends without ending its phase. */
static NOINLINE void leave_open_in_region(void)
{
#pragma omp parallel num_threads(1)
	for (int threads = 1; threads <= 2; threads++) {
#pragma omp parallel num_threads(threads)
		{
#pragma omp master
			begin("nested");
#pragma omp barrier
			burn_nested();
		}
		burn_after_nested();
	}
}

int main(void)
{
	omp_init_lock(&lock);
	end_in_critical();
	end_with_lock();
	begin_in_master();
	begin_in_loop();
	leave_open_in_task();
	omp_set_max_active_levels(2);
	leave_open_in_region();
	omp_destroy_lock(&lock);
	printf("%d calls failed\n", wrong);
	return wrong != 0;
}
