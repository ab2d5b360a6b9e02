/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * many_events EVENTS TASKS NESTS: about that many OpenMP events (four in each round: a lock's three and a flush) on two
 * threads, tasks created by one of them, and parallel regions nested four deep. Prints the seconds of each and the peak
 * memory to stderr.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long done;

static void rounds(long count)
{
#pragma omp parallel num_threads(2)
	{
		omp_lock_t lock;
		omp_init_lock(&lock);
		for (long i = 0; i < count / 2; i++) {
			omp_set_lock(&lock);
			omp_unset_lock(&lock);
#pragma omp flush
		}
		omp_destroy_lock(&lock);
	}
}

static void tasks(long count)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (long i = 0; i < count; i++) {
#pragma omp task
#pragma omp atomic
		done++;
	}
}

static void innermost(void)
{
#pragma omp parallel num_threads(1)
#pragma omp atomic
	done++;
}

static void nest(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
	innermost();
}

static void nests(long count)
{
	for (long i = 0; i < count; i++)
		nest();
}

static void timed(const char *name, void (*work)(long), long count)
{
	double begin = omp_get_wtime();
	work(count);
	fprintf(stderr, "%s %.3f\n", name, omp_get_wtime() - begin);
}

int main(int argc, char **argv)
{
	long counts[3] = {0, 0, 0};
	char line[256];
	for (int i = 0; i < 3 && i + 1 < argc; i++)
		counts[i] = atol(argv[i + 1]);
	omp_set_dynamic(0);
	omp_set_max_active_levels(4);
	timed("events", rounds, counts[0] / 4);
	timed("tasks", tasks, counts[1]);
	timed("nests", nests, counts[2]);
	printf("%ld\n", done);
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status)) {
		if (strncmp(line, "VmHWM", 5) == 0)
			fputs(line, stderr);
	}
	if (status)
		fclose(status);
	return 0;
}
