/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a walk, and its rare steps: by full rules, across signal trampolines, through code without call frame
 * information, and in modules that have no table yet. RUNS IN SIGNAL HANDLERS.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_STEP_H
#define HEDDLE_SAMPLING_UNWIND_STEP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "core/base/likely.h"
#include "core/modules/module.h"
#include "sampling/unwind/unwind_cfi.h"
#include "sampling/unwind/unwind_table.h"

#define HEDDLE_LOST ((uintptr_t)1) /* instead of a frame pointer: no word at or near this address can be read */

enum heddle__step {
	HEDDLE_STEP_OUT,   /* the cursor is at the caller */
	HEDDLE_STEP_END,   /* this was the outermost frame */
	HEDDLE_STEP_ENDED, /* the previous frame was the outermost: this one's code has not begun */
	HEDDLE_STEP_BROKEN,
	HEDDLE_STEP_AGAIN, /* a callee-saved register is needed: restart the walk and follow all of them */
};

/*
 * The stack being walked. Words in [low, limit) may be read. If the end of the stack is unknown, `limit` grows page by
 * page up to `high`; a system call, which cannot fault, tries each page first.
 */
struct heddle__stack {
	uintptr_t low, limit, high;
	bool foreign; /* not the thread's own stack: its sigaltstack, or an unknown one */
};

struct heddle__visited {
	struct heddle_module_range range;
	const struct heddle__unwind_table *table;
};

struct heddle__cursor {
	uintptr_t pc, sp, bp;
	bool exact;     /* pc is an interrupted instruction, not a return address */
	bool certain;   /* no step so far was a guess */
	bool following; /* all callee-saved registers are followed in saved[] */
	uint16_t known; /* bit i: saved[i] is known */
	uintptr_t saved[HEDDLE_CFI_SAVED];
	const uintptr_t *registers; /* all registers of the frame if `exact`, as in a context; else NULL */
	struct heddle__stack stack;

	/* The module at pc. */
	struct heddle_module_range range;
	const struct heddle__unwind_table *table; /* NULL: none */

	struct heddle__visited left; /* the previous module */

	/* Constant during a walk. */
	uintptr_t stack_high;
	uintptr_t alternate_low, alternate_high;     /* 0, 0: none */
	uintptr_t interrupted[HEDDLE_CONTEXT_WORDS]; /* copied from the last trampoline */
	unsigned fresh_steps;
};

/* Reads a word that sanitizers may have poisoned. The caller has checked the address. */
__attribute__((no_sanitize("address", "thread"))) static inline uintptr_t heddle__stack_word(uintptr_t address)
{
	return *(const volatile uintptr_t *)address;
}

/* Tries whether the page of `address` can be read, on a stack whose end is unknown. */
bool heddle__stack_extend(struct heddle__stack *stack, uintptr_t address);

static inline bool heddle__stack_read(struct heddle__stack *stack, uintptr_t address, uintptr_t *word)
{
	if (HEDDLE_UNLIKELY((address & 7) || address < stack->low))
		return false;
	if (HEDDLE_UNLIKELY(address > stack->limit - 8) && !heddle__stack_extend(stack, address))
		return false;
	*word = heddle__stack_word(address);
	return true;
}

/* Switches to the stack that contains `sp`. */
void heddle__cursor_enter_stack(struct heddle__cursor *cursor, uintptr_t sp);

/* Records the sigaltstack that the kernel saved in a context. */
void heddle__cursor_note_alternate(struct heddle__cursor *cursor, uintptr_t low, uintptr_t size, int flags);

/* Returns the value of DWARF register `number` in the cursor's frame; false: unknown. */
bool heddle__cursor_register(const struct heddle__cursor *cursor, uint64_t number, uintptr_t *value);

/* Copy the followed registers of an exact frame; follow them to the caller, while the cursor is still in the frame. */
void heddle__cursor_take_saved(struct heddle__cursor *cursor);
void heddle__cursor_follow_saved(struct heddle__cursor *cursor, uint32_t pc, uintptr_t cfa);

/* One step: by a full rule; by the table's rule at `pc`, relative to the module. */
enum heddle__step heddle__step_full(struct heddle__cursor *cursor, const struct heddle__cfi_rule *rule);
enum heddle__step heddle__step_by_table(struct heddle__cursor *cursor, uint32_t pc);

/* A step across the kernel's trampoline: the cursor becomes the interrupted frame, exact, possibly on another stack. */
enum heddle__step heddle__step_signal(struct heddle__cursor *cursor);

/* Leaves the frame by a guess. */
void heddle__cursor_leave_blindly(struct heddle__cursor *cursor, uintptr_t pc, uintptr_t sp, uintptr_t bp);

/* A step out of code without call frame information: a guess, recorded in the cursor. */
enum heddle__step heddle__step_blind(struct heddle__cursor *cursor);

/* A step in a module that is not registered yet: by a safe copy of its .eh_frame. */
enum heddle__step heddle__step_fresh(struct heddle__cursor *cursor, uintptr_t at);

/* ---- specific to the processor: unwind_x86_64.c, unwind_aarch64.c ---- */

/* The offset of an interrupted frame's context from the stack pointer in a signal trampoline. */
#if defined(__aarch64__)
#define HEDDLE_CONTEXT_ABOVE sizeof(siginfo_t)
#else
#define HEDDLE_CONTEXT_ABOVE 0
#endif

/*
 * True at the kernel's call of rt_sigreturn, a trampoline without call frame information. Context: any thread, signal.
 */
bool heddle__is_trampoline(uintptr_t pc);

/* True if an address is a return address: in a known module, preceded by a call instruction. */
bool heddle__is_return_address(uintptr_t address);

/*
 * A step out of an interrupted function that is about to return. BROKEN: it is not, and nothing has changed. AArch64
 * only.
 */
enum heddle__step heddle__step_epilogue(struct heddle__cursor *cursor, uint32_t pc);

#endif
