/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of a faulty thread. Usage: upc_fuzz_wire SEED MESSAGES. Generates messages of all kinds as threads 1 and 2
 * would send them, in reply to requests of thread 0 and unrequested; half of them are then changed. Valid messages must
 * be accepted, messages that refer to anything they must not must be refused, and ASan and UBSan check all of it. The
 * same seed generates the same messages, except for the time at which the second thread sends requests.
 *
 * A million messages, without an error: upc_fuzz_wire 1 1000000 (20 s on a busy machine).
 */
#include "upc/runtime/base/library.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/sync/barrier_network.h"
#include "upc/runtime/sync/lock.h"
#include "wire.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PENDING 1024
#define LIVE 8
#define LARGEST 300000 /* of a transfer: more than one chunk */
/* How a message must be classified; STRANGE: a message of another job, which is dropped silently. */
enum { WRONG, RIGHT, EITHER, STRANGE };

#define LOCK_AT 8192 /* the offset of a lock */

static uint64_t seed;

static uint32_t chance(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

static void fail(const char *what, const struct hupc__ucx_header *header)
{
	fprintf(stderr, "fuzz_wire: %s: kind %u of thread %u, number %lu, id %#lx, offset %#lx, size %#lx\n", what,
		header->kind, header->from, header->number, header->id, header->offset, header->size);
	abort();
}

/* ---- what thread 0 has requested, and waits for; changed with the plug-in's lock held ---- */

static struct {
	struct wire_sent at[PENDING];
	unsigned count;
} pending;

static void note(const struct wire_sent *message)
{
	uint32_t kind = 0;
	bool question = message->header.kind == HUPC__UCX_GET || message->header.kind == HUPC__UCX_ASK ||
			(message->header.id &&
				(message->header.kind == HUPC__UCX_FENCE || message->header.kind == HUPC__UCX_PUTS));
	memcpy(&kind, message->data, sizeof kind);
	if (message->header.kind == HUPC__UCX_SEND && kind == HUPC__MESSAGE_MEET)
		question = true;
	if (question && pending.count < PENDING)
		pending.at[pending.count++] = *message;
}

static void forget(unsigned i)
{
	memmove(&pending.at[i], &pending.at[i + 1], (--pending.count - i) * sizeof *pending.at);
}

/* ---- messages ---- */

struct message {
	struct hupc__ucx_header header;
	size_t size;
	char data[HUPC__UCX_CHUNK];
};

typedef uint32_t make(struct message *it); /* returns how the message must be classified */

/* The fields at the beginning of all requests of the runtime. */
struct request {
	uint32_t kind;
	int32_t small;
	uint64_t words[5];
};

static void begin(struct message *it, uint32_t from, uint32_t kind)
{
	const struct hupc__ucx_peer *peer = &hupc__ucx.peers[from];
	it->header = (struct hupc__ucx_header){
		.from = from, .kind = kind, .pair = peer->from_it, .number = peer->order.next, .seen = peer->sent};
	it->size = 0;
}

/* Chooses an offset and a size; returns true if they are inside the segment. Those inside are below the heaps. */
static bool choose_range(uint64_t *offset, uint64_t *size, uint64_t most)
{
	const uint64_t edges[] = {0, 1, HUPC__PAGE - 1, HUPC__PAGE, WIRE_SEGMENT - 1, WIRE_SEGMENT, WIRE_SEGMENT + 1,
		UINT64_MAX, UINT64_MAX - HUPC__PAGE, INT64_MAX, UINT64_C(1) << 34, UINT32_MAX};
	const unsigned count = sizeof edges / sizeof *edges;
	*size = 1 + chance((uint32_t)(most < 1000 ? most : 1000));
	*offset = HUPC__PAGE + chance((uint32_t)(WIRE_STATIC - HUPC__PAGE - *size));
	if (chance(4) == 0)
		*offset = edges[chance(count)] - (chance(2) ? *size : 0);
	else if (most > UINT32_MAX && chance(4) == 0)
		*size = edges[chance(count)] - (chance(2) ? *offset : 0);
	const unsigned __int128 end = (unsigned __int128)*offset + *size;
	bool inside = *offset >= HUPC__PAGE && end <= WIRE_SEGMENT;
	if (inside && end > WIRE_STATIC) { /* not into the heaps: moved to the end of the part before them */
		*size = 8;
		*offset = WIRE_STATIC - 8;
	}
	return inside;
}

static uint32_t make_put(struct message *it)
{
	uint64_t size;
	bool good = choose_range(&it->header.offset, &size, 1000);
	it->header.kind = HUPC__UCX_PUT;
	it->size = size;
	return good;
}

static uint32_t make_puts(struct message *it)
{
	bool good = true;
	size_t at = 0;
	it->header.kind = HUPC__UCX_PUTS;
	it->header.size = chance(2);
	for (uint32_t count = 1 + chance(5); count && good; count--) {
		uint64_t record[2];
		good = choose_range(&record[0], &record[1], 1000);
		it->size += sizeof record + (record[1] + 7) / 8 * 8;
		if (good && chance(16) == 0) { /* so large that rounding up results in 0 */
			record[1] = UINT64_MAX - chance(7);
			good = false;
		}
		memcpy(it->data + at, record, sizeof record);
		at = it->size;
	}
	if (good && chance(4) == 0) { /* the last record is incomplete */
		it->size -= 1 + chance(8);
		good = false;
	}
	return good;
}

static uint32_t make_get(struct message *it)
{
	bool good = choose_range(&it->header.offset, &it->header.size, UINT64_MAX);
	it->header.kind = HUPC__UCX_GET;
	it->header.id = chance(1000);
	return good && it->header.size;
}

static uint32_t make_fence(struct message *it)
{
	it->header.kind = HUPC__UCX_FENCE;
	it->header.id = chance(1000);
	return 1;
}

static void finish_request(struct message *it, const struct request *request, size_t size, bool asked)
{
	it->header.kind = asked ? HUPC__UCX_ASK : HUPC__UCX_SEND;
	it->header.id = asked ? 1 + chance(1000) : 0;
	it->size = size;
	memcpy(it->data, request, size < sizeof *request ? size : sizeof *request);
}

static uint32_t make_atomic(struct message *it)
{
	struct request request = {.kind = HUPC__MESSAGE_ATOMIC, .small = HUPC__UINT64};
	uint64_t size = 8;
	bool good = choose_range(&request.words[1], &size, 1);
	const uint32_t operation = 1u << (9 + chance(6)); /* HUPC__GET to HUPC__DEC */
	if (good)
		request.words[1] = HUPC__PAGE + 8 * chance(4000);
	request.words[0] = operation;
	finish_request(it, &request, 40, true);
	return good;
}

static uint32_t make_update(struct message *it)
{
	struct request request = {.kind = HUPC__MESSAGE_UPDATE, .small = (int32_t)chance(13)};
	uint64_t size;
	bool good = choose_range(&request.words[0], &size, 1);
	request.words[1] = UINT64_C(1) << chance(4);
	if (request.small >= UPCRT_UPDATE_FADD && request.words[1] < 4)
		request.words[1] = 8;
	if (good)
		request.words[0] = HUPC__PAGE + 8 * chance(4000);
	else if (request.words[0] >= HUPC__PAGE && request.words[0] <= WIRE_SEGMENT - 8)
		request.words[0] = 0;
	finish_request(it, &request, 40, true);
	return good;
}

static uint32_t make_lock(struct message *it)
{
	struct request request = {.kind = HUPC__MESSAGE_LOCK + chance(4), .words = {LOCK_AT}};
	uint64_t size;
	if (chance(4) == 0) /* not a lock: the answer says so */
		choose_range(&request.words[0], &size, 1);
	request.small = (int32_t)chance(2);
	finish_request(it, &request, 16, request.kind == HUPC__MESSAGE_LOCK || request.kind == HUPC__MESSAGE_FREED);
	return 1;
}

static uint32_t make_set(struct message *it)
{
	struct request request = {.kind = HUPC__MESSAGE_SET, .small = (int32_t)chance(256)};
	bool good = choose_range(&request.words[0], &request.words[2], UINT64_MAX);
	finish_request(it, &request, 32, true);
	return good;
}

static uint32_t make_copy(struct message *it)
{
	struct request request = {.kind = HUPC__MESSAGE_COPY};
	bool good = choose_range(&request.words[0], &request.words[2], UINT64_MAX);
	request.words[1] = HUPC__PAGE + chance(1000);
	finish_request(it, &request, 32, true);
	return good;
}

static uint32_t make_heap(struct message *it)
{
	static uint64_t last;
	struct request request = {.kind = HUPC__MESSAGE_TAKE + chance(3)};
	bool good = true;
	if (request.kind == HUPC__MESSAGE_TAKE) {
		request.words[0] = chance(8) ? chance(3000) : UINT64_MAX - chance(100);
	} else {
		request.small = (int32_t)chance(2); /* FIND: in the global heap */
		request.words[0] = UPCRT_POINTER(chance(1000), 0, last + HUPC__GRAIN * chance(3000));
		if (chance(4) == 0)
			request.words[0] = UPCRT_POINTER(0, 1 + chance(1000), last);
		good = !UPCRT_THREAD(request.words[0]) || (request.kind == HUPC__MESSAGE_FIND && request.small);
		last = hupc__control->global_heap.low;
	}
	finish_request(it, &request, request.kind == HUPC__MESSAGE_FIND ? 16 : 40, true);
	return good;
}

static uint32_t make_small(struct message *it)
{
	static const struct {
		uint32_t kind, size;
		bool asked;
	} kinds[] = {{HUPC__MESSAGE_PROBE, 4, false}, {HUPC__MESSAGE_CLAIM, 4, false}, {HUPC__MESSAGE_CLOCK, 4, true},
		{HUPC__MESSAGE_END, 8, false}, {HUPC__MESSAGE_ENDS, 8, false}};
	uint32_t which = chance(5);
	struct request request = {.kind = kinds[which].kind, .small = (int32_t)chance(300)};
	finish_request(it, &request, kinds[which].size, kinds[which].asked);
	return 1;
}

/* Makes a word of a barrier's message: the kind, and a thread. */
static struct hupc__presence presence(bool *good)
{
	uint64_t kind = chance(8) ? 1 + chance(HUPC__MEETINGS - 1) : chance(32);
	uint64_t thread = chance(8) ? chance(WIRE_THREADS) : chance(1024);
	struct hupc__presence it = {
		kind << 59 | thread << 48 | 7, {(int64_t)(chance(2) ? chance(1000) : seed), 5, 0, 0}};
	*good = *good && kind > 0 && kind < HUPC__MEETINGS && thread < WIRE_THREADS;
	return it;
}

static uint32_t make_collective(struct message *it)
{
	struct {
		uint32_t kind, size;
		uint64_t call;
		struct hupc__presence a, b;
	} request = {.kind = HUPC__MESSAGE_QUEUED + 2 * chance(2), .call = 1};
	bool queued = request.kind == HUPC__MESSAGE_QUEUED, good = true;
	size_t size = queued ? 16 + sizeof request.a + 32 : sizeof request;
	request.size = chance(33 + chance(2) * queued);
	good = !queued || request.size <= 32;
	request.a = presence(&good);
	if (!queued)
		request.b = presence(&good);
	it->header.kind = HUPC__UCX_SEND;
	it->size = size;
	memcpy(it->data, &request, size < sizeof request ? size : sizeof request);
	return good;
}

static uint32_t make_hello(struct message *it)
{
	it->header.kind = HUPC__UCX_HELLO;
	it->size = 1 + chance(300);
	it->header.id = hupc__ucx_seal(it->header.from, it->data, it->size);
	return 1;
}

static uint32_t make_stale(struct message *it)
{
	it->header.kind = chance(2) ? HUPC__UCX_ANSWER : chance(2) ? HUPC__UCX_DATA : HUPC__UCX_FENCED;
	it->header.id = chance(2) ? seed : (uint64_t)(1 + chance(100)) << 32 | chance(100);
	it->size = 1 + chance(100);
	return hupc__ucx_handle_find(HUPC__UCX_QUESTION, (int)it->header.from, it->header.id) ||
			       hupc__ucx_handle_find(HUPC__UCX_TRANSFER, (int)it->header.from, it->header.id) ||
			       hupc__ucx_handle_find(HUPC__UCX_WAITING_FENCE, (int)it->header.from, it->header.id)
		       ? EITHER
		       : WRONG;
}

/* ---- answers ---- */

static bool is_live(const struct wire_sent *sent)
{
	enum hupc__ucx_handle kind = sent->header.kind == HUPC__UCX_GET   ? HUPC__UCX_TRANSFER
				     : sent->header.kind == HUPC__UCX_ASK ? HUPC__UCX_QUESTION
									  : HUPC__UCX_WAITING_FENCE;
	return sent->header.kind == HUPC__UCX_SEND || hupc__ucx_handle_find(kind, sent->to, sent->header.id);
}

/* Makes one of the messages of the other two threads that let thread 0 pass its barrier. */
static void meet(struct message *it, const struct wire_sent *sent)
{
	uint32_t round;
	memcpy(it->data, sent->data, sent->size);
	memcpy(&round, sent->data + 8, sizeof round);
	begin(it, (3 - (1u << round)) % 3, HUPC__UCX_SEND);
	it->size = sent->size;
}

/* Makes the answer to the oldest request of thread 0. */
static void make_answer(struct message *it)
{
	struct wire_sent *sent = &pending.at[0];
	begin(it, (uint32_t)sent->to, HUPC__UCX_FENCED);
	it->header.id = sent->header.id;
	if (sent->header.kind == HUPC__UCX_GET) {
		it->header.kind = HUPC__UCX_DATA;
		it->header.offset = sent->header.offset;
		it->size = sent->header.size < HUPC__UCX_CHUNK ? sent->header.size : HUPC__UCX_CHUNK;
	} else if (sent->header.kind == HUPC__UCX_ASK) {
		it->header.kind = HUPC__UCX_ANSWER;
		it->size = 8;
	} else if (sent->header.kind == HUPC__UCX_SEND) {
		meet(it, sent);
	}
}

/* Records that a part, or all, of the requested data has arrived. */
static void count_data(const struct message *it)
{
	for (unsigned i = 0; i < pending.count; i++) {
		struct wire_sent *sent = &pending.at[i];
		if (sent->header.kind != HUPC__UCX_GET || sent->header.id != it->header.id)
			continue;
		sent->header.offset += it->size;
		sent->header.size -= it->size < sent->header.size ? it->size : sent->header.size;
		return;
	}
}

/* Makes an answer to another request, from another thread, to an answered request, or for another part of memory. */
static uint32_t make_crossed(struct message *it)
{
	const struct wire_sent *sent = &pending.at[0];
	const uint32_t other = (uint32_t)(3 - sent->to);
	if (!pending.count || sent->header.kind == HUPC__UCX_SEND)
		return make_stale(it);
	make_answer(it);
	switch (chance(4)) {
	case 0:
		begin(it, other, it->header.kind);
		it->header.id = sent->header.id;
		it->header.offset = sent->header.offset;
		it->size = 8;
		break;
	case 1:
		it->header.id += (uint64_t)(chance(2) ? 1 : UINT32_MAX) << 32;
		break;
	case 2:
		it->header.kind = it->header.kind == HUPC__UCX_ANSWER ? HUPC__UCX_FENCED : HUPC__UCX_ANSWER;
		it->size = 8;
		break;
	default:
		if (it->header.kind == HUPC__UCX_DATA)
			it->header.offset += 1 + chance(100);
		else if (it->header.kind == HUPC__UCX_ANSWER)
			it->size = chance(8);
		else
			it->header.id ^= 1 << 20;
	}
	return WRONG;
}

/* Makes a barrier message for a barrier that cannot exist. */
static uint32_t make_meeting(struct message *it)
{
	struct hupc__presence latest;
	struct request request = {.kind = HUPC__MESSAGE_MEET,
		.small = (int32_t)(hupc__network_arrivals(&latest) + chance(2))}; /* the number of the barrier */
	const size_t size = 16 + sizeof(struct hupc__agreement);
	bool entitled = chance(2); /* to report that it has reached round 2 of 2 */
	request.words[0] = entitled ? 2 + chance(1000) : chance(2);
	finish_request(it, &request, entitled ? size : chance((uint32_t)size - 8), false);
	return WRONG;
}

static uint32_t make_numbers(struct message *it)
{
	make_fence(it);
	switch (chance(3)) {
	case 0:
		it->header.pair ^= UINT64_C(1) << chance(64);
		return STRANGE;
	case 1:
		it->header.seen += 1 + (chance(2) ? 0 : seed >> 8);
		return WRONG;
	default:
		it->header.number -= 1 + chance(3);
		return WRONG;
	}
}

static make *const makers[] = {make_put, make_puts, make_get, make_fence, make_atomic, make_update, make_lock, make_set,
	make_copy, make_heap, make_small, make_collective, make_hello, make_stale, make_crossed, make_meeting,
	make_numbers};
#define MAKERS (sizeof makers / sizeof *makers)

/* ---- changes ---- */

static void change_header(struct message *it)
{
	const uint64_t values[] = {0, 1, UINT64_MAX, INT64_MAX, UINT32_MAX, HUPC__PAGE, WIRE_SEGMENT, seed};
	uint64_t *const words[] = {&it->header.pair, &it->header.number, &it->header.seen, &it->header.id,
		&it->header.offset, &it->header.size};
	uint32_t which = chance(8);
	if (which == 6)
		it->header.from = chance(2) ? chance(5) : (uint32_t)seed;
	else if (which == 7)
		it->header.kind = chance(2) ? chance(HUPC__UCX_KINDS + 2) : (uint32_t)seed;
	else if (chance(2))
		*words[which] = values[chance(sizeof values / sizeof *values)];
	else
		*words[which] ^= UINT64_C(1) << chance(64);
}

static void change_data(struct message *it)
{
	uint32_t at = it->size ? chance((uint32_t)it->size) : 0;
	switch (chance(4)) {
	case 0:
		it->size = chance(5000);
		break;
	case 1:
		it->size = at;
		break;
	case 2:
		it->data[at] = (char)((unsigned char)it->data[at] ^ 1u << chance(8));
		break;
	default:
		for (uint32_t i = at; i < at + 8 && i < it->size; i++)
			it->data[i] = (char)chance(256);
	}
}

/* Returns true if a thread of the program could do this, too: write to the heaps' blocks, or pass a barrier. */
static bool is_harmful(const struct message *it)
{
	struct request request = {0};
	memcpy(&request, it->data, sizeof request);
	switch (it->header.kind) {
	case HUPC__UCX_PUT:
		return it->header.offset + it->size > WIRE_STATIC && it->header.offset < WIRE_SEGMENT;
	case HUPC__UCX_PUTS: /* any record, anywhere */
		return true;
	case HUPC__UCX_ASK:
	case HUPC__UCX_SEND:
		if (request.kind == HUPC__MESSAGE_MEET)
			return true; /* the barrier would count it */
		if (request.kind == HUPC__MESSAGE_SET || request.kind == HUPC__MESSAGE_COPY)
			return request.words[0] + request.words[2] > WIRE_STATIC;
		return request.kind == HUPC__MESSAGE_UPDATE   ? request.words[0] > WIRE_STATIC - 8
		       : request.kind == HUPC__MESSAGE_ATOMIC ? request.words[1] > WIRE_STATIC - 8
		       : request.kind >= HUPC__MESSAGE_LOCK && request.kind <= HUPC__MESSAGE_ORPHAN
			       ? request.words[0] > WIRE_STATIC - 64
			       : request.kind == HUPC__MESSAGE_GIVE; /* on what looks like a block */
	default:
		return false;
	}
}

static bool change(struct message *it)
{
	for (uint32_t count = 1 + chance(3); count; count--) {
		if (chance(2))
			change_header(it);
		else
			change_data(it);
	}
	return !is_harmful(it);
}

/* ---- thread 0 ---- */

static atomic_ulong rounds; /* of the loop that follows */

/* A second thread of thread 0's process asks, puts and executes barriers in turn, forever. */
static void *ask_for_ever(void *unused)
{
	const struct hupc__presence here = {(uint64_t)HUPC__BARRIER << 59, {0, 0, 0, 0}};
	for (unsigned i = 0;; i++) {
		uint64_t answer[2] = {0, UINT64_C(0x5a5a5a5a5a5a5a5a)};
		uint32_t question = HUPC__MESSAGE_CLOCK;
		int thread = 1 + (int)(i % 2);
		if (i % 3 == 0)
			hupc__network->ask(thread, &question, sizeof question, answer, 8);
		else if (i % 3 == 1)
			hupc__network->put(thread, HUPC__PAGE, &i, sizeof i);
		if (i % 6 == 5) {
			hupc__network_arrive(&here, 7);
			hupc__network_await("fuzz_wire");
		} else if (i % 3 == 1) {
			hupc__network->fence();
		}
		atomic_fetch_add(&rounds, 1);
		if (answer[1] != UINT64_C(0x5a5a5a5a5a5a5a5a))
			abort();
	}
	return unused;
}

static struct {
	hupc__transfer transfer;
	char *memory;
} live[LIVE];

static unsigned long transfers; /* completed transfers */

/* Begins transfers, and ends those that are complete. */
static void transfer(void)
{
	uint32_t which = chance(LIVE);
	if (!live[which].memory) {
		uint64_t size = chance(20) ? 1 + chance(2000) : 1 + chance(LARGEST);
		live[which].memory = malloc(size);
		live[which].transfer = hupc__network->get_begin(
			1 + (int)chance(2), HUPC__PAGE + chance(1000), live[which].memory, size);
	} else if (hupc__network->test(live[which].transfer)) {
		free(live[which].memory);
		live[which].memory = NULL;
		transfers++;
	}
}

/* ---- the run ---- */

static unsigned long taken, refused;

/* Returns true if the message was accepted immediately. */
static bool try(struct message *it, uint32_t expected, size_t header_size)
{
	const struct hupc__ucx_peer *peer = &hupc__ucx.peers[it->header.from < WIRE_THREADS ? it->header.from : 0];
	unsigned long before = wire_broken;
	uint64_t number = peer->order.next;
	bool right;
	if (peer->order.early && expected != STRANGE) /* the next one may be an early message that was stored */
		expected = EITHER;
	if (it->header.kind == HUPC__UCX_DATA || it->header.kind == HUPC__UCX_SEND)
		wire_forget_early(); /* so that only this one is counted */
	wire_arrive(&it->header, header_size, it->data, it->size);
	right = wire_broken == before && peer->order.next > number;
	if (expected == STRANGE && (right || wire_broken != before))
		fail("a message of another job was taken", &it->header);
	if (expected == RIGHT && !right)
		fail("a message that is right was refused", &it->header);
	if (expected == WRONG && wire_broken == before)
		fail("a message that cannot be right was taken", &it->header);
	right ? taken++ : refused++;
	if (right && it->header.kind == HUPC__UCX_DATA)
		count_data(it);
	else if (it->header.kind == HUPC__UCX_DATA)
		wire_forget_early(); /* data must not be accepted later than the test assumes */
	return right;
}

/* Answers the oldest request. Messages that let others pass a barrier are not changed, as they are sent once. */
static void send_answer(struct message *it)
{
	bool changed = chance(2) && pending.at[0].header.kind != HUPC__UCX_SEND, right;
	make_answer(it);
	if (changed && !change(it))
		return;
	right = try(it, changed ? EITHER : RIGHT, sizeof it->header);
	if (right && !changed && it->header.kind != HUPC__UCX_DATA)
		forget(0);
}

/* Returns true for messages of the runtime, which have one size each. */
static bool is_of_runtime(const struct message *it)
{
	return it->header.kind == HUPC__UCX_SEND || it->header.kind == HUPC__UCX_ASK;
}

static void send_request(struct message *it)
{
	size_t header_size = sizeof it->header;
	uint32_t expected;
	begin(it, 1 + chance(WIRE_THREADS - 1), 0);
	expected = makers[chance(MAKERS)](it);
	if (expected == RIGHT && chance(16) == 0 && is_of_runtime(it)) {
		it->size += chance(2) ? 1 + chance(8) : UINT64_MAX - chance(4);
		expected = WRONG;
	} else if (chance(2)) {
		expected = EITHER;
		if (chance(20) == 0)
			header_size = chance(sizeof it->header);
		if (!change(it))
			return;
	}
	if (try(it, expected, header_size) && header_size != sizeof it->header)
		fail("a message with half a header was taken", &it->header);
}

static void send_one(struct message *it)
{
	bool entered = hupc__ucx_enter();
	if (chance(4) == 0)
		wire_forget_early();
	while (pending.count && !is_live(&pending.at[0]))
		forget(0);
	if (pending.count && chance(3) == 0)
		send_answer(it);
	else
		send_request(it);
	hupc__ucx_leave(entered);
}

/* Waits until the second thread waits for an answer, which it may be about to request. */
static void let_it_ask(void)
{
	for (bool asked = false; !asked;) {
		bool entered = hupc__ucx_enter();
		for (unsigned i = 0; i < pending.count; i++)
			asked = asked || (pending.at[i].header.kind != HUPC__UCX_GET && is_live(&pending.at[i]));
		hupc__ucx_leave(entered);
		if (!asked)
			usleep(20);
	}
}

static void make_lock_again(void)
{
	struct hupc__lock *lock = UPCRT_ADDRESS(UPCRT_POINTER(0, 0, LOCK_AT));
	bool entered = hupc__ucx_enter();
	*lock = (struct hupc__lock){.magic = HUPC__NETWORK_LOCK_MAGIC};
	hupc__ucx_leave(entered);
}

int main(int argc, char **argv)
{
	static struct message message;
	pthread_t thread;
	unsigned long messages;
	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	messages = strtoul(argv[2], NULL, 10);
	wire_start(note);
	if (pthread_create(&thread, NULL, ask_for_ever, NULL))
		return 1;
	for (unsigned long i = 0; i < messages; i++) {
		send_one(&message);
		if (i % 16 == 0)
			transfer();
		if (i % 64 == 0)
			let_it_ask();
		if (i % 256 == 0)
			make_lock_again();
	}
	printf("%lu messages: %lu taken, %lu refused or kept; %lu requests, %lu transfers answered\n", messages, taken,
		refused, atomic_load(&rounds), transfers);
	fflush(stdout);
	_exit(taken > messages / 4 && refused > messages / 8 && atomic_load(&rounds) && transfers ? 0 : 1);
}
