/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks MILLISECONDS: for that time, threads execute barriers, split ones too, and collectives, and pass a lock on. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <upc.h>
#include <upc_collective.h>

shared int over;
shared int sum;
shared int first[THREADS], own[THREADS];

static double ms(void)
{
	struct timeval now;
	gettimeofday(&now, NULL);
	return (double)now.tv_sec * 1000 + (double)now.tv_usec / 1000;
}

int main(int argc, char **argv)
{
	double end = ms() + (argc > 1 ? atof(argv[1]) : 0);
	upc_lock_t *lock = upc_all_lock_alloc();
	int done = 0, round = 0;
	while (!done) {
		if (round % 2 || !upc_lock_attempt(lock))
			upc_lock(lock);
		sum++;
		upc_unlock(lock);
		upc_all_broadcast(own, first, sizeof(int), round % 3 ? 0 : UPC_IN_NOSYNC | UPC_OUT_MYSYNC);
		upc_all_broadcast(own, first, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
		upc_barrier;
		if (MYTHREAD == 0)
			over = ms() > end;
		upc_notify;
		upc_wait;
		done = over;
		round++;
		upc_barrier;
	}
	if (MYTHREAD == 0)
		printf("clocks: %d rounds: %s\n", round, sum == round * THREADS ? "right" : "wrong");
	return 0;
}
