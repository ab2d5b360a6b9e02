/* SPDX-License-Identifier: BSD-3-Clause */
/* counts_signals READY: makes that file, and prints how often it gets SIGINT or SIGTERM until half a second after. */
#include "../support/patience.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t count;

static void take(int number)
{
	(void)number;
	count++;
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = take};
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	FILE *ready = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (!ready || fclose(ready))
		return 1;
	time_t end = time(NULL) + patience() / 4;
	while (!count && time(NULL) < end) /* awake, so that a second one does not find the first one pending */
		continue;
	for (int i = 0; i < 50; i++)
		nap();
	printf("%d times\n", (int)count);
	return 0;
}
