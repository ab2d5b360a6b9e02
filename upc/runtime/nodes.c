/* SPDX-License-Identifier: BSD-3-Clause */
/* Which threads are on one node. Nothing here accesses shared memory but the control block. */
#include "upc/runtime/nodes.h"

#include "upc/runtime/control.h"

int hupc__node_of(int thread)
{
	uint32_t size = hupc__control->node_size;
	return size ? thread / (int)size : 0;
}

bool hupc__is_near(int thread)
{
	return hupc__node_of(thread) == hupc__node_of(hupc__mythread);
}
