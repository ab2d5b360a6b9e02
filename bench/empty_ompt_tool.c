/* SPDX-License-Identifier: BSD-3-Clause */
/* An OMPT tool that registers an empty function for every callback: the floor for any tool. */
#include <omp-tools.h>
#include <stddef.h>

static void empty(void)
{
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	(void)device, (void)data;
	for (int callback = ompt_callback_thread_begin; callback <= ompt_callback_error; callback++)
		set((ompt_callbacks_t)callback, (ompt_callback_t)empty);
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
