/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses of remote memory by compiled code (upc/abi.h): over the network or, with UPC_NODE_SIZE on one machine, by
 * copying. Context of all: any thread.
 */
#include "upc/runtime/end/fault.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/move/move.h"
#include "upc/update.h"

/* An address after the instruction that accesses memory. */
#define CALLER __builtin_return_address(0)

static void check(void *code, upcrt_shared pointer, uint64_t size)
{
	if (__builtin_expect(hupc__in_range(pointer, size), 1))
		return;
	/* Report the first byte that is out of range. */
	uint64_t offset = UPCRT_OFFSET(pointer), end = hupc__control->segment_size;
	bool behind = offset >= HUPC__PAGE && offset < end && UPCRT_THREAD(pointer) < (uint64_t)hupc__threads;
	hupc__fault_report((char *)code - 1, UPCRT_POINTER(0, UPCRT_THREAD(pointer), behind ? end : offset));
}

/* Orders a strict access against all other accesses of its thread. */
static void order(int flags)
{
	if (flags & UPCRT_ACCESS_STRICT) {
		hupc__memory_may_be_freed();
		hupc__order();
	}
}

void __upcrt_remote_get(upcrt_shared from, uint64_t size, void *buffer, int flags, void *code)
{
	check(code, from, size);
	order(flags);
	hupc__get(buffer, from, size);
	order(flags);
}

void __upcrt_remote_put(upcrt_shared to, uint64_t size, const void *buffer, int flags, void *code)
{
	check(code, to, size);
	order(flags);
	hupc__put(to, buffer, size);
	order(flags);
}

void __upcrt_remote_copy(
	upcrt_shared to, void *private_to, upcrt_shared from, const void *private_from, uint64_t size, int flags)
{
	bool to_private = !to && private_to, from_private = !from && private_from;
	if (!size)
		return;
	if (!to_private)
		check(CALLER, to, size);
	if (!from_private)
		check(CALLER, from, size);
	order(flags);
	if (to_private)
		hupc__get(private_to, from, size);
	else if (from_private)
		hupc__put(to, private_from, size);
	else
		hupc__copy(to, from, size);
	order(flags);
}

void __upcrt_remote_set(upcrt_shared to, int byte, uint64_t size, int flags)
{
	if (!size)
		return;
	check(CALLER, to, size);
	order(flags);
	hupc__set(to, byte, size);
	order(flags);
}

struct update_request {
	uint32_t message; /* HUPC__MESSAGE_UPDATE */
	int32_t operation;
	uint64_t offset, size, operand, expected;
};

static bool is_possible(const struct update_request *it)
{
	bool real = it->operation == UPCRT_UPDATE_FADD || it->operation == UPCRT_UPDATE_FSUB;
	return (it->size == 1 || it->size == 2 || it->size == 4 || it->size == 8) && (!real || it->size >= 4) &&
	       it->operation >= UPCRT_UPDATE_EXCHANGE && it->operation <= UPCRT_UPDATE_COMPARE_EXCHANGE &&
	       hupc__in_own_range(it->offset, it->size);
}

static bool receive_update(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct update_request *it = message;
	if (size != sizeof(*it) || !ticket || !is_possible(it))
		return false;
	void *object = UPCRT_ADDRESS(UPCRT_POINTER(0, hupc__mythread, it->offset));
	uint64_t old = upcrt_update(object, it->size, it->operation, it->operand, it->expected);
	(void)from;
	hupc__network->answer(ticket, &old, sizeof(old));
	return true;
}
HUPC__RECEIVE(UPDATE, receive_update, "an update")

uint64_t __upcrt_remote_update(upcrt_shared object, uint64_t size, int operation, uint64_t operand, uint64_t expected)
{
	struct update_request request = {
		HUPC__MESSAGE_UPDATE, operation, UPCRT_OFFSET(object), size, operand, expected};
	uint64_t old;
	check(CALLER, object, size);
	hupc__order();
	if (hupc__is_mapped(object))
		old = upcrt_update(UPCRT_ADDRESS(object), size, operation, operand, expected);
	else
		hupc__network->ask((int)UPCRT_THREAD(object), &request, sizeof(request), &old, sizeof(old));
	hupc__order();
	return old;
}

void __upcrt_order(void)
{
	hupc__order();
}
