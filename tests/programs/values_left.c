/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer's handler leaves by siglongjmp while the program does nothing but record values. */
#include "burn.h"

#include <heddle/heddle.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static volatile long jumped;
static sigjmp_buf back;

static void handler(int number)
{
	(void)number;
	jumped = jumped + 1;
	siglongjmp(back, 1);
}

NOINLINE void work(void)
{
	heddle_value("left", 1);
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler};
	struct itimerval timer = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	work(); /* the first calls look the functions up in the libraries, which must not be left */
	sigaction(SIGALRM, &action, NULL);
	sigsetjmp(back, 1);
	if (!jumped)
		setitimer(ITIMER_REAL, &timer, NULL);
	while (jumped < 3000)
		work();
	setitimer(ITIMER_REAL, &never, NULL);
	for (int i = 0; i < 100; i++) {
		heddle_phase_begin("after");
		burn_ms(5);
		heddle_phase_end("after");
	}
	puts("done");
	return 0;
}
