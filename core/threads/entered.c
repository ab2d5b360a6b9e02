/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds abandoned functions. Runs in the program's signal handlers. */
#include "core/threads/entered.h"

#include <signal.h>
#include <stdint.h>

#include "core/threads/control.h"

static bool is_on_stack(const struct heddle_thread *thread, uintptr_t at)
{
	return at >= thread->stack_low && at < thread->stack_high;
}

/* An alternate signal stack may be part of the thread's own stack. */
static bool is_on_signal_stack(const stack_t *stack, uintptr_t at)
{
	return !(stack->ss_flags & SS_DISABLE) && at - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/* Stacks grow down. The frame of an abandoned function is not above that of the new one, or was overwritten. */
__attribute__((no_sanitize("address", "thread"))) static bool is_over(
	const struct heddle_entered *left, const struct heddle_frame_record *here)
{
	return here >= left->record || (left->pc && left->record->pc != left->pc);
}

/* True if the function at `here` can't have been called by a handler that interrupted `left`. */
static bool is_abandoned(
	const struct heddle_thread *thread, const struct heddle_entered *left, const struct heddle_frame_record *here)
{
	stack_t stack = {.ss_flags = SS_DISABLE};
	if (!left->record)
		return false;
	sigaltstack(NULL, &stack);
	bool here_apart = is_on_signal_stack(&stack, (uintptr_t)here);
	bool left_apart = is_on_signal_stack(&stack, (uintptr_t)left->record);
	if (here_apart != left_apart)
		return left_apart; /* handlers on their own stack do not call back to the other one */
	bool known =
		here_apart || (is_on_stack(thread, (uintptr_t)left->record) && is_on_stack(thread, (uintptr_t)here));
	return known && is_over(left, here);
}

/* As heddle__leave_late. */
static void catch_up(struct heddle_thread *thread)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (heddle__has_put_off(thread) && !heddle__is_read_at_rest())
		heddle__catch_up(thread);
}

bool heddle__enter_over(
	struct heddle_thread *thread, const struct heddle_frame_record *record, struct heddle_entered *outer)
{
	bool inside = atomic_load_explicit(&thread->inside, memory_order_relaxed);
	*outer = thread->entered;
	if (is_abandoned(thread, outer, record))
		*outer = (struct heddle_entered){0};
	else if (inside)
		return false;
	heddle__enter_as(thread, record); /* at once: what follows overwrites the frame of the abandoned function */
	catch_up(thread);
	return true;
}
