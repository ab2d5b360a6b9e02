/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * It is known who waits for whom, and for how long on a busy machine, too, as threads sleep. In phase `turns`, the
 * threads are late at a barrier in turns; in `lock`, one thread holds a lock while another one waits for it; in `task`,
 * the creator waits for a task that another thread executes.
 *
 *	turns BARRIERS MILLISECONDS
 */
#include <heddle/heddle.h>

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned milliseconds;

static void nap(unsigned parts)
{
	usleep(1000 * milliseconds * parts);
}

static void turns(int barriers)
{
	heddle_phase_begin("turns");
#pragma omp parallel num_threads(2)
	for (int i = 0; i < barriers; i++) {
		if (omp_get_thread_num() == i % 2)
			nap(1);
#pragma omp barrier /* turns */
	}
	heddle_phase_end("turns");
}

/* The worker holds the lock for three naps; the creator requests it after one. */
static void lock(void)
{
	omp_lock_t mutex;
	atomic_int held = 0;
	omp_init_lock(&mutex);
	heddle_phase_begin("lock");
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1) {
			omp_set_lock(&mutex);
			atomic_store(&held, 1);
			nap(3);
			omp_unset_lock(&mutex);
		} else {
			while (!atomic_load(&held))
				usleep(100);
			nap(1);
			omp_set_lock(&mutex);
			omp_unset_lock(&mutex);
		}
	}
	heddle_phase_end("lock");
	omp_destroy_lock(&mutex);
}

/* The creator continues when the other thread has begun the task, so it cannot execute the task itself. */
static void task(void)
{
	atomic_int begun = 0;
	heddle_phase_begin("task");
#pragma omp parallel num_threads(2)
#pragma omp master
	{
#pragma omp task shared(begun)
		{
			atomic_store(&begun, 1);
			nap(3);
		}
		while (!atomic_load(&begun))
			usleep(100);
#pragma omp taskwait
	}
	heddle_phase_end("task");
}

int main(int argc, char **argv)
{
	int barriers = argc > 2 ? atoi(argv[1]) : 0;
	milliseconds = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	if (barriers < 1 || milliseconds < 1)
		return 1;
	turns(barriers);
	lock();
	task();
	puts("turns: done");
	return 0;
}
