/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gets, puts and fences. A get requests pieces, several at a time, and its target sends each in chunks. Small puts to a
 * target are collected; any other message to that target, a fence, or waiting sends them first. Every message carries
 * the number of messages that its sender has handled, and a fence asks for it: this shows which puts are at their
 * target.
 */
#include "upc/network/ucx.h"
#include <stdlib.h>
#include <string.h>

#define PIECE (2 << 20)        /* bytes that one request of a get asks for */
#define WINDOW (8 << 20)       /* bytes of a transfer that are requested and have not arrived */
#define GETTING_LIMIT 4096     /* transfers that wait for data */
#define OUTSTANDING_LIMIT 4096 /* sends that UCX has not completed */
#define BATCHED_LIMIT 1024     /* bytes of the largest put that is collected */
#define COMPLETED_AT_ONCE 4096 /* bytes from which a nonblocking put asks for its completion when it begins */

struct transfer {
	int thread;
	bool put, asked_fence;
	uint64_t id; /* its handle, of a get */
	char *to;
	uint64_t offset, size;
	uint64_t asked, arrived; /* bytes of a get */
	uint64_t number;         /* a put is complete when its target has handled this number of messages */
	unsigned unfinished;     /* sends that still read the private memory */
};

struct record {
	uint64_t offset, size;
};

/* Aligned words are stored at once: readers of shared memory see the old or the new value. */
static void place(char *to, const void *from, size_t size)
{
	uint64_t word;
	if (size == 8 && (uintptr_t)to % 8 == 0) {
		memcpy(&word, from, 8);
		__atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELEASE);
	} else if (size == 4 && (uintptr_t)to % 4 == 0) {
		memcpy(&word, from, 4);
		__atomic_store_n((uint32_t *)(void *)to, (uint32_t)word, __ATOMIC_RELEASE);
	} else if (size == 2 && (uintptr_t)to % 2 == 0) {
		memcpy(&word, from, 2);
		__atomic_store_n((uint16_t *)(void *)to, (uint16_t)word, __ATOMIC_RELEASE);
	} else {
		memcpy(to, from, size);
	}
}

static bool within(uint64_t offset, uint64_t size)
{
	const struct hupc__network_host *host = &hupc__ucx.host;
	return offset >= host->segment_start && offset <= host->segment_end && size <= host->segment_end - offset;
}

bool hupc__ucx_take_put(const struct hupc__ucx_header *header, const void *data, size_t size)
{
	if (!within(header->offset, size))
		return false;
	place(hupc__ucx.host.segment + header->offset, data, size);
	return true;
}

/* Checks each record when it is placed, since a message can have many. A segment has room for the largest. */
bool hupc__ucx_take_puts(const struct hupc__ucx_header *header, const void *data, size_t size)
{
	const uint64_t start = hupc__ucx.host.segment_start, span = hupc__ucx.host.segment_end - start;
	char *const segment = hupc__ucx.host.segment;
	const char *at = data, *const end = at + size;
	while (at < end) {
		struct record record;
		uint64_t filled;
		if ((size_t)(end - at) < sizeof record)
			return false;
		memcpy(&record, at, sizeof record);
		at += sizeof record;
		filled = (record.size + 7) / 8 * 8;
		if (record.size > BATCHED_LIMIT || filled > (size_t)(end - at) ||
			record.offset - start > span - record.size)
			return false;
		place(segment + record.offset, at, record.size);
		at += filled;
	}
	return !header->size || hupc__ucx_take_fence(header);
}

bool hupc__ucx_take_get(const struct hupc__ucx_header *header)
{
	uint64_t offset = header->offset, left = header->size;
	if (!left || left > PIECE || !within(offset, left))
		return false;
	while (left) {
		uint64_t size = left < HUPC__UCX_CHUNK ? left : HUPC__UCX_CHUNK;
		struct hupc__ucx_node *node = hupc__ucx_node(false);
		node->header.kind = HUPC__UCX_DATA;
		node->header.id = header->id;
		node->header.offset = offset;
		hupc__ucx_post((int)header->from, node, hupc__ucx.host.segment + offset, size);
		offset += size;
		left -= size;
	}
	return true;
}

bool hupc__ucx_take_fence(const struct hupc__ucx_header *header)
{
	struct hupc__ucx_node *node = hupc__ucx_node(false);
	node->header.kind = HUPC__UCX_FENCED;
	node->header.id = header->id;
	hupc__ucx_post((int)header->from, node, NULL, 0);
	return true;
}

void hupc__ucx_mark_dirty(struct hupc__ucx_peer *peer)
{
	if (peer->dirty)
		return;
	peer->dirty = true;
	peer->next_dirty = hupc__ucx.dirty;
	peer->dirty_back = &hupc__ucx.dirty;
	if (peer->next_dirty)
		peer->next_dirty->dirty_back = &peer->next_dirty;
	__atomic_store_n(&hupc__ucx.dirty, peer, __ATOMIC_RELAXED);
}

/* Marks a peer as clean if all puts are known to be at their target. Returns false if some are not. */
static bool clean(struct hupc__ucx_peer *peer)
{
	if (peer->batch || peer->confirmed < peer->last_put)
		return false;
	if (!peer->dirty)
		return true;
	peer->dirty = false;
	__atomic_store_n(peer->dirty_back, peer->next_dirty, __ATOMIC_RELAXED);
	if (peer->next_dirty)
		peer->next_dirty->dirty_back = peer->dirty_back;
	return true;
}

bool hupc__ucx_take_fenced(const struct hupc__ucx_header *header)
{
	if (header->id) {
		unsigned *pending = hupc__ucx_handle_find(HUPC__UCX_WAITING_FENCE, (int)header->from, header->id);
		if (!pending)
			return false;
		hupc__ucx_handle_free(header->id);
		--*pending;
	}
	clean(&hupc__ucx.peers[header->from]);
	hupc__ucx.changed = true;
	return true;
}

/* If puts are collected, their message carries the question. */
static void ask_fence(int thread, uint64_t id)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	struct hupc__ucx_node *node;
	if (peer->batch) {
		peer->batch->header.id = id;
		peer->batch->header.size = 1;
		hupc__ucx_flush_batch(peer);
		return;
	}
	node = hupc__ucx_node(false);
	node->header.kind = HUPC__UCX_FENCE;
	node->header.id = id;
	hupc__ucx_post(thread, node, NULL, 0);
}

static void ask_piece(struct transfer *transfer, uint64_t from, uint64_t size)
{
	struct hupc__ucx_node *node = hupc__ucx_node(false);
	node->header.kind = HUPC__UCX_GET;
	node->header.id = transfer->id;
	node->header.offset = transfer->offset + from;
	node->header.size = size;
	transfer->asked += size;
	hupc__ucx_post(transfer->thread, node, NULL, 0);
}

static uint64_t piece_of(uint64_t size)
{
	return size < PIECE ? size : PIECE;
}

/* Requests the next pieces, as many as may be in progress. */
static void ask_pieces(struct transfer *transfer)
{
	while (transfer->asked < transfer->size && transfer->asked - transfer->arrived <= WINDOW - PIECE)
		ask_piece(transfer, transfer->asked, piece_of(transfer->size - transfer->asked));
}

/* Pieces are requested, and their chunks are sent, in the order of the memory. */
bool hupc__ucx_take_data(const struct hupc__ucx_header *header, const void *data, size_t size)
{
	struct transfer *transfer = hupc__ucx_handle_find(HUPC__UCX_TRANSFER, (int)header->from, header->id);
	if (!transfer || !size || header->offset != transfer->offset + transfer->arrived ||
		size > transfer->asked - transfer->arrived)
		return false;
	place(transfer->to + transfer->arrived, data, size);
	transfer->arrived += size;
	if (transfer->arrived < transfer->size) {
		ask_pieces(transfer);
		return true;
	}
	hupc__ucx_handle_free(transfer->id);
	hupc__ucx.getting--;
	hupc__ucx.changed = true;
	return true;
}

static bool complete(void *data)
{
	const struct transfer *transfer = data;
	if (transfer->put)
		return !transfer->unfinished && hupc__ucx.peers[transfer->thread].confirmed >= transfer->number;

	return transfer->arrived == transfer->size;
}

static bool finished(void *data)
{
	return !*(const unsigned *)data;
}

static bool below_limits(void *unused)
{
	(void)unused;
	return hupc__ucx.getting < GETTING_LIMIT && hupc__ucx.outstanding < OUTSTANDING_LIMIT;
}

/* Leaves the lock when few enough transfers are in progress. A handler must not wait, and may exceed the limits. */
static void leave_limited(bool entered)
{
	if (entered && !below_limits(NULL))
		hupc__ucx_wait(below_limits, NULL);
	else
		hupc__ucx_leave(entered);
}

/* Returns true for this thread's own segment. */
static bool local(int thread)
{
	return thread == hupc__ucx.host.mythread;
}

static void begin_get(struct transfer *transfer)
{
	hupc__ucx.getting++;
	transfer->id = hupc__ucx_handle(HUPC__UCX_TRANSFER, transfer->thread, transfer);
	ask_pieces(transfer);
}

void hupc__ucx_get(int thread, uint64_t offset, void *to, uint64_t size)
{
	struct transfer transfer = {.thread = thread, .to = to, .offset = offset, .size = size};
	if (local(thread)) {
		memmove(to, hupc__ucx.host.segment + offset, size);
		return;
	}
	if (!size || !hupc__ucx_enter())
		return;
	hupc__ucx_announce_wait();
	begin_get(&transfer);
	hupc__ucx_wait_announced(complete, &transfer);
}

hupc__transfer hupc__ucx_get_begin(int thread, uint64_t offset, void *to, uint64_t size)
{
	struct transfer *transfer;
	if (local(thread))
		memmove(to, hupc__ucx.host.segment + offset, size);
	if (local(thread) || !size)
		return 0;
	transfer = malloc(sizeof *transfer);
	if (!transfer || !hupc__ucx_enter()) {
		free(transfer);
		hupc__ucx_get(thread, offset, to, size);
		return 0;
	}
	*transfer = (struct transfer){.thread = thread, .to = to, .offset = offset, .size = size};
	begin_get(transfer);
	leave_limited(true);
	return (uintptr_t)transfer;
}

/* Adds a small put to the collected ones. */
static void collect(struct hupc__ucx_peer *peer, uint64_t offset, const void *from, uint64_t size)
{
	struct record record = {offset, size};
	uint32_t needed = (uint32_t)(sizeof record + (size + 7) / 8 * 8);
	if (peer->batch && peer->batch->used + needed > HUPC__UCX_BATCH)
		hupc__ucx_flush_batch(peer);
	if (!peer->batch) {
		peer->batch = hupc__ucx_node(true);
		peer->batch->header.kind = HUPC__UCX_PUTS;
		if (!peer->batched) {
			peer->batched = true;
			peer->next_batched = hupc__ucx.batched;
			hupc__ucx.batched = peer;
		}
	}
	memcpy(peer->batch->data + peer->batch->used, &record, sizeof record);
	memcpy(peer->batch->data + peer->batch->used + sizeof record, from, size);
	peer->batch->used += needed;
}

static void send_chunks(int thread, uint64_t offset, const char *from, uint64_t size, unsigned *unfinished)
{
	while (size) {
		uint64_t now = size < HUPC__UCX_CHUNK ? size : HUPC__UCX_CHUNK;
		struct hupc__ucx_node *node = hupc__ucx_node(false);
		node->header.kind = HUPC__UCX_PUT;
		node->header.offset = offset;
		node->unfinished = unfinished;
		hupc__ucx_post(thread, node, from, now);
		offset += now;
		from += now;
		size -= now;
	}
	hupc__ucx.peers[thread].last_put = hupc__ucx.peers[thread].sent;
}

static void begin_put(int thread, uint64_t offset, const void *from, uint64_t size, unsigned *unfinished)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	hupc__ucx_mark_dirty(peer);
	if (size <= BATCHED_LIMIT)
		collect(peer, offset, from, size);
	else
		send_chunks(thread, offset, from, size, unfinished);
}

void hupc__ucx_put(int thread, uint64_t offset, const void *from, uint64_t size)
{
	unsigned unfinished = 0;
	if (local(thread)) {
		memmove(hupc__ucx.host.segment + offset, from, size);
		return;
	}
	if (!size || !hupc__ucx_enter())
		return;
	begin_put(thread, offset, from, size, &unfinished);
	if (unfinished)
		hupc__ucx_wait(finished, &unfinished);
	else
		leave_limited(true);
}

/* Begins a put. If it was collected, its number is that of the batch, the next message. */
hupc__transfer hupc__ucx_put_begin(int thread, uint64_t offset, const void *from, uint64_t size)
{
	struct hupc__ucx_peer *peer = &hupc__ucx.peers[thread];
	struct transfer *transfer;
	if (local(thread))
		memmove(hupc__ucx.host.segment + offset, from, size);
	if (local(thread) || !size)
		return 0;
	transfer = malloc(sizeof *transfer);
	if (!transfer || !hupc__ucx_enter()) {
		free(transfer);
		hupc__ucx_put(thread, offset, from, size);
		hupc__ucx_fence();
		return 0;
	}
	*transfer = (struct transfer){.thread = thread, .put = true};
	hupc__ucx_reach(thread); /* the HELLO has a number, too */
	begin_put(thread, offset, from, size, &transfer->unfinished);
	transfer->number = peer->sent + (peer->batch ? 1 : 0);
	if (size >= COMPLETED_AT_ONCE) {
		transfer->asked_fence = true;
		ask_fence(thread, 0);
	}
	leave_limited(true);
	return (uintptr_t)transfer;
}

static void ask_completion(struct transfer *transfer)
{
	if (!transfer->put || transfer->asked_fence || complete(transfer))
		return;
	transfer->asked_fence = true;
	ask_fence(transfer->thread, 0);
}

bool hupc__ucx_test(hupc__transfer id)
{
	struct transfer *transfer = (struct transfer *)(uintptr_t)id; /* NOLINT(performance-no-int-to-ptr) */
	bool over;
	if (!id || !hupc__ucx_enter())
		return true;
	ask_completion(transfer);
	if (!complete(transfer))
		hupc__ucx_step();
	over = complete(transfer);
	hupc__ucx_leave(true);
	if (over)
		free(transfer);
	return over;
}

void hupc__ucx_wait_transfer(hupc__transfer id)
{
	struct transfer *transfer = (struct transfer *)(uintptr_t)id; /* NOLINT(performance-no-int-to-ptr) */
	if (!id || !hupc__ucx_enter())
		return;
	hupc__ucx_announce_wait();
	ask_completion(transfer);
	hupc__ucx_wait_announced(complete, transfer);
	free(transfer);
}

/* Sends one question to each target that is not known to have all puts. */
void hupc__ucx_fence(void)
{
	struct hupc__ucx_peer *peer, *next;
	unsigned pending = 0;
	int thread;
	if (!__atomic_load_n(&hupc__ucx.dirty, __ATOMIC_RELAXED) || !hupc__ucx_enter())
		return;

	hupc__ucx_announce_wait();
	for (peer = hupc__ucx.dirty; peer; peer = next) {
		next = peer->next_dirty;
		if (clean(peer))
			continue;
		pending++;
		thread = (int)(peer - hupc__ucx.peers);
		ask_fence(thread, hupc__ucx_handle(HUPC__UCX_WAITING_FENCE, thread, &pending));
	}
	hupc__ucx_wait_announced(finished, &pending);
}
