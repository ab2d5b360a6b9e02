/* SPDX-License-Identifier: BSD-3-Clause */
/* One event of each kind, at lines that measuring.sh knows; run with 2 threads. */
#include <stdio.h>
#include <upc.h>
#include <stddef.h>
shared int a[2 * THREADS];
strict shared int s;
struct {
	int big[10];
} own;
shared [] struct {
	int big[10];
} other;

static int function(int x)
{
	return x + a[1]; /* line 17: a read, remote for thread 0 */
}

int main(void)
{
	int i;
	upc_barrier 5; /* line 23 */
	if (MYTHREAD == 0) {
		a[1] = 3; /* line 25: a write, remote */
		a[0] = 4; /* line 26: a write, local */
		i = function(2);
	} else {
		i = s; /* line 29: strict */
		own.big[0] = other.big[3]; /* line 30 */
	}
	upc_forall (i = 0; i < 2; i++; i) /* line 32 */
		;
	upc_notify; /* line 34 */
	upc_wait; /* line 35 */
#pragma pupc off
	upc_fence; /* line 37 */
	i = a[1 - MYTHREAD];
#pragma pupc on
	upc_fence; /* line 40 */
	if (MYTHREAD == 1)
		upc_memget(&own, &other, sizeof own); /* line 42 */
	return 0;
}
