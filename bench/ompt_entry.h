/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry point of the OMPT tools of these benchmarks; a tool registers its callbacks in set_callbacks(). */
#ifndef BENCH_OMPT_ENTRY_H
#define BENCH_OMPT_ENTRY_H

#include <omp-tools.h>
#include <stddef.h>

static void set_callbacks(ompt_set_callback_t set);

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)device, (void)data;
	set_callbacks((ompt_set_callback_t)lookup("ompt_set_callback"));
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	(void)version, (void)runtime;
	return &result;
}

#endif
