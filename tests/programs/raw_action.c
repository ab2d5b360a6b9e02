/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the actions of all signals by the system call, as statically linked runtimes and some launchers do. */
#include "burn.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static NOINLINE void burn_here(double ms)
{
	burn_ms(ms);
}

/* Never called: the action has no restorer. */
static void handle(int number)
{
	(void)number;
}

static long set(int number, const struct kernel_action *action, struct kernel_action *old)
{
	return syscall(SYS_rt_sigaction, number, action, old, sizeof action->mask);
}

/* Returns the number of signals whose action is not the expected one. */
static int different(void (*expected)(int))
{
	int count = 0;
	for (int i = 1; i <= SIGRTMAX; i++) {
		struct kernel_action now;
		memset(&now, 0, sizeof now);
		if (i == SIGKILL || i == SIGSTOP)
			continue;
		count += set(i, NULL, &now) != 0 || now.handler != expected;
	}
	return count;
}

static void set_all(void (*handler)(int))
{
	struct kernel_action action;
	int refused = 0;
	memset(&action, 0, sizeof action);
	action.handler = handler;
	for (int i = 1; i <= SIGRTMAX; i++)
		refused += set(i, &action, NULL) != 0;
	printf("%d refused", refused);
	printf(", %d different\n", different(handler));
}

int main(void)
{
	set_all(SIG_IGN);
	burn_here(50);
	set_all(handle);
	burn_here(50);
	set_all(SIG_DFL);
	burn_here(50);
	printf("wrong size: %ld", syscall(SYS_rt_sigaction, SIGTRAP, NULL, NULL, (size_t)7));
	printf(" %d\n", errno == EINVAL);
	struct sigaction now;
	sigaction(SIGTRAP, NULL, &now);
	printf("default again: %d\n", now.sa_handler == SIG_DFL);
	return 0;
}
