/* SPDX-License-Identifier: BSD-3-Clause */
/* What front ends of communication libraries share. */
#include "core/process/library_calls.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/process_info.h"
#include "core/base/string_table.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"

bool heddle__library_attach(struct heddle_event *events, unsigned int number)
{
	if (heddle__events_register(events, number) != 0)
		return false;
	for (unsigned int i = 0; i < number; i++)
		heddle__event_means_sparse(&events[i]);
	return true;
}

/* Records the communicator last: a reader that reaches it has read the other attributes. */
void heddle__library_record_meeting(
	struct heddle_thread *thread, uint64_t communicator, int32_t root, uint32_t across, bool meets_all)
{
	if (communicator && root >= 0)
		heddle__trace_attribute(thread, HEDDLE_TRACE_ROOT, (uint64_t)root);
	if (communicator && across)
		heddle__trace_attribute(thread, HEDDLE_TRACE_ACROSS, across);
	if (meets_all)
		heddle__trace_attribute(thread, HEDDLE_TRACE_MEETS, 1);
	if (communicator)
		heddle__trace_attribute(thread, HEDDLE_TRACE_COMMUNICATOR, communicator);
}

void heddle__library_leave_late(struct heddle_thread *thread)
{
	int saved = errno;
	heddle__leave_late(thread);
	errno = saved;
}

__attribute__((noinline)) static void count_slow(const struct heddle_event *event)
{
	int saved = errno;
	struct heddle_thread *thread = event->selected ? heddle__thread_enter() : NULL;
	if (!thread)
		return;
	if (heddle__is_counting(thread)) {
		uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
		heddle__visit_repeated(thread, heddle__event_slot(thread, heddle__current_node(thread), meta, 0));
	}
	heddle__leave(thread);
	errno = saved;
}

void heddle__library_count(const struct heddle_event *event)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (HEDDLE_UNLIKELY(!event->selected || !heddle__library_enter_shortest(thread))) {
		count_slow(event);
		return;
	}
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	struct heddle_slot *slot = heddle__slots_recent(&thread->slots, heddle__fast_path_node(thread), meta, 0);
	if (HEDDLE_LIKELY(slot))
		slot->value[HEDDLE_METRIC_VISITS]++;
	heddle__library_leave_shortest(thread);
	if (HEDDLE_UNLIKELY(!slot))
		count_slow(event);
}

uint32_t heddle__library_text(const char *text)
{
	uint32_t number = heddle__string_number(text);
	return number == UINT32_MAX ? 0 : number + 1;
}

void heddle__library_ranks(const struct heddle_model *model, uint32_t rank, uint32_t number, bool takes)
{
	struct heddle_thread *thread = heddle__thread_enter();
	uint32_t none = 0;
	atomic_store(&heddle__process.ranks, number);
	atomic_store(&heddle__process.rank, rank + 1);
	if (!thread)
		return;
	if (takes)
		atomic_store(&thread->rank, rank + 1);
	if (takes || atomic_compare_exchange_strong(&thread->rank, &none, rank + 1))
		atomic_store_explicit(&thread->rank_model, (uint8_t)heddle__model_number(model), memory_order_relaxed);
	heddle__leave(thread);
}

void heddle__library_control(int level)
{
	if (level == 0)
		heddle__pause();
	else if (level == 1)
		heddle__continue();
	else if (level == 2)
		heddle__flush();
}

void heddle__library_forget_rank(const struct heddle_model *model)
{
	struct heddle_thread *self = heddle__thread_self();
	atomic_store(&heddle__process.rank, 0);
	if (!self || atomic_load(&self->rank_model) != heddle__model_number(model))
		return;
	atomic_store(&self->rank, 0);
	atomic_store(&self->rank_model, 0);
}
