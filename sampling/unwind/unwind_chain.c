/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS. The walk on processors without tables: along the chain of frames that the processor's ABI
 * defines. A word is read directly only if the caller guarantees that it is on the stack; otherwise by the kernel,
 * which does not fault. No lock is taken. Code without frame pointers, if the ABI does not require a chain, is left out
 * of paths.
 */
#include "core/base/frame.h"
#include "core/base/peek.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"
#include "sampling/unwind/chain.h"
#include "sampling/unwind/unwind.h"

#define WORD sizeof(uintptr_t)
#define UNKNOWN_STACK_SIZE ((uintptr_t)8 << 20) /* most bytes between two frames of a stack whose end is unknown */

struct cursor {
	struct heddle_call at; /* the frame that is being left */
	uintptr_t high;        /* one past the stack's last byte; 0: unknown */
};

static int init(void)
{
	return heddle__modules_init(NULL);
}

/* Reads a word. Memory up to `high`, if that is known, is mapped. */
__attribute__((no_sanitize("address", "thread"))) static bool read_word(
	const struct cursor *cursor, uintptr_t address, uintptr_t *word)
{
	if ((address & (WORD - 1)) || address < cursor->at.sp)
		return false;
	if (cursor->high && address <= cursor->high - WORD) {
		*word = *(const volatile uintptr_t *)address;
		return true;
	}
	return !cursor->high && address - cursor->at.sp < UNKNOWN_STACK_SIZE && heddle__peek(address, word, WORD);
}

/* Reads the caller's registers from the chain. */
static bool read_caller(const struct cursor *cursor, struct heddle_call *caller)
{
	uintptr_t record = heddle__chain_record(&cursor->at);
	if (!record || !read_word(cursor, record, &caller->bp))
		return false;
	caller->sp = heddle__chain_cfa(record, caller->bp);
	return caller->sp > cursor->at.sp && read_word(cursor, heddle__chain_return(record, caller->sp), &caller->pc);
}

static void fill_frame(struct heddle_frame *frame, const struct heddle_call *at, bool exact)
{
	struct heddle_module_range range;
	uintptr_t in = at->pc - !exact;
	*frame = (struct heddle_frame){.pc = at->pc,
		.cfa = at->sp,
		.place = HEDDLE_PLACE(0, in),
		.role = HEDDLE_MODULE_OTHER,
		.bp_words = HEDDLE_FRAME_COMPLEX};
	if (heddle__module_lookup(in, true, &range)) {
		frame->place = HEDDLE_PLACE(range.module->id, in - range.base);
		frame->role = atomic_load_explicit(&range.module->role, memory_order_relaxed);
	}
}

/* True if the word is a return address; otherwise it ends the chain. */
static bool is_code(uintptr_t pc)
{
	struct heddle_module_range range;
	return pc && heddle__module_lookup(pc - 1, false, &range);
}

static size_t walk(const struct heddle_unwind_start *start, uintptr_t stack_high, uintptr_t stop_cfa,
	struct heddle_frame *frames, size_t max, enum heddle_unwind_end *end)
{
	struct cursor cursor = {{start->pc, start->sp, start->bp}, stack_high};
	if (start->context)
		cursor.at = heddle__chain_start(start->context);
	if (cursor.at.sp >= stack_high)
		cursor.high = 0; /* another stack */
	for (size_t n = 0;; n++) {
		struct heddle_call caller;
		fill_frame(&frames[n], &cursor.at, start->context && n == 0);
		if (!read_caller(&cursor, &caller) || !is_code(caller.pc)) {
			/* The C library starts main and threads; its code seldom keeps the chain. */
			*end = n > 0 && frames[n].role == HEDDLE_MODULE_LIBC ? HEDDLE_UNWIND_COMPLETE
									     : HEDDLE_UNWIND_BROKEN;
			return n + 1;
		}
		frames[n].cfa = caller.sp;
		cursor.at = caller;
		if (stop_cfa && caller.sp >= stop_cfa && cursor.high) {
			*end = HEDDLE_UNWIND_STOPPED;
			return n + 1;
		}
		if (n + 1 == max) {
			*end = HEDDLE_UNWIND_FULL;
			return max;
		}
	}
}

const struct heddle_unwinder heddle__unwinder_chain = {.name = "frame pointers", .init = init, .walk = walk};
