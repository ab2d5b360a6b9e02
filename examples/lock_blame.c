/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A holder that works too long in a critical section, in OpenMP C: which code makes the others wait?
 *
 *     clang -O2 -g -fopenmp -o lock_blame lock_blame.c
 *     heddle run --blame -o out -- ./lock_blame
 *     heddle report out --blame
 *
 * Each thread adds its results to a table, one entry at a time under `critical`, which takes no time: add_quickly. Now
 * and then one puts the whole table in order under the same `critical`: tidy_up. The waiting shows at all threads'
 * critical sections; the blame for it is tidy_up's. `./lock_blame 60 5000 outside` computes before it enters the
 * section.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 64

static long table[ENTRIES];

/* Work of that many thousand steps, which the compiler cannot remove. */
__attribute__((noinline)) static unsigned long steps(int thousands, unsigned long value)
{
	for (long i = 0; i < 1000L * thousands; i++) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(value));
	}
	return value;
}

__attribute__((noinline)) static void add_quickly(unsigned long result)
{
#pragma omp critical(table)
	table[result % ENTRIES]++;
}

__attribute__((noinline)) static void tidy_up(int thousands)
{
#pragma omp critical(table)
	{
		unsigned long value = steps(thousands, 1);
		table[value % ENTRIES] += 0;
	}
}

__attribute__((noinline)) static void tidy_up_outside(int thousands)
{
	unsigned long value = steps(thousands, 1);
#pragma omp critical(table)
	table[value % ENTRIES] += 0;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 60;
	int thousands = argc > 2 ? atoi(argv[2]) : 5000;
	int outside = argc > 3 && strcmp(argv[3], "outside") == 0;
	long added = 0;

	if (rounds < 1 || thousands < 1) {
		fprintf(stderr, "usage: lock_blame [ROUNDS [THOUSANDS [outside]]]\n");
		return 1;
	}
#pragma omp parallel
	for (int round = 0; round < rounds; round++) {
		unsigned long value = (unsigned long)omp_get_thread_num();
		for (int i = 0; i < 10; i++) {
			value = steps(thousands / 100, value);
			add_quickly(value >> 32);
		}
		if (round % omp_get_num_threads() != omp_get_thread_num())
			continue;
		if (outside)
			tidy_up_outside(thousands);
		else
			tidy_up(thousands);
	}
	for (int i = 0; i < ENTRIES; i++)
		added += table[i];
	printf("%ld entries added: %s\n", added, added % (10L * rounds) == 0 ? "verified" : "WRONG");
	return added % (10L * rounds) != 0;
}
