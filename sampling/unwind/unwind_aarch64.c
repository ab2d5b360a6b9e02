/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS. Steps by the code itself, on AArch64: where call frame information is missing, or is not
 * right at each instruction. Instructions are read by a system call, which cannot fault.
 */
#include <string.h>

#include "core/base/frame.h"
#include "core/base/peek.h"
#include "core/modules/module_ranges.h"
#include "sampling/unwind/unwind_step.h"
#include "sampling/unwind/unwind_table.h"

#define EPILOGUE 16u   /* limit of instructions read of an epilogue */
#define PROCEDURE 256u /* limit for a procedure without call frame instructions */

#define IS_RET(code) ((code) == 0xd65f03c0 || (code) == 0xd65f0bff || (code) == 0xd65f0fff)
#define MOV_X29_SP 0x910003fdu
#define MOV_SP_X29 0x910003bfu

/* The registers of instructions: bits 0-4, 5-9 and 10-14. */
enum { FP = 29, LINK = 30, SP = 31 };

static inline unsigned first(uint32_t code)
{
	return code & 31;
}

static inline unsigned base(uint32_t code)
{
	return code >> 5 & 31;
}

static inline unsigned second(uint32_t code)
{
	return code >> 10 & 31;
}

static inline int64_t bits(uint32_t code, unsigned low, unsigned count)
{
	return (int64_t)((uint64_t)code << (64 - low - count)) >> (64 - count); /* signed */
}

/* True for any branch, call or return, which ends the code that is followed. False for hints, such as checks of x30. */
static bool is_branch(uint32_t code)
{
	return (code & 0x1c000000) == 0x14000000 && (code & 0xfffff01f) != 0xd503201f;
}

/* A pair, or one register, of 8 or 16 bytes, loaded from or stored to the stack. */
struct transfer {
	bool is_pair, loads, general; /* of general registers */
	int64_t at;                   /* from the stack pointer before the instruction */
	int64_t change;               /* of the stack pointer */
};

static bool is_transfer(uint32_t code, struct transfer *transfer)
{
	unsigned mode = code >> 23 & 7; /* of a pair: 1 after, 2 without change, 3 before */
	if (base(code) != SP)
		return false;
	if ((code & 0x3a000000) == 0x28000000 && (code >> 30 == 2 || (code & 0x04000000)) && mode >= 1 && mode <= 3) {
		bool general = !(code & 0x04000000);
		unsigned size = general || code >> 30 == 1 ? 8 : code >> 30 == 2 ? 16 : 4;
		int64_t offset = bits(code, 15, 7) * size;

		*transfer = (struct transfer){
			true, code >> 22 & 1, general, mode == 1 ? 0 : offset, mode == 2 ? 0 : offset};
		return true;
	}
	if ((code & 0xffa00c00) == 0xf8000400 || (code & 0xffa00c00) == 0xf8000c00) {
		bool before = code & 0x800;
		int64_t offset = bits(code, 12, 9);

		*transfer = (struct transfer){false, code >> 22 & 1, true, before ? offset : 0, offset};
		return true;
	}
	if ((code & 0xff800000) == 0xf9000000) {
		*transfer = (struct transfer){false, code >> 22 & 1, true, (int64_t)(code >> 10 & 0xfff) * 8, 0};
		return true;
	}
	return false;
}

/* The state while following an epilogue: the stack pointer and the loaded values, as they will be at the return. */
struct epilogue {
	uintptr_t sp, fp, link;
	bool fp_known, link_known;
};

static bool load(struct heddle__cursor *cursor, struct epilogue *state, unsigned number, uintptr_t at)
{
	if (number == FP)
		return state->fp_known = heddle__stack_read(&cursor->stack, at, &state->fp);
	if (number == LINK)
		return state->link_known = heddle__stack_read(&cursor->stack, at, &state->link);
	return true;
}

/* Follows an instruction. False: not of an epilogue, or it cannot be followed. */
static bool follow(struct heddle__cursor *cursor, struct epilogue *state, uint32_t code)
{
	struct transfer transfer;
	if (is_transfer(code, &transfer)) {
		uintptr_t at = state->sp + (uintptr_t)transfer.at;

		if (!transfer.loads && (transfer.change || !transfer.general))
			return transfer.change == 0;
		if (transfer.loads && transfer.general &&
			(!load(cursor, state, first(code), at) ||
				(transfer.is_pair && !load(cursor, state, second(code), at + 8))))
			return false;
		state->sp += (uintptr_t)transfer.change;
		return true;
	}
	if (code == MOV_SP_X29) {
		state->sp = state->fp;
		return true;
	}
	if ((code & 0xff0003e0) == 0x910003e0 && first(code) == SP) { /* add sp, sp, n */
		state->sp += (uintptr_t)(code >> 10 & 0xfff) << (code & 0x400000 ? 12 : 0);
		return true;
	}
	/* Epilogues have no other changes of the stack pointer, x29 or x30. */
	return !is_branch(code) && !((code & 0x3f000000) == 0x11000000 && first(code) >= FP);
}

/*
 * Clang's call frame information, until about version 15, does not describe epilogues: there the rule of the body is
 * stale. So code without branches is followed up to a return.
 */
enum heddle__step heddle__step_epilogue(struct heddle__cursor *cursor, uint32_t pc)
{
	uint32_t code[EPILOGUE];
	struct epilogue state = {.sp = cursor->sp, .fp = cursor->bp, .fp_known = true};
	size_t count = heddle__peek_some(cursor->pc, code, sizeof(code)) / sizeof(code[0]);
	state.link_known = heddle__cursor_register(cursor, HEDDLE_DWARF_RA, &state.link);
	for (size_t i = 0; i < count; i++) {
		if (IS_RET(code[i])) {
			if (!state.link_known || state.sp < cursor->sp)
				return HEDDLE_STEP_BROKEN;
			if (cursor->following)
				heddle__cursor_follow_saved(cursor, pc, state.sp);
			cursor->pc = heddle__unsigned_code(state.link);
			cursor->sp = state.sp;
			cursor->bp = state.fp_known ? state.fp : HEDDLE_LOST;
			cursor->registers = NULL;
			cursor->exact = false;
			return HEDDLE_STEP_OUT;
		}
		if (!follow(cursor, &state, code[i]))
			return HEDDLE_STEP_BROKEN;
	}
	return HEDDLE_STEP_BROKEN;
}

/* ---- procedures whose call frame information has no instructions ---- */

static void set_saved(struct heddle__cfi_rule *rule, int index, int64_t offset)
{
	rule->registers[index] = (struct heddle__cfi_location){.how = HEDDLE_CFI_AT_CFA, .offset = (int32_t)offset};
}

static void set_cfa(struct heddle__cfi_rule *rule, unsigned number, int64_t offset)
{
	rule->cfa = (struct heddle__cfi_location){.how = HEDDLE_CFI_IN_REGISTER, .offset = (int32_t)offset};
	rule->cfa_register = number;
}

static bool has_instructions(const struct heddle__cfi_fde *fde)
{
	for (const uint8_t *at = fde->instructions.at; at < fde->instructions.end; at++) {
		if (*at)
			return true;
	}
	return false;
}

/*
 * For procedures such as LLVM's __kmp_invoke_microtask: it pushes x29 and x30 first, other pairs below, and uses the
 * stack pointer as frame pointer.
 */
bool heddle__rows_of_code(
	const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde, heddle__cfi_visit *visit, void *context)
{
	uint32_t code[PROCEDURE];
	struct heddle__cfi_rule rule = cie->initial, at_return = cie->initial;
	struct transfer push;
	size_t size = fde->high - fde->low < sizeof(code) ? fde->high - fde->low : sizeof(code);
	if (has_instructions(fde) || size < 4 * sizeof(code[0]) || !heddle__peek(fde->low, code, size))
		return false;
	if (!is_transfer(code[0], &push) || !push.is_pair || push.loads || push.change >= 0 || first(code[0]) != FP ||
		second(code[0]) != LINK)
		return false;
	int64_t pushed = -push.change, saved = pushed - (push.at - push.change);
	visit(context, fde->low, &rule);
	set_saved(&rule, HEDDLE_CFI_FP, -saved);
	set_saved(&rule, HEDDLE_CFI_RA, -saved + 8);
	set_cfa(&rule, HEDDLE_DWARF_SP, pushed);
	visit(context, fde->low + 4, &rule);
	size_t count = size / sizeof(code[0]), i = 1;
	for (; i < count && is_transfer(code[i], &push) && push.is_pair && !push.loads && push.change < 0; i++) {
		pushed -= push.change;
		set_cfa(&rule, HEDDLE_DWARF_SP, pushed);
		visit(context, fde->low + 4 * (i + 1), &rule);
	}
	if (i < count && code[i] == MOV_X29_SP) {
		set_cfa(&rule, HEDDLE_DWARF_FP, pushed);
		visit(context, fde->low + 4 * ++i, &rule);
	}
	for (; i < count; i++) {
		if (!IS_RET(code[i]))
			continue;
		visit(context, fde->low + 4 * i, &at_return);
		if (i + 1 < count)
			visit(context, fde->low + 4 * (i + 1), &rule);
	}
	return true;
}

/* ---- no call frame information ---- */

/* mov x8, 139; svc 0 */
bool heddle__is_trampoline(uintptr_t pc)
{
	static const uint32_t trampoline[] = {0xd2801168, 0xd4000001};
	uint32_t code[2];
	return heddle__peek(pc, code, sizeof(code)) && !memcmp(code, trampoline, sizeof(code));
}

bool heddle__is_return_address(uintptr_t address)
{
	struct heddle_module_range range;
	uint32_t code;
	if ((address & 3) || !heddle__module_lookup(address, false, &range) || address - sizeof(code) < range.low ||
		!heddle__peek(address - sizeof(code), &code, sizeof(code)))
		return false;
	return (code & 0xfc000000) == 0x94000000 || (code & 0xfffffc1f) == 0xd63f0000 ||
	       (code & 0xfefff800) == 0xd63f0800; /* bl, blr, blr with an authenticated pointer */
}

/* True if that code has call frame information, so that x30 may be an interrupted function's return address. */
static bool is_described(uintptr_t address)
{
	struct heddle_module_range range;
	if (!heddle__module_lookup(address - 1, false, &range))
		return false;
	const struct heddle__unwind_table *table = atomic_load_explicit(&range.module->unwind, memory_order_acquire);
	struct heddle__cfi_rule rule;
	return table &&
	       heddle__unwind_table_rule(table, (uint32_t)(address - 1 - range.base), &rule) != HEDDLE_RULE_NONE;
}

/* Leaves stubs of the linker and other leaf functions, whose caller is in x30. */
static bool follow_link(struct heddle__cursor *cursor)
{
	uintptr_t link;
	if (!cursor->exact || !heddle__cursor_register(cursor, HEDDLE_DWARF_RA, &link))
		return false;
	link = heddle__unsigned_code(link);
	if (!heddle__is_return_address(link) || !is_described(link))
		return false;
	heddle__cursor_leave_blindly(cursor, link, cursor->sp, cursor->bp);
	return true;
}

/* Leaves by the frame record. The frame ends behind it, or further up. */
static bool follow_record(struct heddle__cursor *cursor)
{
	uintptr_t at = cursor->bp, bp, pc;
	if (at < cursor->sp || (at & 15) || !heddle__stack_read(&cursor->stack, at, &bp) ||
		!heddle__stack_read(&cursor->stack, at + 8, &pc))
		return false;
	heddle__cursor_leave_blindly(cursor, heddle__unsigned_code(pc), at + 16, bp);
	return true;
}

enum heddle__step heddle__step_blind(struct heddle__cursor *cursor)
{
	bool out;
	if (heddle__is_trampoline(cursor->pc))
		return heddle__step_signal(cursor);
	out = (cursor->range.module && follow_link(cursor)) || follow_record(cursor);
	return out ? HEDDLE_STEP_OUT : HEDDLE_STEP_BROKEN;
}
