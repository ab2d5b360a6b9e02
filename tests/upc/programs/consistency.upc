/* SPDX-License-Identifier: BSD-3-Clause */
/* strict and relaxed: a flag that is strict carries relaxed data across, and store buffers are not seen. */
#include "check.h"

#include <sched.h>

#define ROUNDS 2000
strict shared int turn;
relaxed shared int data[4 * THREADS];
shared int plain_a, plain_b;
strict shared [2] int result[2 * THREADS];

static void message_passing(void)
{
	for (int i = 1; i <= ROUNDS; i++) {
		if (MYTHREAD == i % THREADS) {
			while (turn != i - 1)
				sched_yield();
			for (int k = 0; k < 4; k++)
				data[4 * (i % THREADS) / 4 + k] = i;
			turn = i;
		} else if (MYTHREAD == (i + 1) % THREADS) {
			while (turn < i)
				sched_yield();
			CHECK(data[i % THREADS] >= i);
		}
	}
}

/* Store buffering: of two threads that write one and read the other variable, at least one sees the other's. */
static void store_buffering(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		upc_barrier;
		if (MYTHREAD == 0)
			plain_a = plain_b = 0;
		upc_barrier;
		{
#pragma upc strict
			if (MYTHREAD == 0) {
				plain_a = 1;
				result[0] = plain_b;
			} else if (MYTHREAD == 1) {
				plain_b = 1;
				result[1] = plain_a;
			}
		}
		upc_barrier;
		if (THREADS > 1)
			CHECK(result[0] || result[1]);
	}
}

int main(void)
{
	message_passing();
	store_buffering();
	upc_notify 3;
	upc_wait 3;
	upc_notify;
	upc_wait;
	upc_barrier 2 + MYTHREAD * 0;
	upc_fence;
	return failures != 0;
}
