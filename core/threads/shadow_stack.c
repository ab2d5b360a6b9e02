/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow path of the shadow stack: larger blocks, and removal of entries below the innermost one. */
#include "core/threads/shadow_stack.h"

#include <string.h>

#include "core/base/memory.h"

/* Replaces the block so that a signal handler sees either the old one or the new one, both complete. */
bool heddle__stack_grow(struct heddle_shadow_stack *stack)
{
	size_t size = sizeof(*stack->regions);
	struct heddle_region *larger = NULL;
	if (stack->room < HEDDLE_REGION_LIMIT)
		larger = heddle__map(HEDDLE_REGION_BLOCK(2 * (size_t)stack->room) * size);
	if (!larger)
		return false;
	memcpy(larger, stack->regions, stack->room * size);
	atomic_signal_fence(memory_order_seq_cst);
	stack->regions = larger;
	stack->room *= 2;
	return true;
}

void heddle__stack_pop_to(struct heddle_shadow_stack *stack, uint32_t depth)
{
	stack->lost_depth = 0;
	stack->depth = depth;
	while (stack->task > depth)
		stack->task = stack->regions[stack->task - 1].task.below;
}

void heddle__stack_take_out(struct heddle_shadow_stack *stack, uint32_t index)
{
	for (uint32_t i = index; i + 1 < stack->depth; i++)
		stack->regions[i] = stack->regions[i + 1];
	atomic_signal_fence(memory_order_seq_cst);
	stack->depth--;
}

uint32_t heddle__stack_staying(
	const struct heddle_shadow_stack *stack, uint32_t index, bool (*stays)(const struct heddle_region *))
{
	uint32_t count = 0;
	for (uint32_t i = index + 1; i < stack->depth; i++)
		count += stays(&stack->regions[i]);
	return count;
}

void heddle__stack_take_out_but(
	struct heddle_shadow_stack *stack, uint32_t index, uintptr_t cfa, bool (*stays)(const struct heddle_region *))
{
	uint32_t to = index;
	for (uint32_t i = index + 1; i < stack->depth; i++) {
		if (!stays(&stack->regions[i]))
			continue;
		struct heddle_region *kept = &stack->regions[to++];
		*kept = stack->regions[i];
		if (kept->cfa && kept->cfa < cfa)
			kept->cfa = cfa;
	}
	atomic_signal_fence(memory_order_seq_cst);
	stack->lost_depth = 0;
	stack->depth = to;
}
