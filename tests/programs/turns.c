/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * It is known who waits for whom, and for how long at least, as threads sleep when the others wait. In phase `turns`,
 * the threads are late at a barrier in turns; in `lock`, one thread holds a lock while another one waits for it; in
 * `task`, the creator waits for a task that another thread executes. With KMP_BLOCKTIME=0: threads that wait at a
 * barrier sleep, too.
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

static atomic_int own_id[2], arriving[2]; /* of each thread: the kernel's number, and barriers it has come to */

static int sleeps(int id)
{
	char name[64], state = 0;
	snprintf(name, sizeof name, "/proc/self/task/%d/stat", id);
	FILE *file = fopen(name, "r");
	if (!file)
		return 1;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(file);
	return state == 'S';
}

/* Returns when the other thread sleeps at that barrier. */
static void await_other(int other, int barrier)
{
	while (atomic_load(&arriving[other]) <= barrier || !sleeps(atomic_load(&own_id[other])))
		usleep(1000);
}

static void turns(int barriers)
{
	heddle_phase_begin("turns");
#pragma omp parallel num_threads(2)
	for (int i = 0; i < barriers; i++) {
		int self = omp_get_thread_num();
		atomic_store(&own_id[self], (int)gettid());
		if (self == i % 2) {
			await_other(!self, i);
			nap(1);
		}
		atomic_store(&arriving[self], i + 1);
#pragma omp barrier /* turns */
	}
	heddle_phase_end("turns");
}

/* The worker holds the lock for three naps after the creator was about to request it. */
static void lock(void)
{
	omp_lock_t mutex;
	atomic_int held = 0, requested = 0;
	omp_init_lock(&mutex);
	heddle_phase_begin("lock");
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1) {
			omp_set_lock(&mutex);
			atomic_store(&held, 1);
			while (!atomic_load(&requested))
				usleep(100);
			nap(3);
			omp_unset_lock(&mutex);
		} else {
			while (!atomic_load(&held))
				usleep(100);
			atomic_store(&requested, 1);
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
