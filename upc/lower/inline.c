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

struct quotient {
	int64_t quotient;
	int64_t rest;
};

/* Rounds down, unlike C: indices may be negative. */
static __attribute__((__noinline__)) struct quotient divide_slowly(int64_t value, int64_t divisor)
{
	struct quotient result = {value / divisor, value % divisor};
	if (result.rest < 0) {
		result.rest += divisor;
		result.quotient--;
	}
	return result;
}

/* By a divisor that is a constant after inlining. */
static INLINE inline struct quotient divide(int64_t value, int64_t divisor)
{
	if ((divisor & (divisor - 1)) == 0)
		return (struct quotient){value >> __builtin_ctzll((uint64_t)divisor), value & (divisor - 1)};
	if (LIKELY((uint64_t)value >> 32 == 0))
		return (struct quotient){(uint32_t)value / (uint32_t)divisor, (uint32_t)value % (uint32_t)divisor};
	return divide_slowly(value, divisor);
}

static INLINE inline struct quotient divide_by_threads(int64_t value)
{
	if (__upci_static)
		return divide(value, THREADS);
	if (LIKELY((uint64_t)value >> 32 == 0)) {
		int64_t quotient = (int64_t)(((unsigned __int128)(uint64_t)value * __upcrt_threads_inverse) >> 63);
		return (struct quotient){quotient, value - quotient * THREADS};
	}
	return divide_slowly(value, THREADS);
}

/* As an offset from one place, so that the optimizer sees arrays, not casts. Phase 0 is known for blocks of 0 and 1. */
INLINE void *__upci_address(upcrt_shared pointer, uint64_t block)
{
	return (char *)UPCRT_BASE + (block <= 1 ? pointer : pointer & UPCRT_ADDRESS_MASK);
}

INLINE void *__upci_to_private(upcrt_shared pointer)
{
	return pointer == 0 ? (void *)0 : UPCRT_ADDRESS(pointer);
}

/* INDEX elements further, for blocks of 1. */
INLINE upcrt_shared __upci_add_cyclic(upcrt_shared pointer, int64_t index, int64_t size)
{
	struct quotient thread = divide_by_threads((int64_t)UPCRT_THREAD(pointer) + index);
	return UPCRT_OFFSET(pointer) + (uint64_t)(thread.quotient * size) +
	       ((uint64_t)thread.rest << UPCRT_OFFSET_BITS);
}

/* One element further. */
INLINE upcrt_shared __upci_next_cyclic(upcrt_shared pointer, int64_t size)
{
	upcrt_shared next = pointer + (UINT64_C(1) << UPCRT_OFFSET_BITS);
	return UPCRT_THREAD(next) == (uint64_t)THREADS || UPCRT_THREAD(next) == 0
		       ? UPCRT_OFFSET(pointer) + (uint64_t)size
		       : next;
}

/* INDEX elements further, for blocks of more than 1. */
INLINE upcrt_shared __upci_add_blocked(upcrt_shared pointer, int64_t index, int64_t size, int64_t block)
{
	int64_t phase = (int64_t)UPCRT_PHASE(pointer);
	struct quotient blocks = divide(phase + index, block);
	struct quotient thread = divide_by_threads((int64_t)UPCRT_THREAD(pointer) + blocks.quotient);
	int64_t elements = thread.quotient * block + blocks.rest - phase;
	return ((UPCRT_OFFSET(pointer) + (uint64_t)(elements * size)) | (uint64_t)thread.rest << UPCRT_OFFSET_BITS) |
	       (uint64_t)blocks.rest << UPCRT_PHASE_SHIFT;
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

INLINE int __upci_affinity_signed(int64_t value)
{
	return divide_by_threads(value).rest == MYTHREAD;
}

INLINE int __upci_affinity_unsigned(uint64_t value)
{
	if (LIKELY(value >> 63 == 0))
		return divide_by_threads((int64_t)value).rest == MYTHREAD;
	return value % (uint64_t)THREADS == (uint64_t)MYTHREAD;
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
