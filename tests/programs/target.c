/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target NAME: executes one construct or routine for devices, on device 0, a fixed number of times. Without NAME:
 * prints all names. `busy` computes on the device for a while, in a function of its own.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 1000

static int data[ITEMS], others[2];

static void target(void)
{
#pragma omp target map(tofrom : data)
	data[0]++;
}

static void enter_exit(void)
{
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(from : data)
}

static void data_region(void)
{
#pragma omp target data map(tofrom : data)
	{
#pragma omp target map(tofrom : data)
		data[0]++;
#pragma omp target update from(data)
#pragma omp target update to(data)
	}
}

static void teams(void)
{
#pragma omp target teams num_teams(1) map(tofrom : others)
	others[0]++;
}

static void parallel(void)
{
#pragma omp target parallel num_threads(2) map(from : others)
	others[omp_get_thread_num()] = 1;
}

static void memory(void)
{
	int device = 0, host = omp_get_initial_device();
	void *there = omp_target_alloc(sizeof(data), device);
	omp_target_memcpy(there, data, sizeof(data), 0, 0, device, host);
	omp_target_memcpy(data, there, sizeof(data), 0, 0, host, device);
	omp_target_associate_ptr(data, there, sizeof(data), 0, device);
	omp_target_disassociate_ptr(data, device);
	omp_target_free(there, device);
}

/* Another thread executes the target task. */
static void nowait(void)
{
#pragma omp target nowait map(tofrom : data)
	data[0]++;
#pragma omp taskwait
}

static void on_host(void)
{
#pragma omp target map(tofrom : data) if (0)
	data[0]++;
}

#pragma omp begin declare target
__attribute__((noinline)) static int compute(int rounds)
{
	volatile int sum = 0;
	for (int i = 0; i < rounds; i++)
		sum++;
	return sum;
}
#pragma omp end declare target

static void busy(void)
{
	int sum = 0;
#pragma omp target map(from : sum)
	sum = compute(300 * 1000 * 1000);
	if (sum == 0)
		abort();
}

static const struct {
	const char *name;
	void (*function)(void);
} constructs[] = {
	{"target", target},
	{"enter_exit", enter_exit},
	{"data_region", data_region},
	{"teams", teams},
	{"parallel", parallel},
	{"memory", memory},
	{"nowait", nowait},
	{"on_host", on_host},
	{"busy", busy},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(constructs) / sizeof(constructs[0]); i++) {
		if (argc < 2 && constructs[i].function != busy)
			puts(constructs[i].name);
		else if (argc > 1 && strcmp(argv[1], constructs[i].name) == 0)
			constructs[i].function();
	}
	return 0;
}
