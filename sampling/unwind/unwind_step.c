/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS. The rare steps of a walk. Reads only words that the cursor's stack permits. */
#include "sampling/unwind/unwind_step.h"

#include <signal.h>
#include <string.h>

#include "core/base/frame.h"
#include "core/base/peek.h"

#define PAGE ((uintptr_t)4096)
#define UNKNOWN_STACK_SIZE ((uintptr_t)8 << 20) /* most bytes to walk of a stack whose end is unknown */
#define EXPRESSION_DEPTH 16

bool heddle__stack_extend(struct heddle__stack *stack, uintptr_t address)
{
	uint64_t word;
	if (address >= stack->high || stack->high - address < 8)
		return false;
	/* Page by page, because a gap ends the stack. */
	while (address > stack->limit - 8) {
		if (!heddle__peek(stack->limit, &word, sizeof(word)))
			return false;
		stack->limit = (stack->limit & ~(PAGE - 1)) + PAGE;
		if (stack->limit > stack->high)
			stack->limit = stack->high;
	}
	return true;
}

void heddle__cursor_note_alternate(struct heddle__cursor *cursor, uintptr_t low, uintptr_t size, int flags)
{
	if ((flags & SS_DISABLE) || size == 0 || low + size < low)
		return;
	cursor->alternate_low = low;
	cursor->alternate_high = low + size;
}

/*
 * `sp` comes from the kernel or is derived from its value, so the stack at `sp` is mapped. The end of the sigaltstack
 * is known from the kernel, that of the thread's stack from the caller; that of a coroutine's stack is unknown.
 */
void heddle__cursor_enter_stack(struct heddle__cursor *cursor, uintptr_t sp)
{
	struct heddle__stack *stack = &cursor->stack;
	*stack = (struct heddle__stack){.low = UINTPTR_MAX, .foreign = true};
	if (sp < PAGE)
		return; /* nothing may be read */
	stack->low = sp - HEDDLE_RED_ZONE;
	if (sp >= cursor->alternate_low && sp < cursor->alternate_high) {
		stack->limit = stack->high = cursor->alternate_high;
	} else if (sp < cursor->stack_high) {
		stack->limit = stack->high = cursor->stack_high;
		stack->foreign = false;
	} else {
		stack->limit = sp & ~(PAGE - 1); /* not even the first page is assumed readable */
		if (stack->low < stack->limit)
			stack->low = stack->limit;
		stack->high = sp + UNKNOWN_STACK_SIZE;
	}
}

bool heddle__cursor_register(const struct heddle__cursor *cursor, uint64_t number, uintptr_t *value)
{
	int saved = heddle__saved_index(number);
	if (number == HEDDLE_DWARF_SP)
		*value = cursor->sp;
	else if (number == HEDDLE_DWARF_FP)
		*value = cursor->bp;
	else if (number == HEDDLE_DWARF_RA && !HEDDLE_CALLS_BY_REGISTER)
		*value = cursor->pc;
	else if (cursor->registers && number < HEDDLE_DWARF_REGISTERS)
		*value = heddle__stack_word((uintptr_t)&cursor->registers[heddle__context_index(number)]);
	else if (cursor->following && saved >= 0 && (cursor->known & 1 << saved))
		*value = cursor->saved[saved];
	else
		return false;
	return true;
}

struct evaluation {
	struct heddle__cursor *cursor;
	struct heddle__cfi_bytes bytes;
	uintptr_t stack[EXPRESSION_DEPTH];
	int depth;
	enum heddle__step failure;
};

/* DWARF 5, 2.5.1.4: operations with two operands. False: another operation. */
static bool evaluate_binary(struct evaluation *e, uint8_t op)
{
	uintptr_t a, b, *result;
	if (op != 0x1a && op != 0x1c && op != 0x21 && op != 0x22 && op != 0x24 && op != 0x25 && op != 0x2a)
		return false;
	if (e->depth < 2) {
		e->bytes.bad = true;
		return true;
	}
	b = e->stack[--e->depth];
	result = &e->stack[e->depth - 1];
	a = *result;
	switch (op) {
	case 0x1a:
		*result = a & b;
		break;
	case 0x1c:
		*result = a - b;
		break;
	case 0x21:
		*result = a | b;
		break;
	case 0x22:
		*result = a + b;
		break;
	case 0x24:
		*result = b < 64 ? a << b : 0;
		break;
	case 0x25:
		*result = b < 64 ? a >> b : 0;
		break;
	default:
		*result = (intptr_t)a >= (intptr_t)b;
	}
	return true;
}

/* Operations on the top of the stack. False: another operation. */
static bool evaluate_unary(struct evaluation *e, uint8_t op)
{
	uintptr_t *top;
	if (op != 0x06 && op != 0x12 && op != 0x23)
		return false;
	if (e->depth < 1) {
		e->bytes.bad = true;
		return true;
	}
	top = &e->stack[e->depth - 1];
	if (op == 0x06) /* deref */
		e->bytes.bad |= !heddle__stack_read(&e->cursor->stack, *top, top);
	else if (op == 0x12) /* dup */
		e->stack[e->depth++] = *top;
	else /* plus_uconst */
		*top += heddle__cfi_uleb(&e->bytes);
	return true;
}

static uintptr_t evaluate_constant(struct evaluation *e, uint8_t op)
{
	if (op >= 0x30 && op <= 0x4f)
		return op - 0x30;
	if (op >= 0x08 && op <= 0x0f) {
		size_t size = (size_t)1 << (op - 0x08) / 2;

		return op & 1 ? (uintptr_t)heddle__cfi_signed(&e->bytes, size) : heddle__cfi_unsigned(&e->bytes, size);
	}
	if (op == 0x10)
		return heddle__cfi_uleb(&e->bytes);
	if (op == 0x11)
		return (uintptr_t)heddle__cfi_sleb(&e->bytes);
	e->bytes.bad = true;
	return 0;
}

static void evaluate_operation(struct evaluation *e)
{
	uint8_t op = (uint8_t)heddle__cfi_unsigned(&e->bytes, 1);
	uintptr_t value;
	if (e->depth >= EXPRESSION_DEPTH) {
		e->bytes.bad = true;
		return;
	}
	if (evaluate_unary(e, op) || evaluate_binary(e, op))
		return;
	if (op >= 0x70 && op <= 0x8f) { /* breg */
		int64_t offset = heddle__cfi_sleb(&e->bytes);

		if (!heddle__cursor_register(e->cursor, op - 0x70u, &value)) {
			e->bytes.bad = true;
			e->failure = HEDDLE_STEP_AGAIN;
			return;
		}
		value += (uintptr_t)offset;
	} else {
		value = evaluate_constant(e, op);
	}
	e->stack[e->depth++] = value;
}

/* Evaluates an expression. `initial`: pushed first, or NULL. STEP_OUT: *value is the result. */
static enum heddle__step evaluate(struct heddle__cursor *cursor, const struct heddle__cfi_location *location,
	const uintptr_t *initial, uintptr_t *value)
{
	struct evaluation e = {.cursor = cursor, .failure = HEDDLE_STEP_BROKEN};
	e.bytes.at = location->expression;
	e.bytes.end = location->expression + location->expression_size;
	if (initial)
		e.stack[e.depth++] = *initial;
	while (e.bytes.at < e.bytes.end && !e.bytes.bad)
		evaluate_operation(&e);
	if (e.bytes.bad)
		return e.failure == HEDDLE_STEP_AGAIN && !cursor->following ? HEDDLE_STEP_AGAIN : HEDDLE_STEP_BROKEN;
	if (e.depth < 1)
		return HEDDLE_STEP_BROKEN;
	*value = e.stack[e.depth - 1];
	return HEDDLE_STEP_OUT;
}

/* Recovers the caller's value of a register; `same` is its value in this frame. */
static enum heddle__step recover(struct heddle__cursor *cursor, const struct heddle__cfi_location *location,
	uintptr_t cfa, uintptr_t same, uintptr_t *value)
{
	enum heddle__step step;
	switch (location->how) {
	case HEDDLE_CFI_SAME:
		*value = same;
		return HEDDLE_STEP_OUT;
	case HEDDLE_CFI_IS_CFA:
		*value = cfa + (uintptr_t)(intptr_t)location->offset;
		return HEDDLE_STEP_OUT;
	case HEDDLE_CFI_AT_CFA:
		return heddle__stack_read(&cursor->stack, cfa + (uintptr_t)(intptr_t)location->offset, value)
			       ? HEDDLE_STEP_OUT
			       : HEDDLE_STEP_BROKEN;
	case HEDDLE_CFI_IN_REGISTER:
		if (heddle__cursor_register(cursor, (uint64_t)location->offset, value))
			return HEDDLE_STEP_OUT;
		return cursor->following ? HEDDLE_STEP_BROKEN : HEDDLE_STEP_AGAIN;
	case HEDDLE_CFI_AT_EXPRESSION:
	case HEDDLE_CFI_IS_EXPRESSION:
		step = evaluate(cursor, location, &cfa, value);
		if (step == HEDDLE_STEP_OUT && location->how == HEDDLE_CFI_AT_EXPRESSION &&
			!heddle__stack_read(&cursor->stack, *value, value))
			return HEDDLE_STEP_BROKEN;
		return step;
	default:
		return HEDDLE_STEP_BROKEN;
	}
}

/*
 * True in GCC's epilogue of a realigned stack, where the rule is stale after `pop %rbp`: rbp already has the caller's
 * value, and does not point into this frame.
 */
static bool is_restored_rbp(
	const struct heddle__cursor *cursor, const struct heddle__cfi_location *location, uintptr_t cfa)
{
	return location->how == HEDDLE_CFI_AT_EXPRESSION && location->expression_size == 2 &&
	       location->expression[0] == 0x70 + HEDDLE_DWARF_FP && location->expression[1] == 0 &&
	       (cursor->bp < cursor->sp || cursor->bp >= cfa);
}

/* Follows the callee-saved registers to the caller, while the cursor is still in the frame. */
static void follow_saved(struct heddle__cursor *cursor, const struct heddle__cfi_rule *rule, uintptr_t cfa)
{
	uintptr_t saved[HEDDLE_CFI_SAVED];
	uint16_t all_known = 0;
	for (int i = 0; i < HEDDLE_CFI_SAVED; i++) {
		uint64_t number = heddle__saved_number(i);
		uintptr_t same = 0, value = 0;
		bool known =
			heddle__cursor_register(cursor, number, &same) || rule->registers[i].how != HEDDLE_CFI_SAME;

		known = known && recover(cursor, &rule->registers[i], cfa, same, &value) == HEDDLE_STEP_OUT;
		saved[i] = value;
		all_known = (uint16_t)(all_known | known << i);
	}
	memcpy(cursor->saved, saved, sizeof(saved));
	cursor->known = all_known;
}

enum heddle__step heddle__step_full(struct heddle__cursor *cursor, const struct heddle__cfi_rule *rule)
{
	const struct heddle__cfi_location *registers = rule->registers;
	uintptr_t cfa, sp, pc, bp, in_register = 0;
	enum heddle__step step;
	if (rule->cfa.how == HEDDLE_CFI_IS_EXPRESSION) {
		step = evaluate(cursor, &rule->cfa, NULL, &cfa);
		if (step != HEDDLE_STEP_OUT)
			return step;
	} else if (heddle__cursor_register(cursor, rule->cfa_register, &cfa)) {
		cfa += (uintptr_t)(intptr_t)rule->cfa.offset;
	} else {
		return cursor->following ? HEDDLE_STEP_BROKEN : HEDDLE_STEP_AGAIN;
	}
	if (rule->registers[HEDDLE_CFI_RA].how == HEDDLE_CFI_UNDEFINED) {
		cursor->sp = cfa;
		return HEDDLE_STEP_END;
	}
	if (HEDDLE_CALLS_BY_REGISTER && registers[HEDDLE_CFI_RA].how == HEDDLE_CFI_SAME &&
		!heddle__cursor_register(cursor, HEDDLE_DWARF_RA, &in_register))
		return HEDDLE_STEP_BROKEN;
	step = recover(cursor, &registers[HEDDLE_CFI_RA], cfa, in_register, &pc);
	if (step == HEDDLE_STEP_OUT)
		step = recover(cursor, &registers[HEDDLE_CFI_SP], cfa, cfa, &sp);
	if (step != HEDDLE_STEP_OUT)
		return step;
	if (is_restored_rbp(cursor, &registers[HEDDLE_CFI_FP], cfa))
		bp = cursor->bp;
	else if (recover(cursor, &registers[HEDDLE_CFI_FP], cfa, cursor->bp, &bp) != HEDDLE_STEP_OUT)
		bp = HEDDLE_LOST;
	/* If calls use a link register, a function that has not saved anything has an empty frame. */
	if (sp < cursor->sp + !(HEDDLE_CALLS_BY_REGISTER && cursor->exact) && !rule->signal_frame)
		return HEDDLE_STEP_BROKEN;
	if (cursor->following)
		follow_saved(cursor, rule, cfa);
	cursor->pc = heddle__unsigned_code(pc);
	cursor->sp = sp;
	cursor->bp = bp;
	cursor->registers = NULL;
	cursor->exact = rule->signal_frame;
	if (rule->signal_frame)
		heddle__cursor_enter_stack(cursor, sp);
	return HEDDLE_STEP_OUT;
}

enum heddle__step heddle__step_by_table(struct heddle__cursor *cursor, uint32_t pc)
{
	struct heddle__cfi_rule rule;
	heddle__unwind_table_rule(cursor->table, pc, &rule);
	return heddle__step_full(cursor, &rule);
}

enum heddle__step heddle__step_signal(struct heddle__cursor *cursor)
{
	const ucontext_t *context = (const ucontext_t *)(cursor->sp + HEDDLE_CONTEXT_ABOVE);
	uintptr_t low, size, flags, word;
	if (!heddle__stack_read(&cursor->stack, (uintptr_t)&context->uc_stack.ss_sp, &low) ||
		!heddle__stack_read(&cursor->stack, (uintptr_t)&context->uc_stack.ss_flags, &flags) ||
		!heddle__stack_read(&cursor->stack, (uintptr_t)&context->uc_stack.ss_size, &size))
		return HEDDLE_STEP_BROKEN;
	for (int i = 0; i < HEDDLE_CONTEXT_WORDS; i++) {
		if (!heddle__stack_read(&cursor->stack, (uintptr_t)&heddle__context_registers(context)[i], &word))
			return HEDDLE_STEP_BROKEN;
		cursor->interrupted[i] = word;
	}
	heddle__cursor_note_alternate(cursor, low, size, (int)flags);
	cursor->registers = cursor->interrupted;
	cursor->pc = cursor->interrupted[HEDDLE_CONTEXT_PC];
	cursor->sp = cursor->interrupted[HEDDLE_CONTEXT_SP];
	cursor->bp = cursor->interrupted[HEDDLE_CONTEXT_FP];
	cursor->exact = true;
	heddle__cursor_enter_stack(cursor, cursor->sp);
	return HEDDLE_STEP_OUT;
}

void heddle__cursor_leave_blindly(struct heddle__cursor *cursor, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	cursor->pc = pc;
	cursor->sp = sp;
	cursor->bp = bp;
	cursor->exact = false;
	cursor->certain = false;
	cursor->registers = NULL;
	cursor->known = 0;
}

void heddle__cursor_take_saved(struct heddle__cursor *cursor)
{
	for (int i = 0; i < HEDDLE_CFI_SAVED; i++)
		heddle__cursor_register(cursor, heddle__saved_number(i), &cursor->saved[i]);
	cursor->known = (1 << HEDDLE_CFI_SAVED) - 1;
}

void heddle__cursor_follow_saved(struct heddle__cursor *cursor, uint32_t pc, uintptr_t cfa)
{
	struct heddle__cfi_rule rule;
	heddle__unwind_table_rule(cursor->table, pc, &rule);
	follow_saved(cursor, &rule, cfa);
}
