/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS. One step out of a frame by a packed rule, on x86-64. Only for unwind_walk.c. */
#ifndef HEDDLE_SAMPLING_UNWIND_LEAVE_X86_64_H
#define HEDDLE_SAMPLING_UNWIND_LEAVE_X86_64_H

#include "core/base/likely.h"
#include "sampling/unwind/rule.h"
#include "sampling/unwind/unwind_step.h"

static inline uintptr_t caller_rbp(struct heddle__cursor *cursor, uint32_t rule, uintptr_t cfa)
{
	uint32_t where = heddle__rule_rbp(rule);
	uintptr_t bp = cursor->bp;
	if (where == HEDDLE_RBP_SAME)
		return bp;
	if (where < HEDDLE_RBP_AT_RBP)
		return heddle__stack_read(&cursor->stack, cfa - 8 * (uintptr_t)where, &bp) ? bp : HEDDLE_LOST;
	if (where == HEDDLE_RBP_LOST)
		return HEDDLE_LOST;
	/* rbp is outside the frame, so already restored: GCC's epilogue of realigned stacks has a stale rule there. */
	if (bp < cursor->sp || bp >= cfa)
		return bp;
	return heddle__stack_read(&cursor->stack, bp, &bp) ? bp : HEDDLE_LOST;
}

static inline enum heddle__step leave(struct heddle__cursor *cursor, uint32_t pc, uint32_t rule, uintptr_t cfa)
{
	uintptr_t return_address, bp;
	if (HEDDLE_UNLIKELY(cfa <= cursor->sp || !heddle__stack_read(&cursor->stack, cfa - 8, &return_address)))
		return HEDDLE_STEP_BROKEN;
	bp = caller_rbp(cursor, rule, cfa);
	if (HEDDLE_UNLIKELY(cursor->following))
		heddle__cursor_follow_saved(cursor, pc, cfa);
	cursor->pc = return_address;
	cursor->sp = cfa;
	cursor->bp = bp;
	cursor->registers = NULL;
	cursor->exact = false;
	return HEDDLE_STEP_OUT;
}

static inline enum heddle__step leave_by_register(struct heddle__cursor *cursor, uint32_t pc, uint32_t rule)
{
	uintptr_t value;
	if (!heddle__cursor_register(cursor, heddle__rule_rbp(rule), &value))
		return cursor->following ? HEDDLE_STEP_BROKEN : HEDDLE_STEP_AGAIN;
	return leave(cursor, pc, HEDDLE_RULE_CFA_REGISTER, value + (uintptr_t)heddle__rule_offset(rule));
}

static inline enum heddle__step leave_at(struct heddle__cursor *cursor, uint32_t pc, uint32_t rule, uintptr_t base)
{
	uintptr_t cfa;
	if (!heddle__stack_read(&cursor->stack, base + (uintptr_t)heddle__rule_offset(rule), &cfa))
		return HEDDLE_STEP_BROKEN;
	return leave(cursor, pc, rule, cfa);
}

static inline enum heddle__step step_seldom(struct heddle__cursor *cursor, uint32_t pc, uint32_t rule)
{
	uintptr_t offset = (uintptr_t)heddle__rule_offset(rule);
	switch (heddle__rule_kind(rule)) {
	case HEDDLE_RULE_CFA_AT_RSP:
		return leave_at(cursor, pc, rule, cursor->sp);
	case HEDDLE_RULE_CFA_AT_RBP:
		return leave_at(cursor, pc, rule, cursor->bp);
	case HEDDLE_RULE_CFA_REGISTER:
		return leave_by_register(cursor, pc, rule);
	case HEDDLE_RULE_PLT:
		return leave(cursor, pc, HEDDLE_RULE_PLT, cursor->sp + ((cursor->pc & 15) >= offset / 8 ? 16 : 8));
	case HEDDLE_RULE_SIGNAL:
		return heddle__step_signal(cursor);
	case HEDDLE_RULE_END:
		cursor->sp += offset;
		return HEDDLE_STEP_END;
	case HEDDLE_RULE_NOT_BEGUN:
		return HEDDLE_STEP_ENDED;
	case HEDDLE_RULE_FULL:
		return heddle__step_by_table(cursor, pc);
	default:
		return heddle__step_blind(cursor);
	}
}

/* `pc`: relative to the module. */
static inline enum heddle__step step_by_rule(struct heddle__cursor *cursor, uint32_t pc, uint32_t rule)
{
	if (heddle__rule_kind(rule) == HEDDLE_RULE_CFA_SP)
		return leave(cursor, pc, rule, cursor->sp + (uintptr_t)heddle__rule_offset(rule));
	if (heddle__rule_kind(rule) == HEDDLE_RULE_CFA_FP)
		return leave(cursor, pc, rule, cursor->bp + (uintptr_t)heddle__rule_offset(rule));
	return step_seldom(cursor, pc, rule);
}

#endif
