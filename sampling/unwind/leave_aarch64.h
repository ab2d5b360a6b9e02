/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS. One step out of a frame by a packed rule, on AArch64. Only for unwind_walk.c. */
#ifndef HEDDLE_SAMPLING_UNWIND_LEAVE_AARCH64_H
#define HEDDLE_SAMPLING_UNWIND_LEAVE_AARCH64_H

#include "core/base/frame.h"
#include "core/base/likely.h"
#include "sampling/unwind/rule.h"
#include "sampling/unwind/unwind_step.h"

/* Leaves an interrupted function that has not saved its return address, or has restored it: its frame may be empty. */
static inline enum heddle__step leave_by_link(struct heddle__cursor *cursor, uint32_t pc, uintptr_t cfa)
{
	uintptr_t return_address;
	if (!cursor->exact || cfa < cursor->sp || (cfa & 7) ||
		!heddle__cursor_register(cursor, HEDDLE_DWARF_RA, &return_address))
		return HEDDLE_STEP_BROKEN;
	if (HEDDLE_UNLIKELY(cursor->following))
		heddle__cursor_follow_saved(cursor, pc, cfa);
	cursor->pc = heddle__unsigned_code(return_address);
	cursor->sp = cfa;
	cursor->registers = NULL;
	cursor->exact = false;
	return HEDDLE_STEP_OUT;
}

static inline enum heddle__step leave(struct heddle__cursor *cursor, uint32_t pc, uint32_t rule, uintptr_t base)
{
	uintptr_t cfa = base + (uintptr_t)heddle__rule_offset(rule), bp = cursor->bp, return_address;
	uintptr_t words = heddle__rule_ra_words(rule), bp_words = heddle__rule_fp_words(rule);
	if (words == 0)
		return leave_by_link(cursor, pc, cfa);
	if (HEDDLE_UNLIKELY(cursor->exact)) {
		enum heddle__step step = heddle__step_epilogue(cursor, pc);
		if (step != HEDDLE_STEP_BROKEN)
			return step;
	}
	if (HEDDLE_UNLIKELY(cfa <= cursor->sp || !heddle__stack_read(&cursor->stack, cfa - 8 * words, &return_address)))
		return HEDDLE_STEP_BROKEN;
	if (bp_words && !heddle__stack_read(&cursor->stack, cfa - 8 * bp_words, &bp))
		bp = HEDDLE_LOST;
	if (HEDDLE_UNLIKELY(cursor->following))
		heddle__cursor_follow_saved(cursor, pc, cfa);
	cursor->pc = heddle__unsigned_code(return_address);
	cursor->sp = cfa;
	cursor->bp = bp;
	cursor->registers = NULL;
	cursor->exact = false;
	return HEDDLE_STEP_OUT;
}

/* `pc`: relative to the module. */
static inline enum heddle__step step_by_rule(struct heddle__cursor *cursor, uint32_t pc, uint32_t rule)
{
	switch (heddle__rule_kind(rule)) {
	case HEDDLE_RULE_CFA_SP:
		return leave(cursor, pc, rule, cursor->sp);
	case HEDDLE_RULE_CFA_FP:
		return leave(cursor, pc, rule, cursor->bp);
	case HEDDLE_RULE_SIGNAL:
		return heddle__step_signal(cursor);
	case HEDDLE_RULE_END:
		cursor->sp += (uintptr_t)heddle__rule_offset(rule);
		return HEDDLE_STEP_END;
	case HEDDLE_RULE_NOT_BEGUN:
		return HEDDLE_STEP_ENDED;
	case HEDDLE_RULE_FULL:
		return heddle__step_by_table(cursor, pc);
	default:
		return heddle__step_blind(cursor);
	}
}

#endif
