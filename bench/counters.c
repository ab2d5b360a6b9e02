/* SPDX-License-Identifier: BSD-3-Clause */
/* counters: nanoseconds of CPU time of one begin or end of a phase. */
#include "clocks.h"

#include <heddle/heddle.h>
#include <stdio.h>

#define PHASES 100000

int main(void)
{
	double start = process_cpu_seconds();
	for (int i = 0; i < PHASES; i++) {
		heddle_phase_begin("phase");
		heddle_phase_end("phase");
	}
	printf("border %.1f\n", (process_cpu_seconds() - start) * 1e9 / (2 * PHASES));
	return 0;
}
