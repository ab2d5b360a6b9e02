/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See the header. Letters that nobody takes yet are kept in a list, which has at most one letter for each sender. They
 * say from which call with which arguments they are.
 *
 * Threads that call different functions may wait for each other for ever where no barrier tells them. So a thread that
 * has waited for a while asks the other one where it is. Messages arrive in order: if the answer is that the other one
 * has left the call behind, and its letter is not there, none will come.
 */
#include "upc/runtime/mail.h"

#include <stdlib.h>
#include <string.h>

#include "upc/runtime/barrier_network.h"
#include "upc/runtime/collective.h"
#include "upc/runtime/network.h"
#include "upc/runtime/ranks.h"
#include "upc/runtime/wait.h"

#define PROBE_MS 1000 /* between questions where another thread is */

struct envelope {
	uint32_t message; /* HUPC__MESSAGE_MAIL */
	uint32_t size;
	uint64_t call; /* of a collective function */
	struct hupc__presence sender;
	char letter[HUPC__MAIL_SIZE];
};

struct arrived {
	struct arrived *next;
	int from;
	struct envelope envelope;
};

/* Where a thread is. */
struct status {
	uint32_t message;  /* HUPC__MESSAGE_STATUS */
	uint32_t arrivals; /* at barriers, those inside collective functions included */
	uint64_t call;     /* the last one that it has begun */
	struct hupc__presence collective, barrier;
};

static struct arrived *first, **end = &first;

/* The collective function that this thread is in, or was last. */
static struct {
	uint64_t number;
	const struct hupc__collective *it;
	struct hupc__presence mine;
} call;

/* The last answer where another thread is. */
static struct status status;
static int status_of = -1;

void hupc__mail_begin(const struct hupc__collective *it)
{
	hupc__network->lock();
	call.number++;
	call.it = it;
	call.mine = hupc__presence_at(it->site, it->meeting, it->digest);
	hupc__network->unlock();
}

void hupc__mail_send(int thread, const void *letter, size_t size)
{
	struct envelope envelope = {HUPC__MESSAGE_MAIL, (uint32_t)size, call.number, call.mine, ""};
	memcpy(envelope.letter, letter, size);
	hupc__network->send(thread, &envelope, sizeof(envelope));
}

void hupc__receive_mail(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	struct arrived *it = malloc(sizeof(*it));
	(void)ticket;
	if (!it)
		abort();
	it->next = NULL;
	it->from = from;
	memcpy(&it->envelope, message, size);
	*end = it;
	end = &it->next;
	hupc__network->wake();
}

void hupc__receive_probe(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	struct status mine = {.message = HUPC__MESSAGE_STATUS, .call = call.number, .collective = call.mine};
	(void)message;
	(void)size;
	(void)ticket;
	mine.arrivals = hupc__network_arrivals(&mine.barrier);
	hupc__network->send(from, &mine, sizeof(mine));
}

void hupc__receive_status(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	(void)ticket;
	memcpy(&status, message, size);
	status_of = from;
	hupc__network->wake();
}

static void probe(int thread)
{
	uint32_t message = HUPC__MESSAGE_PROBE;
	hupc__network->send(thread, &message, sizeof(message));
}

/* What is waited for, where it was found, and what its sender has come to instead. */
struct wanted {
	int from;
	struct arrived *found;
	const struct hupc__presence *instead;
	uint64_t next_probe;
};

/* Takes the letter out of the list. Context: lock held. */
static bool find(struct wanted *wanted)
{
	for (struct arrived **at = &first; *at && !wanted->found; at = &(*at)->next) {
		if ((*at)->from != wanted->from || (*at)->envelope.call != call.number)
			continue;
		wanted->found = *at;
		*at = (*at)->next;
		end = wanted->found->next ? end : at;
		break;
	}
	return wanted->found;
}

/* Whether that thread has left this call behind, or is in another function. Context: lock held; no letter is there. */
static bool is_elsewhere(struct wanted *wanted)
{
	struct hupc__presence latest;
	if (status_of != wanted->from)
		return false;
	if ((int32_t)(status.arrivals - hupc__network_arrivals(&latest)) > 0)
		wanted->instead = &status.barrier;
	else if (status.call > call.number ||
		 (status.call == call.number && hupc__words_differ(status.collective.word, call.mine.word)))
		wanted->instead = &status.collective;
	return wanted->instead;
}

/* Also if a thread of this node was lost. Context: lock held. */
static bool need_not_wait(void *data)
{
	struct wanted *wanted = data;
	hupc__watch();
	if (find(wanted) || is_elsewhere(wanted) || atomic_load(&hupc__control->ended))
		return true;
	if (hupc__now_ms() >= wanted->next_probe) {
		probe(wanted->from);
		wanted->next_probe = hupc__now_ms() + PROBE_MS;
	}
	return false;
}

void hupc__mail_take(int thread, void *letter, size_t size)
{
	struct wanted wanted = {.from = thread, .next_probe = hupc__now_ms() + PROBE_MS};
	do {
		hupc__network->wait_until(need_not_wait, &wanted);
		if (!wanted.found && !wanted.instead)
			hupc__ranks_end_if_lost(hupc__meeting_name(call.it->meeting));
	} while (!wanted.found && !wanted.instead);
	if (wanted.found && hupc__words_differ(wanted.found->envelope.sender.word, call.mine.word))
		wanted.instead = &wanted.found->envelope.sender;
	if (wanted.instead)
		hupc__contradict(call.it->site, call.mine.word, wanted.instead);
	memcpy(letter, wanted.found->envelope.letter, size);
	free(wanted.found);
}
