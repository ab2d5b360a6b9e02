/* SPDX-License-Identifier: BSD-3-Clause */
/* One of each: a nonblocking access, a collective allocation, a collective operation, two forms of barrier. */
#include <upc.h>
#include <upc_collective.h>
#include <upc_nb.h>

shared int target[THREADS];

int main(void)
{
	int got;
	upc_handle_t handle = upc_memget_nb(&got, &target[(MYTHREAD + 1) % THREADS], sizeof(got));
	upc_sync(handle);
	shared int *source = upc_all_alloc(THREADS, sizeof(int));
	upc_all_broadcast(target, source, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	upc_notify;
	upc_wait;
	upc_barrier;
	return 0;
}
