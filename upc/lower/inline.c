/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled UPC code does itself, without a call: addresses, arithmetic and comparison of pointers-to-shared, the
 * affinity test. Compiled to bitcode when Heddle is built, linked into every unit and always inlined there. Block and
 * element sizes are constants after inlining, so most of a function goes away.
 */
#include "upc/abi.h"

#include <stdbool.h>

#define INLINE __attribute__((__always_inline__))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

/* 1: THREADS is a constant of this unit. The lowering defines both accordingly. */
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

/* A quotient and a constant that it is too large by: what uses it takes that off where it costs nothing. */
struct quotient {
	uint64_t quotient, excess;
};

/*
 * Rounds down, without a branch, for numbers of elements: no memory has more than 2^44, so an index within that, of
 * either sign, is right, and others have no meaning. A multiple of the divisor makes them positive. The divisor, a
 * block or static THREADS, is a constant after inlining, less than 2^19.
 */
static INLINE inline struct quotient divide(uint64_t value, int64_t divisor)
{
	if ((divisor & (divisor - 1)) == 0)
		return (struct quotient){(uint64_t)((int64_t)value >> __builtin_ctzll((uint64_t)divisor)), 0};
	uint64_t excess = (UINT64_C(1) << UPCRT_PHASE_SHIFT) / (uint64_t)divisor + 1;
	uint64_t inverse = UINT64_MAX / (uint64_t)divisor + 1;
	return (struct quotient){high_product(value + excess * (uint64_t)divisor, inverse), excess};
}

/* The same, by THREADS. */
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
 * Phase 0 is known for blocks of 0 and 1. The sum is one of integers, which keeps it from the optimizer: LLVM 14 counts
 * how far two pointers are apart in an int, and takes those of two threads for neighbours.
 */
INLINE void *__upci_address(upcrt_shared pointer, uint64_t block)
{
	return (void *)(UPCRT_BASE + (block <= 1 ? pointer : pointer & UPCRT_ADDRESS_MASK));
}

INLINE void *__upci_to_private(upcrt_shared pointer)
{
	return pointer == 0 ? (void *)0 : UPCRT_ADDRESS(pointer);
}

/* What one more thread is in a pointer-to-shared, and one more in phase. */
#define ONE_THREAD (UINT64_C(1) << UPCRT_OFFSET_BITS)
#define ONE_PHASE (UINT64_C(1) << UPCRT_PHASE_SHIFT)

/*
 * INDEX elements further, for blocks of 1: that many threads further, and for each whole round as many threads back and
 * an element further. Sums of whole pointers-to-shared: the parts need not be taken out, nor put together again.
 */
INLINE upcrt_shared __upci_add_cyclic(upcrt_shared pointer, int64_t index, int64_t size)
{
	struct quotient rounds = divide_by_threads(UPCRT_THREAD(pointer) + (uint64_t)index);
	uint64_t round = (uint64_t)size - (uint64_t)THREADS * ONE_THREAD;
	return pointer - rounds.excess * round + (uint64_t)index * ONE_THREAD + rounds.quotient * round;
}

/* One element further. Without a phase, the thread is what comparisons see first. */
INLINE upcrt_shared __upci_next_cyclic(upcrt_shared pointer, int64_t size)
{
	uint64_t last = (uint64_t)(THREADS - 1) * ONE_THREAD;
	return pointer >= last ? pointer - last + (uint64_t)size : pointer + ONE_THREAD;
}

/*
 * INDEX elements further, for blocks of more than 1: that many elements and phases further; for each whole block a
 * block back and a thread further; for each whole round as many threads back and a block further.
 */
INLINE upcrt_shared __upci_add_blocked(upcrt_shared pointer, int64_t index, int64_t size, int64_t block)
{
	struct quotient blocks = divide(UPCRT_PHASE(pointer) + (uint64_t)index, block);
	struct quotient rounds = divide_by_threads(UPCRT_THREAD(pointer) - blocks.excess + blocks.quotient);
	uint64_t one_element = ONE_PHASE + (uint64_t)size;
	uint64_t one_block = ONE_THREAD - (uint64_t)block * one_element;
	uint64_t one_round = (uint64_t)(block * size) - (uint64_t)THREADS * ONE_THREAD;
	return pointer - blocks.excess * one_block - rounds.excess * one_round + (uint64_t)index * one_element +
	       blocks.quotient * one_block + rounds.quotient * one_round;
}

/* What an access remembers of the last time. For a variable, `pointer` is always the same, and isn't looked at. */
struct last_access {
	upcrt_shared pointer;
	uint64_t index, origin;
};

/*
 * The address INDEX elements further, for code that mostly goes on within a block: `index` is where the last block
 * began, counted from the begin of the pointer's block, `origin` the address that this begin would have if the last
 * block reached to there.
 */
INLINE void *__upci_near_address(
	struct last_access *last, upcrt_shared pointer, int64_t index, int64_t size, int64_t block, bool variable)
{
	uint64_t element = UPCRT_PHASE(pointer) + (uint64_t)index;
	if (!LIKELY(element - last->index < (uint64_t)block) || !(variable || LIKELY(last->pointer == pointer))) {
		struct quotient blocks = divide(element, block);
		uint64_t number = blocks.quotient - blocks.excess;
		struct quotient rounds = divide_by_threads(UPCRT_THREAD(pointer) + number);
		uint64_t round = (uint64_t)(block * size) - (uint64_t)THREADS * ONE_THREAD;
		last->index = number * (uint64_t)block;
		last->origin = (pointer & UPCRT_ADDRESS_MASK) - UPCRT_PHASE(pointer) * (uint64_t)size +
			       number * (ONE_THREAD - (uint64_t)(block * size)) - rounds.excess * round +
			       rounds.quotient * round;
		last->pointer = pointer;
	}
	return (void *)(UPCRT_BASE + last->origin + element * (uint64_t)size);
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

/* Elements from B to A. */
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

/* Of an int or less. */
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

/* How many iterations it is to the first one that is mine, from one that isn't. */
static INLINE inline uint64_t threads_until(uint64_t thread)
{
	int64_t threads = MYTHREAD - (int64_t)thread;
	return (uint64_t)(threads < 0 ? threads + THREADS : threads);
}

/* RUN iterations of SCALE elements each are a block. */
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

/* How many iterations of this block are over. */
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

/* BYTES are those of one thread's share, or of all without `dynamic`; the answer is the same for every thread. */
INLINE uint64_t __upci_localsizeof(uint64_t elements, uint64_t size, uint64_t block, bool per_thread)
{
	uint64_t blocks = block == 0 ? 0 : (elements + block - 1) / block;
	if (block == 0)
		return (per_thread ? elements * (uint64_t)THREADS : elements) * size;
	return (per_thread ? blocks : (blocks + (uint64_t)THREADS - 1) / (uint64_t)THREADS) * block * size;
}

/* Measuring. */
static INLINE inline bool wanted(upcrt_shared pointer, int flags)
{
	return __builtin_expect(__upcrt_gasp, 0) &&
	       ((flags & UPCRT_ACCESS_LOCAL) != 0 || (int)UPCRT_THREAD(pointer) != MYTHREAD);
}

/* FLAGS say LOCAL when local accesses are to be told, too; the runtime is told which kind this one is. */
static INLINE inline int true_flags(upcrt_shared pointer, int flags)
{
	int local = (int)UPCRT_THREAD(pointer) == MYTHREAD ? UPCRT_ACCESS_LOCAL : 0;
	return (flags & ~UPCRT_ACCESS_LOCAL) | local;
}

/* The first returns whether it told, for the second: an access is tested once. */
#define MARKERS(name)                                                                                              \
	INLINE int __upci_##name##_start(                                                                          \
		upcrt_shared pointer, uint64_t size, void *local, int flags, const char *file, int line)           \
	{                                                                                                          \
		bool told = wanted(pointer, flags);                                                                \
		if (told)                                                                                          \
			__upcrt_##name##_start(pointer, size, local, true_flags(pointer, flags), file, line);      \
		return told;                                                                                       \
	}                                                                                                          \
	INLINE void __upci_##name##_end(                                                                           \
		upcrt_shared pointer, uint64_t size, void *local, int flags, const char *file, int line, int told) \
	{                                                                                                          \
		if (__builtin_expect(told, 0))                                                                     \
			__upcrt_##name##_end(pointer, size, local, true_flags(pointer, flags), file, line);        \
	}
MARKERS(get)
MARKERS(put)

INLINE void __upci_site(const char *file, int line)
{
	if (__builtin_expect(__upcrt_gasp, 0)) {
		__upcrt_site.file = file;
		__upcrt_site.line = line;
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
