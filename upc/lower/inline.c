/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that compiled UPC code does without a call: addresses, arithmetic and comparison of pointers-to-shared,
 * the affinity test. They are compiled to bitcode when Heddle is built, linked into every unit, and always inlined
 * there. Block and element sizes are constants after inlining, so most of each function is folded away.
 */
#include "upc/abi.h"
#include "upc/update.h"

#include <stdbool.h>

#define INLINE __attribute__((__always_inline__))
#define CALLED __attribute__((__noinline__))
/*
 * For functions that are seldom called. They preserve almost all registers, so a loop with such a call is compiled as
 * if it had none. clang 14 also preserved the register of the result, so these functions return nothing.
 */
#define SELDOM __attribute__((__noinline__, __cold__, __preserve_most__))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

/* 1: THREADS is a constant in this unit. The lowering defines both variables. */
extern const int __upci_static;

/* Rounds down, unlike C: affinity expressions may be negative. */
static __attribute__((__noinline__)) int64_t rest_slowly(int64_t value, int64_t divisor)
{
	int64_t rest = value % divisor;
	return rest < 0 ? rest + divisor : rest;
}

static INLINE inline uint64_t high_product(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}

/* A quotient that is too large by a constant: users subtract the constant where that is free. */
struct quotient {
	uint64_t quotient, excess;
};

static INLINE inline bool is_power_of_two(int64_t value)
{
	return (value & (value - 1)) == 0;
}

/* 0 for a power of two: nothing is multiplied then. */
static INLINE inline uint64_t excess_of(int64_t divisor)
{
	return is_power_of_two(divisor) ? 0 : (UINT64_C(1) << UPCRT_PHASE_SHIFT) / (uint64_t)divisor + 1;
}

static INLINE inline uint64_t inverse_of(int64_t divisor)
{
	return is_power_of_two(divisor) ? 0 : UINT64_MAX / (uint64_t)divisor + 1;
}

/*
 * Rounds down without a branch, for numbers of elements. No memory has more than 2^44 elements: the result is exact for
 * indices of either sign within that range, and has no meaning for others. A multiple of the divisor is added to make
 * them positive. The divisor, a block size or static THREADS, is a constant below 2^19 after inlining.
 */
static INLINE inline struct quotient divide(uint64_t value, int64_t divisor)
{
	if (is_power_of_two(divisor))
		return (struct quotient){(uint64_t)((int64_t)value >> __builtin_ctzll((uint64_t)divisor)), 0};
	uint64_t excess = excess_of(divisor);
	return (struct quotient){high_product(value + excess * (uint64_t)divisor, inverse_of(divisor)), excess};
}

/* As divide, with the divisor THREADS. */
static INLINE inline struct quotient divide_by_threads(uint64_t value)
{
	if (__upci_static)
		return divide(value, THREADS);
	uint64_t excess = UINT64_C(1) << UPCRT_OFFSET_BITS;
	return (struct quotient){high_product(value + excess * (uint64_t)THREADS + 1, __upcrt_threads_inverse), excess};
}

static INLINE inline int64_t rest_by_threads(int64_t value)
{
	struct quotient rounds = divide_by_threads((uint64_t)value);
	return value - (int64_t)(rounds.quotient - rounds.excess) * THREADS;
}

/*
 * The phase is 0 for block sizes 0 and 1. The address is computed as an integer to hide it from the optimizer: LLVM 14
 * computes the distance of two pointers in an int, and treats addresses in two threads' segments as neighbours.
 */
INLINE void *__upci_address(upcrt_shared pointer, uint64_t block)
{
	return (void *)(UPCRT_BASE + (block <= 1 ? pointer : pointer & UPCRT_ADDRESS_MASK));
}

INLINE void *__upci_to_private(upcrt_shared pointer)
{
	return pointer == 0 ? (void *)0 : UPCRT_ADDRESS(pointer);
}

/* The increments of a pointer-to-shared for one thread and for one phase. */
#define ONE_THREAD (UINT64_C(1) << UPCRT_OFFSET_BITS)
#define ONE_PHASE (UINT64_C(1) << UPCRT_PHASE_SHIFT)

/*
 * Adds INDEX elements, for block size 1: INDEX threads forward and, for each whole round, THREADS threads back and one
 * element forward. Works on whole pointers-to-shared: the fields need not be unpacked and packed again.
 */
INLINE upcrt_shared __upci_add_cyclic(upcrt_shared pointer, int64_t index, int64_t size)
{
	struct quotient rounds = divide_by_threads(UPCRT_THREAD(pointer) + (uint64_t)index);
	uint64_t round = (uint64_t)size - (uint64_t)THREADS * ONE_THREAD;
	return pointer - rounds.excess * round + (uint64_t)index * ONE_THREAD + rounds.quotient * round;
}

/* For checked versions: as fast as inlining in instrumented versions, and faster to compile. */
CALLED upcrt_shared __upci_called_add_cyclic(upcrt_shared pointer, int64_t index, int64_t size)
{
	return __upci_add_cyclic(pointer, index, size);
}

/* Adds one element. The pointer has no phase, so a comparison of pointers compares their threads first. */
INLINE upcrt_shared __upci_next_cyclic(upcrt_shared pointer, int64_t size)
{
	uint64_t last = (uint64_t)(THREADS - 1) * ONE_THREAD;
	return pointer >= last ? pointer - last + (uint64_t)size : pointer + ONE_THREAD;
}

/*
 * Adds INDEX elements, for block sizes above 1: INDEX elements and phases forward; for each whole block, one block back
 * and one thread forward; for each whole round, THREADS threads back and one block forward.
 */
static INLINE inline upcrt_shared sum_blocked(
	upcrt_shared pointer, int64_t index, int64_t size, int64_t block, struct quotient blocks)
{
	struct quotient rounds = divide_by_threads(UPCRT_THREAD(pointer) - blocks.excess + blocks.quotient);
	uint64_t one_element = ONE_PHASE + (uint64_t)size;
	uint64_t one_block = ONE_THREAD - (uint64_t)block * one_element;
	uint64_t one_round = (uint64_t)(block * size) - (uint64_t)THREADS * ONE_THREAD;
	return pointer - blocks.excess * one_block - rounds.excess * one_round + (uint64_t)index * one_element +
	       blocks.quotient * one_block + rounds.quotient * one_round;
}

INLINE upcrt_shared __upci_add_blocked(upcrt_shared pointer, int64_t index, int64_t size, int64_t block)
{
	struct quotient blocks = divide(UPCRT_PHASE(pointer) + (uint64_t)index, block);
	return sum_blocked(pointer, index, size, block, blocks);
}

/* As divide, with the EXCESS and INVERSE of the divisor; INVERSE is 0 for a power of two. */
static INLINE inline struct quotient called_divide(uint64_t value, int64_t divisor, uint64_t excess, uint64_t inverse)
{
	if (inverse)
		return (struct quotient){high_product(value + excess * (uint64_t)divisor, inverse), excess};
	return (struct quotient){(uint64_t)((int64_t)value >> __builtin_ctzll((uint64_t)divisor)), 0};
}

/* As __upci_add_blocked, with the EXCESS and INVERSE of the block size. */
static CALLED upcrt_shared called_add_blocked(
	upcrt_shared pointer, int64_t index, int64_t size, int64_t block, uint64_t excess, uint64_t inverse)
{
	struct quotient blocks = called_divide(UPCRT_PHASE(pointer) + (uint64_t)index, block, excess, inverse);
	return sum_blocked(pointer, index, size, block, blocks);
}

INLINE upcrt_shared __upci_called_add_blocked(upcrt_shared pointer, int64_t index, int64_t size, int64_t block)
{
	return called_add_blocked(pointer, index, size, block, excess_of(block), inverse_of(block));
}

/*
 * __upci_distance: how far a pointer is above the start of this node's range (upc/abi.h). __upci_is_same_node: whether
 * its memory is in that range, so that it can be accessed directly; false for remote memory, and for memory of the node
 * outside of the range. __upci_node_memory: the address, if it is.
 */
INLINE uint64_t __upci_distance(upcrt_shared pointer, uint64_t block, uint64_t node_shift)
{
	return (block <= 1 ? pointer : pointer & UPCRT_ADDRESS_MASK) + node_shift;
}

INLINE bool __upci_is_same_node(uint64_t distance)
{
	return LIKELY(distance < __upcrt_node_size);
}

/* True if all memory that is accessed by indices from POINTER is on this node. */
INLINE bool __upci_stays_on_node(upcrt_shared pointer)
{
	return __upci_is_same_node(__upci_distance(pointer, 0, __upcrt_node_shift));
}

/* True if a cyclic POINTER plus INDEX, or an index congruent modulo THREADS, is on this node. */
INLINE bool __upci_thread_is_same_node(upcrt_shared pointer, int64_t index)
{
	int64_t thread = rest_slowly((int64_t)UPCRT_THREAD(pointer) + index, THREADS);
	return __upci_stays_on_node(UPCRT_POINTER(0, thread, 1));
}

/* The remainder of an index, computed in front of a loop. */
INLINE int64_t __upci_rest(int64_t index)
{
	return rest_slowly(index, THREADS);
}

INLINE void *__upci_node_memory(uint64_t distance)
{
	return (void *)(__upcrt_node_base + distance);
}

/*
 * Computes the pointer from the distance again, for an access of memory that is not in the range. The read is volatile:
 * otherwise the optimizer keeps the pointer in a register, besides the distance.
 */
INLINE upcrt_shared __upci_seldom_pointer(uint64_t distance)
{
	return distance - *(const volatile uint64_t *)&__upcrt_node_shift;
}

/* Returns true if memory is this thread's: it can be accessed directly, and the access has no event. */
INLINE bool __upci_is_own(upcrt_shared pointer)
{
	return (int)UPCRT_THREAD(pointer) == MYTHREAD;
}

/* What an access caches between executions. For a variable, `pointer` is constant and is not compared. */
struct last_access {
	upcrt_shared pointer;
	uint64_t index, origin;
	uint64_t own; /* 1 if the block is this thread's; for accesses with events */
};

/* The new values of a last access. An index that cannot occur: the block is on another node. */
struct found_block {
	uint64_t index, origin;
};

/* The block of ELEMENT, counted from the start of the pointer's block. BLOCKS: ELEMENT divided by the block size. */
static INLINE inline struct found_block block_of(
	upcrt_shared pointer, int64_t size, int64_t block, struct quotient blocks)
{
	uint64_t number = blocks.quotient - blocks.excess;
	struct quotient rounds = divide_by_threads(UPCRT_THREAD(pointer) + number);
	uint64_t round = (uint64_t)(block * size) - (uint64_t)THREADS * ONE_THREAD;
	uint64_t origin = (pointer & UPCRT_ADDRESS_MASK) - UPCRT_PHASE(pointer) * (uint64_t)size +
			  number * (ONE_THREAD - (uint64_t)(block * size)) - rounds.excess * round +
			  rounds.quotient * round;
	return (struct found_block){number * (uint64_t)block, UPCRT_BASE + origin};
}

/*
 * As block_of, with the EXCESS and INVERSE of the block size. It is called once for each block: inlined copies would
 * take longer to compile and would not run faster.
 */
static CALLED struct found_block find_block(
	upcrt_shared pointer, uint64_t element, int64_t size, int64_t block, uint64_t excess, uint64_t inverse)
{
	return block_of(pointer, size, block, called_divide(element, block, excess, inverse));
}

/* See __upci_node_address. IN_PLACE: finds a new block without a call. */
static INLINE inline void *element_address(struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size,
	int64_t block, bool variable, bool in_place)
{
	uint64_t element = UPCRT_PHASE(pointer) + (uint64_t)index;
	if (!LIKELY(element - last->index < (uint64_t)block) || !(variable || LIKELY(last->pointer == pointer))) {
		struct found_block found =
			in_place ? block_of(pointer, size, block, divide(element, block))
				 : find_block(pointer, element, size, block, excess_of(block), inverse_of(block));
		last->index = found.index;
		last->origin = found.origin;
		last->pointer = pointer;
	}
	return (void *)(last->origin + element * (uint64_t)size);
}

/*
 * The address of the element at INDEX, for code that mostly stays within a block. `index` is the start of the last
 * block, relative to the start of the pointer's block; `origin` is the address that the pointer's block start would
 * have if the last block extended to it.
 */
INLINE void *__upci_node_address(
	struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size, int64_t block, bool variable)
{
	return element_address(last, pointer, index, size, block, variable, false);
}

/* As __upci_node_address, for a[row][column]: the optimizer moves most of it out of the loop over columns. */
INLINE void *__upci_row_address(
	struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size, int64_t block, bool variable)
{
	return element_address(last, pointer, index, size, block, variable, true);
}

/*
 * The steps of __upci_node_address as separate functions, for code that has to test. Is the element in the last block?
 * If not, is its block on this node? Then compute its address. Only a block on this node is recorded as the last one,
 * so an access within the last block needs no further test. The block's start has the same thread as the element, and
 * is computed separately from the element's address.
 *
 * The pointer is compared first: it does not change in a loop, and otherwise clang 19 would compute both results.
 */
INLINE bool __upci_is_in_last(
	struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size, int64_t block, bool variable)
{
	uint64_t element = UPCRT_PHASE(pointer) + (uint64_t)index;
	(void)size;
	return (variable || LIKELY(last->pointer == pointer)) && LIKELY(element - last->index < (uint64_t)block);
}

/* As find_block, for a block that may be on another node. */
static CALLED struct found_block find_node_block(
	upcrt_shared pointer, uint64_t element, int64_t size, int64_t block, uint64_t excess, uint64_t inverse)
{
	struct found_block found = find_block(pointer, element, size, block, excess, inverse);
	uint64_t start = found.origin - UPCRT_BASE + found.index * (uint64_t)size;
	if (!__upci_is_same_node(__upci_distance(start, 0, __upcrt_node_shift)))
		found.index = (uint64_t)INT64_MIN;
	return found;
}

INLINE bool __upci_is_block_same_node(
	struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size, int64_t block)
{
	uint64_t element = UPCRT_PHASE(pointer) + (uint64_t)index;
	struct found_block found = find_node_block(pointer, element, size, block, excess_of(block), inverse_of(block));
	last->index = found.index;
	last->origin = found.origin;
	last->pointer = pointer;
	return LIKELY(found.index != (uint64_t)INT64_MIN);
}

/* Returns true if a pointer is in the memory that the count is for. */
INLINE bool __upci_is_counted(struct upcrt_count *count, upcrt_shared pointer, uint64_t block)
{
	return LIKELY((block <= 1 ? pointer : pointer & UPCRT_ADDRESS_MASK) - count->low < count->size);
}

/* As find_block, for accesses with events. The lowest bit of the index is 1 if the block is this thread's. */
static CALLED struct found_block find_block_and_owner(
	upcrt_shared pointer, uint64_t element, int64_t size, int64_t block, uint64_t excess, uint64_t inverse)
{
	struct found_block found = find_block(pointer, element, size, block, excess, inverse);
	bool own = __upci_is_own(found.origin - UPCRT_BASE + found.index * (uint64_t)size);
	return (struct found_block){found.index << 1 | own, found.origin};
}

/* Finds the block of an element that is not in the last block, on any node, and records it as the last one. */
INLINE void __upci_find_last(struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size, int64_t block)
{
	struct found_block found = find_block_and_owner(
		pointer, UPCRT_PHASE(pointer) + (uint64_t)index, size, block, excess_of(block), inverse_of(block));
	last->index = (uint64_t)((int64_t)found.index >> 1);
	last->own = found.index & 1;
	last->origin = found.origin;
	last->pointer = pointer;
}

/* Returns true if the element in the last block is this thread's. */
INLINE bool __upci_is_last_own(struct last_access *last)
{
	return last->own != 0;
}

INLINE void *__upci_tested_address(struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size)
{
	return (void *)(last->origin + (UPCRT_PHASE(pointer) + (uint64_t)index) * (uint64_t)size);
}

/* The pointer-to-shared of an element in the last block, without its phase. */
INLINE upcrt_shared __upci_tested_pointer(struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size)
{
	return (uint64_t)__upci_tested_address(last, pointer, index, size) - UPCRT_BASE;
}

INLINE upcrt_shared __upci_next_blocked(upcrt_shared pointer, int64_t size, int64_t block)
{
	if (LIKELY((int64_t)UPCRT_PHASE(pointer) + 1 < block))
		return pointer + (UINT64_C(1) << UPCRT_PHASE_SHIFT) + (uint64_t)size;
	uint64_t thread = UPCRT_THREAD(pointer) + 1;
	uint64_t offset = UPCRT_OFFSET(pointer) + (uint64_t)size;
	if (thread == (uint64_t)THREADS)
		return offset;
	return (offset - (uint64_t)(block * size)) | thread << UPCRT_OFFSET_BITS;
}

/* The number of elements from B to A. */
INLINE int64_t __upci_difference(upcrt_shared a, upcrt_shared b, int64_t size, int64_t block)
{
	int64_t elements = ((int64_t)UPCRT_OFFSET(a) - (int64_t)UPCRT_OFFSET(b)) / size;
	if (block == 0)
		return elements;
	int64_t threads = (int64_t)UPCRT_THREAD(a) - (int64_t)UPCRT_THREAD(b);
	int64_t phases = block == 1 ? 0 : (int64_t)UPCRT_PHASE(a) - (int64_t)UPCRT_PHASE(b);
	return ((elements - phases) / block * THREADS + threads) * block + phases;
}

INLINE int __upci_affinity_pointer(upcrt_shared pointer)
{
	return (int)UPCRT_THREAD(pointer) == MYTHREAD;
}

/* For an affinity of type int or smaller. */
INLINE int __upci_affinity_small(int64_t value)
{
	return rest_by_threads(value) == MYTHREAD;
}

INLINE int __upci_affinity_signed(int64_t value)
{
	if (LIKELY(value >> 40 == 0))
		return rest_by_threads(value) == MYTHREAD;
	return rest_slowly(value, THREADS) == MYTHREAD;
}

INLINE int __upci_affinity_unsigned(uint64_t value)
{
	if (LIKELY(value >> 40 == 0))
		return rest_by_threads((int64_t)value) == MYTHREAD;
	return value % (uint64_t)THREADS == (uint64_t)MYTHREAD;
}

/* The number of iterations from an iteration of THREAD to the first one of this thread. */
static INLINE inline uint64_t threads_until(uint64_t thread)
{
	int64_t threads = MYTHREAD - (int64_t)thread;
	return (uint64_t)(threads < 0 ? threads + THREADS : threads);
}

/* RUN iterations of SCALE elements each make a block. */
INLINE uint64_t __upci_until_pointer(upcrt_shared pointer, uint64_t run, uint64_t scale)
{
	uint64_t threads = threads_until(UPCRT_THREAD(pointer));
	return run == 1 ? threads : threads * run - UPCRT_PHASE(pointer) / scale;
}

INLINE uint64_t __upci_until_signed(int64_t value)
{
	return threads_until((uint64_t)rest_slowly(value, THREADS));
}

INLINE uint64_t __upci_until_unsigned(uint64_t value)
{
	return threads_until(value % (uint64_t)THREADS);
}

/* The number of iterations of this block that have been executed. */
INLINE uint64_t __upci_iterations_over(upcrt_shared pointer, uint64_t scale)
{
	return UPCRT_PHASE(pointer) / scale;
}

INLINE int __upci_forall_enter(void)
{
	return __upcrt_forall_depth++;
}

INLINE void __upci_forall_leave(void)
{
	__upcrt_forall_depth--;
}

/*
 * BYTES is the size of one thread's share if `per_thread`, else of the whole; the result is the same in every thread.
 */
INLINE uint64_t __upci_localsizeof(uint64_t elements, uint64_t size, uint64_t block, bool per_thread)
{
	uint64_t blocks = block == 0 ? 0 : (elements + block - 1) / block;
	if (block == 0)
		return (per_thread ? elements * (uint64_t)THREADS : elements) * size;
	return (per_thread ? blocks : (blocks + (uint64_t)THREADS - 1) / (uint64_t)THREADS) * block * size;
}

/* Remote memory: accesses in functions that are not direct. */
static INLINE inline bool is_in_range(upcrt_shared pointer)
{
	return __upci_is_same_node(__upci_distance(pointer, UPCRT_MAX_BLOCK_SIZE, __upcrt_node_shift));
}

static INLINE inline bool is_same_node(upcrt_shared pointer)
{
	return is_in_range(pointer) || __upcrt_same_node[UPCRT_THREAD(pointer)];
}

/* Objects that a processor accesses as a whole are copied as a whole: they may be atomic. */
static INLINE inline void copy_object(void *to, const void *from, uint64_t size, int flags)
{
	if (flags & UPCRT_ACCESS_STRICT)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (size == 8)
		__builtin_memcpy(to, from, 8);
	else if (size == 4)
		__builtin_memcpy(to, from, 4);
	else
		__builtin_memcpy(to, from, size);
	if (flags & UPCRT_ACCESS_STRICT)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* For memory outside of the range, which may still be on this node: reads it into BUFFER, or writes it from BUFFER. */
SELDOM void __upci_seldom_get(upcrt_shared from, uint64_t size, void *buffer, int flags)
{
	if (__upcrt_same_node[UPCRT_THREAD(from)])
		copy_object(buffer, UPCRT_ADDRESS(from), size, flags);
	else
		__upcrt_remote_get(from, size, buffer, flags, __builtin_return_address(0));
}

SELDOM void __upci_seldom_put(upcrt_shared to, uint64_t size, const void *buffer, int flags)
{
	if (__upcrt_same_node[UPCRT_THREAD(to)])
		copy_object(UPCRT_ADDRESS(to), buffer, size, flags);
	else
		__upcrt_remote_put(to, size, buffer, flags, __builtin_return_address(0));
}

/* The address to load from: the object's own, if it is on this node, or BUFFER, which then has its contents. */
INLINE void *__upci_tested_get(upcrt_shared from, uint64_t size, void *buffer, int flags)
{
	if (is_same_node(from))
		return UPCRT_ADDRESS(from);
	__upci_seldom_get(from, size, buffer, flags);
	return buffer;
}

/* The address to store to: the object's own, or BUFFER. After the store, __upci_tested_put. */
INLINE void *__upci_tested_put_address(upcrt_shared to, void *buffer)
{
	return is_same_node(to) ? UPCRT_ADDRESS(to) : buffer;
}

INLINE void __upci_tested_put(upcrt_shared to, uint64_t size, const void *buffer, int flags)
{
	if (!is_same_node(to))
		__upci_seldom_put(to, size, buffer, flags);
}

/* The same operations with the least code, for accesses that are not worth more code. */
CALLED void *__upci_called_get(upcrt_shared from, uint64_t size, void *buffer, int flags)
{
	if (is_same_node(from))
		return UPCRT_ADDRESS(from);
	__upcrt_remote_get(from, size, buffer, flags, __builtin_return_address(0));
	return buffer;
}

CALLED void *__upci_called_put_address(upcrt_shared to, void *buffer)
{
	return is_same_node(to) ? UPCRT_ADDRESS(to) : buffer;
}

CALLED void __upci_called_put(upcrt_shared to, uint64_t size, const void *buffer, int flags)
{
	if (!is_same_node(to))
		__upcrt_remote_put(to, size, buffer, flags, __builtin_return_address(0));
}

/* Which ends of a copy are shared. */
enum { TO_SHARED = 1, FROM_SHARED = 2 };

#define COPY(name, function)                                                                                 \
	INLINE void __upci_tested_##name(upcrt_shared to, void *private_to, upcrt_shared from,               \
		const void *private_from, uint64_t size, int flags, int ends)                                \
	{                                                                                                    \
		if ((ends & TO_SHARED && !is_same_node(to)) || (ends & FROM_SHARED && !is_same_node(from)))  \
			__upcrt_remote_copy(to, private_to, from, private_from, size, flags);                \
		else                                                                                         \
			function(ends &TO_SHARED ? UPCRT_ADDRESS(to) : private_to,                           \
				ends &FROM_SHARED ? (const void *)UPCRT_ADDRESS(from) : private_from, size); \
	}
COPY(copy, __builtin_memcpy)
COPY(move, __builtin_memmove)

INLINE void __upci_tested_set(upcrt_shared to, int byte, uint64_t size, int flags)
{
	if (is_same_node(to))
		__builtin_memset(UPCRT_ADDRESS(to), byte, size);
	else
		__upcrt_remote_set(to, byte, size, flags);
}

/* An atomic operation (upc/abi.h). */
INLINE uint64_t __upci_tested_update(
	upcrt_shared object, uint64_t size, int operation, uint64_t operand, uint64_t expected)
{
	if (is_same_node(object))
		return upcrt_update(UPCRT_ADDRESS(object), size, operation, operand, expected);
	return __upcrt_remote_update(object, size, operation, operand, expected);
}

/* Called before or after a strict access; a strict access of remote memory orders itself. */
INLINE void __upci_tested_order(upcrt_shared pointer)
{
	if (*__upcrt_outstanding && is_same_node(pointer))
		__upcrt_order();
}

/* Instrumentation. */
/* On input, FLAGS have UPCRT_ACCESS_LOCAL if local accesses are reported, too; on output, if this access is local. */
static INLINE inline int true_flags(upcrt_shared pointer, int flags)
{
	int local = (int)UPCRT_THREAD(pointer) == MYTHREAD ? UPCRT_ACCESS_LOCAL : 0;
	return (flags & ~UPCRT_ACCESS_LOCAL) | local;
}

/*
 * _start returns whether it reported, and _end gets that: an access is tested once. Calls keep code at accesses small.
 */
#define MARKERS(name)                                                                                                  \
	static CALLED int called_##name##_start(                                                                       \
		upcrt_shared pointer, uint64_t size, void *local, int flags, const char *file, int line)               \
	{                                                                                                              \
		if (__upcrt_gasp)                                                                                      \
			__upcrt_##name##_start(pointer, size, local, true_flags(pointer, flags), file, line);          \
		return __upcrt_gasp != 0;                                                                              \
	}                                                                                                              \
	static CALLED void called_##name##_end(                                                                        \
		upcrt_shared pointer, uint64_t size, void *local, int flags, const char *file, int line)               \
	{                                                                                                              \
		__upcrt_##name##_end(pointer, size, local, true_flags(pointer, flags), file, line);                    \
	}                                                                                                              \
	INLINE int __upci_##name##_start(                                                                              \
		upcrt_shared pointer, uint64_t size, void *local, int flags, const char *file, int line)               \
	{                                                                                                              \
		return (flags & UPCRT_ACCESS_LOCAL) != 0 || (int)UPCRT_THREAD(pointer) != MYTHREAD                     \
			       ? called_##name##_start(pointer, size, local, flags, file, line)                        \
			       : 0;                                                                                    \
	}                                                                                                              \
	INLINE void __upci_##name##_end(                                                                               \
		upcrt_shared pointer, uint64_t size, void *local, int flags, const char *file, int line, int reported) \
	{                                                                                                              \
		if (reported)                                                                                          \
			called_##name##_end(pointer, size, local, flags, file, line);                                  \
	}
MARKERS(get)
MARKERS(put)

/* Returns true if compiled code may count one more access by itself. */
INLINE bool __upci_counts(struct upcrt_count *count)
{
	return --count->left >= 0;
}

/* Returns one of a place's two counts: of the thread's own memory, or of other threads' memory. */
INLINE struct upcrt_count *__upci_count_of(struct upcrt_count *counts, bool own)
{
	return &counts[own];
}

/* Performs and reports all other accesses with events. */
SELDOM void __upci_reported_get(
	upcrt_shared from, void *buffer, const struct upcrt_access *access, struct upcrt_count *count)
{
	__upcrt_reported_get(from, buffer, access, count, __builtin_return_address(0));
}

SELDOM void __upci_reported_put(
	upcrt_shared to, const void *buffer, const struct upcrt_access *access, struct upcrt_count *count)
{
	__upcrt_reported_put(to, buffer, access, count, __builtin_return_address(0));
}

INLINE void __upci_site(const char *file, int line)
{
	if (__builtin_expect(__upcrt_gasp, 0)) {
		__upcrt_site.file = file;
		__upcrt_site.line = line;
	}
}

INLINE void __upci_site_of_call(const char *file, int line, int call, int calls)
{
	if (__builtin_expect(__upcrt_gasp, 0)) {
		__upcrt_site.file = file;
		__upcrt_site.line = line;
		__upcrt_site.call = (unsigned char)(call < UPCRT_MOST_CALLS ? call : UPCRT_MOST_CALLS);
		__upcrt_site.calls = (unsigned char)(calls < UPCRT_MOST_CALLS ? calls : UPCRT_MOST_CALLS);
	}
}

INLINE void __upci_forall_start(const char *file, int line)
{
	if (__builtin_expect(__upcrt_gasp, 0))
		__upcrt_forall_start(file, line);
}

INLINE void __upci_forall_end(const char *file, int line)
{
	if (__builtin_expect(__upcrt_gasp, 0))
		__upcrt_forall_end(file, line);
}

INLINE void __upci_function_start(const char *name, const char *file, int line)
{
	if (__builtin_expect(__upcrt_gasp, 0))
		__upcrt_function_start(name, file, line);
}

INLINE void __upci_function_end(const char *name, const char *file, int line)
{
	if (__builtin_expect(__upcrt_gasp, 0))
		__upcrt_function_end(name, file, line);
}
