/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each thread increments one counter; the last one increments the generation, which releases all. What the threads must
 * agree on (a barrier's expression, a collective function's arguments) goes through one word, 0 until the first
 * arrives:
 *
 *     what they synchronize for (5 bits) | has a value (1) | thread that set it (10) | calls (16) | value (32)
 *
 * The calls are a digest of all collective functions that this thread has called without synchronization, which nothing
 * else would compare.
 */
#include "upc/runtime/sync/barrier.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/ending.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/move/move.h"
#include "upc/runtime/sync/barrier_network.h"

#define VALUE_MASK UINT64_C(0xffffffff)
#define CALLS_SHIFT 32
#define CALLS_MASK (UINT64_C(0xffff) << CALLS_SHIFT)
#define THREAD_SHIFT 48
#define HAS_VALUE (UINT64_C(1) << 58)
#define KIND(word) ((enum hupc__meeting)((word) >> 59))
#define THREAD(word) ((int)((word) >> THREAD_SHIFT & UPCRT_THREAD_MASK))

static bool notified;
static uint64_t notified_word;                          /* of this thread, at upc_notify */
static uint32_t generation;                             /* that it belongs to */
static const struct hupc__agreement *network_agreement; /* of the last barrier; NULL without a network */
static uint64_t calls;                                  /* the digest, at its position in words */

static const char *const names[HUPC__MEETINGS] = {
	[0] = "nothing",
	[HUPC__START] = "the start of main",
	[HUPC__BARRIER] = "upc_barrier",
	[HUPC__ALL_ALLOC] = "upc_all_alloc",
	[HUPC__ALL_FREE] = "upc_all_free",
	[HUPC__ALL_LOCK_ALLOC] = "upc_all_lock_alloc",
	[HUPC__ALL_LOCK_FREE] = "upc_all_lock_free",
	[HUPC__ALL_ATOMICDOMAIN_ALLOC] = "upc_all_atomicdomain_alloc",
	[HUPC__ALL_ATOMICDOMAIN_FREE] = "upc_all_atomicdomain_free",
	[HUPC__ALL_BROADCAST] = "upc_all_broadcast",
	[HUPC__ALL_SCATTER] = "upc_all_scatter",
	[HUPC__ALL_GATHER] = "upc_all_gather",
	[HUPC__ALL_GATHER_ALL] = "upc_all_gather_all",
	[HUPC__ALL_EXCHANGE] = "upc_all_exchange",
	[HUPC__ALL_PERMUTE] = "upc_all_permute",
	[HUPC__ALL_REDUCE] = "upc_all_reduce",
	[HUPC__ALL_PREFIX_REDUCE] = "upc_all_prefix_reduce",
	[HUPC__END] = "the end of the program",
};

const char *hupc__meeting_name(enum hupc__meeting meeting)
{
	return names[meeting];
}

void hupc__waits_in_vain(const struct hupc__site *site, const char *what, int ended, int status)
{
	if (status == HUPC__LOST)
		hupc__fatal(
			site, "%s waits for thread %d, which has ended: it was killed, or called _exit", what, ended);
	hupc__fatal_with_status(status ? status : 1, site, "%s waits for thread %d, which has ended with status %d",
		what, ended, status);
}

static void describe_place(char *text, size_t size, const struct hupc__shared_place *place)
{
	struct hupc__site site = hupc__place_read(place);
	if (site.file)
		hupc__format(text, size, " at %s:%d", site.file, site.line);
	else
		text[0] = '\0';
}

_Noreturn static void mismatch(
	const struct hupc__site *site, uint64_t mine, uint64_t other, const struct hupc__shared_place *place)
{
	const char *name = names[KIND(mine)], *other_name = names[KIND(other)];
	char where[400];
	describe_place(where, sizeof(where), place);
	if (KIND(mine) != KIND(other))
		hupc__fatal(site, "%s, but thread %d has come to %s%s; all threads must call the same", name,
			THREAD(other), other_name, where);
	if ((mine ^ other) & CALLS_MASK)
		hupc__fatal(site,
			"%s, but thread %d%s has called other collective functions without synchronization before; "
			"all threads must call the same",
			name, THREAD(other), where);
	if (KIND(mine) == HUPC__BARRIER)
		hupc__fatal(site, "%s with the value %d, but thread %d has %d%s; all must be equal", name, (int)mine,
			THREAD(other), (int)other, where);
	hupc__fatal(site, "%s with other arguments than thread %d%s; all threads must give the same", name,
		THREAD(other), where);
}

void hupc__contradict(const struct hupc__site *site, uint64_t mine, const struct hupc__presence *other)
{
	if (KIND(other->word) == HUPC__END)
		hupc__waits_in_vain(site, names[KIND(mine)], THREAD(other->word), (int)other->word);
	mismatch(site, mine, other->word, &other->place);
}

bool hupc__words_differ(uint64_t a, uint64_t b)
{
	if (KIND(a) != KIND(b))
		return true;
	if (KIND(a) == HUPC__END)
		return false;
	return (a ^ b) & CALLS_MASK || ((a & b & HAS_VALUE) && ((a ^ b) & VALUE_MASK));
}

bool hupc__word_has_value(uint64_t word)
{
	return word & HAS_VALUE;
}

int hupc__word_thread(uint64_t word)
{
	return THREAD(word);
}

bool hupc__presence_is_possible(const struct hupc__presence *presence)
{
	return !presence->word || (KIND(presence->word) >= HUPC__START && KIND(presence->word) < HUPC__MEETINGS &&
					  THREAD(presence->word) < hupc__threads);
}

/* Compares MINE with the word that all threads see, or sets it if this is the first thread. */
static void agree(const struct hupc__site *site, _Atomic uint64_t *word, uint64_t mine)
{
	uint64_t seen = atomic_load_explicit(word, memory_order_acquire);
	while (!seen || (!hupc__words_differ(seen, mine) && !(seen & HAS_VALUE) && (mine & HAS_VALUE))) {
		if (atomic_compare_exchange_weak_explicit(
			    word, &seen, mine, memory_order_acq_rel, memory_order_acquire))
			return;
	}
	if (hupc__words_differ(seen, mine))
		mismatch(site, mine, seen, &hupc__control->thread[THREAD(seen)].place);
}

static uint64_t make_word(enum hupc__meeting meeting, bool has_value, uint64_t value)
{
	return (uint64_t)meeting << 59 | (has_value ? HAS_VALUE : 0) | (uint64_t)hupc__mythread << THREAD_SHIFT |
	       calls | (has_value ? value & VALUE_MASK : 0);
}

static uint64_t make_collective_word(enum hupc__meeting meeting, uint64_t arguments)
{
	return make_word(meeting, true, arguments ^ arguments >> 32);
}

void hupc__note_unsynchronized(enum hupc__meeting meeting, uint64_t arguments)
{
	uint64_t digest = hupc__digest(hupc__digest(calls, meeting), arguments);
	calls = (digest ^ digest >> 16 ^ digest >> 32 ^ digest >> 48) << CALLS_SHIFT & CALLS_MASK;
}

struct hupc__presence hupc__presence_at(const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments)
{
	return (struct hupc__presence){make_collective_word(meeting, arguments), hupc__place_share(site)};
}

static void release(struct hupc__barrier_control *barrier)
{
	atomic_store_explicit(&barrier->agreed[generation & 1], atomic_load(&barrier->expected), memory_order_relaxed);
	atomic_store_explicit(&barrier->expected, 0, memory_order_relaxed);
	atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
	atomic_store(&barrier->generation, generation + 1);
	if (atomic_load(&barrier->sleepers))
		hupc__wake(&barrier->generation, INT_MAX);
}

/* `value`: what thread 0 gives to all, where a network carries it. */
static void arrive(const struct hupc__site *site, uint64_t word, uint64_t value)
{
	struct hupc__barrier_control *barrier = &hupc__control->barrier;
	struct hupc__thread_control *me = hupc__me();
	notified = true;
	notified_word = word;
	if (hupc__network) {
		struct hupc__presence mine = {word, hupc__place_share(site)};
		hupc__network_arrive(&mine, value);
		return;
	}
	hupc__fence_by_swap(); /* orders `arrived` */
	me->place = hupc__place_share(site);
	generation = atomic_load_explicit(&barrier->generation, memory_order_relaxed);
	agree(site, &barrier->expected, word);
	atomic_store_explicit(
		&me->arrivals, atomic_load_explicit(&me->arrivals, memory_order_relaxed) + 1, memory_order_relaxed);
	if (atomic_fetch_add(&barrier->arrived, 1) + 1 == hupc__control->threads)
		release(barrier);
}

static bool open_now(void)
{
	return atomic_load_explicit(&hupc__control->barrier.generation, memory_order_acquire) != generation;
}

/* A thread that has ended without arriving never will: ends the program if there is one. */
static void end_if_gone(const struct hupc__site *site)
{
	uint64_t arrivals = atomic_load(&hupc__me()->arrivals);
	if (!atomic_load(&hupc__control->ended))
		return;
	for (int t = 0; t < hupc__threads; t++) {
		if (hupc__has_ended(t) && atomic_load(&hupc__control->thread[t].arrivals) < arrivals && !open_now())
			hupc__waits_in_vain(
				site, names[KIND(notified_word)], t, atomic_load(&hupc__control->thread[t].status));
	}
}

static void sleep_until_open(const struct hupc__site *site)
{
	struct hupc__barrier_control *barrier = &hupc__control->barrier;
	atomic_fetch_add(&barrier->sleepers, 1);
	while (!open_now()) {
		end_if_gone(site);
		hupc__sleep(&barrier->generation, generation);
	}
	atomic_fetch_sub(&barrier->sleepers, 1);
}

/*
 * One of the two threads that disagree prints the message: the one that did not come to its end, or the later one. The
 * others wait to be ended.
 */
static void check_agreement(const struct hupc__site *site, const struct hupc__agreement *agreement)
{
	const struct hupc__presence *other = &agreement->other;
	if (!other->word)
		return;
	const struct hupc__presence *first =
		hupc__words_differ(agreement->any.word, other->word) ? &agreement->any : &agreement->valued;
	const struct hupc__presence *speaker = KIND(other->word) == HUPC__END ? first : other;
	const struct hupc__presence *its_other = speaker == first ? other : first;
	if (hupc__mythread != THREAD(speaker->word))
		hupc__wait_for_end();
	hupc__contradict(site, speaker->word, its_other);
}

/* Returns the value of thread 0, where a network carries it. */
static uint64_t await(const struct hupc__site *site)
{
	uint64_t value = 0;
	if (hupc__network) {
		network_agreement = hupc__network_await(names[KIND(notified_word)]);
		check_agreement(site, network_agreement);
		value = network_agreement->value;
	} else {
		for (int spins = hupc__spin_limit(); spins > 0 && !open_now(); spins--)
			hupc__relax();
		if (!open_now())
			sleep_until_open(site);
	}
	notified = false;
	atomic_thread_fence(memory_order_seq_cst);
	return value;
}

uint64_t hupc__meet_with_value(
	const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments, uint64_t value)
{
	if (notified && meeting != HUPC__END)
		hupc__fatal(site, "%s between upc_notify and upc_wait, where no collective function may be called",
			names[meeting]);
	arrive(site, make_collective_word(meeting, arguments), value);
	return await(site);
}

void hupc__meet(const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments)
{
	hupc__meet_with_value(site, meeting, arguments, 0);
}

static void notify(const struct hupc__site *site, const char *name, int named, int value)
{
	if (notified)
		hupc__fatal(site, "%s after a upc_notify that had no upc_wait yet", name);
	arrive(site, make_word(HUPC__BARRIER, named, (uint32_t)value), 0);
}

/*
 * UPC 1.3, 6.6.1p7: the value at upc_wait must equal those that threads gave to upc_notify; other threads' upc_wait may
 * have others.
 */
static void check_wait(const struct hupc__site *site, int value)
{
	uint64_t agreed = network_agreement ? network_agreement->valued.word
					    : atomic_load(&hupc__control->barrier.agreed[generation & 1]);
	if ((notified_word & HAS_VALUE) && (int)notified_word != value)
		hupc__fatal(site, "upc_wait with the value %d, but this thread's upc_notify had %d", value,
			(int)notified_word);
	if ((agreed & HAS_VALUE) && (int)agreed != value)
		hupc__fatal(site, "upc_wait with the value %d, but the upc_notify of thread %d had %d", value,
			THREAD(agreed), (int)agreed);
}

static void wait(const struct hupc__site *site, int named, int value)
{
	if (!notified)
		hupc__fatal(site, "upc_wait without a upc_notify before it");
	await(site);
	if (named)
		check_wait(site, value);
}

void __upcrt_notify(int named, int value, const char *file, int line)
{
	struct hupc__site site = hupc__site_take_statement(file, line);
	hupc__event(&site, GASP_UPC_NOTIFY, GASP_START, named, value);
	notify(&site, "upc_notify", named, value);
	hupc__event(&site, GASP_UPC_NOTIFY, GASP_END, named, value);
}

void __upcrt_wait(int named, int value, const char *file, int line)
{
	struct hupc__site site = hupc__site_take_statement(file, line);
	hupc__event(&site, GASP_UPC_WAIT, GASP_START, named, value);
	wait(&site, named, value);
	hupc__event(&site, GASP_UPC_WAIT, GASP_END, named, value);
}

void __upcrt_barrier(int named, int value, const char *file, int line)
{
	struct hupc__site site = hupc__site_take_statement(file, line);
	hupc__event(&site, GASP_UPC_BARRIER, GASP_START, named, value);
	notify(&site, "upc_barrier", named, value);
	await(&site);
	hupc__event(&site, GASP_UPC_BARRIER, GASP_END, named, value);
}

void __upcrt_fence(void)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_FENCE, GASP_START);
	hupc__order();
	hupc__memory_may_be_freed();
	hupc__event(&site, GASP_UPC_FENCE, GASP_END);
}
