/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. A transfer between two other nodes passes through this one, unless both ends are in one segment. */
#include "upc/runtime/move/move.h"

#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"

#include <string.h>

#define PIECE (UINT64_C(1) << 16) /* bytes that pass through this node at a time */

/* A request to set or copy memory of one segment, executed by its owner. */
struct request {
	uint32_t message; /* enum hupc__message */
	int32_t byte;
	uint64_t to, from, size; /* offsets */
};

static void *here(uint64_t offset)
{
	return UPCRT_ADDRESS(UPCRT_POINTER(0, hupc__mythread, offset));
}

static void ask(int thread, const struct request *request)
{
	char done;
	hupc__network->ask(thread, request, sizeof(*request), &done, sizeof(done));
}

static bool receive_set(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct request *it = message;
	(void)from;
	if (size != sizeof(*it) || !ticket || !hupc__in_own_range(it->to, it->size))
		return false;
	memset(here(it->to), it->byte, it->size);
	hupc__network->answer(ticket, "", 1);
	return true;
}
HUPC__RECEIVE(SET, receive_set, "upc_memset")

static bool receive_copy(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct request *it = message;
	(void)from;
	if (size != sizeof(*it) || !ticket || !hupc__in_own_range(it->to, it->size) ||
		!hupc__in_own_range(it->from, it->size))
		return false;
	memmove(here(it->to), here(it->from), it->size);
	hupc__network->answer(ticket, "", 1);
	return true;
}
HUPC__RECEIVE(COPY, receive_copy, "upc_memcpy")

void hupc__get(void *to, upcrt_shared from, size_t size)
{
	if (hupc__is_mapped(from))
		memcpy(to, UPCRT_ADDRESS(from), size);
	else if (size)
		hupc__network->get((int)UPCRT_THREAD(from), UPCRT_OFFSET(from), to, size);
}

void hupc__put(upcrt_shared to, const void *from, size_t size)
{
	if (hupc__is_mapped(to))
		memcpy(UPCRT_ADDRESS(to), from, size);
	else if (size)
		hupc__network->put((int)UPCRT_THREAD(to), UPCRT_OFFSET(to), from, size);
}

void hupc__set(upcrt_shared to, int byte, size_t size)
{
	struct request request = {HUPC__MESSAGE_SET, byte, UPCRT_OFFSET(to), 0, size};
	if (hupc__is_mapped(to))
		memset(UPCRT_ADDRESS(to), byte, size);
	else if (size)
		ask((int)UPCRT_THREAD(to), &request);
}

/* Copies between threads of two other nodes, whose memory does not overlap. */
static void pass_through(upcrt_shared to, upcrt_shared from, size_t size)
{
	char piece[PIECE];
	for (uint64_t done = 0; done < size; done += PIECE) {
		uint64_t part = size - done < PIECE ? size - done : PIECE;
		hupc__get(piece, from + done, part);
		hupc__put(to + done, piece, part);
	}
}

void hupc__copy(upcrt_shared to, upcrt_shared from, size_t size)
{
	struct request request = {HUPC__MESSAGE_COPY, 0, UPCRT_OFFSET(to), UPCRT_OFFSET(from), size};
	if (hupc__is_mapped(to) && hupc__is_mapped(from))
		memmove(UPCRT_ADDRESS(to), UPCRT_ADDRESS(from), size);
	else if (!size)
		return;
	else if (hupc__is_mapped(to))
		hupc__get(UPCRT_ADDRESS(to), from, size);
	else if (hupc__is_mapped(from))
		hupc__put(to, UPCRT_ADDRESS(from), size);
	else if (UPCRT_THREAD(to) == UPCRT_THREAD(from))
		ask((int)UPCRT_THREAD(to), &request);
	else
		pass_through(to, from, size);
}

hupc__transfer hupc__get_begin(void *to, upcrt_shared from, size_t size)
{
	if (!hupc__is_mapped(from) && size)
		return hupc__network->get_begin((int)UPCRT_THREAD(from), UPCRT_OFFSET(from), to, size);
	memcpy(to, UPCRT_ADDRESS(from), size);
	return 0;
}

hupc__transfer hupc__put_begin(upcrt_shared to, const void *from, size_t size)
{
	if (!hupc__is_mapped(to) && size)
		return hupc__network->put_begin((int)UPCRT_THREAD(to), UPCRT_OFFSET(to), from, size);
	memcpy(UPCRT_ADDRESS(to), from, size);
	return 0;
}

hupc__transfer hupc__copy_begin(upcrt_shared to, upcrt_shared from, size_t size)
{
	if (hupc__is_mapped(from) && !hupc__is_mapped(to))
		return hupc__put_begin(to, UPCRT_ADDRESS(from), size);
	if (hupc__is_mapped(to) && !hupc__is_mapped(from))
		return hupc__get_begin(UPCRT_ADDRESS(to), from, size);
	hupc__copy(to, from, size);
	return 0;
}
