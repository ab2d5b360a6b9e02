/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. Heaps of other machines are queried by messages. */
#include "upc/runtime/memory/heap_block.h"

#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/memory/segment.h"
#include "upc/runtime/messages/network.h"

_Thread_local volatile int hupc__holds_heap;
_Thread_local uint32_t hupc__next_tag;
static volatile uint64_t remote_version = 1;
static _Atomic bool has_freed;

void hupc__memory_may_be_freed(void)
{
	remote_version++;
}

struct hupc__heap hupc__heap_local(uint64_t thread)
{
	return (struct hupc__heap){&hupc__control->heap[thread], thread, false, hupc__segment_index(thread)};
}

struct hupc__heap hupc__heap_global(void)
{
	return (struct hupc__heap){&hupc__control->global_heap, 0, true, hupc__segment_global_index()};
}

void hupc__memory_freed(void)
{
	atomic_store(&has_freed, true);
	hupc__memory_may_be_freed();
}

bool hupc__memory_take_freed(void)
{
	return atomic_exchange(&has_freed, false);
}

/* ---- the index ---- */

static uint32_t *entry_of(const struct hupc__heap *heap, uint64_t offset)
{
	return &heap->index[offset >> HUPC__INDEX_SHIFT];
}

void hupc__index_add(const struct hupc__heap *heap, uint64_t offset)
{
	uint32_t *entry = entry_of(heap, offset), number = (uint32_t)(offset / HUPC__GRAIN);
	if (!*entry || number < *entry)
		*entry = number;
}

void hupc__index_remove(const struct hupc__heap *heap, uint64_t offset, uint64_t end)
{
	uint32_t *entry = entry_of(heap, offset);
	if (*entry != offset / HUPC__GRAIN)
		return;
	bool same_page = end >> HUPC__INDEX_SHIFT == offset >> HUPC__INDEX_SHIFT;
	*entry = same_page && end < heap->control->high ? (uint32_t)(end / HUPC__GRAIN) : 0;
}

void hupc__block_sign(struct hupc__block *block, uint64_t asked, const struct hupc__taker *taker)
{
	const struct hupc__shared_place *place = &taker->place;
	uint64_t most = (UINT64_C(1) << HUPC__LINE_BITS) - 1, line = place->line > 0 ? (uint64_t)place->line : 0;
	uint64_t what = (uint64_t)taker->by << HUPC__CALL_BITS | place->calls;
	what = what << HUPC__CALL_BITS | place->call;
	what = what << HUPC__LINE_BITS | (line <= most ? line : 0);
	block->file = place->file > 0 && place->file <= UINT32_MAX ? (uint32_t)place->file : 0;
	block->tag = taker->tag;
	block->asked = asked | what << HUPC__ASKED_BITS;
}

/* The end of a block; 0: not a block, because the program has overwritten its header. */
static uint64_t end_of(const struct hupc__heap *heap, uint64_t at)
{
	uint64_t high = heap->control->high;
	if (at < heap->control->low || at >= high)
		return 0;
	uint64_t size = hupc__block_at(heap, at)->size;
	return size && size <= high - at && size % HUPC__GRAIN == 0 ? at + size : 0;
}

/* The block that contains an offset of the heap; 0: none. Context: the heap's lock held. */
static uint64_t find_block(const struct hupc__heap *heap, uint64_t offset)
{
	uint64_t low = heap->control->low, page = offset >> HUPC__INDEX_SHIFT;
	if (offset < low || offset >= heap->control->high)
		return 0;
	while (page > low >> HUPC__INDEX_SHIFT && (!heap->index[page] || heap->index[page] * HUPC__GRAIN > offset))
		page--;
	uint64_t at = heap->index[page] * HUPC__GRAIN, end = end_of(heap, at);
	while (end && end <= offset) {
		at = end;
		end = end_of(heap, at);
	}
	return end ? at : 0;
}

/* ---- what a pointer points into ---- */

/* Removes the lowest bits of a word and returns them. */
static uint32_t take_bits(uint32_t *word, unsigned int bits)
{
	uint32_t taken = *word & ((1u << bits) - 1);
	*word >>= bits;
	return taken;
}

static void describe(const struct hupc__heap *heap, uint64_t at, uint64_t offset, struct hupc__memory *memory)
{
	const struct hupc__block *block = hupc__block_at(heap, at);
	uint64_t asked = block->asked & ((UINT64_C(1) << HUPC__ASKED_BITS) - 1), low = at + sizeof(*block);
	if (block->state == HUPC__FREE_BLOCK || offset < low || offset >= low + asked)
		return;
	memory->low = low;
	memory->high = low + asked;
	memory->file = block->file;
	memory->tag = block->tag;
	uint32_t what = (uint32_t)(block->asked >> HUPC__ASKED_BITS);
	memory->line = take_bits(&what, HUPC__LINE_BITS);
	memory->call = take_bits(&what, HUPC__CALL_BITS);
	memory->calls = take_bits(&what, HUPC__CALL_BITS);
	memory->allocator = what;
	memory->for_all = heap->grows_up;
}

static void find_locked(const struct hupc__heap *heap, uint64_t offset, struct hupc__memory *memory)
{
	if (hupc__holds_heap)
		return;
	hupc__holds_heap++;
	hupc__mutex_lock(&heap->control->mutex);
	memory->now = &heap->control->given;
	memory->version = heap->control->given;
	uint64_t at = find_block(heap, offset);
	if (at)
		describe(heap, at, offset, memory);
	hupc__mutex_unlock(&heap->control->mutex);
	hupc__holds_heap--;
}

static void find_in_heap(upcrt_shared pointer, bool global, struct hupc__memory *memory)
{
	struct hupc__heap heap = global ? hupc__heap_global() : hupc__heap_local(UPCRT_THREAD(pointer));
	find_locked(&heap, UPCRT_OFFSET(pointer), memory);
}

struct request {
	uint32_t message; /* HUPC__MESSAGE_FIND */
	uint32_t global;
	uint64_t pointer;
};

static bool receive_find(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct request *request = message;
	struct hupc__memory memory = {0};
	(void)from;
	if (size != sizeof(*request) || !ticket ||
		(request->global ? hupc__mythread != 0 : UPCRT_THREAD(request->pointer) != (uint64_t)hupc__mythread))
		return false;
	find_in_heap(request->pointer, request->global, &memory);
	hupc__network->answer(ticket, &memory, sizeof(memory));
	return true;
}
HUPC__RECEIVE(FIND, receive_find, "a question for a block")

static void find_remote(upcrt_shared pointer, bool global, struct hupc__memory *memory)
{
	struct request request = {HUPC__MESSAGE_FIND, global, pointer};
	uint64_t version = remote_version;
	hupc__network->ask(global ? 0 : (int)UPCRT_THREAD(pointer), &request, sizeof(request), memory, sizeof(*memory));
	memory->now = &remote_version;
	memory->version = version;
}

/* With a network, the border between both heaps is fixed; otherwise it is the end of the global heap. */
static bool is_global(uint64_t offset)
{
	uint64_t border = hupc__control->border;
	return offset < (border ? border : hupc__control->global_heap.high);
}

void hupc__memory_of(upcrt_shared pointer, struct hupc__memory *memory)
{
	uint64_t offset = UPCRT_OFFSET(pointer);
	bool global = is_global(offset);
	*memory = (struct hupc__memory){0};
	if (UPCRT_THREAD(pointer) >= (uint64_t)hupc__threads || offset >= hupc__control->segment_size)
		return;
	if (!hupc__network || hupc__is_mapped_thread(global ? 0 : (int)UPCRT_THREAD(pointer)))
		find_in_heap(pointer, global, memory);
	else
		find_remote(pointer, global, memory);
}
