/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In a program on several nodes, an access is local, to another thread of the same node, or remote. Threads 0 and 1 are
 * on node 0, thread 2 is on node 1; the node of thread 3 is unknown.
 */
static int node_of(int thread);
#define BRIDGE_NODE_OF node_of
#include "bridge.h"

static int node_of(int thread)
{
	static const int nodes[BRIDGE_THREADS] = {0, 0, 1, -1};
	upcall();
	return thread >= 0 && thread < BRIDGE_THREADS ? nodes[thread] : -1;
}

static void access_all(gasp_context_t context, int mythread)
{
	char local[8];
	bridge_mythread = mythread;
	for (int owner = 0; owner < BRIDGE_THREADS; owner++) {
		void *shared = SHARED_POINTER((uint64_t)owner), *memory = local;
		size_t size = (size_t)1 << owner;
		START(context, GASP_UPC_GET, "a.upc", mythread, 0, 1, memory, shared, size);
		END(context, GASP_UPC_GET, "a.upc", mythread, 0, 1, memory, shared, size);
	}
}

int main(void)
{
	gasp_context_t context = init_upc();
	bridge_context = context; /* upcalls send events, which are not measured */
	for (int i = 0; i < BRIDGE_THREADS; i++)
		access_all(context, i);
	/* Both sides of a copy from thread 1 to thread 2, executed by thread 0. */
	bridge_mythread = 0;
	void *from = SHARED_POINTER(1), *to = SHARED_POINTER(2);
	START(context, GASP_UPC_MEMCPY, "b.upc", 1, 0, to, from, (size_t)100);
	END(context, GASP_UPC_MEMCPY, "b.upc", 1, 0, to, from, (size_t)100);
	bridge_context = NULL;
	EXPECT("local-accesses", "*@a.upc:*", 4);
	EXPECT("same-node-accesses", "*@a.upc:0", 1);
	EXPECT("same-node-bytes", "*@a.upc:0", 2);
	EXPECT("remote-accesses", "*@a.upc:0", 2);
	EXPECT("remote-bytes", "*@a.upc:0", 4 + 8);
	EXPECT("same-node-accesses", "*@a.upc:1", 1);
	EXPECT("same-node-bytes", "*@a.upc:1", 1);
	EXPECT("same-node-accesses", "*@a.upc:2", 0);
	EXPECT("remote-accesses", "*@a.upc:2", 3);
	EXPECT("same-node-accesses", "*@a.upc:3", 0);
	EXPECT("remote-accesses", "*@a.upc:3", 3);
	EXPECT("same-node-bytes", "*@b.upc:1", 100);
	EXPECT("remote-bytes", "*@b.upc:1", 100);
	EXPECT("visits", "*", 17);
	return 0;
}
