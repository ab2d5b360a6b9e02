/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First calls through lazily bound PLT entries, compared after every instruction (trap flag): PLT code, the dynamic
 * linker's resolver (CFA = rbx + n, which needs all callee-saved registers), and prologues and epilogues of all
 * functions that are called.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "walk_compare.h"

static volatile double sink;

__attribute__((noinline)) static void call_for_the_first_time(void)
{
	char text[64];

	sink += hypot(1, sink) + cbrt(sink);
	sink += atoi("3") + (double)strtol("4", NULL, 0) + rand();
	snprintf(text, sizeof(text), "%d %g", 3, sink);
	sink += (double)strspn(text, "0123456789") + isatty(0);
}

int main(void)
{
	if (walk_compare_init(NULL))
		return 1;
	walk_compare_step();
	call_for_the_first_time();
	walk_compare_step_end();
	return walk_compare_report("lazy binding", 3000);
}
