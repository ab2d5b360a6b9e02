/* SPDX-License-Identifier: BSD-3-Clause */
/* RUNS IN SIGNAL HANDLERS. Steps in code without call frame information, on x86-64. */
#include <string.h>

#include "core/base/peek.h"
#include "core/modules/module_ranges.h"
#include "sampling/unwind/unwind_step.h"

#define SCANNED_WORDS 4

/* mov $15, %rax; syscall */
bool heddle__is_trampoline(uintptr_t pc)
{
	static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	uint8_t bytes[sizeof(code)];
	return heddle__peek(pc, bytes, sizeof(bytes)) && !memcmp(bytes, code, sizeof(code));
}

static bool is_indirect_call(const uint8_t *at)
{
	return at[0] == 0xff && (at[1] & 0x38) == 0x10;
}

bool heddle__is_return_address(uintptr_t address)
{
	struct heddle_module_range range;
	uint8_t code[8];
	const uint8_t *end = code + sizeof(code);
	if (!heddle__module_lookup(address, false, &range) || address - sizeof(code) < range.low ||
		!heddle__peek(address - sizeof(code), code, sizeof(code)))
		return false;
	return end[-5] == 0xe8 || is_indirect_call(end - 2) || is_indirect_call(end - 3) || is_indirect_call(end - 6) ||
	       is_indirect_call(end - 7);
}

/*
 * Leaves _init, _fini and other short assembly code: the return address is near the top of the stack, the saved rbp
 * possibly just below it.
 */
static bool scan(struct heddle__cursor *cursor)
{
	uintptr_t word, below = 0, bp = cursor->bp;
	for (uintptr_t at = cursor->sp; at < cursor->sp + (uintptr_t)SCANNED_WORDS * 8; at += 8, below = word) {
		if (!heddle__stack_read(&cursor->stack, at, &word))
			return false;
		if (!heddle__is_return_address(word))
			continue;
		if (at > cursor->sp && below >= at && below < cursor->stack.high)
			bp = below;
		heddle__cursor_leave_blindly(cursor, word, at + 8, bp);
		return true;
	}
	return false;
}

static bool follow_rbp(struct heddle__cursor *cursor)
{
	uintptr_t bp = cursor->bp, caller_bp, pc;
	if (bp < cursor->sp || !heddle__stack_read(&cursor->stack, bp, &caller_bp) ||
		!heddle__stack_read(&cursor->stack, bp + 8, &pc))
		return false;
	heddle__cursor_leave_blindly(cursor, pc, bp + 16, caller_bp);
	return true;
}

enum heddle__step heddle__step_blind(struct heddle__cursor *cursor)
{
	bool out;
	if (heddle__is_trampoline(cursor->pc))
		return heddle__step_signal(cursor);
	/* JIT code has a frame pointer or nothing, so its stack is scanned last; that of a file's code, first. */
	if (cursor->range.module)
		out = scan(cursor) || follow_rbp(cursor);
	else
		out = follow_rbp(cursor) || scan(cursor);
	return out ? HEDDLE_STEP_OUT : HEDDLE_STEP_BROKEN;
}
