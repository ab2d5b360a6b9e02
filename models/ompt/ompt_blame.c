/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/ompt/ompt_blame.h"

#include "core/frontend.h"
#include "core/region.h"
#include "models/ompt/ompt_place.h"

/*
 * Who has the turn in an ordered loop makes all later iterations wait, before it enters the ordered region, too. The
 * path is taken here: at the release the compiler may have made a jump of the call, and its function is gone.
 */
void heddle__ompt_blame_acquired(
	struct heddle_thread *thread, ompt_mutex_t kind, ompt_wait_id_t wait_id, uintptr_t own_frame)
{
	uint32_t path = heddle__capture && !thread->off ? heddle__ompt_path(thread, own_frame) : UINT32_MAX;
	heddle__blame_hold(thread, HEDDLE_SCOPE_PROCESS, wait_id, kind == ompt_mutex_ordered, path);
}
