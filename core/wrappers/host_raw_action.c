/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers. Handles the system call, by which static runtimes and some launchers reset all actions. */
#include "core/wrappers/host_raw_action.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "core/host/signal_action.h"

#if defined(__x86_64__) || defined(__aarch64__)

/* The kernel's struct sigaction. */
struct kernel_action {
	uintptr_t handler;
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

static struct sigaction from_kernel(const struct kernel_action *kernel)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_flags = (int)kernel->flags;
	action.sa_restorer = (void (*)(void))kernel->restorer;
	if (kernel->flags & SA_SIGINFO)
		action.sa_sigaction = (void (*)(int, siginfo_t *, void *))kernel->handler;
	else
		action.sa_handler = (void (*)(int))kernel->handler;
	memcpy(&action.sa_mask, &kernel->mask, sizeof(kernel->mask));
	return action;
}

static struct kernel_action to_kernel(const struct sigaction *action)
{
	struct kernel_action kernel = {
		.handler =
			action->sa_flags & SA_SIGINFO ? (uintptr_t)action->sa_sigaction : (uintptr_t)action->sa_handler,
		.flags = (unsigned int)action->sa_flags,
		.restorer = (uintptr_t)action->sa_restorer,
	};
	memcpy(&kernel.mask, &action->sa_mask, sizeof(kernel.mask));
	return kernel;
}

bool heddle__take_raw_action(const struct heddle_raw_action *call)
{
	struct kernel_action kernel;
	struct sigaction action, old;
	if (call->number <= 0 || call->number >= NSIG || !heddle__is_claim((int)call->number) ||
		call->mask_size != sizeof(kernel.mask) || heddle__is_in_child())
		return false;
	if (call->action) {
		memcpy(&kernel, (const void *)call->action, sizeof(kernel));
		action = from_kernel(&kernel);
		heddle__follow_to_alternate_stack((int)call->number, &action);
	}
	heddle__set_claim((int)call->number, call->action ? &action : NULL, &old);
	if (call->old) {
		kernel = to_kernel(&old);
		memcpy((void *)call->old, &kernel, sizeof(kernel));
	}
	return true;
}

#else

bool heddle__take_raw_action(const struct heddle_raw_action *call)
{
	(void)call;
	return false;
}

#endif
