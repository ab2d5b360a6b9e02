/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See the header. A thread can be at most one barrier ahead of another: there are two sets of states, used alternately.
 * The thread that makes progress sends the messages of the next round, even while the UPC thread is between upc_notify
 * and upc_wait.
 */
#include "upc/runtime/sync/barrier_network.h"

#include <string.h>

#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/watch.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/meeting.h"

#define ROUNDS UPCRT_THREAD_BITS /* the most rounds */

struct message {
	uint32_t message; /* HUPC__MESSAGE_MEET */
	uint32_t generation, round;
	struct hupc__agreement agreement;
};

static struct barrier {
	bool arrived, has[ROUNDS];
	uint32_t round; /* the next one to complete */
	struct hupc__agreement mine, received[ROUNDS];
} barriers[2];

static uint32_t generation; /* the number of arrivals */
static struct hupc__presence latest;

static uint32_t rounds(void)
{
	return hupc__threads > 1 ? 32 - (uint32_t)__builtin_clz((uint32_t)hupc__threads - 1) : 0;
}

static bool is_over(const struct barrier *barrier)
{
	return barrier->round == rounds();
}

/* Returns true also if a thread of this node was lost. Context: lock held. */
static bool need_not_wait(void *data)
{
	hupc__watch();
	return is_over(data) || atomic_load(&hupc__control->ended);
}

static void send_round(const struct barrier *barrier, uint32_t number)
{
	struct message message = {HUPC__MESSAGE_MEET, number, barrier->round, barrier->mine};
	int to = (int)(((uint32_t)hupc__mythread + (1u << barrier->round)) % (uint32_t)hupc__threads);
	hupc__network->send(to, &message, sizeof(message));
}

static bool comes_first(const struct hupc__presence *a, const struct hupc__presence *b)
{
	return a->word && (!b->word || hupc__word_thread(a->word) < hupc__word_thread(b->word));
}

static void keep_first(struct hupc__presence *kept, const struct hupc__presence *it)
{
	if (comes_first(it, kept))
		*kept = *it;
}

static void compare(const struct hupc__presence *a, const struct hupc__presence *b, struct hupc__presence *other)
{
	if (a->word && b->word && hupc__words_differ(a->word, b->word))
		keep_first(other, comes_first(a, b) ? b : a);
}

static void merge(struct hupc__agreement *mine, const struct hupc__agreement *it)
{
	compare(&mine->any, &it->any, &mine->other);
	compare(&mine->valued, &it->valued, &mine->other);
	keep_first(&mine->other, &it->other);
	keep_first(&mine->any, &it->any);
	keep_first(&mine->valued, &it->valued);
	mine->value |= it->value;
	mine->frees |= it->frees;
}

/* Completes the rounds whose messages have arrived. Context: lock held. */
static void advance(struct barrier *barrier, uint32_t number)
{
	while (barrier->arrived && barrier->round < rounds() && barrier->has[barrier->round]) {
		merge(&barrier->mine, &barrier->received[barrier->round]);
		barrier->has[barrier->round] = false;
		if (++barrier->round < rounds())
			send_round(barrier, number);
		else
			hupc__network->wake();
	}
}

/* True if the message is from the sender of that round, for this barrier or the next one, and not a duplicate. */
static bool is_possible(int from, const struct message *message)
{
	const struct barrier *barrier = &barriers[message->generation & 1];
	const struct hupc__agreement *it = &message->agreement;
	uint32_t ahead = message->generation - generation, threads = (uint32_t)hupc__threads;
	if (message->round >= rounds() || ahead > 1 || barrier->has[message->round])
		return false;
	if (ahead == 0 && (!barrier->arrived || message->round < barrier->round))
		return false;
	return ((uint32_t)from + (1u << message->round)) % threads == (uint32_t)hupc__mythread &&
	       hupc__presence_is_possible(&it->any) && hupc__presence_is_possible(&it->valued) &&
	       hupc__presence_is_possible(&it->other);
}

static bool receive_meet(int from, const void *data, size_t size, const struct hupc__ticket *ticket)
{
	const struct message *message = data;
	if (size != sizeof(*message) || ticket || !is_possible(from, message))
		return false;
	struct barrier *barrier = &barriers[message->generation & 1];
	barrier->has[message->round] = true;
	barrier->received[message->round] = message->agreement;
	advance(barrier, message->generation);
	return true;
}
HUPC__RECEIVE(MEET, receive_meet, "a barrier's")

void hupc__network_arrive(const struct hupc__presence *mine, uint64_t value)
{
	hupc__network->fence();
	hupc__network->lock();
	struct barrier *barrier = &barriers[++generation & 1];
	latest = *mine;
	barrier->arrived = true;
	barrier->round = 0;
	barrier->mine = (struct hupc__agreement){
		.any = *mine, .value = hupc__mythread == 0 ? value : 0, .frees = hupc__memory_take_freed()};
	if (hupc__word_has_value(mine->word))
		barrier->mine.valued = *mine;
	if (rounds())
		send_round(barrier, generation);
	advance(barrier, generation);
	hupc__network->unlock();
}

uint32_t hupc__network_arrivals(struct hupc__presence *last)
{
	*last = latest;
	return generation;
}

const struct hupc__agreement *hupc__network_await(const char *what)
{
	struct barrier *barrier = &barriers[generation & 1];
	do {
		hupc__network->wait_until(need_not_wait, barrier);
		if (!is_over(barrier))
			hupc__end_if_lost(what);
	} while (!is_over(barrier));
	hupc__network->lock();
	barrier->arrived = false;
	hupc__network->unlock();
	if (barrier->mine.frees)
		hupc__memory_may_be_freed();
	return &barrier->mine;
}
