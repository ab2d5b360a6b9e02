/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds causes and effects in a thread's events. The number of a lock, and whether a collective synchronizes all, are
 * in attributes, which follow the record that they belong to, perhaps in the next chunk.
 */
#include "profile/trace/trace_cause.h"

/* True if events were lost or not measured. */
static bool is_loss(const struct profile_trace_event *event)
{
	return event->kind == HEDDLE_TRACE_MARK &&
	       (event->operand == HEDDLE_TRACE_DROPPED || event->operand == HEDDLE_TRACE_OFF ||
		       event->operand == HEDDLE_TRACE_PAUSED);
}

/* True if a chunk between the last event and this one is missing. */
static bool is_gap(struct profile_trace_causer *causer, const struct profile_trace_stream *stream)
{
	size_t before = causer->chunk;
	causer->chunk = stream->chunk;
	return stream->chunk != before && stream->chunk > 0 &&
	       stream->thread->chunks[stream->chunk].order != stream->thread->chunks[stream->chunk - 1].order + 1;
}

/* True for the records at a chunk's begin, which may come between a record and its attributes. */
static bool is_head(const struct profile_trace_event *event)
{
	return event->kind == HEDDLE_TRACE_STACK || event->kind == HEDDLE_TRACE_IDLE;
}

/* At a chunk's begin, the stack may already have a region whose visit follows. Other visits have no end. */
static bool opens(const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	if (event->kind == HEDDLE_TRACE_VISIT)
		return stream->depth && stream->stack[stream->depth - 1].node == event->node;
	return event->kind == HEDDLE_TRACE_BEGIN || event->kind == HEDDLE_TRACE_BEGIN_UNTIMED;
}

static void wait_here(struct profile_trace_causer *causer, const struct profile_trace_stream *stream)
{
	causer->parts = false;
	causer->wait = stream->depth;
	causer->wait_node = causer->node;
}

/* The communicator is the last attribute: by then the root is known, and that not all ranks take part. */
static bool take_communicator(struct profile_trace_causer *causer, const struct profile_trace_stream *stream,
	const struct profile_trace_event *event, struct profile_trace_cause *cause)
{
	if (!causer->opens || causer->wait)
		return false;
	cause->kind = HEDDLE_CAUSE_JOIN;
	cause->ns = causer->ns;
	cause->identity = event->value;
	cause->waits = causer->waits;
	cause->partner = causer->root;
	cause->across = causer->across;
	causer->role = HEDDLE_ROLE_NONE;
	wait_here(causer, stream);
	causer->parts = true;
	return true;
}

static bool take_attribute(struct profile_trace_causer *causer, const struct profile_trace_stream *stream,
	const struct profile_trace_event *event, struct profile_trace_cause *cause)
{
	enum profile_trace_role role = causer->role;
	if (event->operand == HEDDLE_TRACE_ROOT && role == HEDDLE_ROLE_COLLECTIVE)
		causer->root = (int64_t)event->value;
	if (event->operand == HEDDLE_TRACE_ACROSS && role == HEDDLE_ROLE_COLLECTIVE)
		causer->across = event->value;
	if (event->operand == HEDDLE_TRACE_COMMUNICATOR && role == HEDDLE_ROLE_COLLECTIVE)
		return take_communicator(causer, stream, event, cause);
	bool meets = event->operand == HEDDLE_TRACE_MEETS && role == HEDDLE_ROLE_COLLECTIVE && causer->ranked &&
		     !causer->wait;
	bool locks = event->operand == HEDDLE_TRACE_LOCK &&
		     (role == HEDDLE_ROLE_LOCK || role == HEDDLE_ROLE_ATTEMPT || role == HEDDLE_ROLE_UNLOCK);
	if (!meets && !locks)
		return false;
	cause->ns = causer->ns;
	cause->lock = event->value;
	cause->collective = meets;
	cause->kind = meets                        ? HEDDLE_CAUSE_ENTER
		      : role == HEDDLE_ROLE_UNLOCK ? HEDDLE_CAUSE_RELEASE
						   : HEDDLE_CAUSE_ACQUIRE;
	causer->role = HEDDLE_ROLE_NONE;
	if (meets && causer->opens)
		wait_here(causer, stream);
	return true;
}

/* The wait may also have ended before a chunk, in whose stack it is missing. */
static bool ends_wait(struct profile_trace_causer *causer, const struct profile_trace_stream *stream)
{
	bool over = causer->wait &&
		    (stream->depth < causer->wait || stream->stack[causer->wait - 1].node != causer->wait_node);
	if (over)
		causer->wait = 0;
	return over;
}

/* Locks are acquired at the end of their region, and released at its begin. */
static bool matters(enum profile_trace_role role, bool begins, bool ends)
{
	return role == HEDDLE_ROLE_LOCK || role == HEDDLE_ROLE_ATTEMPT ? ends : begins;
}

/* True if a region of a ranked model, or a collective, begins or ends, or happens without duration. */
static bool take_region(struct profile_trace_causer *causer, const struct profile_trace_roles *roles,
	const struct profile_trace_stream *stream, const struct profile_trace_event *event)
{
	const struct profile_trace *trace = stream->trace;
	bool ends = event->kind == HEDDLE_TRACE_END, open = opens(stream, event);
	causer->role = HEDDLE_ROLE_NONE;
	if (!ends && !open && event->kind != HEDDLE_TRACE_VISIT)
		return false;
	struct profile_trace_kind kind = profile_trace_kind_of(roles, &trace->files[stream->thread->file], event->node);
	if (!(kind.ranked || kind.role == HEDDLE_ROLE_COLLECTIVE) || !matters(kind.role, !ends, ends))
		return false;
	causer->ranked = kind.ranked;
	causer->role = kind.role;
	causer->waits = kind.waits;
	causer->root = -1;
	causer->across = 0;
	causer->opens = open;
	causer->node = event->node;
	causer->ns = event->time_ns;
	if (causer->wait)
		return false;
	if ((kind.role == HEDDLE_ROLE_BARRIER || kind.role == HEDDLE_ROLE_AWAIT) && open)
		wait_here(causer, stream);
	return kind.role == HEDDLE_ROLE_BARRIER || kind.role == HEDDLE_ROLE_NOTIFY;
}

/*
 * From rank to rank, the nth completion of accesses precedes the nth time that they are awaited. A post need not
 * precede the completion, because a library may buffer what is put. Messages have no tags below 0.
 */
static bool take_grant(const struct profile_trace_event *event, struct profile_trace_cause *cause)
{
	cause->kind = event->operand == HEDDLE_TRACE_GRANTED ? HEDDLE_CAUSE_SEND : HEDDLE_CAUSE_RECEIVE;
	cause->tag = -2 - event->tag;
	return event->partner >= 0 && event->tag == HEDDLE_TRACE_COMPLETE;
}

static bool take_message(const struct profile_trace_stream *stream, const struct profile_trace_event *event,
	struct profile_trace_cause *cause)
{
	const struct profile_trace_file *file = &stream->trace->files[stream->thread->file];
	bool known = event->group && event->group <= file->group_count;
	cause->group = event->group;
	cause->partner = event->partner;
	cause->tag = event->tag;
	cause->identity = known ? file->groups[event->group - 1].identity : 0;
	cause->request = event->request;
	switch (event->operand) {
	case HEDDLE_TRACE_SENT:
		cause->kind = HEDDLE_CAUSE_SEND;
		return event->partner >= 0;
	case HEDDLE_TRACE_RECEIVED:
		cause->kind = HEDDLE_CAUSE_RECEIVE;
		return event->partner >= 0;
	case HEDDLE_TRACE_JOINED:
		cause->kind = HEDDLE_CAUSE_JOIN;
		cause->waits = event->tag < 0 ? 0 : (uint8_t)event->tag;
		cause->across = event->tag < 0 ? 0 : (uint64_t)event->tag >> 8;
		return cause->identity && event->request;
	case HEDDLE_TRACE_LEFT:
		cause->kind = HEDDLE_CAUSE_PART;
		return event->request;
	case HEDDLE_TRACE_GRANTED:
	case HEDDLE_TRACE_AWAITED:
		return take_grant(event, cause);
	default:
		return false;
	}
}

/* Before the mark of a thread's begin comes only its empty stack; otherwise the trace begins later than the thread. */
static bool loses(struct profile_trace_causer *causer, const struct profile_trace_stream *stream,
	const struct profile_trace_event *event)
{
	bool gap = is_gap(causer, stream), begun = causer->begun;
	causer->begun |= event->kind == HEDDLE_TRACE_MARK && event->operand == HEDDLE_TRACE_THREAD_BEGIN;
	bool late = !causer->begun && !is_head(event) && !causer->lost;
	return late || is_loss(event) || (gap && (begun || causer->lost));
}

bool profile_trace_cause_of(struct profile_trace_causer *causer, const struct profile_trace_roles *roles,
	const struct profile_trace_stream *stream, const struct profile_trace_event *event,
	struct profile_trace_cause *cause)
{
	*cause = (struct profile_trace_cause){.kind = HEDDLE_CAUSE_LOSS, .ns = event->time_ns};
	if (loses(causer, stream, event)) {
		causer->lost = true;
		causer->wait = 0;
		causer->role = HEDDLE_ROLE_NONE;
		return true;
	}
	if (event->kind == HEDDLE_TRACE_ATTRIBUTE)
		return take_attribute(causer, stream, event, cause);
	if (event->kind == HEDDLE_TRACE_MESSAGE)
		return take_message(stream, event, cause);
	if (ends_wait(causer, stream)) {
		cause->kind = causer->parts ? HEDDLE_CAUSE_PART : HEDDLE_CAUSE_LEAVE;
		if (!is_head(event))
			take_region(causer, roles, stream, event);
		return true;
	}
	cause->kind = HEDDLE_CAUSE_ENTER;
	return !is_head(event) && take_region(causer, roles, stream, event);
}
