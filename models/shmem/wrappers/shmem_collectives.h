/* SPDX-License-Identifier: BSD-3-Clause */
/* What a PE moves in collectives, and which PEs meet in them. */
#ifndef HEDDLE_MODELS_SHMEM_COLLECTIVES_H
#define HEDDLE_MODELS_SHMEM_COLLECTIVES_H

#include "models/shmem/shmem_calls.h"
#include "models/shmem/wrappers/shmem_shapes.h"
#include "models/shmem/wrappers/shmem_table.h"

/*
 * Sets the bytes, root and members of a collective, by its effect; nothing for effects that are not collectives of a
 * set. Context: any thread.
 */
void heddle__shmem_set_collective(struct heddle_shmem_call *call, enum heddle_shmem_effect effect,
	const struct heddle_shmem_arguments *arguments);

#endif
