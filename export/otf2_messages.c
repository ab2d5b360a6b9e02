/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages and collectives of communicators. OTF2 numbers partners and roots by their rank in the communicator, records
 * by their rank in the program: each process records its rank in each of its communicators.
 */
#include "export/otf2_writer.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MEMBERS (1u << 20) /* more members indicate a damaged file */

/* ---- communicators ---- */

struct export_otf2_group *export_otf2_find_group(const struct export_otf2 *otf2, uint64_t identity)
{
	const void *found = profile_trace_table_find(&otf2->group_numbers, identity, 0);
	return found ? &otf2->groups[(uintptr_t)found - 1] : NULL;
}

static const char *name_of(const struct profile_trace_file *file, const struct heddle_trace_group *group)
{
	const Heddle__Profile__Process *process = file->process->info;
	return group->name && group->name <= process->n_strings ? process->strings[group->name - 1] : "";
}

static int add_group(
	struct export_otf2 *otf2, const struct profile_trace_file *file, const struct heddle_trace_group *group)
{
	size_t members = HEDDLE_TRACE_MEMBERS(group->identity);
	int error = profile_reserve(&otf2->groups, &otf2->group_room, otf2->group_count + 1, sizeof(*otf2->groups));
	uint64_t *ranks = members <= MOST_MEMBERS ? malloc((members + 1) * sizeof(*ranks)) : NULL;
	if (error || !ranks) {
		free(ranks);
		return -ENOMEM;
	}
	memset(ranks, 0xff, (members + 1) * sizeof(*ranks));
	otf2->groups[otf2->group_count++] = (struct export_otf2_group){.name = name_of(file, group),
		.window = EXPORT_OTF2_NONE,
		.comm = otf2->comm_count++,
		.members = members,
		.ranks = ranks};
	return profile_trace_table_add(
		&otf2->group_numbers, group->identity, 0, (void *)(uintptr_t)otf2->group_count); // NOLINT
}

static int add_member(struct export_otf2 *otf2, const struct profile_trace_file *file, size_t thread,
	const struct heddle_trace_group *record)
{
	if (!record->identity || record->rank >= HEDDLE_TRACE_MEMBERS(record->identity) ||
		record->all_rank >= MOST_MEMBERS || HEDDLE_TRACE_MEMBERS(record->identity) > MOST_MEMBERS)
		return 0;
	int error = export_otf2_find_group(otf2, record->identity) ? 0 : add_group(otf2, file, record);
	if (!error)
		error = profile_reserve(
			&otf2->processes, &otf2->process_room, (size_t)record->all_rank + 1, sizeof(*otf2->processes));
	if (error)
		return error;
	while (otf2->process_count <= record->all_rank)
		otf2->processes[otf2->process_count++] = EXPORT_OTF2_NO_THREAD;
	struct export_otf2_group *group = export_otf2_find_group(otf2, record->identity);
	otf2->processes[record->all_rank] = thread;
	group->ranks[record->rank] = record->all_rank;
	uint64_t key = (uint64_t)group->comm << 32 | record->all_rank;
	if (profile_trace_table_find(&otf2->members, key, 1))
		return 0;
	return profile_trace_table_add(&otf2->members, key, 1, (void *)(uintptr_t)(record->rank + 1)); // NOLINT
}

/* True for the thread that represents its process: the first one that is a location. */
static bool stands_for_process(const struct export_otf2 *otf2, size_t thread)
{
	size_t first = thread;
	while (first > 0 && otf2->request->trace->threads[first - 1].file == otf2->request->trace->threads[thread].file)
		first--;
	while (!export_otf2_is_location(otf2, first))
		first++;
	return first == thread;
}

int export_otf2_find_groups(struct export_otf2 *otf2)
{
	const struct profile_trace *trace = otf2->request->trace;
	int error = 0;
	for (size_t t = 0; t < trace->thread_count && !error; t++) {
		const struct profile_trace_file *file = &trace->files[trace->threads[t].file];
		if (!export_otf2_is_location(otf2, t) || !stands_for_process(otf2, t))
			continue;
		for (size_t i = 0; i < file->group_count && !error; i++)
			error = add_member(otf2, file, t, &file->groups[i]);
	}
	return error;
}

void export_otf2_free_groups(struct export_otf2 *otf2)
{
	for (size_t i = 0; i < otf2->group_count; i++) {
		free(otf2->groups[i].ranks);
		free(otf2->groups[i].openers);
	}
	free(otf2->groups);
	free(otf2->processes);
	while (profile_trace_table_drain(&otf2->group_numbers))
		continue;
	while (profile_trace_table_drain(&otf2->members))
		continue;
}

/* The rank in the communicator; EXPORT_OTF2_NONE: it is no member, or recorded nothing. */
uint32_t export_otf2_rank_in(const struct export_otf2 *otf2, const struct export_otf2_group *group, int64_t all_rank)
{
	uint64_t key = (uint64_t)group->comm << 32 | (uint64_t)all_rank;
	const void *found = all_rank < 0 ? NULL : profile_trace_table_find(&otf2->members, key, 1);
	return found ? (uint32_t)(uintptr_t)found - 1 : EXPORT_OTF2_NONE;
}

/* ---- messages ---- */

struct export_otf2_group *export_otf2_group_of(const struct export_otf2 *otf2, const struct export_step *step)
{
	const struct profile_trace *trace = otf2->request->trace;
	const struct profile_trace_file *file = &trace->files[trace->threads[step->thread].file];
	return step->event->group ? export_otf2_find_group(otf2, file->groups[step->event->group - 1].identity) : NULL;
}

static void write_send(struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_group *group)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	const struct profile_trace_event *event = step->event;
	uint32_t partner = export_otf2_rank_in(otf2, group, event->partner);
	if (partner == EXPORT_OTF2_NONE)
		return;
	export_otf2_failed(otf2, event->request
					 ? OTF2_EvtWriter_MpiIsend(writer, NULL, step->time_ns, partner, group->comm,
						   (uint32_t)event->tag, event->value, event->request)
					 : OTF2_EvtWriter_MpiSend(writer, NULL, step->time_ns, partner, group->comm,
						   (uint32_t)event->tag, event->value));
}

static void write_receive(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_group *group)
{
	OTF2_EvtWriter *writer = otf2->threads[step->thread].writer;
	const struct profile_trace_event *event = step->event;
	uint32_t partner = export_otf2_rank_in(otf2, group, event->partner);
	if (partner == EXPORT_OTF2_NONE)
		return;
	export_otf2_failed(otf2, event->request
					 ? OTF2_EvtWriter_MpiIrecv(writer, NULL, step->time_ns, partner, group->comm,
						   (uint32_t)event->tag, event->value, event->request)
					 : OTF2_EvtWriter_MpiRecv(writer, NULL, step->time_ns, partner, group->comm,
						   (uint32_t)event->tag, event->value));
}

/* ---- collectives ---- */

static const struct {
	const char *name;
	enum heddle_trace_collective number;
	OTF2_CollectiveOp operation;
} collectives[] = {
#define X(name, which) {name, HEDDLE_TRACE_##which, OTF2_COLLECTIVE_OP_##which},
	X("Barrier", BARRIER) X("Bcast", BCAST) X("Gather", GATHER) X("Gatherv", GATHERV) X("Scatter", SCATTER)
		X("Scatterv", SCATTERV) X("Allgather", ALLGATHER) X("Allgatherv", ALLGATHERV) X("Alltoall", ALLTOALL) X(
			"Alltoallv", ALLTOALLV) X("Alltoallw", ALLTOALLW) X("Reduce", REDUCE) X("Allreduce", ALLREDUCE)
			X("Reduce_scatter", REDUCE_SCATTER) X("Reduce_scatter_block", REDUCE_SCATTER_BLOCK)
				X("Scan", SCAN) X("Exscan", EXSCAN)
#undef X
};

/* Returns the index of the collective in the name of a label, "MPI_Reduce_c @a.c:7"; SIZE_MAX: none. */
static size_t collective_of(const struct export_otf2 *otf2, uint32_t node)
{
	uint32_t label = otf2->request->view->label_of[node];
	const char *text = otf2->request->view->labels[label].text;
	if (otf2->paradigms[label] != OTF2_PARADIGM_MPI || strncmp(text, "MPI_", 4) != 0)
		return SIZE_MAX;
	size_t length = strcspn(text += 4, " ");
	if (length > 2 && strncmp(text + length - 2, "_c", 2) == 0)
		length -= 2;
	for (size_t i = 0; i < sizeof(collectives) / sizeof(*collectives); i++)
		if (strlen(collectives[i].name) == length && strncmp(collectives[i].name, text, length) == 0)
			return i;
	return SIZE_MAX;
}

void export_otf2_enter_call(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	if (!export_has(step->attributes, HEDDLE_TRACE_COMMUNICATOR) || thread->shares)
		return;
	const struct export_otf2_group *group =
		export_otf2_find_group(otf2, step->attributes->value[HEDDLE_TRACE_COMMUNICATOR]);
	size_t collective = group ? collective_of(otf2, step->node) : SIZE_MAX;
	if (collective == SIZE_MAX)
		return;
	uint32_t root = export_has(step->attributes, HEDDLE_TRACE_ROOT)
				? export_otf2_rank_in(otf2, group, (int64_t)step->attributes->value[HEDDLE_TRACE_ROOT])
				: EXPORT_OTF2_NONE;
	thread->shares = thread->depth + 1;
	thread->shared = (struct export_otf2_shared){
		collective, group->comm, root == EXPORT_OTF2_NONE ? OTF2_UNDEFINED_UINT32 : root, 0, 0};
	export_otf2_failed(otf2, OTF2_EvtWriter_MpiCollectiveBegin(thread->writer, NULL, step->time_ns));
}

void export_otf2_leave_call(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	const struct export_otf2_shared *shared = &thread->shared;
	if (!thread->shares || thread->shares != thread->depth + 1)
		return;
	thread->shares = 0;
	export_otf2_failed(otf2, OTF2_EvtWriter_MpiCollectiveEnd(thread->writer, NULL, step->time_ns,
					 collectives[shared->collective].operation, shared->comm, shared->root,
					 shared->sent, shared->received));
}

/* OTF2 has no operations for neighbourhood collectives: the most similar operation is written. */
static void write_left(struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_group *group)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	const struct profile_trace_event *event = step->event;
	OTF2_CollectiveOp operation = OTF2_COLLECTIVE_OP_ALLTOALL;
	uint32_t root = export_otf2_rank_in(otf2, group, event->partner);
	for (size_t i = 0; i < sizeof(collectives) / sizeof(*collectives); i++)
		if (collectives[i].number == (enum heddle_trace_collective)event->tag)
			operation = collectives[i].operation;
	export_otf2_failed(
		otf2, OTF2_EvtWriter_NonBlockingCollectiveComplete(thread->writer, NULL, step->time_ns, operation,
			      group->comm, root == EXPORT_OTF2_NONE ? OTF2_UNDEFINED_UINT32 : root, thread->shared.sent,
			      thread->shared.received, event->request));
}

void export_otf2_write_message(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	struct export_otf2_group *group = export_otf2_group_of(otf2, step);
	const struct profile_trace_event *event = step->event;
	if (!group)
		return;
	switch (event->operand) {
	case HEDDLE_TRACE_SENT:
		write_send(otf2, step, group);
		break;
	case HEDDLE_TRACE_EXPECTED:
		export_otf2_failed(
			otf2, OTF2_EvtWriter_MpiIrecvRequest(thread->writer, NULL, step->time_ns, event->request));
		break;
	case HEDDLE_TRACE_RECEIVED:
		write_receive(otf2, step, group);
		break;
	case HEDDLE_TRACE_SEND_END:
		export_otf2_failed(
			otf2, OTF2_EvtWriter_MpiIsendComplete(thread->writer, NULL, step->time_ns, event->request));
		break;
	case HEDDLE_TRACE_JOINED:
		export_otf2_failed(otf2, OTF2_EvtWriter_NonBlockingCollectiveRequest(
						 thread->writer, NULL, step->time_ns, event->request));
		break;
	case HEDDLE_TRACE_LEFT:
		write_left(otf2, step, group);
		break;
	case HEDDLE_TRACE_SHARED:
		thread->shared.sent = event->value;
		thread->shared.received = event->request;
		break;
	case HEDDLE_TRACE_GRANTED:
	case HEDDLE_TRACE_AWAITED:
	case HEDDLE_TRACE_WINDOW:
	case HEDDLE_TRACE_ARRIVED:
		export_otf2_write_window_message(otf2, step, group);
		break;
	default:
		break;
	}
}
