/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes as the specification defines them, from the arguments alone: another PE's contribution to a collect is not
 * known here. A set of PEs is identified by its arguments, which are the same in all members.
 */
#include "models/shmem/wrappers/shmem_collectives.h"

#include <stdatomic.h>

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

typedef int asks(const void *team);

/* Queries the library for a property of a team; -1: not known. `known` caches the function. */
static int ask_team(asks *_Atomic *known, const char *name, const void *team)
{
	asks *ask = atomic_load_explicit(known, memory_order_relaxed);
	if (!ask)
		ask = (asks *)heddle__shmem_symbol(name);
	atomic_store_explicit(known, ask, memory_order_relaxed);
	return ask ? ask(team) : -1;
}

static int members_of(const void *team)
{
	static asks *_Atomic known;
	return ask_team(&known, "shmem_team_n_pes", team);
}

static int number_in(const void *team)
{
	static asks *_Atomic known;
	return ask_team(&known, "shmem_team_my_pe", team);
}

/*
 * Returns the arguments with a set of PEs, for a team: all PEs, or as many from the first one on, which may not be its
 * members.
 */
static struct heddle_shmem_arguments set_of(const struct heddle_shmem_arguments *arguments)
{
	struct heddle_shmem_arguments set = *arguments;
	if (set.is_team)
		set.members = members_of(set.team);
	return set;
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
	const struct heddle_shmem_arguments set = set_of(arguments);
	uint64_t size = set.size, all = set.members > 0 ? size * (uint64_t)set.members : 0;
	bool is_root = set.is_team ? number_in(set.team) == set.pe : root_of(&set) == heddle__shmem_pe();
	switch (effect) {
	case HEDDLE_SHMEM_EFFECT_SET_BARRIER:
		call->completes = true;
		break;
	case HEDDLE_SHMEM_EFFECT_SET_MEET:
		break;
	case HEDDLE_SHMEM_EFFECT_BROADCAST: /* without a team, the root does not get its own data */
		move(call, is_root && !set.is_team ? 0 : size, is_root ? size : 0);
		call->root = root_of(&set);
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
	/* Which PEs are in a team is known only if it has all PEs. */
	if (!set.is_team || set.members == heddle__shmem_pes()) {
		call->group = group_of(&set);
		call->meets_all = effect != HEDDLE_SHMEM_EFFECT_BROADCAST;
	}
}
