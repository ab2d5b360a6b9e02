/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmp_control [FILES]: prints what omp_control_tool returns, and executes parallel regions between its calls, each
 * in a function of its own. FILES: a command that counts files, executed after the flush.
 */
#include "burn.h"

#include <omp.h>
#include <stdlib.h>

#define CALLS(name, times)                                     \
	static NOINLINE void name(void)                        \
	{                                                      \
		for (int i = 0; i < (times); i++) {            \
			_Pragma("omp parallel num_threads(2)") \
			{                                      \
				_Pragma("omp barrier")         \
			}                                      \
		}                                              \
	}

CALLS(at_first, 3)
CALLS(while_paused, 5)
CALLS(started_again, 7)
CALLS(after_the_end, 11)

static void control(const char *what, int command)
{
	printf("%s %d\n", what, omp_control_tool(command, 0, NULL));
}

int main(int argc, char **argv)
{
	omp_get_max_threads();
	at_first();
	control("start", omp_control_tool_start);
	control("flush", omp_control_tool_flush);
	if (argc > 1) {
		fflush(stdout);
		if (system(argv[1]) == -1)
			return 1;
	}
	control("pause", omp_control_tool_pause);
	control("pause", omp_control_tool_pause);
	while_paused();
	control("flush", omp_control_tool_flush);
	control("start", omp_control_tool_start);
	control("start", omp_control_tool_start);
	started_again();
	control("unknown", 5);
	control("unknown", 64);
	control("unknown", -1);
	control("end", omp_control_tool_end);
	control("start", omp_control_tool_start);
	after_the_end();
	control("pause", omp_control_tool_pause);
	control("flush", omp_control_tool_flush);
	control("end", omp_control_tool_end);
	return 0;
}
