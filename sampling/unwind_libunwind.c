/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS. The portable back end, on libunwind: for processors that have no tables, and as the
 * reference of the tests. It is slow, and its cache deadlocks when a sample meets dlopen or dlclose: nobody should
 * sample with it where there is a choice.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "core/module.h"
#include "format/ids.h"
#include "sampling/unwind.h"

static int init(void)
{
	return heddle__modules_init(NULL);
}

static void fill_frame(struct heddle_frame *frame, uintptr_t pc, bool exact)
{
	struct heddle_module_range range;
	uintptr_t at = pc - !exact;

	frame->pc = pc;
	frame->role = HEDDLE_MODULE_OTHER;
	frame->place = HEDDLE_PLACE(0, at);
	frame->flags = 0;
	if (heddle__module_lookup(at, true, &range)) {
		frame->place = HEDDLE_PLACE(range.module->id, at - range.base);
		frame->role = atomic_load_explicit(&range.module->role, memory_order_relaxed);
	}
}

/* A cursor at `start`; without a context libunwind can only begin here, and skip what is younger than start's frame. */
static int start_cursor(const struct heddle_unwind_start *start, unw_context_t *here, unw_cursor_t *cursor)
{
	unw_word_t sp = 0;
	int error;

	if (start->context)
		return unw_init_local2(cursor, (unw_context_t *)start->context, UNW_INIT_SIGNAL_FRAME);
	error = unw_init_local(cursor, here);
	while (!error) {
		error = unw_get_reg(cursor, UNW_REG_SP, &sp);
		if (error || sp >= start->sp)
			return error;
		error = unw_step(cursor) > 0 ? 0 : -UNW_EBADFRAME;
	}
	return error;
}

static size_t walk_frames(unw_cursor_t *cursor, bool exact, uintptr_t stop_cfa, struct heddle_frame *frames, size_t max,
	enum heddle_unwind_end *end)
{
	size_t n = 0;
	unw_word_t pc, sp;

	*end = HEDDLE_UNWIND_BROKEN;
	for (;;) {
		int more, trampoline = unw_is_signal_frame(cursor) > 0;
		struct heddle_frame *frame = &frames[n];

		if (unw_get_reg(cursor, UNW_REG_IP, &pc) || pc == 0) {
			*end = HEDDLE_UNWIND_COMPLETE;
			return n;
		}
		n++;
		fill_frame(frame, pc, exact || trampoline);
		frame->flags = trampoline ? HEDDLE_FRAME_TRAMPOLINE : 0;
		unw_get_reg(cursor, UNW_REG_SP, &sp);
		frame->cfa = sp;
		exact = trampoline;
		more = unw_step(cursor);
		if (more <= 0) {
			*end = more == 0 ? HEDDLE_UNWIND_COMPLETE : HEDDLE_UNWIND_BROKEN;
			return n;
		}
		unw_get_reg(cursor, UNW_REG_SP, &sp);
		frame->cfa = sp;
		if (stop_cfa && sp >= stop_cfa) {
			*end = HEDDLE_UNWIND_STOPPED;
			return n;
		}
		if (n == max) {
			*end = HEDDLE_UNWIND_FULL;
			return n;
		}
	}
}

static size_t walk(const struct heddle_unwind_start *start, uintptr_t stack_high, uintptr_t stop_cfa,
	struct heddle_frame *frames, size_t max, enum heddle_unwind_end *end)
{
	unw_context_t here;
	unw_cursor_t cursor;

	(void)stack_high; /* libunwind checks what it reads in its own way */
	unw_getcontext(&here);
	if (start_cursor(start, &here, &cursor)) {
		fill_frame(&frames[0], start->pc, false);
		frames[0].cfa = start->sp;
		*end = HEDDLE_UNWIND_BROKEN;
		return 1;
	}
	return walk_frames(&cursor, start->context != NULL, stop_cfa, frames, max, end);
}

const struct heddle_unwinder heddle__unwinder_libunwind = {.name = "libunwind", .init = init, .walk = walk};
