/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draft [FORM]: starts the tool as LLVM 6.0's runtime does, by a draft of OpenMP 5's interface: the initializer has no
 * device argument, and callbacks have other numbers. FORM 1: as in an earlier draft, the initializer gets the tool's
 * whole result structure. Prints how many callbacks the tool registered; then burns 100 ms.
 */
#include <stdint.h>
#include <stdlib.h>

#include "burn.h"

typedef void (*function)(void);

struct start_tool_result {
	int (*initialize)(function (*lookup)(const char *name), void *data);
	void (*finalize)(void *data);
	uint64_t tool_data;
};

__attribute__((weak)) struct start_tool_result *ompt_start_tool(unsigned int version, const char *runtime);

static int asked;

static int set_callback(int event, function callback)
{
	(void)event, (void)callback;
	asked++;
	return 5;
}

static function lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0 ? (function)set_callback : NULL;
}

int main(int argc, char **argv)
{
	struct start_tool_result *tool =
		ompt_start_tool ? ompt_start_tool(201611, "LLVM OMP version: 5.0.20140926") : NULL;
	void *data = argc > 1 && atoi(argv[1]) ? (void *)tool : tool ? &tool->tool_data : NULL;
	int taken = tool ? tool->initialize(lookup, data) : -1;
	printf("taken %d, asked for %d callbacks\n", taken, asked);
	burn_ms(100);
	return 0;
}
