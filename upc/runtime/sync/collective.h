/* SPDX-License-Identifier: BSD-3-Clause */
/* What collective functions share: the synchronization that their flags request. */
#ifndef HEDDLE_UPC_RUNTIME_COLLECTIVE_H
#define HEDDLE_UPC_RUNTIME_COLLECTIVE_H

#include "upc/runtime/sync/barrier.h"

struct hupc__collective {
	const struct hupc__site *site;
	enum hupc__meeting meeting;
	int flags;       /* enum hupc__flag; 0 is ALLSYNC twice */
	uint64_t digest; /* of the arguments that must be equal in all threads */
};

/* MYSYNC is treated as ALLSYNC: between threads of one machine it would save nothing. */
void hupc__collective_enter(const struct hupc__collective *call);
void hupc__collective_leave(const struct hupc__collective *call);

#endif
