/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unwinds a call stack, behind one small interface. `heddle__unwinder_tables` (x86-64, AArch64) uses Heddle's own
 * compact tables; `heddle__unwinder_chain` (others) follows frame pointers; `heddle__unwinder_libunwind` is the
 * reference in tests, and is not used elsewhere: in a signal handler it may fault, or wait for a lock of the dynamic
 * linker.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_H
#define HEDDLE_SAMPLING_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "core/threads/frontend.h"

enum heddle_frame_flag {
	HEDDLE_FRAME_TRAMPOLINE = 1, /* the kernel's return trampoline below a signal handler of the program */
	HEDDLE_FRAME_BY_BP = 2,      /* its CFA is computed from the frame pointer register */
};

struct heddle_frame {
	uintptr_t pc; /* the interrupted instruction (first frame, or below a trampoline), else the return address */
	/*
	 * The stack pointer's value in the caller after the return: the frame lies below it. For a trampoline: the
	 * stack pointer of the interrupted frame, possibly on another stack. For an outermost frame: at least its own
	 * stack pointer.
	 */
	uintptr_t cfa;
	uint64_t place; /* of the instruction; callers: of the call's last byte (pc - 1); a trampoline: of pc */
	uint8_t role;   /* role of its module: enum heddle_module_role, for a runtime plus its number */
	uint8_t flags;  /* enum heddle_frame_flag */
	/*
	 * Where this frame saves the caller's frame pointer, in words below its CFA; 0: not saved, it is still in the
	 * register; HEDDLE_FRAME_COMPLEX: leaving this frame used more than that and the return address.
	 */
	uint16_t bp_words;
	uint16_t ra_words; /* where it saves its return address, in words below its CFA; unless HEDDLE_FRAME_COMPLEX */
};

#define HEDDLE_FRAME_COMPLEX UINT16_MAX

/* The tables' procedure(); see struct heddle_unwinder. */
struct heddle_procedure heddle__procedure_of(uintptr_t at);

/* The stack pointer of an interrupted thread. Context: any thread, signal. */
static inline uintptr_t heddle__context_sp(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	return (uintptr_t)context->uc_mcontext.sp;
#elif defined(__riscv)
	return (uintptr_t)context->uc_mcontext.__gregs[REG_SP];
#elif defined(__powerpc64__)
	return (uintptr_t)context->uc_mcontext.gp_regs[1];
#else
	(void)context;
	return 0; /* unknown: the walk finds the end of the stack itself */
#endif
}

/* The program counter of an interrupted thread; 0: unknown. Context: any thread, signal. */
static inline uintptr_t heddle__context_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)context->uc_mcontext.pc;
#elif defined(__riscv)
	return (uintptr_t)context->uc_mcontext.__gregs[REG_PC];
#elif defined(__powerpc64__)
	return (uintptr_t)context->uc_mcontext.gp_regs[32];
#else
	(void)context;
	return 0;
#endif
}

/* The start of a walk: a signal's context, or a caller's frame given by three registers. */
struct heddle_unwind_start {
	const ucontext_t *context; /* or NULL; then: */
	uintptr_t pc, sp, bp;      /* pc is a return address, sp the stack pointer after that return */
};

enum heddle_unwind_end {
	HEDDLE_UNWIND_COMPLETE, /* reached the thread's outermost frame */
	HEDDLE_UNWIND_STOPPED,  /* reached stop_cfa */
	HEDDLE_UNWIND_FULL,     /* `max` frames stored */
	HEDDLE_UNWIND_BROKEN,   /* no rule, or a rule that leads outside the stack */
};

struct heddle_unwinder {
	const char *name;

	/*
	 * Called once before any walk. Calls heddle__modules_init, which must not have been called. Returns 0 or
	 * -errno.
	 */
	int (*init)(void);

	/*
	 * Stores the frames from `start` outwards, innermost first, at most `max` (the first is always stored). Ends
	 * after the first frame with cfa >= stop_cfa (0: no limit), or at `stack_high`, one past the stack's last byte.
	 * Returns the number of frames; *end is the reason for the end. Context: any thread, signal. Never allocates,
	 * locks or faults.
	 *
	 * Memory that is read: [sp - 128, stack_high) if sp is below stack_high, so pass the end of the stack that sp
	 * is on; the sigaltstack that a context names, while sp is on it; on any other stack (a coroutine's; stack_high
	 * 0) only pages that a system call, which cannot fault, has tried first. A trampoline may lead from one stack
	 * to another. stop_cfa is an address on the thread's own stack; frames on other stacks are not compared with
	 * it.
	 */
	size_t (*walk)(const struct heddle_unwind_start *start, uintptr_t stack_high, uintptr_t stop_cfa,
		struct heddle_frame *frames, size_t max, enum heddle_unwind_end *end);

	/*
	 * Returns the procedure that contains the address `at`, which must be on the calling thread's stack; all zero:
	 * unknown. NULL: not supported. Context: any thread, not a signal handler.
	 */
	struct heddle_procedure (*procedure)(uintptr_t at);

	/* See heddle__leave_frame. NULL: not supported. */
	bool (*leave)(struct heddle_call *call, uintptr_t end);
};

extern const struct heddle_unwinder heddle__unwinder_tables;
extern const struct heddle_unwinder heddle__unwinder_chain;
extern const struct heddle_unwinder heddle__unwinder_libunwind;

/* The unwinder that this build samples with. */
const struct heddle_unwinder *heddle__unwinder(void);

#endif
