/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Free blocks are in lists by size, four lists for each power of two; a bitmap marks the non-empty lists. Adjacent free
 * blocks are merged. A free block at the growing end is released, so that the other heap can use the space.
 */
#include "upc/runtime/memory/heap.h"

#include <string.h>
#include <sys/mman.h>

#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/messages/network.h"

#define GRAIN HUPC__GRAIN
#define GROWTH (UINT64_C(1) << 16)
#define SMALLEST (sizeof(struct hupc__block) + GRAIN)
#define FIT_TRIES 8                   /* blocks examined in the list whose blocks may be large enough */
#define REMOVABLE (UINT64_C(1) << 20) /* minimum bytes of free pages that are returned to the kernel at once */

static unsigned int bin_of(uint64_t size)
{
	unsigned int power = 63 - (unsigned int)__builtin_clzll(size);
	return (power - 5) * 4 + (unsigned int)(size >> (power - 2) & 3);
}

static void link_free(const struct hupc__heap *heap, uint64_t offset)
{
	struct hupc__block *block = hupc__block_at(heap, offset);
	unsigned int bin = bin_of(block->size);
	uint64_t first = heap->control->free[bin];
	block->state = HUPC__FREE_BLOCK;
	block->link[0] = first;
	block->link[1] = 0;
	if (first)
		hupc__block_at(heap, first)->link[1] = offset;
	heap->control->free[bin] = offset;
	heap->control->filled[bin / 64] |= UINT64_C(1) << bin % 64;
}

static void unlink_free(const struct hupc__heap *heap, uint64_t offset)
{
	struct hupc__block *block = hupc__block_at(heap, offset);
	unsigned int bin = bin_of(block->size);
	if (block->link[0])
		hupc__block_at(heap, block->link[0])->link[1] = block->link[1];
	if (block->link[1])
		hupc__block_at(heap, block->link[1])->link[0] = block->link[0];
	else
		heap->control->free[bin] = block->link[0];
	if (!heap->control->free[bin])
		heap->control->filled[bin / 64] &= ~(UINT64_C(1) << bin % 64);
}

static uint64_t find_in_list(const struct hupc__heap *heap, uint64_t size)
{
	uint64_t offset = heap->control->free[bin_of(size)];
	for (int looks = 0; offset && looks < FIT_TRIES; looks++) {
		if (hupc__block_at(heap, offset)->size >= size)
			return offset;
		offset = hupc__block_at(heap, offset)->link[0];
	}
	return 0;
}

/* The first block of any list after the one for `size`: all blocks there are large enough. */
static uint64_t find_larger(const struct hupc__heap *heap, uint64_t size)
{
	unsigned int bin = bin_of(size) + 1;
	for (unsigned int word = bin / 64; word < HUPC__HEAP_BINS / 64; word++) {
		uint64_t filled = heap->control->filled[word];
		if (word == bin / 64)
			filled &= ~UINT64_C(0) << bin % 64;
		if (filled)
			return heap->control->free[word * 64 + (unsigned int)__builtin_ctzll(filled)];
	}
	return 0;
}

static uint64_t behind(const struct hupc__heap *heap, uint64_t offset)
{
	uint64_t next = offset + hupc__block_at(heap, offset)->size;
	return next < heap->control->high ? next : 0;
}

/* Sets a block's size, and updates the following block and the heap. */
static void set_size(const struct hupc__heap *heap, uint64_t offset, uint64_t size)
{
	hupc__block_at(heap, offset)->size = size;
	uint64_t next = behind(heap, offset);
	if (next)
		hupc__block_at(heap, next)->before = (uint32_t)(offset / GRAIN);
	else
		heap->control->last = offset;
}

/*
 * Merges a block that is in no list with its free neighbours; returns the new start. Block headers inside of the result
 * keep the state of free blocks.
 */
static uint64_t join(const struct hupc__heap *heap, uint64_t offset)
{
	uint64_t next = behind(heap, offset), before = hupc__block_at(heap, offset)->before * GRAIN;
	if (next && hupc__block_at(heap, next)->state == HUPC__FREE_BLOCK) {
		unlink_free(heap, next);
		hupc__index_remove(heap, next, next + hupc__block_at(heap, next)->size);
		set_size(heap, offset, hupc__block_at(heap, offset)->size + hupc__block_at(heap, next)->size);
	}
	if (before && hupc__block_at(heap, before)->state == HUPC__FREE_BLOCK) {
		unlink_free(heap, before);
		hupc__index_remove(heap, offset, offset + hupc__block_at(heap, offset)->size);
		set_size(heap, before, hupc__block_at(heap, before)->size + hupc__block_at(heap, offset)->size);
		offset = before;
	}
	return offset;
}

/*
 * How far a heap can grow. Call with the edge's lock held. With a network the border between both heaps is fixed,
 * because the heaps of other nodes cannot be read.
 */
static uint64_t room(const struct hupc__heap *heap)
{
	uint64_t low = hupc__control->segment_size, border = hupc__control->border;
	if (border)
		return heap->grows_up ? border - heap->control->high : heap->control->low - border;
	if (!heap->grows_up)
		return heap->control->low - hupc__control->global_heap.high;
	for (int t = 0; t < hupc__threads; t++)
		low = hupc__control->heap[t].low < low ? hupc__control->heap[t].low : low;
	return low - heap->control->high;
}

/* Extends the heap by `size` bytes; returns them as a block that is in no list. Call with the edge's lock held. */
static uint64_t extend(const struct hupc__heap *heap, uint64_t size)
{
	struct hupc__heap_control *control = heap->control;
	bool empty = control->low == control->high;
	uint64_t offset = heap->grows_up ? control->high : control->low - size;
	if (heap->grows_up) {
		hupc__block_at(heap, offset)->before = empty ? 0 : (uint32_t)(control->last / GRAIN);
		control->high += size;
	} else {
		hupc__block_at(heap, offset)->before = 0;
		control->low = offset;
	}
	set_size(heap, offset, size);
	hupc__index_add(heap, offset);
	return join(heap, offset);
}

/* How much of the needed space is already free at the growing end. */
static uint64_t free_at_edge(const struct hupc__heap *heap)
{
	const struct hupc__heap_control *control = heap->control;
	if (control->low == control->high)
		return 0;
	const struct hupc__block *edge = hupc__block_at(heap, heap->grows_up ? control->last : control->low);
	return edge->state == HUPC__FREE_BLOCK ? edge->size : 0;
}

/* Grows the heap to get a block of at least that size, which is in no list; 0: no space is left. */
static uint64_t grow(const struct hupc__heap *heap, uint64_t size)
{
	uint64_t have = free_at_edge(heap), need = size > have ? size - have : SMALLEST, offset = 0;
	need = need < SMALLEST ? SMALLEST : need;
	hupc__mutex_lock(&hupc__control->edge);
	uint64_t most = room(heap);
	if (need <= most) {
		uint64_t generous = (need + GROWTH - 1) & ~(GROWTH - 1);
		offset = extend(heap, generous <= most ? generous : need);
	}
	hupc__mutex_unlock(&hupc__control->edge);
	return offset;
}

/* Splits a block: keeps `size` bytes, and puts the rest into a list. */
static void split(const struct hupc__heap *heap, uint64_t offset, uint64_t size)
{
	uint64_t whole = hupc__block_at(heap, offset)->size;
	if (whole - size < SMALLEST)
		return;
	uint64_t rest = offset + size;
	hupc__block_at(heap, rest)->size = whole - size;
	hupc__block_at(heap, rest)->before = (uint32_t)(offset / GRAIN);
	hupc__block_at(heap, offset)->size = size;
	set_size(heap, rest, whole - size);
	hupc__index_add(heap, rest);
	link_free(heap, rest);
}

/* Allocates; returns the offset of the program's memory, or 0. */
static uint64_t take(const struct hupc__heap *heap, uint64_t asked, const struct hupc__taker *taker)
{
	uint64_t size = (asked + sizeof(struct hupc__block) + GRAIN - 1) & ~(GRAIN - 1);
	if (asked > HUPC__STRIDE)
		return 0;
	size = size < SMALLEST ? SMALLEST : size;
	hupc__holds_heap++;
	hupc__mutex_lock(&heap->control->mutex);
	uint64_t offset = find_in_list(heap, size);
	offset = offset ? offset : find_larger(heap, size);
	if (offset)
		unlink_free(heap, offset);
	else
		offset = grow(heap, size);
	if (offset) {
		split(heap, offset, size);
		hupc__block_at(heap, offset)->state = heap->grows_up ? HUPC__GLOBAL_BLOCK : HUPC__LOCAL_BLOCK;
		hupc__block_sign(hupc__block_at(heap, offset), asked, taker);
	}
	hupc__mutex_unlock(&heap->control->mutex);
	hupc__holds_heap--;
	return offset ? offset + sizeof(struct hupc__block) : 0;
}

/* Returns the pages between the two offsets to the kernel. */
static void remove_pages(uint64_t thread, uint64_t from, uint64_t to)
{
	from = (from + HUPC__PAGE - 1) & ~(HUPC__PAGE - 1);
	to &= ~(HUPC__PAGE - 1);
	if (from < to)
		hupc__system(madvise, UPCRT_ADDRESS(UPCRT_POINTER(0, thread, from)), to - from, MADV_REMOVE);
}

static void remove_block(const struct hupc__heap *heap, uint64_t offset)
{
	uint64_t size = hupc__block_at(heap, offset)->size;
	if (size < REMOVABLE)
		return;
	for (uint64_t t = 0; t < (uint64_t)hupc__threads; t++) {
		if ((heap->grows_up && hupc__is_mapped_thread((int)t)) || t == heap->thread)
			remove_pages(t, offset + SMALLEST, offset + size);
	}
}

/* Releases a free block at the growing end, for the other heap. */
static bool shrink(const struct hupc__heap *heap, uint64_t offset)
{
	struct hupc__heap_control *control = heap->control;
	struct hupc__block *block = hupc__block_at(heap, offset);
	if (offset != (heap->grows_up ? control->last : control->low))
		return false;
	if (block->size < GROWTH && block->size != control->high - control->low)
		return false;
	hupc__mutex_lock(&hupc__control->edge);
	if (heap->grows_up) {
		control->last = block->before * GRAIN;
		control->high = offset;
	} else {
		uint64_t next = behind(heap, offset);
		control->low = offset + block->size;
		if (next)
			hupc__block_at(heap, next)->before = 0;
	}
	block->state = 0;
	hupc__index_remove(heap, offset, heap->grows_up ? control->high : control->low);
	hupc__mutex_unlock(&hupc__control->edge);
	return true;
}

static void give(const struct hupc__heap *heap, uint64_t offset)
{
	remove_block(heap, offset);
	heap->control->given++;
	hupc__block_at(heap, offset)->state = HUPC__FREE_BLOCK; /* also if it is merged into the one before it */
	offset = join(heap, offset);
	if (!shrink(heap, offset))
		link_free(heap, offset);
}

void hupc__heap_prepare(uint64_t start)
{
	uint64_t low = (start + GRAIN - 1) & ~(GRAIN - 1), high = hupc__control->segment_size;
	low = low < high ? low : high;
	if (hupc__control->border && hupc__control->border < low)
		hupc__control->border = low;
	hupc__control->global_heap.low = hupc__control->global_heap.high = low;
	for (int t = 0; t < hupc__threads; t++)
		hupc__control->heap[t].low = hupc__control->heap[t].high = high;
}

/* A request to the thread whose process manages the heap: to allocate memory, or to free it. */
struct request {
	uint32_t message; /* enum hupc__message */
	uint32_t reserved;
	uint64_t value; /* bytes, or the pointer */
	struct hupc__taker taker;
};

static uint64_t ask(int thread, enum hupc__message message, uint64_t value, const struct hupc__taker *taker)
{
	struct request request = {message, 0, value, *taker};
	uint64_t answer;
	hupc__network->ask(thread, &request, sizeof(request), &answer, sizeof(answer));
	return answer;
}

static bool receive_take(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct request *request = message;
	if (size != sizeof(*request) || !ticket || hupc__mythread != 0)
		return false;
	struct hupc__heap heap = hupc__heap_global();
	uint64_t offset = take(&heap, request->value, &request->taker);
	(void)from;
	hupc__network->answer(ticket, &offset, sizeof(offset));
	return true;
}
HUPC__RECEIVE(TAKE, receive_take, "an allocation")

_Noreturn static void exhausted(const struct hupc__site *site, const char *what, uint64_t size)
{
	hupc__fatal(site,
		"%s: no room for %lu bytes in a thread's shared memory of %lu; increase it with UPC_SHARED_HEAP_SIZE "
		"or -shared-heap",
		what, (unsigned long)size, (unsigned long)hupc__control->segment_size);
}

/* The allocator, by the name of the function. */
static struct hupc__taker taker_at(const struct hupc__site *site, const char *what)
{
	static const struct {
		const char *name;
		enum hupc__allocator by;
	} functions[] = {{"upc_alloc", HUPC__BY_ALLOC}, {"upc_local_alloc", HUPC__BY_ALLOC},
		{"upc_global_alloc", HUPC__BY_GLOBAL_ALLOC}, {"upc_all_alloc", HUPC__BY_ALL_ALLOC}};
	struct hupc__taker taker = {hupc__place_share(site), HUPC__FOR_RUNTIME, hupc__next_tag};
	hupc__next_tag = 0;
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (strcmp(functions[i].name, what) == 0)
			taker.by = functions[i].by;
	return taker;
}

upcrt_shared hupc__heap_take_local(const struct hupc__site *site, const char *what, uint64_t size)
{
	struct hupc__heap heap = hupc__heap_local((uint64_t)hupc__mythread);
	struct hupc__taker taker = taker_at(site, what);
	uint64_t offset = take(&heap, size, &taker);
	if (!offset)
		exhausted(site, what, size);
	return UPCRT_POINTER(0, hupc__mythread, offset);
}

upcrt_shared hupc__heap_take_global(const struct hupc__site *site, const char *what, uint64_t size)
{
	struct hupc__heap heap = hupc__heap_global();
	struct hupc__taker taker = taker_at(site, what);
	uint64_t offset =
		hupc__is_mapped_thread(0) ? take(&heap, size, &taker) : ask(0, HUPC__MESSAGE_TAKE, size, &taker);
	if (!offset)
		exhausted(site, what, size);
	return UPCRT_POINTER(0, 0, offset);
}

/* The block's state; 0 if the pointer cannot be that of a block. */
static uint32_t state_of(upcrt_shared pointer)
{
	uint64_t offset = UPCRT_OFFSET(pointer), thread = UPCRT_THREAD(pointer);
	if (thread >= (uint64_t)hupc__threads || offset % GRAIN != hupc__control->global_heap.low % GRAIN ||
		offset < hupc__control->global_heap.low + sizeof(struct hupc__block) ||
		offset >= hupc__control->segment_size)
		return 0;
	return ((struct hupc__block *)UPCRT_ADDRESS(UPCRT_POINTER(0, thread, offset - sizeof(struct hupc__block))))
		->state;
}

/* Returns true if the pointer was that of a block. Headers of blocks of all threads are in thread 0's segment. */
static bool give_here(upcrt_shared pointer)
{
	uint64_t thread = UPCRT_THREAD(pointer), offset = UPCRT_OFFSET(pointer) - sizeof(struct hupc__block);
	uint32_t state = state_of(pointer);
	bool given = false;
	struct hupc__heap heap = state == HUPC__GLOBAL_BLOCK ? hupc__heap_global() : hupc__heap_local(thread);
	if (state == HUPC__LOCAL_BLOCK || (state == HUPC__GLOBAL_BLOCK && thread == 0)) {
		hupc__holds_heap++;
		hupc__mutex_lock(&heap.control->mutex);
		given = hupc__block_at(&heap, offset)->state == state; /* no other thread has freed it since */
		if (given)
			give(&heap, offset);
		hupc__mutex_unlock(&heap.control->mutex);
		hupc__holds_heap--;
	}
	return given;
}

static bool receive_give(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	const struct request *request = message;
	(void)from;
	if (size != sizeof(*request) || !ticket || UPCRT_THREAD(request->value) != (uint64_t)hupc__mythread)
		return false;
	uint64_t given = give_here(request->value);
	hupc__network->answer(ticket, &given, sizeof(given));
	return true;
}
HUPC__RECEIVE(GIVE, receive_give, "upc_free")

static bool give_back(upcrt_shared pointer)
{
	int thread = (int)UPCRT_THREAD(pointer);
	if (thread >= hupc__threads || hupc__is_mapped_thread(thread))
		return give_here(pointer);
	return ask(thread, HUPC__MESSAGE_GIVE, pointer, &(struct hupc__taker){0});
}

void hupc__heap_give(const struct hupc__site *site, const char *what, upcrt_shared pointer)
{
	hupc__order(); /* this thread's puts must not take effect when the memory belongs to another allocation */
	if (!give_back(pointer))
		hupc__fatal(site,
			"%s of a pointer that is not from an allocation function, or was freed before (thread "
			"%u, address field 0x%lx)",
			what, (unsigned int)UPCRT_THREAD(pointer), (unsigned long)UPCRT_OFFSET(pointer));
	hupc__memory_freed();
}
