/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unwinding a call stack, behind one small interface. `heddle__unwinder_tables` (x86-64) walks by Heddle's own compact
 * tables; `heddle__unwinder_libunwind` is the portable back end and the reference of the tests.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_H
#define HEDDLE_SAMPLING_UNWIND_H

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum heddle_frame_flag {
	HEDDLE_FRAME_TRAMPOLINE = 1, /* the kernel's return trampoline below a signal handler of the program */
	HEDDLE_FRAME_BY_BP = 2,      /* its cfa comes from the frame pointer's register */
};

struct heddle_frame {
	uintptr_t pc; /* the interrupted instruction (first frame, or below a trampoline), else the return address */
	/*
	 * The stack pointer's value in the caller after return: the frame lies below it. Of a trampoline: the
	 * interrupted frame's stack pointer, maybe on another stack. Of a last frame that has no caller: its own stack
	 * pointer at least.
	 */
	uintptr_t cfa;
	uint64_t place; /* of the instruction; callers: of the call's last byte (pc - 1); a trampoline: of pc */
	uint8_t role;   /* enum heddle_module_role of its module */
	uint8_t flags;  /* enum heddle_frame_flag */
	/*
	 * Where this frame keeps the caller's frame pointer: that many words below its cfa; 0: nowhere, it still is in
	 * the register; HEDDLE_FRAME_COMPLEX: the way out of this frame used more than that and the return address.
	 */
	uint16_t bp_words;
};

#define HEDDLE_FRAME_COMPLEX UINT16_MAX

/* The stack pointer of an interrupted thread. Context: any thread, signal. */
static inline uintptr_t heddle__context_sp(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	return (uintptr_t)context->uc_mcontext.sp;
#else
	(void)context;
	return 0; /* unknown: the walk finds its stack's end by itself */
#endif
}

/* Where a walk starts: a signal's context, or a caller's frame known by three registers. */
struct heddle_unwind_start {
	const ucontext_t *context; /* or NULL, then: */
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

	/* Once, before any walk, after heddle__modules_init(NULL) was not yet called: it calls it. Returns 0 or -errno.
	 */
	int (*init)(void);

	/*
	 * Store the frames from `start` outwards, innermost first, at most `max` (the first is always stored); end
	 * after the first frame with cfa >= stop_cfa (0: never), or at `stack_high`, one past the stack's last byte.
	 * Returns their number, *end says why it ended. Context: any thread, signal. Never allocates, locks or faults.
	 *
	 * Read is: [sp - 128, stack_high) if sp is below stack_high, so give the end of the stack that sp is on; the
	 * sigaltstack that a context names, while sp is on it; and from any other stack (a coroutine's; stack_high 0)
	 * only pages that a system call, which can't fault, has tried first. A trampoline may lead from one stack to
	 * another. stop_cfa is an address of the thread's own stack; frames on other stacks are not compared with it.
	 */
	size_t (*walk)(const struct heddle_unwind_start *start, uintptr_t stack_high, uintptr_t stop_cfa,
		struct heddle_frame *frames, size_t max, enum heddle_unwind_end *end);
};

extern const struct heddle_unwinder heddle__unwinder_tables;
extern const struct heddle_unwinder heddle__unwinder_libunwind;

/* The one this build samples with. */
const struct heddle_unwinder *heddle__unwinder(void);

#endif
