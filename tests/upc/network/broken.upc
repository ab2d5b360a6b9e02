/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with one faulty thread, for which the other threads wait. */
#include <unistd.h>
#include <upc.h>

void break_network(int thread);

int main(void)
{
	upc_barrier;
	if (MYTHREAD == 1) {
		break_network(0);
		pause();
	}
	upc_barrier;
	return 0;
}
