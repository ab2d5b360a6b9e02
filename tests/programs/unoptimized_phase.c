/* SPDX-License-Identifier: BSD-3-Clause */
/* A phase in unoptimized code: only functions whose declaration demands it are inlined. */
#include <heddle/heddle.h>

#include "burn.h"

static NOINLINE void step(void)
{
	heddle_phase_begin("step");
	burn_ms(20.0);
	heddle_phase_end("step");
}

int main(void)
{
	step();
	return 0;
}
