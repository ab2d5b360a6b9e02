/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_notify, upc_wait, upc_barrier and upc_fence as statements, wherever one is allowed, with and without a value. */
#include "check.h"

shared int turn, board[THREADS];

/* Checks that everything written before the barrier is visible after it. */
static void check_order(int round)
{
	board[(MYTHREAD + round) % THREADS] = round;
	if (round % 3 == 0)
		upc_barrier;
	else if (round % 3 == 1)
		upc_barrier round;
	else {
		upc_notify round;
		upc_wait round;
	}
	for (int i = 0; i < THREADS; i++)
		CHECK(board[i] == round);
	upc_barrier -round;
}

#define SYNCHRONIZE upc_barrier
#define WITH(x) upc_barrier(x)

static int evaluated;
static int value(void)
{
	return ++evaluated;
}

int main(void)
{
	for (int round = 1; round < 30; round++)
		check_order(round);
	/* The value is evaluated once. */
	upc_barrier value();
	upc_notify value();
	evaluated--;
	upc_wait value();
	CHECK(evaluated == 2);
	/* Values of other arithmetic types, and barriers where some threads have no value: that matches any value. */
	upc_barrier 'x';
	upc_barrier(long long) 5;
	upc_barrier(short) MYTHREAD * 0 + 3;
	upc_barrier((void)value(), THREADS);
	upc_barrier THREADS > 1 ? 7 : 8;
	upc_barrier THREADS == 1 || 1;
	upc_barrier 2.5;
	upc_notify 3.0f + 4;
	upc_wait 7.9L;
	upc_barrier (_Bool)MYTHREAD || 1;
	/* Pointers to variables outside of functions, which are equal in all threads. */
	upc_barrier &board;
	upc_notify(shared void *) board;
	upc_wait board;
	upc_barrier "text" != NULL ? NULL : &evaluated;
	/* upc_wait is compared with the value of upc_notify: first none, then thread 0's value. */
	upc_notify;
	upc_wait 5 + MYTHREAD;
	if (MYTHREAD == 0)
		upc_notify 6;
	else
		upc_notify;
	upc_wait 6;
	if (MYTHREAD == 0)
		upc_barrier 12;
	else
		upc_barrier;
	/* Different statements, one barrier. */
	if (MYTHREAD % 2) {
		upc_notify 3;
		upc_wait 3;
	} else {
		upc_barrier 3;
	}
	if (MYTHREAD % 2)
		upc_notify;
	else
		upc_notify 4;
	upc_wait;
	/* Wherever a statement is allowed. */
	if (THREADS < 0)
		upc_barrier;
	for (int i = 0; i < 3; i++)
		upc_barrier i;
	int i = 0;
	while (i++ < 2)
		upc_fence;
	do
		upc_barrier;
	while (i-- > 0);
	switch (THREADS) {
	case 0:
		upc_barrier 5;
		break;
	default:
		upc_fence;
	}
	goto there;
there:
	upc_barrier;
	SYNCHRONIZE;
	SYNCHRONIZE 4;
	WITH(THREADS);
	int x = ({ upc_barrier; upc_fence; 3; });
	CHECK(x == 3);
	{ upc_notify; } { upc_wait; }
	/* Between notify and wait, local work and relaxed accesses may continue. */
	upc_notify;
	turn = MYTHREAD;
	board[MYTHREAD] = -MYTHREAD;
	upc_wait;
	upc_barrier;
	for (int t = 0; t < THREADS; t++)
		CHECK(board[t] == -t);
	upc_fence;;
	return failures != 0;
}
