/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a walk, and the steps that are taken seldom: by full rules, across signal trampolines, through code
 * without call frame information, and in modules that have no table yet. RUNS IN SIGNAL HANDLERS.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_STEP_H
#define HEDDLE_SAMPLING_UNWIND_STEP_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "core/module.h"
#include "sampling/unwind_cfi.h"
#include "sampling/unwind_table.h"

#define HEDDLE_RED_ZONE 128
#define HEDDLE_LOST ((uintptr_t)1) /* in place of rbp: no word can be read at it or near it */

enum heddle__step {
	HEDDLE_STEP_OUT, /* the cursor is at the caller */
	HEDDLE_STEP_END, /* it was the outermost frame */
	HEDDLE_STEP_BROKEN,
	HEDDLE_STEP_AGAIN, /* a callee-saved register is wanted: walk again from the start, following them all */
};

/*
 * The stack being walked. Words in [low, limit) may be read. On a stack whose end nobody told us, `limit` grows page by
 * page up to `high`, each one being tried first by a system call that can't fault.
 */
struct heddle__stack {
	uintptr_t low, limit, high;
	bool foreign; /* not the thread's own: its sigaltstack, or a stack that nobody described */
};

struct heddle__visited {
	struct heddle_module_range range;
	const struct heddle__unwind_table *table;
};

struct heddle__cursor {
	uintptr_t pc, sp, bp;
	bool exact;     /* pc is an interrupted instruction, not a return address */
	bool certain;   /* no step was a guess so far */
	bool following; /* all callee-saved registers are followed in saved[] */
	uint8_t known;  /* bit i: saved[i] is known */
	uintptr_t saved[HEDDLE_CFI_SAVED];
	const greg_t *registers; /* all of the frame's registers when exact, else NULL */
	struct heddle__stack stack;

	/* The module at pc. */
	struct heddle_module_range range;
	const struct heddle__unwind_table *table; /* NULL: none */

	struct heddle__visited left; /* the module before */

	/* What stays the same for a walk. */
	uintptr_t stack_high;
	uintptr_t alternate_low, alternate_high; /* 0, 0: none */
	greg_t interrupted[NGREG];               /* copied from the trampoline last crossed */
	unsigned fresh_steps;
};

/* Foreign memory: what lies on the stack may be poisoned for sanitizers. The caller has checked the address. */
__attribute__((no_sanitize("address", "thread"))) static inline uintptr_t heddle__stack_word(uintptr_t address)
{
	return *(const volatile uintptr_t *)address;
}

/* Try the page of `address` on a stack of unknown end. */
bool heddle__stack_extend(struct heddle__stack *stack, uintptr_t address);

static inline bool heddle__stack_read(struct heddle__stack *stack, uintptr_t address, uintptr_t *word)
{
	if (__builtin_expect((address & 7) || address < stack->low, 0))
		return false;
	if (__builtin_expect(address > stack->limit - 8, 0) && !heddle__stack_extend(stack, address))
		return false;
	*word = heddle__stack_word(address);
	return true;
}

/* Take up the stack that holds `sp`. */
void heddle__cursor_enter_stack(struct heddle__cursor *cursor, uintptr_t sp);

/* Note the sigaltstack that the kernel saved in a context. */
void heddle__cursor_note_alternate(struct heddle__cursor *cursor, uintptr_t low, uintptr_t size, int flags);

/* The value of DWARF's register `number` in the cursor's frame; false: not known. */
bool heddle__cursor_register(const struct heddle__cursor *cursor, uint64_t number, uintptr_t *value);

/* One step by a full rule. */
enum heddle__step heddle__step_full(struct heddle__cursor *cursor, const struct heddle__cfi_rule *rule);

/* Across the kernel's trampoline: the cursor becomes the interrupted frame, exact, maybe on another stack. */
enum heddle__step heddle__step_signal(struct heddle__cursor *cursor);

/* Out of code without call frame information: a guess, marked as such in the cursor. */
enum heddle__step heddle__step_blind(struct heddle__cursor *cursor);

/* In a module that the registry does not know yet: from its .eh_frame, copied safely. */
enum heddle__step heddle__step_fresh(struct heddle__cursor *cursor, uintptr_t at);

#endif
