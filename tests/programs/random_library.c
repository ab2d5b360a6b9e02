/* SPDX-License-Identifier: BSD-3-Clause */
/* The library that random_work opens: its function begins with an inlined one, then makes calls. */
#include <stdatomic.h>

static atomic_long sink;

static inline __attribute__((always_inline)) void warm(long count)
{
	for (long i = 0; i < count; i++)
		sink++;
}

__attribute__((noinline)) void library_leaf(int count)
{
	for (int i = 0; i < count; i++)
		sink++;
}

void library_entry(void);

void library_entry(void)
{
	warm(20000);
	for (int i = 0; i < 10; i++)
		library_leaf(1000);
}
