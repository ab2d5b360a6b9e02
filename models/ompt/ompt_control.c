/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_control_tool (OpenMP 5.2, section 18.14): switches measurement of the process, as heddle_start and heddle_stop
 * do. Each command may be repeated, from any thread; after `end` monitoring stays off.
 */
#include "core/process/process.h"
#include "core/threads/control.h"
#include "models/ompt/ompt_callbacks.h"

static bool is_off_for_good(void)
{
	return atomic_load(&heddle__run_state) == HEDDLE_OFF;
}

int heddle__ompt_control(uint64_t command)
{
	switch (command) {
	case omp_control_tool_start:
		heddle__continue();
		return is_off_for_good() ? omp_control_tool_ignored : omp_control_tool_success;
	case omp_control_tool_pause:
		heddle__pause();
		return omp_control_tool_success;
	case omp_control_tool_flush:
		return heddle__write_now("flush") ? omp_control_tool_ignored : omp_control_tool_success;
	case omp_control_tool_end:
		heddle__finish("omp_control_tool");
		return omp_control_tool_success;
	default:
		return omp_control_tool_ignored;
	}
}
