/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As the specification defines them, from the arguments alone: what another PE contributes to a collect is not known
 * here. A set of PEs is named by its arguments, which are the same in all members.
 */
#include "models/shmem/wrappers/shmem_collectives.h"

#include "core/base/hash.h"
#include "models/shmem/wrappers/shmem_library.h"

static uint64_t group_of(const struct heddle_shmem_arguments *set)
{
	uint64_t members = set->members > 0 ? (uint64_t)set->members : 0;
	uint64_t hash = heddle__hash((uint64_t)(unsigned int)set->start << 8 | (unsigned int)(set->stride & 0xff));
	return members << 40 | (hash >> 24 | 1);
}

static int root_of(const struct heddle_shmem_arguments *set)
{
	return set->stride >= 0 && set->stride < 31 ? set->start + (set->pe << set->stride) : -1;
}

static void move(struct heddle_shmem_call *call, uint64_t got, uint64_t put)
{
	call->moves = true;
	call->bytes_got = got;
	call->bytes_put = put;
}

void heddle__shmem_set_collective(
	struct heddle_shmem_call *call, enum heddle_shmem_effect effect, const struct heddle_shmem_arguments *arguments)
{
	uint64_t size = arguments->size, all = arguments->members > 0 ? size * (uint64_t)arguments->members : 0;
	bool is_root = root_of(arguments) == heddle__shmem_pe();
	switch (effect) {
	case HEDDLE_SHMEM_EFFECT_SET_MEET:
		break;
	case HEDDLE_SHMEM_EFFECT_BROADCAST: /* the root does not get its own */
		move(call, is_root ? 0 : size, is_root ? size : 0);
		call->root = root_of(arguments);
		break;
	case HEDDLE_SHMEM_EFFECT_COLLECT:
		move(call, 0, size);
		break;
	case HEDDLE_SHMEM_EFFECT_FCOLLECT:
		move(call, all, size);
		break;
	case HEDDLE_SHMEM_EFFECT_ALLTOALL:
		move(call, all, all);
		break;
	case HEDDLE_SHMEM_EFFECT_REDUCE:
		move(call, size, size);
		break;
	default:
		return;
	}
	call->group = group_of(arguments);
	call->meets_all = effect != HEDDLE_SHMEM_EFFECT_BROADCAST;
}
