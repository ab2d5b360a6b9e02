/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages with the same sender, receiver, communicator and tag are received in the order in which they were sent. A
 * message is dropped when it was received and its sender no longer waits for it. A call may complete several messages:
 * it is said to have waited for the one for which it waited longest.
 */
#include "profile/trace/trace_exchange.h"

#include "profile/trace/trace_barrier.h"
#include "profile/trace/trace_collective.h"
#include "profile/trace/trace_table.h"

#include <errno.h>
#include <stdlib.h>

/* A call that sends, receives, or waits for both, from its first message until all of its messages are known. */
struct call {
	struct call *next; /* in the list of free calls */
	size_t thread;
	uint32_t node;
	uint64_t since_ns, until_ns; /* until_ns: when it ended */
	size_t open;                 /* messages that it sent, or whose end it waited for, not received so far */
	bool over, received;
	/* The longest wait: */
	enum profile_trace_wait kind;
	uint64_t waited_ns, last_ns;
	size_t cause;
	uint32_t cause_node;
};

struct message {
	struct message *next, *last; /* next: with the same key, in order; last: of the queue, in its first message */
	struct profile_trace_point sent;
	uint32_t node;     /* of the region that sent it */
	struct call *call; /* in which its sender waits for it; NULL: none so far, or the sender does not wait */
	bool sends;        /* `call` is the call that sends the message */
	bool received, ended;
	/* after it was received: */
	struct profile_trace_point expected; /* begin of the receive */
	size_t receiver;
	uint32_t receiver_node;
};

/* A receive that continues after its call returns. */
struct expectation {
	struct expectation *next;
	struct profile_trace_point began;
	uint32_t node;
};

struct profile_trace_exchange {
	const struct profile_trace *trace;
	const struct profile_trace_sync_hooks *hooks;
	void *context;
	struct profile_trace_collectives collectives;
	struct call **calls;                  /* by thread: its open call */
	struct profile_trace_table under_way; /* by key: the first message; small, as most are received soon */
	struct profile_trace_table sends, expectations; /* by file and request */
	struct profile_trace_table missed;              /* by key: an AWAITED that has not been granted yet */
	struct message *free_messages;                  /* for reuse */
	struct call *free_calls;
	struct expectation *free_expectations;
};

static uint32_t file_number(const struct profile_trace_exchange *exchange, size_t thread)
{
	return exchange->trace->threads[thread].file;
}

static uint32_t node_of(
	const struct profile_trace_exchange *exchange, size_t thread, const struct profile_trace_open *open)
{
	return profile_trace_open_node(exchange->trace, thread, open);
}

/* ---- calls ---- */

/* Returns the call of the stack's last entry; NULL: no memory. */
static struct call *call_of(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open)
{
	struct call *call = exchange->calls[thread];
	if (call)
		return call;
	call = exchange->free_calls;
	if (call)
		exchange->free_calls = call->next;
	else
		call = malloc(sizeof(*call));
	if (!call)
		return NULL;
	*call = (struct call){.thread = thread, .node = node_of(exchange, thread, open), .since_ns = open->since_ns};
	open->number = 1;
	exchange->calls[thread] = call;
	return call;
}

static int end_call(struct profile_trace_exchange *exchange, struct call *call)
{
	struct profile_trace_waiting waiting = {call->thread, call->node, call->waited_ns};
	struct profile_trace_meeting meeting = {.kind = call->kind,
		.waits = &waiting,
		.wait_count = 1,
		.threads = 2,
		.last = call->cause,
		.node = call->cause_node,
		.first_ns = call->since_ns,
		.last_ns = call->last_ns,
		.waited_ns = call->waited_ns,
		.longest_ns = call->waited_ns};
	int error = 0;
	if (call->waited_ns && exchange->hooks->met)
		error = exchange->hooks->met(exchange->context, &meeting);
	call->next = exchange->free_calls;
	exchange->free_calls = call;
	return error;
}

/* The call waited until `ns`, for what another thread did in `node`. False: it waited longer for another one. */
static bool wait_until(struct call *call, enum profile_trace_wait kind, uint64_t ns, size_t cause, uint32_t cause_node)
{
	if (ns <= call->since_ns || ns - call->since_ns <= call->waited_ns || cause == call->thread)
		return false;
	call->kind = kind;
	call->waited_ns = ns - call->since_ns;
	call->last_ns = ns;
	call->cause = cause;
	call->cause_node = cause_node;
	return true;
}

int profile_trace_exchange_return(
	struct profile_trace_exchange *exchange, size_t thread, const struct profile_trace_open *open, uint64_t ns)
{
	struct call *call = open->number ? exchange->calls[thread] : NULL;
	if (!call)
		return 0;
	exchange->calls[thread] = NULL;
	call->over = true;
	call->until_ns = ns;
	return call->open ? 0 : end_call(exchange, call);
}

/* ---- messages ---- */

static struct message *make_message(struct profile_trace_exchange *exchange)
{
	struct message *message = exchange->free_messages;
	if (!message)
		return calloc(1, sizeof(*message));
	exchange->free_messages = message->next;
	*message = (struct message){0};
	return message;
}

/* Messages with equal keys are received in the order in which they were sent. */
struct key {
	uint64_t first, second;
};

/* Returns the key of a message that a thread sends, or receives. */
static struct key key_of(const struct profile_trace_event *event, bool sends)
{
	uint64_t own = event->own_rank, other = (uint64_t)event->partner;
	return (struct key){event->identity ^ (uint64_t)(event->tag + 1) * UINT64_C(0x9e3779b97f4a7c15),
		sends ? own << 32 | other : other << 32 | own};
}

static int put_message(struct profile_trace_exchange *exchange, struct key key, struct message *message)
{
	struct message *first = profile_trace_table_find(&exchange->under_way, key.first, key.second);
	if (!first) {
		message->last = message;
		return profile_trace_table_add(&exchange->under_way, key.first, key.second, message);
	}
	first->last->next = message;
	first->last = message;
	return 0;
}

/* Returns NULL if there is none. */
static struct message *take_message(struct profile_trace_exchange *exchange, struct key key)
{
	void **at = profile_trace_table_at(&exchange->under_way, key.first, key.second);
	struct message *message = at ? *at : NULL;
	if (!message)
		return NULL;
	if (message->next) {
		message->next->last = message->last;
		*at = message->next;
	} else {
		profile_trace_table_take(&exchange->under_way, key.first, key.second);
	}
	return message;
}

/*
 * Completes a message that was received, and for which its sender no longer waits. A send that returns before the
 * receive begins has not waited. A call that also receives waits for the other's message instead.
 */
static int resolve(struct profile_trace_exchange *exchange, struct message *message)
{
	struct call *call = message->call;
	int error = 0;
	if (call) {
		call->open--;
		bool buffered = call->over && call->until_ns < message->expected.ns;
		if (!buffered && (!message->sends || !call->received) &&
			wait_until(call, HEDDLE_WAIT_RECEIVER, message->expected.ns, message->receiver,
				message->receiver_node))
			profile_trace_resume_only(
				exchange->hooks, exchange->context, call->thread, call->since_ns, &message->expected);
		if (call->over && !call->open)
			error = end_call(exchange, call);
	}
	profile_trace_drop(exchange->hooks, exchange->context, &message->expected);
	message->next = exchange->free_messages;
	exchange->free_messages = message;
	return error;
}

static int keep_send(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open,
	uint64_t request, struct message *message)
{
	if (request)
		return profile_trace_table_add(&exchange->sends, file_number(exchange, thread), request, message);
	message->call = call_of(exchange, thread, open);
	if (!message->call)
		return -ENOMEM;
	message->call->open++;
	message->sends = message->ended = true;
	return 0;
}

/* Adds a message that is under way from now on. */
static int add_message(struct profile_trace_exchange *exchange, size_t thread, const struct profile_trace_open *open,
	const struct profile_trace_event *event, struct message **added)
{
	struct message *message = make_message(exchange);
	if (!message)
		return -ENOMEM;
	int error = put_message(exchange, key_of(event, true), message);
	if (error) {
		free(message);
		return error;
	}
	message->node = node_of(exchange, thread, open);
	profile_trace_mark(exchange->hooks, exchange->context, &message->sent, thread, event->time_ns, &error);
	*added = message;
	return error;
}

static int send_message(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open,
	const struct profile_trace_event *event)
{
	struct message *message;
	int error = add_message(exchange, thread, open, event, &message);
	return error ? error : keep_send(exchange, thread, open, event->request, message);
}

/* A send is not waited for in the call that began it. */
static int end_send(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open,
	const struct profile_trace_event *event)
{
	struct message *message =
		profile_trace_table_take(&exchange->sends, file_number(exchange, thread), event->request);
	if (!message)
		return 0;
	message->ended = true;
	if (open->since_ns > message->sent.ns) {
		message->call = call_of(exchange, thread, open);
		if (!message->call)
			return -ENOMEM;
		message->call->open++;
	}
	return message->received ? resolve(exchange, message) : 0;
}

static int expect_message(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open,
	const struct profile_trace_event *event)
{
	struct expectation *made = exchange->free_expectations;
	int error = 0;
	if (made)
		exchange->free_expectations = made->next;
	else
		made = malloc(sizeof(*made));
	if (!made)
		return -ENOMEM;
	*made = (struct expectation){.node = node_of(exchange, thread, open)};
	profile_trace_mark(exchange->hooks, exchange->context, &made->began, thread, event->time_ns, &error);
	return error ? error
		     : profile_trace_table_add(
			       &exchange->expectations, file_number(exchange, thread), event->request, made);
}

/* Sets when and where the receive began. */
static int take_expectation(struct profile_trace_exchange *exchange, size_t thread,
	const struct profile_trace_open *open, const struct profile_trace_event *event, struct message *message)
{
	struct expectation *found = event->request ? profile_trace_table_take(&exchange->expectations,
							     file_number(exchange, thread), event->request)
						   : NULL;
	int error = 0;
	message->receiver = thread;
	message->receiver_node = found ? found->node : node_of(exchange, thread, open);
	message->expected = (struct profile_trace_point){0};
	if (!found && !event->request)
		profile_trace_mark(
			exchange->hooks, exchange->context, &message->expected, thread, open->since_ns, &error);
	if (!found)
		return error;
	message->expected = found->began;
	found->next = exchange->free_expectations;
	exchange->free_expectations = found;
	return 0;
}

static int receive_message(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open,
	const struct profile_trace_event *event)
{
	struct message *message = take_message(exchange, key_of(event, false));
	struct call *call = message ? call_of(exchange, thread, open) : NULL;
	if (!call)
		return message ? -ENOMEM : 0;
	call->received = true;
	message->received = true;
	wait_until(call, HEDDLE_WAIT_SENDER, message->sent.ns, message->sent.thread, message->node);
	int error = take_expectation(exchange, thread, open, event, message);
	profile_trace_resume(exchange->hooks, exchange->context, thread, open->since_ns, &message->sent);
	uint64_t sent_ns = message->sent.ns;
	profile_trace_drop(exchange->hooks, exchange->context, &message->sent);
	message->sent.ns = sent_ns;
	int more = message->ended ? resolve(exchange, message) : 0;
	return error ? error : more;
}

/* ---- grants ---- */

/* The thread that grants does not wait until the grant is taken. */
static int grant(struct profile_trace_exchange *exchange, size_t thread, const struct profile_trace_open *open,
	const struct profile_trace_event *event)
{
	struct message *message;
	return add_message(exchange, thread, open, event, &message);
}

/* A call continued without the grant: another one takes it. */
static int miss_grant(struct profile_trace_exchange *exchange, struct key key)
{
	if (profile_trace_table_find(&exchange->missed, key.first, key.second))
		return 0;
	return profile_trace_table_add(&exchange->missed, key.first, key.second, exchange);
}

static int await_grant(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open,
	const struct profile_trace_event *event)
{
	struct key key = key_of(event, false);
	if (event->request && !profile_trace_table_take(&exchange->missed, key.first, key.second))
		return 0;
	struct message *message = take_message(exchange, key);
	if (!message)
		return event->request ? 0 : miss_grant(exchange, key);
	struct call *call = call_of(exchange, thread, open);
	if (call)
		wait_until(call, event->tag == HEDDLE_TRACE_POST ? HEDDLE_WAIT_POST : HEDDLE_WAIT_COMPLETE,
			message->sent.ns, message->sent.thread, message->node);
	profile_trace_resume(exchange->hooks, exchange->context, thread, open->since_ns, &message->sent);
	profile_trace_drop(exchange->hooks, exchange->context, &message->sent);
	message->next = exchange->free_messages;
	exchange->free_messages = message;
	return call ? 0 : -ENOMEM;
}

/* ---- records ---- */

/* The call that ends the collective waits for it, unless it waits longer for another operation that it ends. */
static int end_collective(struct profile_trace_exchange *exchange, size_t thread, struct profile_trace_open *open,
	const struct profile_trace_event *event)
{
	struct profile_trace_collective_wait wait;
	int error = profile_trace_collective_left(&exchange->collectives, thread, open, event->request, &wait);
	struct call *call = error || wait.kind == HEDDLE_WAITS ? NULL : call_of(exchange, thread, open);
	if (call)
		wait_until(call, wait.kind, wait.ns, wait.cause, wait.node);
	return error || wait.kind == HEDDLE_WAITS || call ? error : -ENOMEM;
}

int profile_trace_exchange_message(struct profile_trace_exchange *exchange, size_t thread,
	struct profile_trace_stack *stack, const struct profile_trace_event *event)
{
	struct profile_trace_open *open = stack->depth ? &stack->entries[stack->depth - 1] : NULL;
	if (!open || !open->region || !event->identity)
		return 0;
	switch (event->operand) {
	case HEDDLE_TRACE_SENT:
		return event->partner < 0 ? 0 : send_message(exchange, thread, open, event);
	case HEDDLE_TRACE_EXPECTED:
		return expect_message(exchange, thread, open, event);
	case HEDDLE_TRACE_RECEIVED:
		return event->partner < 0 ? 0 : receive_message(exchange, thread, open, event);
	case HEDDLE_TRACE_SEND_END:
		return end_send(exchange, thread, open, event);
	case HEDDLE_TRACE_JOINED:
		return profile_trace_collective_join(&exchange->collectives, thread, open, event, event->identity);
	case HEDDLE_TRACE_LEFT:
		return end_collective(exchange, thread, open, event);
	case HEDDLE_TRACE_GRANTED:
		return event->partner < 0 ? 0 : grant(exchange, thread, open, event);
	case HEDDLE_TRACE_AWAITED:
		return event->partner < 0 ? 0 : await_grant(exchange, thread, open, event);
	default:
		return 0;
	}
}

/* ---- collectives ---- */

int profile_trace_exchange_enter(struct profile_trace_exchange *exchange, size_t thread,
	const struct profile_trace_open *open, enum heddle_event_role waits)
{
	if (!profile_trace_has(&open->attributes, HEDDLE_TRACE_COMMUNICATOR))
		return 0;
	return profile_trace_collective_enter(&exchange->collectives, thread, open, waits);
}

int profile_trace_exchange_leave(
	struct profile_trace_exchange *exchange, size_t thread, const struct profile_trace_open *open, uint64_t ns)
{
	if (!profile_trace_has(&open->attributes, HEDDLE_TRACE_COMMUNICATOR))
		return 0;
	return profile_trace_collective_leave(&exchange->collectives, thread, open, ns);
}

void profile_trace_exchange_lose(struct profile_trace_exchange *exchange, size_t thread)
{
	exchange->collectives.losses[thread]++;
}

/* ---- begin and end ---- */

struct profile_trace_exchange *profile_trace_exchange_open(
	const struct profile_trace *trace, const struct profile_trace_sync_hooks *hooks, void *context)
{
	struct profile_trace_exchange *exchange = calloc(1, sizeof(*exchange));
	if (!exchange)
		return NULL;
	*exchange = (struct profile_trace_exchange){.trace = trace, .hooks = hooks, .context = context};
	exchange->collectives = (struct profile_trace_collectives){.trace = trace, .hooks = hooks, .context = context};
	exchange->calls = calloc(trace->thread_count + 1, sizeof(struct call *));
	exchange->collectives.losses = calloc(trace->thread_count + 1, sizeof(*exchange->collectives.losses));
	if (exchange->calls && exchange->collectives.losses)
		return exchange;
	free(exchange->calls);
	free(exchange->collectives.losses);
	free(exchange);
	return NULL;
}

/* Calls end with their last message. Those of messages that were never received end now. */
static int end_message(struct profile_trace_exchange *exchange, struct message *message)
{
	struct call *call = message->call;
	int error = 0;
	profile_trace_drop(exchange->hooks, exchange->context, &message->sent);
	if (call && !--call->open && call->over)
		error = end_call(exchange, call);
	free(message);
	return error;
}

static int end_messages(struct profile_trace_exchange *exchange)
{
	struct message *message;
	int error = 0, more;
	while ((message = profile_trace_table_drain(&exchange->sends)) != NULL) {
		if (!message->received) /* it is still in under_way */
			continue;
		profile_trace_drop(exchange->hooks, exchange->context, &message->expected);
		free(message);
	}
	while ((message = profile_trace_table_drain(&exchange->under_way)) != NULL) {
		for (struct message *next; message; message = next) {
			next = message->next;
			more = end_message(exchange, message);
			error = error ? error : more;
		}
	}
	return error;
}

int profile_trace_exchange_close(struct profile_trace_exchange *exchange)
{
	struct expectation *expectation;
	struct message *message;
	if (!exchange)
		return 0;
	int error = end_messages(exchange), more = profile_trace_collectives_end(&exchange->collectives);
	while ((expectation = profile_trace_table_drain(&exchange->expectations)) != NULL) {
		profile_trace_drop(exchange->hooks, exchange->context, &expectation->began);
		free(expectation);
	}
	while (profile_trace_table_drain(&exchange->missed))
		continue;
	for (; (expectation = exchange->free_expectations) != NULL; free(expectation))
		exchange->free_expectations = expectation->next;
	for (; (message = exchange->free_messages) != NULL; free(message))
		exchange->free_messages = message->next;
	for (size_t t = 0; t < exchange->trace->thread_count; t++)
		free(exchange->calls[t]);
	for (struct call *call; (call = exchange->free_calls) != NULL; free(call))
		exchange->free_calls = call->next;
	free(exchange->calls);
	free(exchange);
	return error ? error : more;
}
