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

static void record_begin(struct heddle_thread *thread, const struct heddle_mpi_entered *entered)
{
	heddle__library_record_meeting(
		thread, entered->communicator, entered->root, entered->across, entered->meets_all);
	for (size_t i = 0; entered->sends && i < entered->send_count; i++)
		record_message(thread, &entered->sends[i], thread->last_ticks);
}

/* Caches the region, so that the next call from the same place finds it. */
static void keep_site(struct heddle_thread *thread, const struct heddle_mpi_call *call, uint32_t parent)
{
	bool opened = heddle__takes_fast_path(thread) && heddle__is_innermost(thread, call->event);
	const struct heddle_region *region = opened ? heddle__innermost(&thread->stack) : NULL;
	struct heddle_slot *slot = region ? region->slot : NULL;
	if (slot && region->place)
		heddle__keep_site(thread, &(struct heddle_known_site){.address = call->from->pc,
						  .parent = parent,
						  .event = call->event->id + 1u,
						  .slot = slot,
						  .place = region->place});
}

/* Opens the region below the caller's whole path while sampling, else below the innermost entry. */
static void open_region(struct heddle_thread *thread, struct heddle_mpi_call *call)
{
	struct heddle_library_place found = heddle__library_caller(thread, call->from);
	heddle__region_begin_below(thread, call->event, found.node, found.place, call->from->sp);
	if (heddle__is_traced(thread) && call->entered)
		record_begin(thread, call->entered);
	if (!heddle__capture)
		keep_site(thread, call, found.node);
	call->thread = thread;
	call->begun = thread->last_ticks;
}

__attribute__((noinline)) static void begin_slow(struct heddle_mpi_call *call)
{
	int saved = errno;
	struct heddle_thread *thread = heddle__thread_enter();
	call->thread = NULL;
	if (HEDDLE_LIKELY(thread && heddle__is_counting(thread) && call->event->selected))
		open_region(thread, call);
	else
		call->begun = heddle__measured_ticks();
	if (thread)
		heddle__leave(thread);
	errno = saved;
}

/* Begins a call. One from a known place, without samples, calls nothing here, so errno stays. */
static void begin(struct heddle_mpi_call *call)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = call->event;
	if (HEDDLE_UNLIKELY(heddle__capture || !event->selected || !heddle__library_enter_shortest(thread))) {
		begin_slow(call);
		return;
	}
	const struct heddle_known_site *site =
		heddle__known_site(thread, heddle__fast_path_node(thread), event->id, (const void *)call->from->pc);
	if (HEDDLE_UNLIKELY(!site || !heddle__stack_has_room(&thread->stack))) {
		heddle__library_leave_shortest(thread);
		begin_slow(call);
		return;
	}
	call->thread = thread;
	call->begun = heddle__region_begin_shortest(thread, event, site->slot, site->place, call->from->sp);
	heddle__library_leave_shortest(thread);
}

static uint64_t ticks(void)
{
	return heddle__measured_ticks();
}

/* An access to a rank's window; its bytes are metrics of the call, as those of messages are. */
static void record_access(struct heddle_thread *thread, const struct heddle_mpi_message *message)
{
	uint32_t operand = HEDDLE_TRACE_ACCESS_COUNTED | HEDDLE_TRACE_ACCESS_LATER |
			   message->group << HEDDLE_TRACE_ACCESS_GROUP_SHIFT;
	if (message->kind == HEDDLE_EXCHANGE_PUT)
		operand |= HEDDLE_TRACE_ACCESS_PUT;
	heddle__trace_access(thread, heddle__current_node(thread), operand, message->partner, message->bytes);
	if (message->request)
		heddle__trace_attribute(thread, HEDDLE_TRACE_HANDLE, message->request);
}

static bool is_access(const struct heddle_mpi_message *message)
{
	return message->kind == HEDDLE_EXCHANGE_PUT || message->kind == HEDDLE_EXCHANGE_GOT;
}

/* True for records of a begin, which have the time of the call; those of completion have the time of its end. */
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
 * Divides the call's time by the number of parts. Most calls have one part, an exchange two; these need no division,
 * which takes as long as all the rest. On many processors a division of 64 bits takes twice as long as one of 32 bits,
 * which nearly always suffices.
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
	if (HEDDLE_UNLIKELY(!heddle__is_counting(thread)))
		return;
	for (size_t i = 0; heddle__is_traced(thread) && i < number; i++)
		record(thread, call, &messages[i]);
	for (size_t i = 0; i < number; i++)
		if (messages[i].kind)
			count(thread, &messages[i], elapsed);
}

/* Adds messages before the call ends, in the thread that was entered when it began. */
static void exchange(
	struct heddle_mpi_call *call, const struct heddle_mpi_message *messages, size_t number, size_t parts)
{
	int saved = errno;
	if (!call->thread)
		return;
	heddle__enter(call->thread);
	add_messages(call->thread, call, messages, number, parts);
	heddle__leave(call->thread);
	errno = saved;
}

static uint64_t waiting_of(struct heddle_thread *thread, const struct heddle_slot *slot,
	const struct heddle_mpi_call *call, const struct heddle_mpi_moved *moved)
{
	struct heddle_least_times *least = HEDDLE_UNLIKELY(moved->synced) ? NULL : least_of(thread);
	if (HEDDLE_UNLIKELY(!least || call->ended < call->begun))
		return moved->synced;
	return heddle__beyond_least(least, slot->node, moved->size, call->ended - call->begun);
}

static void add_metric(struct heddle_slot *slot, enum heddle_metric metric, uint64_t amount)
{
	if (amount)
		heddle__add(slot, metric, amount);
}

/* Like add_moved, for a thread with a trace, which records values that are not 0. */
__attribute__((noinline)) static void add_and_record(
	struct heddle_slot *slot, const struct heddle_mpi_moved *moved, uint64_t waiting)
{
	add_metric(slot, HEDDLE_METRIC_MESSAGES_SENT, moved->sent);
	add_metric(slot, HEDDLE_METRIC_MESSAGES_RECEIVED, moved->received);
	add_metric(slot, HEDDLE_METRIC_BYTES_SENT, moved->bytes_sent);
	add_metric(slot, HEDDLE_METRIC_BYTES_RECEIVED, moved->bytes_received);
	add_metric(slot, HEDDLE_METRIC_FLIGHT_TIME, moved->flight);
	add_metric(slot, HEDDLE_METRIC_OVERLAPPED_TIME, moved->overlapped);
	if (moved->moves)
		heddle__distribute_size(slot, moved->size);
	add_metric(slot, HEDDLE_METRIC_MESSAGE_WAIT, waiting);
}

#define MORE(metric) more[HEDDLE_METRIC_##metric - HEDDLE_METRIC_COMMON]

__attribute__((always_inline)) static inline void add_moved(
	struct heddle_slot *slot, const struct heddle_mpi_moved *moved, uint64_t waiting)
{
	if (HEDDLE_UNLIKELY(!slot->more) && !heddle__slot_add_room(slot))
		return;
	uint64_t *more = slot->more;
	MORE(MESSAGES_SENT) += moved->sent;
	MORE(MESSAGES_RECEIVED) += moved->received;
	MORE(BYTES_SENT) += moved->bytes_sent;
	MORE(BYTES_RECEIVED) += moved->bytes_received;
	MORE(MESSAGE_WAIT) += waiting;
	MORE(OVERLAPPED_TIME) += moved->overlapped;
	MORE(FLIGHT_TIME) += moved->flight;
	if (moved->moves)
		heddle__slot_distribute_size(slot, moved->size);
}

static void end_region(
	struct heddle_thread *thread, const struct heddle_mpi_call *call, const struct heddle_mpi_moved *moved)
{
	struct heddle_slot *slot = heddle__region_pop_at(thread, call->event, call->ended);
	if (!slot || moved->size == UINT64_MAX)
		return;
	uint64_t waiting = waiting_of(thread, slot, call, moved);
	if (heddle__is_traced(thread))
		add_and_record(slot, moved, waiting);
	else
		add_moved(slot, moved, waiting);
}

__attribute__((noinline)) static void end_slow(struct heddle_mpi_call *call, const struct heddle_mpi_moved *moved,
	const struct heddle_mpi_message *messages, size_t number, size_t parts)
{
	int saved = errno;
	struct heddle_thread *thread = call->thread;
	heddle__enter(thread);
	if (number)
		add_messages(thread, call, messages, number, parts);
	end_region(thread, call, moved);
	heddle__leave(thread);
	errno = saved;
}

/* The slot and rows that a call is added to, if all are cached. */
struct at_hand {
	struct heddle_slot *slot;
	struct heddle_least *least;
	struct heddle_exchange *first, *second; /* NULL: there is no such message */
};

static inline bool find_row(
	struct heddle_thread *thread, const struct heddle_mpi_message *message, struct heddle_exchange **row)
{
	*row = heddle__exchange_recent(&thread->exchanges, message->communicator, message->partner, message->kind,
		heddle__size_bucket(message->bytes));
	return HEDDLE_LIKELY(*row);
}

/* Returns false if the call has no size, or if no similar call is cached. */
static inline bool find_at_hand(struct heddle_thread *thread, const struct heddle_mpi_call *call,
	const struct heddle_mpi_moved *moved, struct at_hand *found)
{
	const struct heddle_least_times *least = thread->frontend[own_index];
	if (!HEDDLE_LIKELY(least && heddle__is_innermost(thread, call->event)))
		return false;
	found->slot = heddle__innermost_slot(thread);
	if (!HEDDLE_LIKELY(found->slot && found->slot->more))
		return false;
	found->least = heddle__least_recent(least, found->slot->node, heddle__size_bits(moved->size));
	return found->least && moved->size != UINT64_MAX && !moved->synced && call->ended >= call->begun;
}

static inline bool find_rows(
	struct heddle_thread *thread, const struct heddle_mpi_message *messages, size_t number, struct at_hand *found)
{
	found->first = found->second = NULL;
	return !number || (find_row(thread, messages, &found->first) &&
				  (number == 1 || find_row(thread, messages + 1, &found->second)));
}

static inline void add_to_row(struct heddle_exchange *row, const struct heddle_mpi_message *message, uint64_t elapsed)
{
	row->messages++;
	row->bytes += message->bytes;
	row->ticks += elapsed;
}

/* Ends a call. For a call that is similar to a former one, this calls no function, so errno stays. */
static void end(struct heddle_mpi_call *call, const struct heddle_mpi_moved *moved,
	const struct heddle_mpi_message *messages, size_t number, size_t parts)
{
	struct heddle_thread *thread = call->thread;
	struct at_hand found;
	if (!thread)
		return;
	if (HEDDLE_UNLIKELY(number > 2 || !heddle__takes_shortest_path(thread))) {
		end_slow(call, moved, messages, number, parts);
		return;
	}
	heddle__enter(thread);
	if (HEDDLE_UNLIKELY(
		    !find_at_hand(thread, call, moved, &found) || !find_rows(thread, messages, number, &found))) {
		heddle__library_leave_shortest(thread);
		end_slow(call, moved, messages, number, parts);
		return;
	}
	uint64_t elapsed = part_of(call, parts);
	if (found.first)
		add_to_row(found.first, messages, elapsed);
	if (found.second)
		add_to_row(found.second, messages + 1, elapsed);
	heddle__region_end_shortest(thread, found.slot, call->ended);
	add_moved(found.slot, moved, heddle__beyond_row(found.least, call->ended - call->begun));
	heddle__library_leave_shortest(thread);
}

static void abandon(const struct heddle_event *event)
{
	int saved = errno;
	struct heddle_thread *thread = heddle__thread_enter();
	if (!thread)
		return;
	heddle__region_end(thread, event);
	heddle__leave(thread);
	errno = saved;
}

static void group(const struct heddle_trace_group *of)
{
	if (heddle__trace_group)
		heddle__trace_group(of);
}

/* UPC threads that communicate by MPI keep their own numbers, since a process may have several. */
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
		end, abandon, heddle__library_count, heddle__library_text, group, ranks, clock_ns, measure_clock,
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
