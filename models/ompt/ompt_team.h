/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record for each parallel region in flight. A worker may refer to it long after the region ended (its end events
 * come at the next fork only), so a record is used again when its last thread has let go of it; memory grows with the
 * number of regions alive at once.
 */
#ifndef HEDDLE_MODELS_OMPT_OMPT_TEAM_H
#define HEDDLE_MODELS_OMPT_OMPT_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/blame.h"

struct heddle_ompt_team {
	struct heddle_group group; /* first: the tasks' owner, as core knows it */
	uint32_t context;          /* node of the region */
	uint64_t place;            /* of the construct */
	const void *creator;       /* thread that created the region */
	uintptr_t creator_cfa;     /* stack address at which the creator's frames begin */
	bool alone;                /* a team of one: it may run on its creator's stack without the runtime in between */
	_Atomic uint32_t holders;  /* the creator, and each thread of the team until its end event */
	_Atomic uint32_t next_free;
	uint32_t number; /* 1, 2, ... */
};

/* A record held once; NULL: no memory. Context: any thread. */
struct heddle_ompt_team *heddle__ompt_team_take(void);

void heddle__ompt_team_hold(struct heddle_ompt_team *team);
void heddle__ompt_team_let_go(struct heddle_ompt_team *team);

#endif
