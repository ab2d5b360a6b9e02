/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, and the synchronization inside collective functions. */
#ifndef HEDDLE_UPC_RUNTIME_BARRIER_H
#define HEDDLE_UPC_RUNTIME_BARRIER_H

#include "upc/runtime/events/site.h"

/* What the threads synchronize for; all must arrive for the same. */
enum hupc__meeting {
	HUPC__START = 1, /* of the program */
	HUPC__BARRIER,
	HUPC__ALL_ALLOC,
	HUPC__ALL_FREE,
	HUPC__ALL_LOCK_ALLOC,
	HUPC__ALL_LOCK_FREE,
	HUPC__ALL_ATOMICDOMAIN_ALLOC,
	HUPC__ALL_ATOMICDOMAIN_FREE,
	HUPC__ALL_BROADCAST,
	HUPC__ALL_SCATTER,
	HUPC__ALL_GATHER,
	HUPC__ALL_GATHER_ALL,
	HUPC__ALL_EXCHANGE,
	HUPC__ALL_PERMUTE,
	HUPC__ALL_REDUCE,
	HUPC__ALL_PREFIX_REDUCE,
	HUPC__END, /* of the program; the value is this thread's exit status, and need not be equal */
	HUPC__MEETINGS
};

/*
 * A barrier inside a collective function; `arguments` is a digest of the arguments that must be equal in all threads.
 * If another thread waits elsewhere or has other arguments, ends the program with a message. Context: the UPC thread's
 * own.
 */
void hupc__meet(const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments);

/* As hupc__meet. With a network, returns the value that thread 0 gave; else 0. */
uint64_t hupc__meet_with_value(
	const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments, uint64_t value);

/*
 * A collective function that synchronized neither at its begin nor at its end: the next hupc__meet or barrier compares
 * whether all threads have called the same. Context: the UPC thread's own.
 */
void hupc__note_unsynchronized(enum hupc__meeting meeting, uint64_t arguments);

/* As messages name it. */
const char *hupc__meeting_name(enum hupc__meeting meeting);

/* Adds a value to a digest. */
static inline uint64_t hupc__digest(uint64_t digest, uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 29;
}

/* Ends the program after a wait for threads that have ended: prints a message, and exits with their status. */
_Noreturn void hupc__waits_in_vain(const struct hupc__site *site, const char *what, int ended, int status);

#endif
