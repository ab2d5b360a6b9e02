/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What threads synchronize for, as words that they compare. All threads must synchronize for the same; a thread that
 * detects a contradiction ends the program with a message. Context: any thread, unless stated.
 *
 *     what they synchronize for (5 bits) | has a value (1) | thread that set it (10) | calls (16) | value (32)
 *
 * The calls are a digest of all collective functions that this thread has called without synchronization, which would
 * not be compared otherwise. Word 0: none.
 */
#ifndef HEDDLE_UPC_RUNTIME_MEETING_H
#define HEDDLE_UPC_RUNTIME_MEETING_H

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

/* The word of one thread, and the place where it synchronizes. Word 0: none. */
struct hupc__presence {
	uint64_t word;
	struct hupc__shared_place place;
};

#define HUPC__VALUE_MASK UINT64_C(0xffffffff)
#define HUPC__CALLS_SHIFT 32
#define HUPC__CALLS_MASK (UINT64_C(0xffff) << HUPC__CALLS_SHIFT)

/* Parts of a word; its value is the lowest 32 bits. */
static inline enum hupc__meeting hupc__word_meeting(uint64_t word)
{
	return (enum hupc__meeting)(word >> 59);
}

static inline int hupc__word_thread(uint64_t word)
{
	return (int)(word >> 48 & UPCRT_THREAD_MASK);
}

static inline bool hupc__word_has_value(uint64_t word)
{
	return word >> 58 & 1;
}

/* Returns true if two words of different threads contradict each other. */
static inline bool hupc__words_differ(uint64_t a, uint64_t b)
{
	if (hupc__word_meeting(a) != hupc__word_meeting(b))
		return true;
	if (hupc__word_meeting(a) == HUPC__END)
		return false;
	return (a ^ b) & HUPC__CALLS_MASK || (hupc__word_has_value(a & b) && ((a ^ b) & HUPC__VALUE_MASK));
}

/* The word of this thread. Context: the UPC thread's own. */
uint64_t hupc__word(enum hupc__meeting meeting, bool has_value, uint64_t value);

/* As hupc__word, for a collective function: the value is a digest of the arguments that all threads must share. */
uint64_t hupc__collective_word(enum hupc__meeting meeting, uint64_t arguments);

/* The word and place of this thread, for others. */
struct hupc__presence hupc__presence_at(const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments);

/*
 * Ends the program with a message: this thread, at `site`, synchronizes for `mine`, and another one for something that
 * contradicts it.
 */
_Noreturn void hupc__contradict(const struct hupc__site *site, uint64_t mine, const struct hupc__presence *other);

/* Returns true if a thread of this program can have sent this presence. Other processes may send anything. */
bool hupc__presence_is_possible(const struct hupc__presence *presence);

/*
 * Records a collective function that synchronized neither at its begin nor at its end: the next hupc__meet or barrier
 * compares whether all threads have called the same functions. Context: the UPC thread's own.
 */
void hupc__note_unsynchronized(enum hupc__meeting meeting, uint64_t arguments);

/* The name for messages. */
const char *hupc__meeting_name(enum hupc__meeting meeting);

/* Adds a value to a digest. */
static inline uint64_t hupc__digest(uint64_t digest, uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 29;
}

/* Ends the program because it waits for threads that have ended: prints a message, and exits with their status. */
_Noreturn void hupc__waits_forever(const struct hupc__site *site, const char *what, int ended, int status);

#endif
