/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unwinds by libunwind: the reference that tests compare walks with; not used in measured programs. It is slow, it may
 * fault on a damaged stack, and its cache deadlocks if a sample interrupts dlopen or dlclose.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdbool.h>

#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"
#include "sampling/unwind/unwind.h"

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

/*
 * Sets a cursor at `start`. Without a context, libunwind can only start in this function, and skip frames younger than
 * start's frame.
 */
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

/*
 * True if the step just made left a signal trampoline. On x86, libunwind reports the frame below the trampoline as the
 * signal frame, on other processors the trampoline: `was_signal` is what it reported before the step.
 */
static bool left_trampoline(unw_cursor_t *cursor, bool was_signal)
{
#if defined(__x86_64__) || defined(__i386__)
	(void)was_signal;
	return unw_is_signal_frame(cursor) > 0;
#else
	(void)cursor;
	return was_signal;
#endif
}

static enum heddle_unwind_end end_of(int step)
{
	return step == 0 ? HEDDLE_UNWIND_COMPLETE : HEDDLE_UNWIND_BROKEN;
}

static size_t walk_frames(unw_cursor_t *cursor, bool exact, uintptr_t stop_cfa, struct heddle_frame *frames, size_t max,
	enum heddle_unwind_end *end)
{
	unw_word_t pc, sp = 0;
	size_t n = 0;
	*end = HEDDLE_UNWIND_COMPLETE;
	while (unw_get_reg(cursor, UNW_REG_IP, &pc) == 0 && pc != 0) {
		struct heddle_frame *frame = &frames[n++];
		bool signal = unw_is_signal_frame(cursor) > 0;
		int step;

		fill_frame(frame, pc, exact);
		unw_get_reg(cursor, UNW_REG_SP, &sp);
		frame->cfa = sp; /* for an outermost frame */
		step = unw_step(cursor);
		if (step <= 0) {
			*end = end_of(step);
			break;
		}
		exact = left_trampoline(cursor, signal);
		if (exact) {
			fill_frame(frame, pc, true);
			frame->flags = HEDDLE_FRAME_TRAMPOLINE;
		}
		unw_get_reg(cursor, UNW_REG_SP, &sp);
		frame->cfa = sp;
		if (n == max || (stop_cfa && sp >= stop_cfa)) {
			*end = n == max && !(stop_cfa && sp >= stop_cfa) ? HEDDLE_UNWIND_FULL : HEDDLE_UNWIND_STOPPED;
			break;
		}
	}
	return n;
}

static size_t walk(const struct heddle_unwind_start *start, uintptr_t stack_high, uintptr_t stop_cfa,
	struct heddle_frame *frames, size_t max, enum heddle_unwind_end *end)
{
	unw_context_t here;
	unw_cursor_t cursor;
	(void)stack_high; /* libunwind validates reads in its own way */
	unw_getcontext(&here);
	if (start_cursor(start, &here, &cursor)) {
		fill_frame(&frames[0], start->pc, false);
		frames[0].cfa = start->sp;
		*end = HEDDLE_UNWIND_BROKEN;
		return 1;
	}
	return walk_frames(&cursor, start->context, stop_cfa, frames, max, end);
}

const struct heddle_unwinder heddle__unwinder_libunwind = {.name = "libunwind", .init = init, .walk = walk};
