/* SPDX-License-Identifier: BSD-3-Clause */
/* Blame for locks and other mutexes, identified by the wait ids of events. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_BLAME_H
#define HEDDLE_MODELS_OMPT_OMPT_BLAME_H

#include "core/base/frame.h"
#include "core/blame/blame.h"
#include "core/threads/thread.h"
#include "models/ompt/ompt5.h"

/*
 * Records that the thread holds the mutex. Call after the region of the wait, if any, has been closed. `node` is that
 * of the block in which the mutex is held (UINT32_MAX: none), `own` the callback's call. Context: owner thread, inside.
 */
void heddle__ompt_blame_acquired(
	struct heddle_thread *thread, ompt_mutex_t kind, ompt_wait_id_t wait_id, uint32_t node, struct heddle_call own);

#endif
