/* SPDX-License-Identifier: BSD-3-Clause */
/* Nanoseconds of OpenSHMEM calls on the own PE: the least of many rounds. Lines `NAME NANOSECONDS`. */
#include <shmem.h>
#include <stdio.h>
#include <time.h>

#define ROUNDS 200
#define CALLS 2000

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define MEASURE(name, statement)                                  \
	do {                                                      \
		double least = 1e18;                              \
		for (int round = 0; round < ROUNDS; round++) {    \
			double begun = now_ns();                  \
			for (int i = 0; i < CALLS; i++)           \
				statement;                        \
			double each = (now_ns() - begun) / CALLS; \
			least = each < least ? each : least;      \
		}                                                 \
		printf("%s %.1f\n", name, least);                 \
	} while (0)

int main(void)
{
	shmem_init();
	int me = shmem_my_pe();
	long *word = shmem_malloc(64), value = 1;
	MEASURE("my_pe", value += shmem_my_pe());
	MEASURE("put", shmem_long_put(word, &value, 1, me));
	MEASURE("get", shmem_long_get(&value, word, 1, me));
	MEASURE("p", shmem_long_p(word, value, me));
	MEASURE("g", value += shmem_long_g(word, me));
	MEASURE("fetch_add", value += shmem_long_atomic_fetch_add(word, 1, me));
	MEASURE("quiet", shmem_quiet());
	shmem_finalize();
	return 0;
}
