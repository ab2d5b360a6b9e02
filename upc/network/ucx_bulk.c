/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bulk data of gets go by a rendezvous: UCX writes them right to where they belong, where a message of chunks would be
 * copied there from UCX's buffers. Over TCP, it does so only on an endpoint without handling of errors: so that is a
 * second one, and the first tells that the other thread is lost. Bulk data have no number: they may overtake, and be
 * overtaken. Context: lock held, also handler.
 */
#include "upc/network/ucx.h"
#include <stdlib.h>

/* While UCX sends. */
struct bulk {
	struct hupc__ucx_header header;
	struct hupc__ucx_peer *peer;
};

static ucp_ep_h endpoint(struct hupc__ucx_peer *peer)
{
	const ucp_ep_params_t params = {
		.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE,
		.address = peer->address,
		.err_mode = UCP_ERR_HANDLING_MODE_NONE,
	};
	if (!peer->bulk && peer->ep && !peer->dead && !peer->gone)
		hupc__ucx_make_endpoint(peer, &params, &peer->bulk);
	return peer->dead || peer->gone ? NULL : peer->bulk;
}

static void check(struct hupc__ucx_peer *peer, ucs_status_t status)
{
	if (status != UCS_OK)
		hupc__ucx_lose(peer, status);
}

/* UCX makes and accepts connections for them while the first ones are under way. */
static void close_on_exec(struct hupc__ucx_peer *peer)
{
	if (!peer->bulk_done)
		hupc__ucx_close_on_exec();
	peer->bulk_done = true;
}

static void sent(void *request, ucs_status_t status, void *data)
{
	struct bulk *bulk = data;
	hupc__ucx.outstanding--;
	hupc__ucx.changed = true;
	check(bulk->peer, status);
	close_on_exec(bulk->peer);
	free(bulk);
	if (request)
		hupc__ucx.api.ucp_request_free(request);
}

void hupc__ucx_send_bulk(const struct hupc__ucx_header *get)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[get->from];
	struct bulk *bulk = malloc(sizeof *bulk);
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_USER_DATA,
		.flags = UCP_AM_SEND_FLAG_RNDV,
		.cb.send = sent,
		.user_data = bulk,
	};
	ucp_ep_h ep = endpoint(peer);
	ucs_status_ptr_t status;
	if (!bulk)
		abort(); /* its requester would hang */
	*bulk = (struct bulk){.header = *get, .peer = peer};
	bulk->header.from = (uint32_t)hupc__ucx.host.mythread;
	bulk->header.kind = HUPC__UCX_BULK;
	bulk->header.seen = peer->order.next;
	if (!ep) {
		free(bulk);
		return;
	}
	hupc__ucx.outstanding++;
	status = hupc__ucx.api.ucp_am_send_nbx(
		ep, 0, &bulk->header, sizeof bulk->header, hupc__ucx.host.segment + get->offset, get->size, &param);
	if (!UCS_PTR_IS_PTR(status))
		sent(NULL, UCS_PTR_STATUS(status), bulk);
}

static void received(void *request, ucs_status_t status, size_t size, void *transfer)
{
	hupc__ucx.api.ucp_request_free(request);
	if (status == UCS_OK) {
		close_on_exec(hupc__ucx_get_source(transfer));
		hupc__ucx_get_arrived(transfer, size);
	} else if (!hupc__ucx.closing) {
		check(hupc__ucx_get_source(transfer), status);
	}
}

void hupc__ucx_take_bulk(const struct hupc__ucx_header *header, void *descriptor, size_t size)
{
	struct transfer *transfer = (struct transfer *)(uintptr_t)header->id; /* NOLINT(performance-no-int-to-ptr) */
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
		.cb.recv_am = received,
		.user_data = transfer,
	};
	ucs_status_ptr_t status = hupc__ucx.api.ucp_am_recv_data_nbx(
		hupc__ucx.worker, descriptor, hupc__ucx_get_place(transfer, header->offset), size, &param);
	if (!status)
		hupc__ucx_get_arrived(transfer, size);
	else if (UCS_PTR_IS_ERR(status))
		check(&hupc__ucx.peers[header->from], UCS_PTR_STATUS(status));
}
