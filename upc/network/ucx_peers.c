/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Endpoints, created when first used, and the messages sent on them. The first message of an endpoint has the sender's
 * address: the target can answer without the launcher, and creates an endpoint with its own error handler. UCX uses one
 * connection for both endpoints. Context: lock held, also handler.
 */
#include "upc/network/ucx.h"
#include <stdlib.h>
#include <string.h>

/* Does not return without memory: a program whose messages are lost would hang. */
struct hupc__ucx_node *hupc__ucx_node(bool large)
{
	struct hupc__ucx_node *node = hupc__ucx.free[large];
	if (node) {
		hupc__ucx.free[large] = node->next;
	} else {
		node = malloc(sizeof *node + (large ? HUPC__UCX_BATCH : 0));
		if (!node)
			abort();
	}
	node->header = (struct hupc__ucx_header){.from = (uint32_t)hupc__ucx.host.mythread};
	node->next = NULL;
	node->unfinished = NULL;
	node->used = 0;
	node->large = large;
	return node;
}

void hupc__ucx_release(struct hupc__ucx_node *node)
{
	node->next = hupc__ucx.free[node->large];
	hupc__ucx.free[node->large] = node;
}

static void lose(struct hupc__ucx_peer *peer, ucs_status_t status)
{
	char why[160];
	const char *text = hupc__ucx.api.ucs_status_string(status);
	if (peer->dead)
		return;

	peer->dead = true;
	hupc__ucx.changed = true;
	if (peer->gone)
		return;
	hupc__ucx.bye--;
	if (hupc__ucx.closing)
		return;
	strncpy(why, text, sizeof why - 1);
	why[sizeof why - 1] = '\0';
	hupc__ucx.host.lost((int)(peer - hupc__ucx.peers), why);
}

void hupc__ucx_break(int thread, const char *why)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	if (peer->broken)
		return;
	peer->broken = true;
	if (!hupc__ucx.closing)
		hupc__ucx.host.broken(thread, why);
}

static void completed(void *request, ucs_status_t status, void *data)
{
	struct hupc__ucx_node *node = data;
	(void)status; /* the endpoint's error handler reports a lost connection */
	hupc__ucx.outstanding--;
	if (node->unfinished)
		--*node->unfinished;
	hupc__ucx.changed = true;
	hupc__ucx_release(node);
	hupc__ucx.api.ucp_request_free(request);
}

static void failed(void *data, ucp_ep_h ep, ucs_status_t status)
{
	(void)ep;
	lose(data, status);
}

void hupc__ucx_greet(int thread, const void *address)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	const ucp_ep_params_t params = {
		.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
			      UCP_EP_PARAM_FIELD_ERR_HANDLER,
		.address = address,
		.err_mode = UCP_ERR_HANDLING_MODE_PEER,
		.err_handler = {.cb = failed, .arg = peer},
	};
	ucs_status_t status;
	if (peer->ep || peer->dead)
		return;
	hupc__ucx.bye++;
	hupc__ucx_note_descriptors();
	status = hupc__ucx.api.ucp_ep_create(hupc__ucx.worker, &params, &peer->ep);
	if (status != UCS_OK) {
		peer->ep = NULL;
		lose(peer, status);
		return;
	}
	hupc__ucx_close_on_exec();
}

static void transmit(struct hupc__ucx_peer *peer, struct hupc__ucx_node *node, const void *data, size_t size)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_USER_DATA,
		.flags = UCP_AM_SEND_FLAG_EAGER,
		.cb.send = completed,
		.user_data = node,
	};
	ucs_status_ptr_t status;
	if (!peer->ep || peer->dead || peer->gone) {
		hupc__ucx_release(node);
		return;
	}
	node->header.pair = peer->to_it;
	node->header.number = peer->sent++;
	node->header.seen = peer->order.next;
	status = hupc__ucx.api.ucp_am_send_nbx(peer->ep, 0, &node->header, sizeof node->header, data, size, &param);
	if (UCS_PTR_IS_PTR(status)) {
		hupc__ucx.outstanding++;
		if (node->unfinished)
			++*node->unfinished;
		return;
	}
	hupc__ucx_release(node);
	if (UCS_PTR_IS_ERR(status))
		lose(peer, UCS_PTR_STATUS(status));
}

/* Called before the first message to a thread: requests the thread's address from the runtime. */
static void connect_to(int thread)
{
	static char address[HUPC__UCX_ADDRESS];
	size_t size = sizeof address;
	if (!hupc__ucx.host.address_of(thread, address, &size)) {
		hupc__ucx.bye++;
		lose(&hupc__ucx.peers[thread], UCS_ERR_UNREACHABLE);
		return;
	}
	hupc__ucx_greet(thread, address);
	struct hupc__ucx_node *node = hupc__ucx_node(false);
	node->header.kind = HUPC__UCX_HELLO;
	node->header.id = hupc__ucx_seal(node->header.from, hupc__ucx.address, hupc__ucx.address_size);
	transmit(&hupc__ucx.peers[thread], node, hupc__ucx.address, hupc__ucx.address_size);
}

void hupc__ucx_flush_batch(struct hupc__ucx_peer *peer)
{
	struct hupc__ucx_node *node = peer->batch;
	if (!node)
		return;
	peer->batch = NULL;
	hupc__ucx_post((int)(peer - hupc__ucx.peers), node, node->data, node->used);
	peer->last_put = peer->sent;
}

void hupc__ucx_flush_batches(void)
{
	struct hupc__ucx_peer *peer;
	while ((peer = hupc__ucx.batched) != NULL) {
		hupc__ucx.batched = peer->next_batched;
		peer->batched = false;
		hupc__ucx_flush_batch(peer);
	}
}

/* Creates the endpoint now, so that the HELLO is sent before the caller's message. */
void hupc__ucx_reach(int thread)
{
	const struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	if (!peer->ep && !peer->dead)
		connect_to(thread);
}

/* `data` must not change until the send is complete. */
void hupc__ucx_post(int thread, struct hupc__ucx_node *node, const void *data, size_t size)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	hupc__ucx_flush_batch(peer);
	hupc__ucx_reach(thread);
	transmit(peer, node, data, size);
}

/* Frees all endpoints, without waiting for the other sides. */
void hupc__ucx_disconnect(void)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
		.flags = UCP_EP_CLOSE_FLAG_FORCE,
	};
	for (int thread = 0; thread < hupc__ucx.host.threads; thread++) {
		struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
		ucs_status_ptr_t status;
		if (!peer->ep)
			continue;
		status = hupc__ucx.api.ucp_ep_close_nbx(peer->ep, &param);
		peer->ep = NULL;
		if (!UCS_PTR_IS_PTR(status))
			continue;
		for (int i = 0; i < 1000 && hupc__ucx.api.ucp_request_check_status(status) == UCS_INPROGRESS; i++)
			hupc__ucx.api.ucp_worker_progress(hupc__ucx.worker);
		hupc__ucx.api.ucp_request_free(status);
	}
}
