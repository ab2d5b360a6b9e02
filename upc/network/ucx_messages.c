/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between runtimes, and the handler of all messages that arrive. */
#include "upc/network/ucx.h"
#include <string.h>

struct question {
	uint64_t id; /* its handle */
	void *answer;
	size_t size;
	bool answered;
};

static bool take_answer(int from, uint64_t id, const void *data, size_t size)
{
	struct question *question = hupc__ucx_handle_find(HUPC__UCX_QUESTION, from, id);
	if (!question || size != question->size)
		return false;
	hupc__ucx_handle_free(id);
	memcpy(question->answer, data, size);
	question->answered = true;
	hupc__ucx.changed = true;
	return true;
}

static bool take_bye(struct hupc__ucx_peer *peer)
{
	if (!peer->gone && !peer->dead && peer->ep)
		hupc__ucx.bye--;
	peer->gone = true;
	return true;
}

/* UCX does not check the address: the seal proves that it is the sender's own. */
static bool take_hello(const struct hupc__ucx_header *header, const void *data, size_t size)
{
	if (!size || size > HUPC__UCX_ADDRESS || header->id != hupc__ucx_seal(header->from, data, size))
		return false;
	hupc__ucx_greet((int)header->from, data);
	hupc__ucx_close_on_exec(); /* its connection may be a second one, which was accepted */
	return true;
}

static bool take_kind(const struct hupc__ucx_header *header, const void *data, size_t size)
{
	switch ((enum hupc__ucx_kind)header->kind) {
	case HUPC__UCX_HELLO:
		return take_hello(header, data, size);
	case HUPC__UCX_GET:
		return hupc__ucx_take_get(header);
	case HUPC__UCX_DATA:
		return hupc__ucx_take_data(header, data, size);
	case HUPC__UCX_PUT:
		return hupc__ucx_take_put(header, data, size);
	case HUPC__UCX_PUTS:
		return hupc__ucx_take_puts(header, data, size);
	case HUPC__UCX_FENCE:
		return hupc__ucx_take_fence(header);
	case HUPC__UCX_FENCED:
		return hupc__ucx_take_fenced(header);
	case HUPC__UCX_ANSWER:
		return take_answer((int)header->from, header->id, data, size);
	case HUPC__UCX_BYE:
		return take_bye(&hupc__ucx.peers[header->from]);
	default:
		return false;
	}
}

static void take(const void *from, const void *data, size_t size)
{
	static const char *const names[HUPC__UCX_KINDS] = {
		"HELLO", "GET", "DATA", "PUT", "PUTS", "FENCE", "FENCED", "SEND", "ASK", "ANSWER", "BYE"};
	const struct hupc__ucx_header *header = from;
	const char *why = NULL;
	if (hupc__ucx.peers[header->from].broken)
		return;
	if (header->kind == HUPC__UCX_SEND || header->kind == HUPC__UCX_ASK)
		why = size <= HUPC__MESSAGE_LIMIT ? hupc__ucx_take_message(header, data, size)
						  : "a message that is too long";
	else if (!take_kind(header, data, size))
		why = header->kind < HUPC__UCX_KINDS ? names[header->kind] : "a message of an unknown kind";
	if (why)
		hupc__ucx_break((int)header->from, why);
}

/* Returns true if the sender proves that it means this thread. Other senders may be anyone, in any thread's name. */
static bool is_of_job(const struct hupc__ucx_header *header)
{
	return header->from < (uint32_t)hupc__ucx.host.threads && header->from != (uint32_t)hupc__ucx.host.mythread &&
	       (header->pair ^ hupc__ucx.peers[header->from].from_it) == 0;
}

ucs_status_t hupc__ucx_arrived(
	void *unused, const void *from, size_t header_size, void *data, size_t size, const ucp_am_recv_param_t *param)
{
	struct hupc__ucx_header header;
	struct hupc__ucx_peer *peer;
	const char *why = "how many messages it has taken";
	(void)unused;
	(void)param;
	if (header_size != sizeof header)
		return UCS_OK;
	memcpy(&header, from, sizeof header);
	if (!is_of_job(&header))
		return UCS_OK;

	peer = &hupc__ucx.peers[header.from];
	if (header.seen <= peer->sent) {
		if (header.seen > peer->confirmed)
			peer->confirmed = header.seen;
		why = hupc__ucx_in_order(&peer->order, header.number, &header, sizeof header, data, size, take);
	}
	if (why)
		hupc__ucx_break((int)header.from, why);
	return UCS_OK;
}

/* Sends a copy of the message. */
static void send_copy(int thread, enum hupc__ucx_kind kind, uint64_t id, const void *message, size_t size)
{
	struct hupc__ucx_node *node = hupc__ucx_node(true);
	node->header.kind = kind;
	node->header.id = id;
	node->used = (uint32_t)size;
	memcpy(node->data, message, size);
	if (thread != hupc__ucx.host.mythread) {
		hupc__ucx_post(thread, node, node->data, size);
		return;
	}
	*hupc__ucx.local_end = node;
	hupc__ucx.local_end = &node->next;
}

void hupc__ucx_send(int thread, const void *message, size_t size)
{
	bool entered = hupc__ucx_enter();
	if (!entered && !hupc__ucx_held())
		return;
	send_copy(thread, HUPC__UCX_SEND, 0, message, size);
	hupc__ucx_leave(entered);
}

/* Messages to this thread itself are delivered when the lock is left. */
void hupc__ucx_send_as_put(int thread, const void *message, size_t size)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	if (!hupc__ucx_enter())
		return;
	send_copy(thread, HUPC__UCX_SEND, 0, message, size);
	if (thread != hupc__ucx.host.mythread) {
		hupc__ucx_mark_dirty(peer);
		peer->last_put = peer->sent;
	}
	hupc__ucx_leave(true);
}

static bool answered(void *data)
{
	return ((const struct question *)data)->answered;
}

void hupc__ucx_ask(int thread, const void *message, size_t size, void *answer, size_t answer_size)
{
	struct question question = {.answer = answer, .size = answer_size};
	if (!hupc__ucx_enter())
		return;
	question.id = hupc__ucx_handle(HUPC__UCX_QUESTION, thread, &question);
	hupc__ucx_announce_wait();
	send_copy(thread, HUPC__UCX_ASK, question.id, message, size);
	hupc__ucx_wait_announced(answered, &question);
}

void hupc__ucx_answer(const struct hupc__ticket *ticket, const void *answer, size_t size)
{
	bool entered = hupc__ucx_enter();
	if (!entered && !hupc__ucx_held())
		return;
	if (ticket->thread == hupc__ucx.host.mythread)
		take_answer(ticket->thread, ticket->question, answer, size);
	else
		send_copy(ticket->thread, HUPC__UCX_ANSWER, ticket->question, answer, size);
	hupc__ucx_leave(entered);
}
