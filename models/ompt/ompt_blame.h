/* SPDX-License-Identifier: BSD-3-Clause */
/* Blame for locks and their like, by the wait ids that events give. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_BLAME_H
#define HEDDLE_MODELS_OMPT_OMPT_BLAME_H

#include "core/blame.h"
#include "core/thread.h"
#include "models/ompt/ompt5.h"

/* The wait's region, if there was one, is closed; `own_frame` is the callback's. Context: owner thread, inside. */
void heddle__ompt_blame_acquired(
	struct heddle_thread *thread, ompt_mutex_t kind, ompt_wait_id_t wait_id, uintptr_t own_frame);

#endif
