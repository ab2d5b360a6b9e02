/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the calls that libheddle-mpi.so reports into regions below the caller's path, and what they moved into metrics.
 * Which function a call is, is only an event here.
 */
#include "models/mpi/mpi_events.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/clock.h"
#include "core/base/likely.h"
#include "core/base/memory.h"
#include "core/base/notes.h"
#include "core/base/process_info.h"
#include "core/base/settings.h"
#include "core/host/host_functions.h"
#include "core/process/library_calls.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/exchanges.h"
#include "core/threads/least_times.h"
#include "core/threads/region.h"
#include "core/threads/remote_clock.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"
#include "core/writer/outcome.h"
#include "format/job_marks.h"
#include "models/mpi/mpi_calls.h"

static bool wanted;
static unsigned int own_index;

static struct heddle_least_times *least_of(struct heddle_thread *thread)
{
	struct heddle_least_times *least = thread->frontend[own_index];
	if (HEDDLE_UNLIKELY(!least))
		thread->frontend[own_index] = least = heddle__alloc(sizeof(*least));
	return least;
}

static void record_message(struct heddle_thread *thread, const struct heddle_mpi_message *message, uint64_t when)
{
	struct heddle_trace_numbers numbers = {message->group, (uint32_t)(message->partner + 1),
		(uint32_t)(message->tag + 1), message->bytes, message->request};
	heddle__trace_message(thread, message->record, when, &numbers);
}

static void record_begin(struct heddle_thread *thread, const struct heddle_mpi_call *call)
{
	heddle__library_record_meeting(thread, call->communicator, call->root, call->across, call->meets_all);
	for (size_t i = 0; call->sends && i < call->send_count; i++)
		record_message(thread, &call->sends[i], thread->last_ticks);
}

/* Opens the region below the caller's whole path while sampling, else below the innermost entry. */
static void open_region(struct heddle_thread *thread, struct heddle_mpi_call *call)
{
	struct heddle_library_place found = heddle__library_caller(thread, &call->from);
	heddle__region_begin_below(thread, call->event, found.node, found.place, call->from.sp);
	if (heddle__is_traced(thread))
		record_begin(thread, call);
	call->opened = true;
}

static void begin(struct heddle_mpi_call *call)
{
	int saved = errno;
	struct heddle_thread *thread = heddle__thread_enter();
	call->opened = false;
	if (thread && heddle__is_counting(thread) && call->event->selected)
		open_region(thread, call);
	call->begun = call->opened ? thread->last_ticks : heddle__measured_ticks();
	if (thread)
		heddle__leave(thread);
	errno = saved;
}

static uint64_t ticks(void)
{
	return heddle__measured_ticks();
}

/* An access to a rank's window; its bytes are metrics of the call, as those of messages are. */
static void record_access(struct heddle_thread *thread, const struct heddle_mpi_message *message)
{
	uint32_t operand = HEDDLE_TRACE_ACCESS_COUNTED;
	if (message->kind == HEDDLE_EXCHANGE_PUT)
		operand |= HEDDLE_TRACE_ACCESS_PUT;
	heddle__trace_access(thread, heddle__current_node(thread), operand, message->partner, message->bytes);
}

static bool is_access(const struct heddle_mpi_message *message)
{
	return message->kind == HEDDLE_EXCHANGE_PUT || message->kind == HEDDLE_EXCHANGE_GOT;
}

/* What begins has the time of the call, what is complete that of its end. */
static bool begins(enum heddle_trace_message message)
{
	return message == HEDDLE_TRACE_SENT || message == HEDDLE_TRACE_EXPECTED || message == HEDDLE_TRACE_JOINED ||
	       message == HEDDLE_TRACE_GRANTED;
}

static void record(
	struct heddle_thread *thread, const struct heddle_mpi_call *call, const struct heddle_mpi_message *message)
{
	if (message->record)
		record_message(thread, message, begins(message->record) ? call->begun : call->ended);
	if (is_access(message))
		record_access(thread, message);
}

static void count(struct heddle_thread *thread, const struct heddle_mpi_message *message, uint64_t elapsed)
{
	struct heddle_exchange *row = heddle__exchange_find(
		&thread->exchanges, message->communicator, message->partner, message->kind, message->bytes);
	if (HEDDLE_UNLIKELY(!row))
		return;
	row->messages++;
	row->bytes += message->bytes;
	row->ticks += elapsed;
}

/*
 * Most calls have one part, an exchange two: a division takes as long as all the rest. Of 64 bits it takes twice as
 * long as of 32, on many processors, and times of calls seldom need more.
 */
static inline uint64_t part_of(const struct heddle_mpi_call *call, size_t parts)
{
	uint64_t elapsed = call->ended > call->begun ? call->ended - call->begun : 0;
	if (HEDDLE_LIKELY(parts <= 2))
		return parts == 2 ? elapsed / 2 : parts * elapsed;
	if (HEDDLE_LIKELY((elapsed | parts) <= UINT32_MAX))
		return (uint32_t)elapsed / (uint32_t)parts;
	return elapsed / parts;
}

static void add_messages(struct heddle_thread *thread, const struct heddle_mpi_call *call,
	const struct heddle_mpi_message *messages, size_t number, size_t parts)
{
	uint64_t elapsed = part_of(call, parts);
	for (size_t i = 0; i < number && heddle__is_counting(thread); i++) {
		if (heddle__is_traced(thread))
			record(thread, call, &messages[i]);
		if (messages[i].kind)
			count(thread, &messages[i], elapsed);
	}
}

static void exchange(
	struct heddle_mpi_call *call, const struct heddle_mpi_message *messages, size_t number, size_t parts)
{
	int saved = errno;
	struct heddle_thread *thread = call->opened ? heddle__thread_enter() : NULL;
	if (!thread)
		return;
	add_messages(thread, call, messages, number, parts);
	heddle__leave(thread);
	errno = saved;
}

static void add_metric(struct heddle_slot *slot, enum heddle_metric metric, uint64_t amount)
{
	if (amount)
		heddle__add(slot, metric, amount);
}

static uint64_t waiting_of(struct heddle_thread *thread, const struct heddle_slot *slot,
	const struct heddle_mpi_call *call, const struct heddle_mpi_moved *moved)
{
	struct heddle_least_times *least = moved->synced ? NULL : least_of(thread);
	if (!least || call->ended < call->begun)
		return moved->synced;
	return heddle__beyond_least(least, slot->node, moved->size, call->ended - call->begun);
}

static void add_moved(struct heddle_thread *thread, struct heddle_slot *slot, const struct heddle_mpi_call *call,
	const struct heddle_mpi_moved *moved)
{
	add_metric(slot, HEDDLE_METRIC_MESSAGES_SENT, moved->sent);
	add_metric(slot, HEDDLE_METRIC_MESSAGES_RECEIVED, moved->received);
	add_metric(slot, HEDDLE_METRIC_BYTES_SENT, moved->bytes_sent);
	add_metric(slot, HEDDLE_METRIC_BYTES_RECEIVED, moved->bytes_received);
	add_metric(slot, HEDDLE_METRIC_FLIGHT_TIME, moved->flight);
	add_metric(slot, HEDDLE_METRIC_OVERLAPPED_TIME, moved->overlapped);
	if (moved->moves)
		heddle__distribute_size(slot, moved->size);
	add_metric(slot, HEDDLE_METRIC_MESSAGE_WAIT, waiting_of(thread, slot, call, moved));
}

static void end(struct heddle_mpi_call *call, const struct heddle_mpi_moved *moved,
	const struct heddle_mpi_message *messages, size_t number, size_t parts)
{
	int saved = errno;
	struct heddle_thread *thread = call->opened ? heddle__thread_enter() : NULL;
	if (!thread)
		return;
	add_messages(thread, call, messages, number, parts);
	struct heddle_slot *slot = heddle__region_pop_at(thread, call->event, call->ended);
	if (slot && moved->size != UINT64_MAX)
		add_moved(thread, slot, call, moved);
	heddle__leave(thread);
	errno = saved;
}

static void group(const struct heddle_trace_group *of)
{
	if (heddle__trace_group)
		heddle__trace_group(of);
}

/* UPC threads that communicate by MPI keep their numbers: there may be several in a process. */
static void ranks(uint32_t rank, uint32_t number)
{
	heddle__library_ranks(&heddle__mpi_model, rank, number, false);
}

static uint64_t clock_ns(void)
{
	return heddle__clock_ns(CLOCK_MONOTONIC);
}

static void measure_clock(int (*read)(uint64_t *ns))
{
	heddle__remote_clock_measure(read);
}

static void end_process(void)
{
	heddle__finish(HEDDLE_ENDED_BY_ABORT);
}

/* After MPI_Abort the profile has been written. */
static void end_job(void)
{
	heddle__finish(HEDDLE_ENDED_BY_ERROR);
	heddle__outcome_job_ends();
}

HEDDLE_EXPORT const struct heddle_mpi_interface *heddle_mpi_attach(
	unsigned int version, struct heddle_event *events, unsigned int number)
{
	static struct heddle_mpi_interface interface = {false, false, false, NULL, NULL, NULL, begin, ticks, exchange,
		end, heddle__library_count, heddle__library_text, group, ranks, clock_ns, measure_clock,
		heddle__library_control, end_process, end_job};
	bool measured = heddle__start();
	interface.reads_tsc = HEDDLE_MAY_HAVE_TSC && heddle__clock_is_tsc;
	interface.measured_clock = &heddle__measured_clock;
	interface.directory = heddle__process.output;
	interface.host = heddle__process.host;
	interface.traces = heddle__tracing;
	interface.syncs = heddle__setting_number(HEDDLE_SETTING_MPI_SYNC);
	if (!measured || !wanted || version != HEDDLE_MPI_INTERFACE)
		return NULL;
	if (!heddle__library_attach(events, number))
		return NULL;
	if (interface.syncs)
		heddle__note("a barrier preceded each MPI collective (--mpi-sync)");
	return &interface;
}

int heddle__mpi_init(unsigned int index)
{
	own_index = index;
	wanted = heddle__setting_lists(HEDDLE_SETTING_MODELS, "mpi");
	return 0;
}

void heddle__mpi_finish(void)
{
	wanted = false;
}

/* A child is no rank, and may not call MPI. */
void heddle__mpi_after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	heddle__library_forget_rank(&heddle__mpi_model);
	if (self)
		self->frontend[own_index] = NULL; /* times of the parent's calls */
}
