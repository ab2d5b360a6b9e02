/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/sync/collective.h"

#include "upc/runtime/base/library.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/message_queue.h"

void hupc__collective_enter(const struct hupc__collective *call)
{
	if (!(call->flags & HUPC__IN_NOSYNC))
		hupc__meet(call->site, call->meeting, call->digest);
	if (hupc__network)
		hupc__queue_begin(call);
}

void hupc__collective_leave(const struct hupc__collective *call)
{
	if (!(call->flags & HUPC__OUT_NOSYNC))
		hupc__meet(call->site, call->meeting, hupc__digest(call->digest, 1));
	else if (call->flags & HUPC__IN_NOSYNC)
		hupc__note_unsynchronized(call->meeting, call->digest);
}
