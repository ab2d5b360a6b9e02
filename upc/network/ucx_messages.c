/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between runtimes, and the one handler of all that arrives. Messages to this thread itself wait in a queue
 * until the lock is left, or progress is made: a handler is never called by another one.
 */
#include "upc/network/ucx.h"
#include <string.h>

struct question {
	void *answer;
	size_t size;
	bool answered;
};

static void take_message(const struct hupc__ucx_header *header, const void *data, size_t size)
{
	const struct hupc__ticket ticket = {.thread = (int)header->from, .question = header->id};
	const bool asked = header->kind == HUPC__UCX_ASK;
	hupc__ucx.host.handle((int)header->from, data, size, asked ? &ticket : NULL);
}

static void take_answer(uint64_t id, const void *data, size_t size)
{
	struct question *question = (struct question *)(uintptr_t)id; /* NOLINT(performance-no-int-to-ptr) */
	memcpy(question->answer, data, size < question->size ? size : question->size);
	question->answered = true;
	hupc__ucx.changed = true;
}

static void take_bye(struct hupc__ucx_peer *peer)
{
	if (!peer->gone && !peer->dead && peer->ep)
		hupc__ucx.bye--;
	peer->gone = true;
}

static void take(const void *from, const void *data, size_t size)
{
	const struct hupc__ucx_header *header = from;
	switch ((enum hupc__ucx_kind)header->kind) {
	case HUPC__UCX_HELLO:
		hupc__ucx_greet((int)header->from, data);
		hupc__ucx_close_on_exec(); /* its connection may be a second one, that was accepted */
		break;
	case HUPC__UCX_GET:
		hupc__ucx_take_get(header);
		break;
	case HUPC__UCX_DATA:
		hupc__ucx_take_data(header, data, size);
		break;
	case HUPC__UCX_PUT:
		hupc__ucx_take_put(header, data, size);
		break;
	case HUPC__UCX_PUTS:
		hupc__ucx_take_puts(header, data, size);
		break;
	case HUPC__UCX_FENCE:
		hupc__ucx_take_fence(header);
		break;
	case HUPC__UCX_FENCED:
		hupc__ucx_take_fenced(header);
		break;
	case HUPC__UCX_SEND:
	case HUPC__UCX_ASK:
		take_message(header, data, size);
		break;
	case HUPC__UCX_ANSWER:
		take_answer(header->id, data, size);
		break;
	case HUPC__UCX_BYE:
		take_bye(&hupc__ucx.peers[header->from]);
		break;
	}
}

ucs_status_t hupc__ucx_arrived(
	void *unused, const void *from, size_t header_size, void *data, size_t size, const ucp_am_recv_param_t *param)
{
	struct hupc__ucx_header header;
	struct hupc__ucx_peer *peer;
	(void)unused;
	(void)param;
	if (header_size != sizeof header)
		return UCS_OK;
	memcpy(&header, from, sizeof header);
	if (header.from >= (uint32_t)hupc__ucx.host.threads)
		return UCS_OK;

	peer = &hupc__ucx.peers[header.from];
	if (header.seen > peer->confirmed)
		peer->confirmed = header.seen;
	if (!hupc__ucx_in_order(&peer->order, header.number, &header, sizeof header, data, size, take))
		hupc__ucx.host.lost((int)header.from, "no memory for a message");
	return UCS_OK;
}

void hupc__ucx_deliver_local(void)
{
	struct hupc__ucx_node *node;
	if (hupc__ucx.delivering)
		return;
	hupc__ucx.delivering = true;
	while ((node = hupc__ucx.local) != NULL) {
		hupc__ucx.local = node->next;
		if (!hupc__ucx.local)
			hupc__ucx.local_end = &hupc__ucx.local;
		take_message(&node->header, node->data, node->used);
		hupc__ucx_release(node);
	}
	hupc__ucx.delivering = false;
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

/* This thread's own messages are delivered when the lock is left. */
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
	hupc__ucx_announce_wait();
	send_copy(thread, HUPC__UCX_ASK, (uintptr_t)&question, message, size);
	hupc__ucx_wait_announced(answered, &question);
}

void hupc__ucx_answer(const struct hupc__ticket *ticket, const void *answer, size_t size)
{
	bool entered = hupc__ucx_enter();
	if (!entered && !hupc__ucx_held())
		return;
	if (ticket->thread == hupc__ucx.host.mythread)
		take_answer(ticket->question, answer, size);
	else
		send_copy(ticket->thread, HUPC__UCX_ANSWER, ticket->question, answer, size);
	hupc__ucx_leave(entered);
}
