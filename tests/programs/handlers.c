/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A timer's handler calls functions while the program calls functions all the time; every third handler jumps back to
 * main instead of returning. Prints how often it ran and jumped. With an argument, the handler has its own stack.
 */
#include "burn.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile long handled, jumped, sink;
static sigjmp_buf back;

NOINLINE void in_handler(void)
{
	sink = sink + 1;
}

NOINLINE void handler(int number)
{
	(void)number;
	in_handler();
	in_handler();
	handled = handled + 1;
	if (handled % 3 == 0) {
		jumped = jumped + 1;
		siglongjmp(back, 1);
	}
}

NOINLINE void leaf(void)
{
	sink = sink + 1;
}
NOINLINE void branch(void)
{
	leaf();
}

int main(int count, char **arguments)
{
	static struct sigaction action = {.sa_handler = handler};
	struct itimerval timer = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	static char apart[65536];
	(void)arguments;
	if (count > 1) {
		stack_t stack = {.ss_sp = apart, .ss_size = sizeof(apart)};
		sigaltstack(&stack, NULL);
		action.sa_flags = SA_ONSTACK;
	}
	sigaction(SIGALRM, &action, NULL);
	sigsetjmp(back, 1);
	if (!handled)
		setitimer(ITIMER_REAL, &timer, NULL);
	while (handled < 5000)
		branch();
	setitimer(ITIMER_REAL, &never, NULL);
	leaf();
	fprintf(stderr, "handled %ld jumped %ld\n", handled, jumped);
	puts("done");
	return 0;
}
