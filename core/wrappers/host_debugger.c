/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps ptrace: a thread that requests to be traced (as the child that a debugger starts) is not sampled from then on.
 * Its tracer sees every signal first, and would take the first SIGTRAP for the stop at exec.
 */
#include <sys/ptrace.h>

#include "core/host/host_functions.h"
#include "core/process/process.h"

typedef long trace_call(long request, long process, void *address, void *data);

/*
 * Declared under another name, with all arguments; reading more than were passed is harmless, as in the C library's own
 * function.
 */
trace_call heddle__host_ptrace __asm__("ptrace");

HEDDLE_EXPORT long heddle__host_ptrace(long request, long process, void *address, void *data)
{
	trace_call *real = (trace_call *)(void (*)(void)) & HEDDLE_REAL(ptrace);
	if (request != PTRACE_TRACEME)
		return real(request, process, address, data);
	heddle__before_traced();
	long result = real(request, process, address, data);
	heddle__after_traced(result == 0);
	return result;
}
