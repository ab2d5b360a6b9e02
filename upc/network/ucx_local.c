/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of this thread to itself wait in a queue until the lock is left, or progress is made: a handler is never
 * called by another handler. Context: lock held.
 */
#include "upc/network/ucx.h"

const char *hupc__ucx_take_message(const struct hupc__ucx_header *header, const void *data, size_t size)
{
	const struct hupc__ticket ticket = {.thread = (int)header->from, .question = header->id};
	const bool asked = header->kind == HUPC__UCX_ASK;
	return hupc__ucx.host.handle((int)header->from, data, size, asked ? &ticket : NULL);
}

void hupc__ucx_deliver_local(void)
{
	struct hupc__ucx_node *node;
	if (hupc__ucx.delivering)
		return;
	hupc__ucx.delivering = true;
	while ((node = hupc__ucx.local) != NULL) {
		hupc__ucx.local = node->next;
		if (!hupc__ucx.local)
			hupc__ucx.local_end = &hupc__ucx.local;
		if (hupc__ucx_take_message(&node->header, node->data, node->used))
			hupc__ucx_break(hupc__ucx.host.mythread, "a message to itself");
		hupc__ucx_release(node);
	}
	hupc__ucx.delivering = false;
}
