/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See the header. Messages that have arrived wait in a queue until they are received; it has at most one message of
 * each sender for a call. Their headers have the call's number and a digest of its arguments.
 *
 * Threads that call different functions may wait for each other forever if no barrier detects it. Therefore a thread
 * that has waited for a while asks the sender for its status. Messages of a pair of threads arrive in order: if the
 * status shows that the sender has left the call, and its message is not in the queue, no message will arrive.
 */
#include "upc/runtime/sync/message_queue.h"

#include <stdlib.h>
#include <string.h>

#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/watch.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/barrier_network.h"
#include "upc/runtime/sync/collective.h"
#include "upc/runtime/sync/meeting.h"

#define PROBE_MS 1000 /* ms between questions for a status */

struct header {
	uint32_t kind; /* HUPC__MESSAGE_QUEUED */
	uint32_t size; /* of the payload */
	uint64_t call; /* of a collective function */
	struct hupc__presence sender;
};

struct message {
	struct header header;
	char payload[HUPC__PAYLOAD_SIZE];
};

struct queued {
	struct queued *next;
	int from;
	struct message message;
};

/* The answer to a question for a thread's status. */
struct status {
	uint32_t kind;     /* HUPC__MESSAGE_STATUS */
	uint32_t arrivals; /* at barriers, including those inside collective functions */
	uint64_t call;     /* the number of the last call that it has begun */
	struct hupc__presence collective, barrier;
};

static struct queued *first, **end = &first;

/* The collective function that this thread is in, or the last one. */
static struct {
	uint64_t number;
	const struct hupc__collective *it;
	struct hupc__presence mine;
} call;

/* The latest status of another thread. */
static struct status status;
static int status_of = -1;

void hupc__queue_begin(const struct hupc__collective *it)
{
	hupc__network->lock();
	call.number++;
	call.it = it;
	call.mine = hupc__presence_at(it->site, it->meeting, it->digest);
	hupc__network->unlock();
}

void hupc__queue_send(int thread, const void *payload, size_t size)
{
	struct message message = {{HUPC__MESSAGE_QUEUED, (uint32_t)size, call.number, call.mine}, ""};
	memcpy(message.payload, payload, size);
	hupc__network->send(thread, &message, sizeof(message));
}

static bool receive_queued(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct message *received = message;
	struct queued *it;
	if (size != sizeof(*received) || ticket || received->header.size > HUPC__PAYLOAD_SIZE ||
		!hupc__presence_is_possible(&received->header.sender))
		return false;
	it = malloc(sizeof(*it));
	if (!it)
		abort();
	it->next = NULL;
	it->from = from;
	it->message = *received;
	*end = it;
	end = &it->next;
	hupc__network->wake();
	return true;
}
HUPC__RECEIVE(QUEUED, receive_queued, "a collective function's")

static bool receive_probe(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	struct status mine = {.kind = HUPC__MESSAGE_STATUS, .call = call.number, .collective = call.mine};
	(void)message;
	if (size != sizeof(uint32_t) || ticket)
		return false;
	mine.arrivals = hupc__network_arrivals(&mine.barrier);
	hupc__network->send(from, &mine, sizeof(mine));
	return true;
}
HUPC__RECEIVE(PROBE, receive_probe, "a question for a status")

static bool receive_status(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct status *received = message;
	if (size != sizeof(*received) || ticket || !hupc__presence_is_possible(&received->collective) ||
		!hupc__presence_is_possible(&received->barrier))
		return false;
	status = *received;
	status_of = from;
	hupc__network->wake();
	return true;
}
HUPC__RECEIVE(STATUS, receive_status, "a status")

static void probe(int thread)
{
	uint32_t kind = HUPC__MESSAGE_PROBE;
	hupc__network->send(thread, &kind, sizeof(kind));
}

/* A message that is waited for: its sender, the message when found, or what the sender synchronizes for instead. */
struct wanted {
	int from;
	struct queued *found;
	const struct hupc__presence *instead;
	uint64_t next_probe;
};

/* Removes the message from the queue. Context: lock held. */
static bool find_wanted(struct wanted *wanted)
{
	for (struct queued **at = &first; *at && !wanted->found; at = &(*at)->next) {
		if ((*at)->from != wanted->from || (*at)->message.header.call != call.number)
			continue;
		wanted->found = *at;
		*at = (*at)->next;
		end = wanted->found->next ? end : at;
		break;
	}
	return wanted->found;
}

/* True if the sender has left this call, or is in another function. Context: lock held; its message is not queued. */
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

/* Returns true also if a thread of this node was lost. Context: lock held. */
static bool need_not_wait(void *data)
{
	struct wanted *wanted = data;
	hupc__watch();
	if (find_wanted(wanted) || is_elsewhere(wanted) || atomic_load(&hupc__control->ended))
		return true;
	if (hupc__now_ms() >= wanted->next_probe) {
		probe(wanted->from);
		wanted->next_probe = hupc__now_ms() + PROBE_MS;
	}
	return false;
}

void hupc__queue_receive(int thread, void *payload, size_t size)
{
	struct wanted wanted = {.from = thread, .next_probe = hupc__now_ms() + PROBE_MS};
	do {
		hupc__network->wait_until(need_not_wait, &wanted);
		if (!wanted.found && !wanted.instead)
			hupc__end_if_lost(hupc__meeting_name(call.it->meeting));
	} while (!wanted.found && !wanted.instead);
	if (wanted.found && hupc__words_differ(wanted.found->message.header.sender.word, call.mine.word))
		wanted.instead = &wanted.found->message.header.sender;
	if (wanted.instead)
		hupc__contradict(call.it->site, call.mine.word, wanted.instead);
	memcpy(payload, wanted.found->message.payload, size);
	free(wanted.found);
}
