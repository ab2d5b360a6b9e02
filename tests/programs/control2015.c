/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control2015 c|fortran: burns the same time measured and paused, through ompt_control; then turns monitoring off for
 * good and tries to turn it on. Unknown commands in between change nothing. A child forked meanwhile uses OpenMP.
 */
#include "burn.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulated.h"

#define BURNS(X) X(measured) X(paused) X(again) X(after_end) X(child)
#define X(name)                                \
	static NOINLINE void burn_##name(void) \
	{                                      \
		burn_ms(150);                  \
	}                                      \
	SIM_OUTLINED(name##_body, none)        \
	{                                      \
		(void)none;                    \
		burn_##name();                 \
	}
BURNS(X)
#undef X

static int fortran;

static void control(int64_t command, int64_t modifier)
{
	if (fortran)
		ompt_control_(&command, &modifier);
	else
		ompt_control((uint64_t)command, (uint64_t)modifier);
}

static void fork_one(void)
{
	pid_t child = fork();
	if (child == 0) {
		sim_parallel(2, child_body, NULL);
		exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	fortran = argc > 1 && strcmp(argv[1], "fortran") == 0;
	control(1, 0); /* it is on already */
	sim_parallel(2, measured_body, NULL);
	control(64, 1);
	control(2, 0);
	control(2, 0);
	sim_parallel(2, paused_body, NULL);
	control(1, 0);
	control(5, 0);
	sim_parallel(2, again_body, NULL);
	fork_one();
	control(3, 0);
	control(4, 0);
	control(1, 0);
	sim_parallel(2, after_end_body, NULL);
	return 0;
}
