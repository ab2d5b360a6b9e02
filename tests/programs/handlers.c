/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A timer's handler calls functions while the program calls functions all the time; every hundredth handler jumps back
 * to main instead of returning. Prints how often the handler ran.
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
	if (handled % 100 == 0) {
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

int main(void)
{
	struct sigaction action = {.sa_handler = handler};
	struct itimerval timer = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	sigaction(SIGALRM, &action, NULL);
	sigsetjmp(back, 1);
	if (!handled)
		setitimer(ITIMER_REAL, &timer, NULL);
	while (handled < 1000)
		branch();
	setitimer(ITIMER_REAL, &never, NULL);
	leaf();
	fprintf(stderr, "handled %ld\n", handled);
	puts("done");
	return 0;
}
