/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes a thread's records, a chunk at a time. Nothing in them is trusted: each record is checked to lie within its
 * chunk, and to name nodes, metrics and entries that exist. The first one that does not ends the stream.
 */
#include "profile/trace_stream.h"

#include "profile/errors.h"
#include "profile/intern.h"
#include "profile/trace_clock.h"
#include "profile/trace_file.h"
#include "profile/trace_task.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_SIZE ((size_t)1 + 8 + 8) /* of the longest fixed part of a record */

static const struct profile_trace_file *file_of(const struct profile_trace_stream *stream)
{
	return &stream->trace->files[stream->thread->file];
}

static bool has_time(unsigned int kind)
{
	return kind < HEDDLE_TRACE_ADD || kind == HEDDLE_TRACE_MARK || kind == HEDDLE_TRACE_TASK_BEGIN;
}

static bool fail(struct profile_trace_stream *stream, int error)
{
	stream->error = stream->error ? stream->error : error;
	return false;
}

/* ---- chunks ---- */

static int make_byte_room(struct profile_trace_stream *stream, size_t size)
{
	if (stream->byte_room >= size)
		return 0;
	free(stream->bytes);
	stream->bytes = malloc(size);
	stream->byte_room = stream->bytes ? size : 0;
	return stream->bytes ? 0 : -ENOMEM;
}

/* The bytes that follow the last one read as zeros, so that the head of a record can be read at once. */
static int load(struct profile_trace_stream *stream, const struct profile_trace_chunk *chunk)
{
	int error = make_byte_room(stream, (size_t)chunk->length + HEAD_SIZE);
	if (error)
		return error;
	memset(stream->bytes + chunk->length, 0, HEAD_SIZE);
	error = profile_trace_read(file_of(stream)->fd, stream->bytes, chunk->length, chunk->offset);
	if (error)
		return error == -HEDDLE_TRUNCATED ? -HEDDLE_CORRUPTED : error;
	return heddle_trace_sum(stream->bytes, chunk->length) == chunk->sum ? 0 : -HEDDLE_CORRUPTED;
}

/* Between chunks that follow each other nothing changes; after a gap nothing is known. */
static void forget(struct profile_trace_stream *stream)
{
	stream->unknown = true;
	stream->off = false;
	stream->idle = (struct profile_trace_entry){0};
}

static void tell_step(const struct profile_trace *trace)
{
	struct profile_trace_steps *steps = trace->steps;
	if (steps && steps->progress && steps->count)
		profile_progress_step(steps->progress, "reading parts of the trace",
			atomic_fetch_add(&steps->done, 1) % steps->count + 1, steps->count);
}

static bool begin_chunk(struct profile_trace_stream *stream)
{
	const struct profile_trace_chunk *chunk = &stream->thread->chunks[stream->chunk];
	tell_step(stream->trace);
	int error = load(stream, chunk);
	if (error)
		return fail(stream, error);
	if (stream->chunk == 0 || chunk->order != chunk[-1].order + 1)
		forget(stream);
	stream->loaded = true;
	stream->size = chunk->length;
	stream->at = 0;
	stream->ticks = chunk->first;
	stream->paused = chunk->paused;
	stream->last_node = 0;
	stream->last_lock = 0;
	return true;
}

/* Makes a record present. False: there is none. */
static inline bool has_record(struct profile_trace_stream *stream)
{
	while (!stream->error && (!stream->loaded || stream->at == stream->size)) {
		size_t next = stream->chunk + (stream->loaded ? 1 : 0);
		if (next >= stream->thread->chunk_count)
			return false;
		stream->chunk = next;
		stream->loaded = false;
		begin_chunk(stream);
	}
	return !stream->error;
}

/* ---- records ---- */

struct record {
	unsigned int kind;
	unsigned int bits; /* where the width of a time or of an operand is that it does not have */
	uint64_t time, operand;
};

static inline uint64_t number(const uint8_t *at, unsigned int width)
{
	static const uint64_t masks[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX};
	uint64_t word;
	memcpy(&word, at, sizeof(word));
	return le64toh(word) & masks[width];
}

/* Kind, time and operand. Returns the size; what follows may be missing. */
static inline size_t read_head(const struct profile_trace_stream *stream, struct record *record)
{
	const uint8_t *begin = stream->bytes + stream->at, *at = begin + 1;
	unsigned int time_width = *begin >> 4 & 3u, width = *begin >> 6;
	*record = (struct record){.kind = *begin & 15u};
	if (has_time(record->kind)) {
		record->time = number(at, time_width);
		at += (size_t)1 << time_width;
	} else {
		record->bits = time_width;
	}
	if (record->kind != HEDDLE_TRACE_END) {
		record->operand = number(at, width);
		at += (size_t)1 << width;
	} else {
		record->bits = width;
	}
	return (size_t)(at - begin);
}

static inline bool leb(struct profile_trace_stream *stream, uint64_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; shift < 64 && stream->at < stream->size; shift += 7) {
		uint8_t byte = stream->bytes[stream->at++];
		if (shift == 63 && byte > 1)
			break;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return fail(stream, -HEDDLE_CORRUPTED);
}

static inline bool take_node(struct profile_trace_stream *stream, uint64_t node, uint32_t *number_of_it)
{
	if (node >= file_of(stream)->node_count)
		return fail(stream, -HEDDLE_CORRUPTED);
	*number_of_it = (uint32_t)node;
	return true;
}

/* ---- the stack ---- */

static inline bool push(struct profile_trace_stream *stream, uint32_t node, bool timed, bool region)
{
	if (stream->depth == stream->room &&
		profile_reserve(&stream->stack, &stream->room, stream->depth + 1, sizeof(*stream->stack)) != 0)
		return fail(stream, -ENOMEM);
	stream->stack[stream->depth++] = (struct profile_trace_entry){.node = node, .timed = timed, .region = region};
	return true;
}

/*
 * Push an entry of a STACK record. With the same node as the one that was there, `before` entries ago, it is the same.
 */
static inline bool push_again(struct profile_trace_stream *stream, uint32_t node, bool timed, size_t before)
{
	struct profile_trace_entry *there = stream->depth < before ? &stream->stack[stream->depth] : NULL;
	if (!there || there->node != node)
		return push(stream, node, timed, false);
	there->timed = timed;
	stream->depth++;
	return true;
}

uint32_t profile_trace_charged(const struct profile_trace_stream *stream)
{
	const struct profile_trace_entry *top = stream->depth ? &stream->stack[stream->depth - 1] : &stream->idle;
	return stream->off || stream->unknown || !top->timed ? HEDDLE_NO_NODE : top->node;
}

static bool take_entries(
	struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	size_t before = stream->unknown ? 0 : stream->depth;
	uint64_t count, entry;
	uint32_t node;
	if (record->operand > stream->depth || !leb(stream, &count) || count > stream->size - stream->at)
		return fail(stream, -HEDDLE_CORRUPTED);
	stream->depth = record->operand;
	for (uint64_t i = 0; i < count; i++)
		if (!leb(stream, &entry) || !take_node(stream, entry >> 1, &node) ||
			!push_again(stream, node, entry & 1, before))
			return false;
	stream->unknown = false;
	event->operand = (uint32_t)record->operand;
	event->pushed = (uint32_t)count;
	return true;
}

static bool end(struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	if (stream->depth == 0 || record->bits > HEDDLE_TRACE_END_OF_TASK)
		return fail(stream, -HEDDLE_CORRUPTED);
	const struct profile_trace_entry *top = &stream->stack[--stream->depth];
	event->node = top->node;
	event->timed = top->timed;
	if (record->bits == HEDDLE_TRACE_END_OF_TASK)
		profile_trace_task_returned(stream, top->task);
	return true;
}

static bool begin(struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	event->timed = record->kind == HEDDLE_TRACE_BEGIN;
	if (!take_node(stream, record->operand, &event->node))
		return false;
	stream->last_node = event->node;
	return push(stream, event->node, event->timed, true);
}

/* ---- the other records ---- */

static bool entry(struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	event->timed = record->operand & 1;
	if (!take_node(stream, record->operand >> 1, &event->node))
		return false;
	if (record->kind == HEDDLE_TRACE_OPEN)
		return push(stream, event->node, event->timed, false);
	stream->idle = (struct profile_trace_entry){.node = event->node, .timed = event->timed};
	return true;
}

/* The context of a task, the visit that its begin is, and its number. */
static bool begin_task(
	struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	uint32_t node;
	if (!take_node(stream, record->operand >> 1, &node) || node == 0 || stream->size - stream->at < 4)
		return fail(stream, -HEDDLE_CORRUPTED);
	uint64_t task = number(stream->bytes + stream->at, 2);
	stream->at += 4;
	stream->last_node = node;
	event->kind = HEDDLE_TRACE_OPEN;
	event->node = file_of(stream)->nodes[node].parent;
	event->timed = record->operand & 1;
	if (!push(stream, event->node, event->timed, false))
		return false;
	profile_trace_task_begun(stream, node, task);
	return true;
}

static bool visit(struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	if (!take_node(stream, record->operand, &event->node))
		return false;
	stream->last_node = event->node;
	if (record->kind == HEDDLE_TRACE_VISIT)
		return true;
	return leb(stream, &event->value) && leb(stream, &event->cpu_ns) && leb(stream, &event->wall_ticks);
}

/* The node of a record that may name one, and else is of the last node. */
static bool own_node(struct profile_trace_stream *stream, bool explicit, struct profile_trace_event *event)
{
	uint64_t node = stream->last_node;
	if ((explicit && !leb(stream, &node)) || !take_node(stream, node, &event->node))
		return false;
	stream->last_node = event->node;
	return true;
}

static bool add(struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	event->operand = profile_trace_metric(file_of(stream), record->operand >> 1);
	if (event->operand == HEDDLE_METRIC_LIMIT)
		return fail(stream, -HEDDLE_CORRUPTED);
	return own_node(stream, record->operand & 1, event) && leb(stream, &event->value);
}

static bool distribute(
	struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	uint64_t text, bits;
	if (record->operand >> 1 > HEDDLE_ARGUMENT_LIMIT || !own_node(stream, record->operand & 1, event) ||
		!leb(stream, &text) || text > file_of(stream)->process->info->n_strings ||
		stream->size - stream->at < sizeof(bits))
		return fail(stream, -HEDDLE_CORRUPTED);
	event->operand = (uint32_t)(record->operand >> 1);
	event->text = (uint32_t)text;
	bits = number(stream->bytes + stream->at, 3);
	memcpy(&event->real, &bits, sizeof(bits));
	stream->at += sizeof(bits);
	return true;
}

static bool access(struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	uint64_t partner;
	event->operand = (uint32_t)record->operand;
	if (!own_node(stream, record->operand & HEDDLE_TRACE_ACCESS_EXPLICIT, event) || !leb(stream, &partner) ||
		!leb(stream, &event->value))
		return false;
	event->partner = (int64_t)(partner - 1);
	return true;
}

/* Pauses count from the next record on: this one is from when the pause began. */
static void apply_mark(struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	switch (event->operand) {
	case HEDDLE_TRACE_OFF:
		stream->off = true;
		break;
	case HEDDLE_TRACE_ON:
		stream->off = false;
		break;
	case HEDDLE_TRACE_PAUSED:
		stream->paused = event->value;
		break;
	default:
		break;
	}
}

static bool name_value(
	struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	event->operand = record->operand > UINT32_MAX ? UINT32_MAX : (uint32_t)record->operand;
	if (!leb(stream, &event->value))
		return false;
	if (record->kind == HEDDLE_TRACE_MARK)
		apply_mark(stream, event);
	else if (event->operand == HEDDLE_TRACE_TASK)
		profile_trace_task_named(stream, event->value);
	return true;
}

static bool take_number(
	struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	static const uint8_t attributes[] = {[HEDDLE_TRACE_NUMBER_LOCK] = HEDDLE_TRACE_LOCK,
		[HEDDLE_TRACE_NUMBER_TASK_CREATE] = HEDDLE_TRACE_TASK_CREATE,
		[HEDDLE_TRACE_NUMBER_PARALLEL] = HEDDLE_TRACE_PARALLEL,
		[HEDDLE_TRACE_NUMBER_TEAM_SIZE] = HEDDLE_TRACE_TEAM_SIZE};
	event->kind = HEDDLE_TRACE_ATTRIBUTE;
	event->operand = attributes[record->bits];
	event->value = record->operand;
	if (event->operand != HEDDLE_TRACE_LOCK)
		return true;
	event->value = record->operand ? record->operand : stream->last_lock;
	stream->last_lock = event->value;
	return event->value || fail(stream, -HEDDLE_CORRUPTED);
}

static bool apply(struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	switch (record->kind) {
	case HEDDLE_TRACE_END:
		return end(stream, record, event);
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
		return begin(stream, record, event);
	case HEDDLE_TRACE_OPEN:
	case HEDDLE_TRACE_IDLE:
		return entry(stream, record, event);
	case HEDDLE_TRACE_STACK:
		return take_entries(stream, record, event);
	case HEDDLE_TRACE_VISIT:
	case HEDDLE_TRACE_SAMPLE:
		return visit(stream, record, event);
	case HEDDLE_TRACE_ADD:
		return add(stream, record, event);
	case HEDDLE_TRACE_DISTRIBUTE:
		return distribute(stream, record, event);
	case HEDDLE_TRACE_ACCESS:
		return access(stream, record, event);
	case HEDDLE_TRACE_ATTRIBUTE:
	case HEDDLE_TRACE_MARK:
		return name_value(stream, record, event);
	case HEDDLE_TRACE_NUMBER:
		return take_number(stream, record, event);
	case HEDDLE_TRACE_TASK_BEGIN:
		return begin_task(stream, record, event);
	default:
		return fail(stream, -HEDDLE_CORRUPTED);
	}
}

/* ---- time ---- */

static bool advances(unsigned int kind)
{
	return has_time(kind) && kind != HEDDLE_TRACE_VISIT && kind != HEDDLE_TRACE_SAMPLE;
}

/* Clocks that are brought together may seem to go back for a moment; a thread's events do not. */
static inline uint64_t time_of(const struct profile_trace_stream *stream, uint64_t ticks)
{
	uint64_t at = profile_trace_ns(stream->trace, file_of(stream), ticks, stream->paused);
	return at > stream->time_ns ? at : stream->time_ns;
}

static inline bool pass_time(
	struct profile_trace_stream *stream, const struct record *record, struct profile_trace_event *event)
{
	event->charged = HEDDLE_NO_NODE;
	if (__builtin_add_overflow(stream->ticks, record->time, &event->ticks))
		return fail(stream, -HEDDLE_CORRUPTED);
	if (has_time(record->kind))
		stream->time_ns = time_of(stream, event->ticks);
	event->time_ns = stream->time_ns;
	if (!advances(record->kind))
		return true;
	event->elapsed = record->time;
	event->charged = profile_trace_charged(stream);
	stream->ticks = event->ticks;
	return true;
}

/* A thread that took up the context was not there before. */
static inline void correct(struct profile_trace_event *event)
{
	if (event->kind == HEDDLE_TRACE_MARK && event->operand == HEDDLE_TRACE_THREAD_BEGIN)
		event->charged = HEDDLE_NO_NODE;
}

/* ---- streams ---- */

/* Marks may come before the stack. */
static bool may_be_first(const struct record *record)
{
	return (record->kind == HEDDLE_TRACE_STACK && record->operand == 0) || record->kind == HEDDLE_TRACE_MARK;
}

int profile_trace_next(struct profile_trace_stream *stream, struct profile_trace_event *event)
{
	struct record record;
	if (stream->more_count) {
		*event = stream->more[--stream->more_count];
		return 1;
	}
	if (!has_record(stream))
		return 0;
	bool first = stream->at == 0;
	size_t size = read_head(stream, &record);
	if (size > stream->size - stream->at || (first && !may_be_first(&record)))
		return fail(stream, -HEDDLE_CORRUPTED);
	stream->at += size;
	*event = (struct profile_trace_event){.kind = (enum heddle_trace_kind)record.kind};
	if (!pass_time(stream, &record, event) || !apply(stream, &record, event))
		return 0;
	correct(event);
	return 1;
}

bool profile_trace_peek(struct profile_trace_stream *stream, uint64_t *time_ns)
{
	struct record record;
	uint64_t ticks;
	*time_ns = stream->time_ns;
	if (stream->more_count)
		return true;
	if (!has_record(stream))
		return false;
	read_head(stream, &record);
	if (has_time(record.kind) && !__builtin_add_overflow(stream->ticks, record.time, &ticks))
		*time_ns = time_of(stream, ticks);
	return true;
}

int profile_trace_stream_open(struct profile_trace_stream *stream, const struct profile_trace *trace, size_t thread)
{
	*stream = (struct profile_trace_stream){.trace = trace};
	if (thread >= trace->thread_count)
		return -EINVAL;
	stream->thread = &trace->threads[thread];
	forget(stream);
	return 0;
}

void profile_trace_stream_go(struct profile_trace_stream *stream, size_t chunk)
{
	forget(stream);
	stream->chunk = chunk;
	stream->loaded = false;
	stream->more_count = 0;
	stream->at = stream->size = stream->depth = 0;
	stream->time_ns = 0;
	stream->error = 0;
}

size_t profile_trace_chunk_at(const struct profile_trace_stream *stream, uint64_t time_ns)
{
	const struct profile_trace_thread *thread = stream->thread;
	size_t low = 0, high = thread->chunk_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		const struct profile_trace_chunk *chunk = &thread->chunks[middle];
		if (profile_trace_ns(stream->trace, file_of(stream), chunk->first, chunk->paused) <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int profile_trace_stream_seek(struct profile_trace_stream *stream, uint64_t time_ns)
{
	profile_trace_stream_go(stream, profile_trace_chunk_at(stream, time_ns));
	return 0;
}

void profile_trace_stream_close(struct profile_trace_stream *stream)
{
	free(stream->bytes);
	free(stream->stack);
	*stream = (struct profile_trace_stream){0};
}
