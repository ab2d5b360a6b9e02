/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Serial code and uneven work in OpenMP C: what did the other threads wait for?
 *
 *     clang -O2 -g -fopenmp -o idle_blame idle_blame.c
 *     heddle run --blame -o out -- ./idle_blame
 *     heddle report out --blame
 *
 * Each step of a simulation reads its input on one thread (read_input: the others idle between parallel regions), then
 * computes in parallel (compute), where the first thread has extra work (treat_border: the others wait at the barrier
 * at the loop's end). Three quarters of the blame are read_input's, one quarter is treat_border's; compute, in which
 * most time goes, has none.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* Work of that many thousand steps, which the compiler cannot remove. */
__attribute__((always_inline)) static inline unsigned long steps(int thousands, unsigned long value)
{
	for (long i = 0; i < 1000L * thousands; i++) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(value));
	}
	return value;
}

__attribute__((noinline)) static unsigned long read_input(int thousands)
{
	return steps(thousands * 3, 1);
}

__attribute__((noinline)) static unsigned long compute(int thousands)
{
	return steps(thousands * 6, 2);
}

__attribute__((noinline)) static unsigned long treat_border(int thousands)
{
	return steps(thousands, 3);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 40;
	int thousands = argc > 2 ? atoi(argv[2]) : 4000;
	unsigned long sum = 0, first = 0, wrong = 0;

	if (rounds < 1 || thousands < 1) {
		fprintf(stderr, "usage: idle_blame [ROUNDS [THOUSANDS]]\n");
		return 1;
	}
	for (int round = 0; round < rounds; round++) {
		sum = read_input(thousands);
#pragma omp parallel reduction(+ : sum)
		{
			sum += compute(thousands);
			if (omp_get_thread_num() == 0)
				sum += treat_border(thousands);
		}
		first = round == 0 ? sum : first;
		wrong += sum != first;
	}
	printf("%d rounds, %lu of them wrong: %s\n", rounds, wrong, wrong == 0 ? "verified" : "WRONG");
	return wrong != 0;
}
