/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes what follows the fixed part of each kind of record, and updates the stack of open regions and tasks. */
#include "profile/trace/trace_record.h"

#include "profile/base/errors.h"
#include "profile/base/intern.h"
#include "profile/trace/trace_file.h"
#include "profile/trace/trace_task.h"

static inline bool leb(struct profile_trace_stream *stream, uint64_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; shift < 64 && stream->at < stream->size; shift += 7) {
		uint8_t byte = stream->bytes.at[stream->at++];
		if (shift == 63 && byte > 1)
			break;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
}

static inline bool take_node(struct profile_trace_stream *stream, uint64_t node, uint32_t *number_of_it)
{
	if (node >= profile_trace_file_of(stream)->node_count)
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	*number_of_it = (uint32_t)node;
	return true;
}

/* Reads the node of the event itself. */
static inline bool take_own_node(struct profile_trace_stream *stream, uint64_t node, struct profile_trace_event *event)
{
	if (!take_node(stream, node, &event->node))
		return false;
	event->tree_node = profile_trace_file_of(stream)->map[node];
	return true;
}

/* ---- the stack ---- */

static inline bool push(struct profile_trace_stream *stream, uint32_t node, bool timed, bool region)
{
	if (stream->depth == stream->room &&
		profile_reserve(&stream->stack, &stream->room, stream->depth + 1, sizeof(*stream->stack)) != 0)
		return profile_trace_fail(stream, -ENOMEM);
	stream->stack[stream->depth++] = (struct profile_trace_entry){.node = node, .timed = timed, .region = region};
	return true;
}

/*
 * Pushes an entry of a STACK record, which is the same entry if it had that node before. `before` is the former depth.
 */
static inline bool push_again(struct profile_trace_stream *stream, uint32_t node, bool timed, size_t before)
{
	if (stream->depth >= before || stream->stack[stream->depth].node != node)
		return push(stream, node, timed, false);
	stream->stack[stream->depth++].timed = timed;
	return true;
}

static bool take_entries(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	size_t before = stream->unknown ? 0 : stream->depth;
	uint64_t count, entry;
	uint32_t node;
	if (record->operand > stream->depth || !leb(stream, &count) || count > stream->size - stream->at)
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
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

static bool end(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	if (stream->depth == 0 || record->bits > HEDDLE_TRACE_END_OF_TASK)
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	const struct profile_trace_entry *top = &stream->stack[--stream->depth];
	event->node = top->node;
	event->timed = top->timed;
	if (record->bits == HEDDLE_TRACE_END_OF_TASK)
		profile_trace_task_returned(stream, top->task);
	return true;
}

static bool begin(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	event->timed = record->kind == HEDDLE_TRACE_BEGIN;
	if (!take_own_node(stream, record->operand, event))
		return false;
	stream->last_node = event->node;
	return push(stream, event->node, event->timed, true);
}

/* ---- the other records ---- */

static bool entry(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	event->timed = record->operand & 1;
	if (!take_own_node(stream, record->operand >> 1, event))
		return false;
	if (record->kind == HEDDLE_TRACE_OPEN)
		return push(stream, event->node, event->timed, false);
	stream->idle = (struct profile_trace_entry){.node = event->node, .timed = event->timed};
	return true;
}

/* Reads the context of a task, the visit that its begin implies, and its number. */
static bool begin_task(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	uint32_t node;
	if (!take_node(stream, record->operand >> 1, &node) || node == 0 || stream->size - stream->at < 4)
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	uint64_t task = profile_trace_number(stream->bytes.at + stream->at, 2);
	stream->at += 4;
	stream->last_node = node;
	event->kind = HEDDLE_TRACE_OPEN;
	event->node = profile_trace_file_of(stream)->parents[node];
	event->tree_node = profile_trace_file_of(stream)->map[event->node];
	event->timed = record->operand & 1;
	if (!push(stream, event->node, event->timed, false))
		return false;
	profile_trace_task_begun(stream, node, task);
	return true;
}

static bool visit(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	if (!take_own_node(stream, record->operand, event))
		return false;
	stream->last_node = event->node;
	if (record->kind == HEDDLE_TRACE_VISIT)
		return true;
	return leb(stream, &event->value) && leb(stream, &event->cpu_ns) && leb(stream, &event->wall_ticks);
}

/* Reads the node of a record that may name one; otherwise it is the last node. */
static bool own_node(struct profile_trace_stream *stream, bool explicit, struct profile_trace_event *event)
{
	uint64_t node = stream->last_node;
	if ((explicit && !leb(stream, &node)) || !take_node(stream, node, &event->node))
		return false;
	stream->last_node = event->node;
	return true;
}

static bool read_addition(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	event->operand = profile_trace_metric(profile_trace_file_of(stream), record->operand >> 1);
	if (event->operand == HEDDLE_METRIC_LIMIT)
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	return own_node(stream, record->operand & 1, event) && leb(stream, &event->value);
}

static bool distribute(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	uint64_t text, bits;
	if (record->operand >> 1 > HEDDLE_ARGUMENT_LIMIT || !own_node(stream, record->operand & 1, event) ||
		!leb(stream, &text) || text > profile_trace_file_of(stream)->process->info->n_strings ||
		stream->size - stream->at < sizeof(bits))
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	event->operand = (uint32_t)(record->operand >> 1);
	event->text = (uint32_t)text;
	bits = profile_trace_number(stream->bytes.at + stream->at, 3);
	memcpy(&event->real, &bits, sizeof(bits));
	stream->at += sizeof(bits);
	return true;
}

static bool access(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	const struct profile_trace_file *file = profile_trace_file_of(stream);
	uint64_t partner, group = record->operand >> HEDDLE_TRACE_ACCESS_GROUP_SHIFT;
	event->operand = (uint32_t)(record->operand & ((1u << HEDDLE_TRACE_ACCESS_GROUP_SHIFT) - 1));
	if (group > file->group_count)
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	event->group = (uint32_t)group;
	event->identity = group ? file->groups[group - 1].identity : 0;
	if (!own_node(stream, record->operand & HEDDLE_TRACE_ACCESS_EXPLICIT, event) || !leb(stream, &partner) ||
		!leb(stream, &event->value))
		return false;
	event->partner = (int64_t)(partner - 1);
	return true;
}

/* Pauses count from the next record on, because this one has the time when the pause began. */
void profile_trace_apply_mark(struct profile_trace_stream *stream, const struct profile_trace_event *event)
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

static bool name_value(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	event->operand = record->operand > UINT32_MAX ? UINT32_MAX : (uint32_t)record->operand;
	if (!leb(stream, &event->value))
		return false;
	if (record->kind == HEDDLE_TRACE_MARK)
		profile_trace_apply_mark(stream, event);
	else if (event->operand == HEDDLE_TRACE_TASK)
		profile_trace_task_named(stream, event->value);
	return true;
}

static bool take_number(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
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
	return event->value || profile_trace_fail(stream, -HEDDLE_CORRUPTED);
}

static bool read_message(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
{
	const struct profile_trace_file *file = profile_trace_file_of(stream);
	uint64_t group, partner, tag;
	event->operand = record->operand > UINT32_MAX ? UINT32_MAX : (uint32_t)record->operand;
	if (!leb(stream, &group) || !leb(stream, &partner) || !leb(stream, &tag) || !leb(stream, &event->value) ||
		!leb(stream, &event->request))
		return false;
	if (group > file->group_count || partner > UINT32_MAX || tag > UINT32_MAX)
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	event->group = (uint32_t)group;
	event->partner = (int64_t)partner - 1;
	event->tag = (int64_t)tag - 1;
	event->identity = group ? file->groups[group - 1].identity : 0;
	event->own_rank = group ? file->groups[group - 1].all_rank : 0;
	return true;
}

bool profile_trace_apply(struct profile_trace_stream *stream, const struct profile_trace_record *record,
	struct profile_trace_event *event)
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
		return read_addition(stream, record, event);
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
	case HEDDLE_TRACE_MESSAGE:
		return read_message(stream, record, event);
	default:
		return profile_trace_fail(stream, -HEDDLE_CORRUPTED);
	}
}
