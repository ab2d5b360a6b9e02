/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of stack frames, as far as it is used without call frame information. No other file may assume where a
 * frame has its return address. On x86-64, a frame with a frame pointer ends with the caller's frame pointer and the
 * return address; on AArch64 this pair, the frame record, may be anywhere in the frame.
 */
#ifndef HEDDLE_CORE_FRAME_H
#define HEDDLE_CORE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define HEDDLE_RECORD_ENDS_FRAME true
#else
#define HEDDLE_RECORD_ENDS_FRAME false
#endif

/* What a frame pointer points to. */
struct heddle_frame_record {
	uintptr_t bp, pc;
};

/* A function's call: the registers to unwind from there. Passed by value, as the frame may end before the walk. */
struct heddle_call {
	uintptr_t pc; /* the return address */
	uintptr_t sp; /* the stack pointer after that return: the called function's frame lies below it */
	uintptr_t bp; /* the caller's frame pointer register */
};

/* A code address without the signature that its function put into it (pointer authentication). Context: any. */
static inline uintptr_t heddle__unsigned_code(uintptr_t address)
{
#if defined(__aarch64__)
	register uintptr_t x30 __asm__("x30") = address;
	__asm__("hint #7" : "+r"(x30)); /* xpaclri: does nothing on processors without it */
	return x30;
#else
	return address;
#endif
}

/* Returns the call of the function with this frame record, if records end frames. Context: any thread, signal. */
static inline struct heddle_call heddle__call_of_record(const struct heddle_frame_record *record)
{
	return (struct heddle_call){.pc = record->pc, .sp = (uintptr_t)(record + 1), .bp = record->bp};
}

/*
 * heddle__call_here() returns the call of the function that uses it, which must not be inlined. Context: any thread,
 * signal.
 */
#if HEDDLE_RECORD_ENDS_FRAME
#define heddle__call_here() heddle__call_of_record(__builtin_frame_address(0))
#elif defined(__aarch64__) && defined(__clang__)
#error "clang does not report where a frame ends on this processor: GCC has to compile Heddle"
#elif defined(__aarch64__)
#define heddle__call_here()                                                 \
	((struct heddle_call){.pc = (uintptr_t)__builtin_return_address(0), \
		.sp = (uintptr_t)__builtin_dwarf_cfa(),                     \
		.bp = ((const struct heddle_frame_record *)__builtin_frame_address(0))->bp})
#elif defined(__riscv) && __riscv_xlen == 64
/* The frame ends with the record, and the frame pointer points past the record. */
#define heddle__call_here() heddle__call_of_record(heddle__record_here())
#elif defined(__powerpc64__)
/* The frame begins with the caller's stack pointer. */
#define heddle__call_here()    \
	((struct heddle_call){ \
		.pc = (uintptr_t)__builtin_return_address(0), .sp = *(const uintptr_t *)__builtin_frame_address(0)})
#else
#define heddle__call_here()    \
	((struct heddle_call){ \
		.pc = (uintptr_t)__builtin_return_address(0), .sp = (uintptr_t)__builtin_frame_address(0)})
#endif

/* Returns the frame record of the function that uses it. On ppc64le it is merely an address inside the frame. */
#if defined(__riscv)
#define heddle__record_here() ((const struct heddle_frame_record *)__builtin_frame_address(0) - 1)
#else
#define heddle__record_here() ((const struct heddle_frame_record *)__builtin_frame_address(0))
#endif

#endif
