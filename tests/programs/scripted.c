/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scripted STEP...: threads execute the given steps on a simulated machine. Times are in microseconds:
 *   a:TIME, b:TIME, c:TIME   burn_a and so on use that much CPU time
 *   a.kernel:TIME            uses it in the kernel, which burn_a enters
 *   late:TIME                the next signal of the thread's timer is delayed by that time
 *   away:TIME                the thread does not run for that time
 *   switches:COUNT           it loses the processor COUNT times, each time for no time
 *   thread ... end           a thread executes these steps, while the other threads do nothing
 */
#include "burn.h"

#include <pthread.h>
#include <stdlib.h>

#define BURN(name)                                             \
	static NOINLINE void burn_##name(uint64_t ns, int way) \
	{                                                      \
		if (way)                                       \
			simulated_system_call(ns);             \
		else                                           \
			simulated_burn(ns);                    \
		__asm__ volatile("");                          \
	}
BURN(a)
BURN(b)
BURN(c)

static void (*const burns[])(uint64_t ns, int way) = {burn_a, burn_b, burn_c};

static int is(const char *step, const char *name)
{
	return strncmp(step, name, strlen(name)) == 0;
}

static int single_step(const char *step)
{
	const char *colon = strchr(step, ':');
	uint64_t number = colon ? strtoull(colon + 1, NULL, 10) : 0;
	if (is(step, "late:"))
		simulated_be_late(number * 1000);
	else if (is(step, "away:"))
		simulated_sleep(number * 1000);
	else if (is(step, "switches:"))
		simulated_switch((unsigned int)number);
	else if (step[0] >= 'a' && step[0] <= 'c' && (is(step + 1, ":") || is(step + 1, ".kernel:")))
		burns[step[0] - 'a'](number * 1000, step[1] == '.');
	else
		return 1;
	return 0;
}

static char **steps_of_thread;

static NOINLINE void *worker(void *failed)
{
	char **step = steps_of_thread;
	for (; *step && strcmp(*step, "end") != 0; step++)
		*(int *)failed |= single_step(*step);
	steps_of_thread = *step ? step : step - 1;
	return NULL;
}

int main(int argc, char **argv)
{
	int failed = argc < 2 || !simulated();
	for (char **step = argv + 1; !failed && *step; step++) {
		pthread_t thread;
		if (strcmp(*step, "thread") != 0) {
			failed |= single_step(*step);
			continue;
		}
		steps_of_thread = step + 1;
		failed |= pthread_create(&thread, NULL, worker, &failed) || pthread_join(thread, NULL);
		step = steps_of_thread;
	}
	return failed ? 98 : 0;
}
