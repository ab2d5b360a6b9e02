/* SPDX-License-Identifier: BSD-3-Clause */
/* Nanoseconds of OpenSHMEM calls that access the calling PE's memory (least.h). */
#include "bench/least.h"
#include <shmem.h>

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
