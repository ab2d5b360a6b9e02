/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiled code does not check pointers-to-shared. The first page of each segment, the space after its end, and
 * segments of threads that do not exist are not mapped, so an invalid access faults at an address that identifies the
 * error. Async-signal-safe.
 */
#include "upc/runtime/end/fault.h"

#include <signal.h>
#include <stddef.h>

#include "upc/runtime/end/ending.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/events/site.h"

static struct sigaction before[2]; /* SIGSEGV, SIGBUS */

void hupc__fault_report(void *code, upcrt_shared shared)
{
	unsigned int thread = (unsigned int)UPCRT_THREAD(shared);
	unsigned long offset = (unsigned long)UPCRT_OFFSET(shared);
	if ((int)thread < hupc__threads && offset < HUPC__PAGE)
		hupc__fatal_in_signal(code, "access through a null pointer-to-shared%s", shared ? " (or near it)" : "");
	if ((int)thread >= hupc__threads)
		hupc__fatal_in_signal(code,
			"access through a pointer-to-shared to thread %u, but the threads are 0 to %d", thread,
			hupc__threads - 1);
	hupc__fatal_in_signal(code,
		"access through a pointer-to-shared that is out of range: thread %u, address field 0x%lx", thread,
		offset);
}

/*
 * Handles a signal that is not from an access to shared memory: restores the previous action. An access is repeated and
 * then ends the program; a signal that a process sent must be sent again.
 */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	struct sigaction *old = &before[signal == SIGBUS];
	if (old->sa_flags & SA_SIGINFO) {
		old->sa_sigaction(signal, info, context);
	} else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
		old->sa_handler(signal);
	} else {
		sigaction(signal, old, NULL);
		if (info->si_code <= 0)
			raise(signal);
	}
}

static void fault(int signal, siginfo_t *info, void *context)
{
	uint64_t shared = (uint64_t)info->si_addr - UPCRT_BASE;
	void *code = hupc__interrupted(context);
	if (info->si_code > 0 && shared <= UPCRT_ADDRESS_MASK) {
		if (signal == SIGBUS)
			hupc__fatal_in_signal(code, "out of memory for shared data");
		hupc__fault_report(code, shared);
	}
	if (info->si_code > 0 && -shared <= HUPC__STRIDE)
		hupc__fatal_in_signal(
			code, "access through a pointer-to-shared that is out of range: below all shared memory");
	pass_on(signal, info, context);
}

void hupc__fault_prepare(void)
{
	struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, &before[0]);
	sigaction(SIGBUS, &action, &before[1]);
}
