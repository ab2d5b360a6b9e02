/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts records into a buffer: their bytes, and room for them. Only for the files that record (trace.c and
 * trace_moments.c). Context of all: owner thread, inside.
 */
#ifndef HEDDLE_CORE_TRACE_ENCODE_H
#define HEDDLE_CORE_TRACE_ENCODE_H

#include <string.h>

#include "core/threads/trace.h"

/* Returns the base-2 logarithm of the number's size: 1, 2, 4 or 8 bytes. */
static inline unsigned int heddle__trace_width(uint64_t number)
{
	return (number > UINT8_MAX) + (number > UINT16_MAX) + (number > UINT32_MAX);
}

static inline uint8_t *heddle__trace_put_word(uint8_t *at, uint64_t number)
{
	memcpy(at, &number, sizeof(number));
	return at;
}

static inline uint8_t *heddle__trace_put_leb(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

/* Put the first byte and the operand of a record, without time or with it. */
static inline uint8_t *heddle__trace_untimed(uint8_t *at, enum heddle_trace_kind kind, uint64_t operand)
{
	unsigned int wide = heddle__trace_width(operand);
	*at = (uint8_t)((unsigned int)kind | wide << 6);
	return heddle__trace_put_word(at + 1, operand) + ((size_t)1 << wide);
}

static inline uint8_t *heddle__trace_timed(uint8_t *at, enum heddle_trace_kind kind, uint64_t time, uint64_t operand)
{
	unsigned int time_wide = heddle__trace_width(time), wide = heddle__trace_width(operand);
	*at = (uint8_t)((unsigned int)kind | time_wide << 4 | wide << 6);
	at = heddle__trace_put_word(at + 1, time) + ((size_t)1 << time_wide);
	return heddle__trace_put_word(at, operand) + ((size_t)1 << wide);
}

static inline uint8_t *heddle__trace_position(const struct heddle_trace *trace)
{
	return atomic_load_explicit(&trace->at, memory_order_relaxed);
}

/* Makes a complete record, which ends at `at`, visible to others. */
static inline void heddle__trace_publish(struct heddle_trace *trace, uint8_t *at) /* NOLINT: it is stored */
{
	trace->count++;
	atomic_store_explicit(&trace->at, at, memory_order_release);
}

static inline uint64_t heddle__trace_since(const struct heddle_trace *trace, uint64_t now)
{
	return now > trace->ticks ? now - trace->ticks : 0;
}

/* The slow path of heddle__trace_make_ready(). */
bool heddle__trace_prepare(struct heddle_thread *thread, struct heddle_trace *trace);

/* Makes room for a record, and brings the recorded stack up to date. False: the record is dropped. */
static inline bool heddle__trace_make_ready(struct heddle_thread *thread, struct heddle_trace *trace)
{
	bool ready = !heddle__trace_is_stale(trace) && heddle__trace_position(trace) < trace->limit && !thread->off &&
		     heddle__events_are_counted();
	return HEDDLE_LIKELY(ready) || heddle__trace_prepare(thread, trace);
}

/*
 * Like heddle__trace_make_ready(), for a visit that heddle__count_event has just counted, or not: measurement may have
 * stopped meanwhile. Slow.
 */
bool heddle__trace_make_ready_for_visit(struct heddle_thread *thread, struct heddle_trace *trace);

static inline void heddle__trace_put_visit(struct heddle_trace *trace, uint64_t passed, uint32_t node)
{
	trace->node = node;
	heddle__trace_publish(
		trace, heddle__trace_timed(heddle__trace_position(trace), HEDDLE_TRACE_VISIT, passed, node));
}

#endif
