/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bodies of OpenMP constructs that burn CPU time at several lines of their own: of a loop, a single and a critical
 * construct, a task in a task, a nested region, and a phase; some contain inlined functions.
 */
#include <heddle/heddle.h>

static volatile double sink;

/* Burns without a call, so that all samples are at the line. */
#define BURN(rounds)                                   \
	for (int round = 0; round < (rounds); round++) \
	sink += round * 0.5

#define ROUNDS 20000000
#define NOINLINE __attribute__((noinline))

static inline __attribute__((always_inline)) void put_inline(void)
{
	BURN(ROUNDS / 2);
	BURN(ROUNDS / 2);
}

static NOINLINE void loops(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 2; i++) {
		BURN(ROUNDS); /* of a loop */
		put_inline();
	}
}

static NOINLINE void blocks(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		{
			BURN(ROUNDS);
			put_inline();
		}
#pragma omp critical
		{
			BURN(ROUNDS / 2);
			BURN(ROUNDS / 2);
		}
	}
}

static NOINLINE void tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
	{
		BURN(ROUNDS);
#pragma omp task
		{
			BURN(ROUNDS);
			put_inline();
		}
#pragma omp task if (0)
		BURN(ROUNDS);
	}
}

static NOINLINE void nested(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1)
	{
		heddle_phase_begin("inner");
		BURN(ROUNDS);
		put_inline();
		heddle_phase_end("inner");
	}
}

int main(void)
{
	heddle_phase_begin("all");
	loops();
	BURN(ROUNDS);
	heddle_phase_end("all");
	blocks();
	tasks();
	nested();
	return 0;
}
