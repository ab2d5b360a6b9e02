/* SPDX-License-Identifier: BSD-3-Clause */
/* Blame in ordered regions: the thread whose turn it is makes the others wait. Opens and closes no regions. */
#include "models/ompt/ompt_blame.h"

#include "core/blame/blame_locks.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "models/ompt/ompt_place.h"

/*
 * The thread whose turn it is in an ordered loop makes all later iterations wait, even before it enters the ordered
 * region. The path is captured here, because the call that releases may be a tail call, whose function is no longer on
 * the stack. Without sampling, each event charges the innermost open entry, at the release as well.
 */
void heddle__ompt_blame_acquired(
	struct heddle_thread *thread, ompt_mutex_t kind, ompt_wait_id_t wait_id, uint32_t node, struct heddle_call own)
{
	uint32_t path = HEDDLE_BLAME_OPEN;
	if (heddle__capture && !thread->off)
		path = node == UINT32_MAX ? heddle__ompt_path(thread, own) : node;
	heddle__blame_hold(thread, HEDDLE_SCOPE_PROCESS, wait_id, kind == ompt_mutex_ordered, path);
}
