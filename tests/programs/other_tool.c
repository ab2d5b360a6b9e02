/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another OpenMP tool, in a library or linked with plain.c. Prints when it starts and when it ends. It declines if
 * DECLINE is set in the environment.
 */
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)lookup, (void)device, (void)data;
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	puts("the other tool ends");
	fflush(stdout);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	(void)version, (void)runtime;
	puts(getenv("DECLINE") ? "the other tool declines" : "the other tool starts");
	return getenv("DECLINE") ? NULL : &result;
}
