/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared memory of all ranks as an RMA window, and their collective operations on it. A split-phase barrier begins
 * with its notify and ends with its wait.
 */
#include "export/otf2_writer.h"

#include <string.h>

/* The effect of a region on a collective operation. */
static const struct collective {
	const char *name; /* of the region, up to its source position */
	OTF2_CollectiveOp operation;
	bool begins, ends;
	OTF2_RmaSyncLevel level;
} collectives[] = {
	{"upc barrier", OTF2_COLLECTIVE_OP_BARRIER, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"upc notify", OTF2_COLLECTIVE_OP_BARRIER, true, false, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"upc wait", OTF2_COLLECTIVE_OP_BARRIER, false, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"upc broadcast", OTF2_COLLECTIVE_OP_BCAST, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc scatter", OTF2_COLLECTIVE_OP_SCATTER, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc gather", OTF2_COLLECTIVE_OP_GATHER, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc gather all", OTF2_COLLECTIVE_OP_ALLGATHER, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc exchange", OTF2_COLLECTIVE_OP_ALLTOALL, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc permute", OTF2_COLLECTIVE_OP_ALLTOALLV, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc reduce", OTF2_COLLECTIVE_OP_REDUCE, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc prefix reduce", OTF2_COLLECTIVE_OP_SCAN, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"upc all alloc", OTF2_COLLECTIVE_OP_ALLOCATE, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"upc all lock alloc", OTF2_COLLECTIVE_OP_CREATE_HANDLE, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"shmem_barrier_all", OTF2_COLLECTIVE_OP_BARRIER, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_sync_all", OTF2_COLLECTIVE_OP_BARRIER, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"shmem_barrier", OTF2_COLLECTIVE_OP_BARRIER, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_sync", OTF2_COLLECTIVE_OP_BARRIER, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"shmem_broadcast", OTF2_COLLECTIVE_OP_BCAST, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_broadcast32", OTF2_COLLECTIVE_OP_BCAST, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_broadcast64", OTF2_COLLECTIVE_OP_BCAST, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_collect32", OTF2_COLLECTIVE_OP_ALLGATHERV, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_collect64", OTF2_COLLECTIVE_OP_ALLGATHERV, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_fcollect32", OTF2_COLLECTIVE_OP_ALLGATHER, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_fcollect64", OTF2_COLLECTIVE_OP_ALLGATHER, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_alltoall32", OTF2_COLLECTIVE_OP_ALLTOALL, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_alltoall64", OTF2_COLLECTIVE_OP_ALLTOALL, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_alltoalls32", OTF2_COLLECTIVE_OP_ALLTOALL, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_alltoalls64", OTF2_COLLECTIVE_OP_ALLTOALL, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY},
	{"shmem_malloc", OTF2_COLLECTIVE_OP_ALLOCATE, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"shmem_calloc", OTF2_COLLECTIVE_OP_ALLOCATE, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"shmem_align", OTF2_COLLECTIVE_OP_ALLOCATE, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
	{"shmem_free", OTF2_COLLECTIVE_OP_DEALLOCATE, true, true, OTF2_RMA_SYNC_LEVEL_PROCESS},
};

/* Reductions are named by their type and operation. */
static const struct collective reduction = {
	"_to_all", OTF2_COLLECTIVE_OP_ALLREDUCE, true, true, OTF2_RMA_SYNC_LEVEL_MEMORY};

/* True if the name is that of a reduction, "shmem_int_sum_to_all @a.c:7". */
static bool is_reduction(const char *text)
{
	size_t length = strcspn(text, " "), end = strlen(reduction.name);
	return strncmp(text, "shmem", 5) == 0 && length > end && strncmp(text + length - end, reduction.name, end) == 0;
}

/* Returns the collective in the name of a label, "upc barrier @a.upc:7"; NULL: none. */
static const struct collective *collective_of(const struct export_otf2 *otf2, uint32_t node)
{
	uint32_t label = otf2->request->view->label_of[node];
	const char *text = otf2->request->view->labels[label].text;
	if (otf2->paradigms[label] != OTF2_PARADIGM_UPC && otf2->paradigms[label] != OTF2_PARADIGM_SHMEM)
		return NULL;
	for (size_t i = 0; i < sizeof(collectives) / sizeof(*collectives); i++) {
		size_t length = strlen(collectives[i].name);
		const char *end = text + length;
		if (strncmp(text, collectives[i].name, length) == 0 &&
			(!*end || strncmp(end, " @", 2) == 0 || strncmp(end, " (", 2) == 0))
			return &collectives[i];
	}
	return is_reduction(text) ? &reduction : NULL;
}

/* True if all ranks are in the collective. Of a set of ranks, the trace has the size only. */
static bool is_of_all(const struct export_otf2 *otf2, const struct export_step *step)
{
	const struct profile_trace *trace = otf2->request->trace;
	const Heddle__Profile__Process *process = trace->files[trace->threads[step->thread].file].process->info;
	return !export_has(step->attributes, HEDDLE_TRACE_COMMUNICATOR) ||
	       HEDDLE_TRACE_MEMBERS(step->attributes->value[HEDDLE_TRACE_COMMUNICATOR]) == process->ranks;
}

/* Returns the root's number in the communicator of all; OTF2_UNDEFINED_UINT32: no root, or it recorded nothing. */
static uint32_t root_of(const struct export_otf2 *otf2, const struct export_step *step)
{
	uint64_t root = step->attributes->value[HEDDLE_TRACE_ROOT];
	bool known = export_has(step->attributes, HEDDLE_TRACE_ROOT) && root < otf2->rank_count &&
		     otf2->ranks[root].thread != EXPORT_OTF2_NO_THREAD;
	return known ? otf2->ranks[root].member : OTF2_UNDEFINED_UINT32;
}

static bool is_rank(const struct export_otf2 *otf2, size_t thread)
{
	if (otf2->program == EXPORT_OTF2_NONE)
		return false;
	for (size_t rank = 0; rank < otf2->rank_count; rank++)
		if (otf2->ranks[rank].thread == thread)
			return true;
	return false;
}

void export_otf2_create_window(struct export_otf2 *otf2, size_t number, uint64_t time_ns)
{
	struct export_otf2_thread *thread = &otf2->threads[number];
	thread->is_member = is_rank(otf2, number);
	if (thread->is_member)
		export_otf2_failed(
			otf2, OTF2_EvtWriter_RmaWinCreate(thread->writer, NULL, time_ns, EXPORT_OTF2_WINDOW));
}

void export_otf2_destroy_window(struct export_otf2 *otf2, size_t number)
{
	struct export_otf2_thread *thread = &otf2->threads[number];
	if (thread->is_member)
		export_otf2_failed(
			otf2, OTF2_EvtWriter_RmaWinDestroy(thread->writer, NULL, thread->last_ns, EXPORT_OTF2_WINDOW));
}

void export_otf2_begin_collective(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	const struct collective *found = thread->is_member ? collective_of(otf2, step->node) : NULL;
	if (!found || !found->begins || thread->in_collective || !is_of_all(otf2, step))
		return;
	thread->in_collective = true;
	thread->root = root_of(otf2, step);
	thread->sent = thread->received = 0;
	export_otf2_failed(otf2, OTF2_EvtWriter_RmaCollectiveBegin(thread->writer, NULL, step->time_ns));
}

void export_otf2_end_collective(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	const struct collective *found = thread->in_collective ? collective_of(otf2, step->node) : NULL;
	if (!found || !found->ends)
		return;
	thread->in_collective = false;
	export_otf2_failed(
		otf2, OTF2_EvtWriter_RmaCollectiveEnd(thread->writer, NULL, step->time_ns, found->operation,
			      found->level, EXPORT_OTF2_WINDOW, thread->root, thread->sent, thread->received));
}

void export_otf2_count_collective(struct export_otf2 *otf2, const struct export_step *step)
{
	struct export_otf2_thread *thread = &otf2->threads[step->thread];
	if (!thread->in_collective)
		return;
	thread->sent += step->metric == HEDDLE_METRIC_BYTES_PUT ? step->amount : 0;
	thread->received += step->metric == HEDDLE_METRIC_BYTES_GOT ? step->amount : 0;
}
