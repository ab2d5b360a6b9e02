/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records without duration, most of them stored as one or two words: visits, their numbers, and tasks, whose begin is a
 * visit.
 */
#include "core/threads/trace_encode.h"

#include <string.h>

#include "core/threads/shadow_stack.h"
#include "format/ids.h"

/* Like heddle__trace_is_ready(), if control may be off. */
static inline bool is_ready_at(const struct heddle_thread *thread, const struct heddle_trace *trace, const uint8_t *at)
{
	return heddle__trace_is_ready(trace, at) && !thread->off;
}

/* The general case of a visit. */
__attribute__((noinline)) static void visit_slow(struct heddle_thread *thread, uint32_t node, uint64_t when)
{
	struct heddle_trace *trace = thread->trace;
	if (heddle__trace_make_ready_for_visit(thread, trace))
		heddle__trace_put_visit(
			trace, heddle__trace_since(trace, when ? when : heddle__measured_ticks()), node);
}

/* Sets `word` to the record of a visit to be stored at `at`. False: it is not that short, or not possible now. */
static inline bool visit_word(struct heddle_thread *thread, struct heddle_trace *trace, const uint8_t *at,
	uint32_t node, uint64_t ticks, uint64_t *word, unsigned int *size)
{
	uint64_t passed = ticks - trace->ticks;
	if (!HEDDLE_LIKELY((passed | node) <= UINT16_MAX && is_ready_at(thread, trace, at)))
		return false;
	*word = heddle__trace_word(HEDDLE_TRACE_VISIT, passed, node, size);
	trace->node = node;
	return true;
}

void heddle__trace_visit(struct heddle_thread *thread, uint32_t node, uint64_t when)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = heddle__trace_position(trace);
	unsigned int size;
	uint64_t word;
	if (HEDDLE_LIKELY(when && visit_word(thread, trace, at, node, when, &word, &size)))
		heddle__trace_store(trace, at, word, size);
	else
		visit_slow(thread, node, when);
}

void heddle__trace_visit_repeated(struct heddle_thread *thread, uint32_t node, uint64_t when)
{
	heddle__trace_visit(thread, node, when);
	thread->trace->visited = heddle__trace_position(thread->trace);
}

/*
 * The number is a LEB128 of 4 bytes, the last ones of the buffer. The upper bits of the first three are set, so a carry
 * propagates to the next byte; then it clears them.
 */
#define LEB_BITS 0x00808080u
#define LEB_MOST 0x7f000000u

static bool put_repeats(struct heddle_thread *thread, struct heddle_trace *trace, uint8_t *at)
{
	uint64_t first = LEB_BITS + 1;
	if (!is_ready_at(thread, trace, at))
		return false;
	trace->repeats = at + 6;
	heddle__trace_store(trace, at, HEDDLE_TRACE_ADD | HEDDLE_METRIC_VISITS << 9 | first << 16, 6);
	return true;
}

bool heddle__trace_repeat(struct heddle_thread *thread, uint32_t node)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = heddle__trace_position(trace);
	uint32_t number;
	if (node != trace->node)
		return false;
	if (at == trace->visited)
		return put_repeats(thread, trace, at);
	if (at != trace->repeats || heddle__trace_is_stale(trace) || thread->off || !heddle__events_are_counted())
		return false;
	memcpy(&number, at - sizeof(number), sizeof(number));
	if (number >= LEB_MOST)
		return false;
	number = (number + 1) | LEB_BITS;
	memcpy(at - sizeof(number), &number, sizeof(number));
	return true;
}

static void put_number(struct heddle_trace *trace, enum heddle_trace_number which, uint64_t number)
{
	uint8_t *at = heddle__trace_position(trace);
	unsigned int wide = heddle__trace_width(number);
	*at = (uint8_t)(HEDDLE_TRACE_NUMBER | (unsigned int)which << 4 | wide << 6);
	heddle__trace_publish(trace, heddle__trace_put_word(at + 1, number) + ((size_t)1 << wide));
}

void heddle__trace_number_slow(struct heddle_thread *thread, enum heddle_trace_number which, uint64_t number)
{
	if (heddle__trace_make_ready(thread, thread->trace))
		put_number(thread->trace, which, number);
}

/* In a NUMBER, 0 stands for the previous lock, so lock 0 is an attribute. */
void heddle__trace_lock_slow(struct heddle_thread *thread, uint64_t lock)
{
	struct heddle_trace *trace = thread->trace;
	if (!lock) {
		heddle__trace_attribute(thread, HEDDLE_TRACE_LOCK, lock);
	} else if (heddle__trace_make_ready(thread, trace)) {
		trace->lock = lock;
		put_number(trace, HEDDLE_TRACE_NUMBER_LOCK, lock);
	}
}

__attribute__((noinline)) static void visit_numbered_slow(
	struct heddle_thread *thread, uint32_t node, uint64_t when, enum heddle_trace_number which, uint32_t number)
{
	visit_slow(thread, node, when);
	heddle__trace_number_slow(thread, which, number);
}

/* Stores both records, and publishes them at once. */
void heddle__trace_visit_numbered(
	struct heddle_thread *thread, uint32_t node, uint64_t when, enum heddle_trace_number which, uint32_t number)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = heddle__trace_position(trace);
	unsigned int size, number_size;
	uint64_t word;
	if (HEDDLE_UNLIKELY(!when || !visit_word(thread, trace, at, node, when, &word, &size))) {
		visit_numbered_slow(thread, node, when, which, number);
		return;
	}
	memcpy(at, &word, sizeof(word));
	trace->count++;
	word = heddle__trace_number_word(which, number, &number_size);
	heddle__trace_store(trace, at + size, word, number_size);
}

/* The fast path of heddle__trace_task_begin. False: nothing was done. */
static inline bool begin_task(struct heddle_thread *thread, const struct heddle_region *task, uint32_t node)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = heddle__trace_position(trace);
	uint64_t passed = thread->last_ticks - trace->ticks;
	uint32_t operand = node << 1 | (task->slot ? 1 : 0), depth = thread->stack.depth;
	bool small = (passed | operand) <= UINT16_MAX && trace->depth + 1 == depth && depth <= trace->most;
	if (!HEDDLE_LIKELY(small && is_ready_at(thread, trace, at)))
		return false;
	unsigned int size;
	uint64_t word = heddle__trace_word(HEDDLE_TRACE_TASK_BEGIN, passed, operand, &size);
	uint32_t number = heddle__trace_number_of(task->task.name);
	trace->ticks = thread->last_ticks;
	trace->depth = depth;
	trace->node = node;
	memcpy(at, &word, sizeof(word));
	memcpy(at + size, &number, sizeof(number));
	heddle__trace_prefetch(at);
	heddle__trace_publish(trace, at + size + sizeof(number));
	return true;
}

__attribute__((noinline)) static void task_begin_slow(
	struct heddle_thread *thread, const struct heddle_region *task, uint32_t node)
{
	heddle__trace_push(thread);
	heddle__trace_visit(thread, node, thread->last_ticks);
	heddle__trace_attribute(thread, HEDDLE_TRACE_TASK, heddle__trace_number_of(task->task.name));
}

void heddle__trace_task_begin(struct heddle_thread *thread, const struct heddle_region *task, uint32_t node)
{
	if (!HEDDLE_LIKELY(begin_task(thread, task, node)))
		task_begin_slow(thread, task, node);
}

__attribute__((noinline)) static void task_return_slow(struct heddle_thread *thread, uint64_t ended, uint64_t next)
{
	heddle__trace_pop(thread, thread->stack.depth);
	heddle__trace_attribute(thread, HEDDLE_TRACE_TASK_END, heddle__trace_number_of(ended));
	heddle__trace_attribute(thread, HEDDLE_TRACE_TASK, heddle__trace_number_of(next));
}

void heddle__trace_task_return(struct heddle_thread *thread, uint64_t ended, uint64_t next)
{
	struct heddle_trace *trace = thread->trace;
	uint8_t *at = heddle__trace_position(trace);
	uint64_t passed = thread->last_ticks - trace->ticks;
	uint32_t depth = thread->stack.depth;
	bool small = passed <= UINT16_MAX && trace->depth == depth + 1;
	if (HEDDLE_LIKELY(small && is_ready_at(thread, trace, at))) {
		unsigned int wide = passed > UINT8_MAX;
		trace->ticks = thread->last_ticks;
		trace->depth = depth;
		heddle__trace_store(trace, at,
			HEDDLE_TRACE_END | wide << 4 | HEDDLE_TRACE_END_OF_TASK << 6 | passed << 8, 2 + wide);
	} else {
		task_return_slow(thread, ended, next);
	}
}

void heddle__trace_message(struct heddle_thread *thread, enum heddle_trace_message message, uint64_t when,
	const struct heddle_trace_numbers *numbers)
{
	struct heddle_trace *trace = thread->trace;
	if (!heddle__trace_make_ready(thread, trace))
		return;
	uint8_t *at = heddle__trace_timed(
		heddle__trace_position(trace), HEDDLE_TRACE_MESSAGE, heddle__trace_since(trace, when), message);
	at = heddle__trace_put_leb(at, numbers->group);
	at = heddle__trace_put_leb(at, numbers->partner);
	at = heddle__trace_put_leb(at, numbers->tag);
	at = heddle__trace_put_leb(at, numbers->bytes);
	heddle__trace_publish(trace, heddle__trace_put_leb(at, numbers->request));
}
