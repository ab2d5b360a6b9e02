/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each thread increments one counter; the last one increments the generation, which releases all threads. The data that
 * the threads must agree on (a barrier's expression, a collective function's arguments) is compared through one word
 * (meeting.h), which is 0 until the first thread arrives.
 */
#include "upc/runtime/sync/barrier.h"

#include <limits.h>

#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/ending.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/barrier_network.h"

static bool notified;
static uint64_t notified_word;                          /* of this thread, at upc_notify */
static uint32_t generation;                             /* the one that `notified_word` belongs to */
static const struct hupc__agreement *network_agreement; /* of the last barrier; NULL without a network */

/* Compares MINE with the word that all threads see, or sets it if this is the first thread. */
static void agree(const struct hupc__site *site, _Atomic uint64_t *word, uint64_t mine)
{
	uint64_t seen = atomic_load_explicit(word, memory_order_acquire);
	while (!seen ||
		(!hupc__words_differ(seen, mine) && !hupc__word_has_value(seen) && hupc__word_has_value(mine))) {
		if (atomic_compare_exchange_weak_explicit(
			    word, &seen, mine, memory_order_acq_rel, memory_order_acquire))
			return;
	}
	if (hupc__words_differ(seen, mine))
		hupc__contradict(site, mine,
			&(struct hupc__presence){seen, hupc__control->thread[hupc__word_thread(seen)].place});
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

/* `value`: what thread 0 passes to all, if there is a network. */
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

/* Ends the program if a thread has ended without arriving: it will never arrive. */
static void end_if_gone(const struct hupc__site *site)
{
	uint64_t arrivals = atomic_load(&hupc__me()->arrivals);
	if (!atomic_load(&hupc__control->ended))
		return;
	for (int t = 0; t < hupc__threads; t++) {
		if (hupc__has_ended(t) && atomic_load(&hupc__control->thread[t].arrivals) < arrivals && !open_now())
			hupc__waits_forever(site, hupc__meeting_name(hupc__word_meeting(notified_word)), t,
				atomic_load(&hupc__control->thread[t].status));
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
 * One of the two threads that disagree prints the message: the one that has not reached its end, or the later one. The
 * others wait to be ended.
 */
static void check_agreement(const struct hupc__site *site, const struct hupc__agreement *agreement)
{
	const struct hupc__presence *other = &agreement->other;
	if (!other->word)
		return;
	const struct hupc__presence *first =
		hupc__words_differ(agreement->any.word, other->word) ? &agreement->any : &agreement->valued;
	const struct hupc__presence *speaker = hupc__word_meeting(other->word) == HUPC__END ? first : other;
	const struct hupc__presence *its_other = speaker == first ? other : first;
	if (hupc__mythread != hupc__word_thread(speaker->word))
		hupc__wait_for_end();
	hupc__contradict(site, speaker->word, its_other);
}

/* Returns the value of thread 0 if there is a network; otherwise 0. */
static uint64_t await(const struct hupc__site *site)
{
	uint64_t value = 0;
	if (hupc__network) {
		network_agreement = hupc__network_await(hupc__meeting_name(hupc__word_meeting(notified_word)));
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
			hupc__meeting_name(meeting));
	arrive(site, hupc__collective_word(meeting, arguments), value);
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
	arrive(site, hupc__word(HUPC__BARRIER, named, (uint32_t)value), 0);
}

/*
 * UPC 1.3, 6.6.1p7: the value at upc_wait must equal those that threads passed to upc_notify; the upc_wait of other
 * threads may have other values.
 */
static void check_wait(const struct hupc__site *site, int value)
{
	uint64_t agreed = network_agreement ? network_agreement->valued.word
					    : atomic_load(&hupc__control->barrier.agreed[generation & 1]);
	if (hupc__word_has_value(notified_word) && (int)notified_word != value)
		hupc__fatal(site, "upc_wait with the value %d, but this thread's upc_notify had %d", value,
			(int)notified_word);
	if (hupc__word_has_value(agreed) && (int)agreed != value)
		hupc__fatal(site, "upc_wait with the value %d, but the upc_notify of thread %d had %d", value,
			hupc__word_thread(agreed), (int)agreed);
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
