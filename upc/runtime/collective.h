/* SPDX-License-Identifier: BSD-3-Clause */
/* What collective functions have in common: the meetings that their flags ask for. */
#ifndef HEDDLE_UPC_RUNTIME_COLLECTIVE_H
#define HEDDLE_UPC_RUNTIME_COLLECTIVE_H

#include "upc/runtime/barrier.h"

struct hupc__collective {
	const struct hupc__site *site;
	enum hupc__meeting meeting;
	int flags;       /* enum hupc__flag; 0 is ALLSYNC twice */
	uint64_t digest; /* of what all threads must give alike */
};

/* MYSYNC is made the same as ALLSYNC: between threads of one machine nothing would be gained. */
void hupc__collective_enter(const struct hupc__collective *call);
void hupc__collective_leave(const struct hupc__collective *call);

#endif
