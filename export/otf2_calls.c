/* SPDX-License-Identifier: BSD-3-Clause */
/* Which library calls are atomic operations or complete accesses, by the names of their events. */
#include "export/otf2_writer.h"

#include <string.h>

/* Ends of names. An end that is itself the end of another one comes after that one. */
static const struct atomic {
	const char *end;
	OTF2_RmaAtomicType type;
	bool sends, fetches;
} shmem_atomics[] = {
	{"_compare_swap", OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP, true, true},
	{"_cswap", OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP, true, true},
	{"_swap", OTF2_RMA_ATOMIC_TYPE_SWAP, true, true},
	{"_fetch_add", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD, true, true},
	{"_fadd", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD, true, true},
	{"_fetch_inc", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT, true, true},
	{"_finc", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT, true, true},
	{"_fetch_and", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, true, true},
	{"_fetch_or", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, true, true},
	{"_fetch_xor", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, true, true},
	{"_fetch", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, false, true},
	{"_inc", OTF2_RMA_ATOMIC_TYPE_INCREMENT, true, false},
	{"_add", OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false},
	{"_set", OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false},
	{"_and", OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false},
	{"_or", OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false},
	{"_xor", OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false},
};

/* Calls that complete the accesses of a context. */
static const char *const completing[] = {
	"shmem_quiet", "shmem_ctx_quiet", "shmem_barrier_all", "shmem_barrier", "shmem_ctx_destroy", "shmem_finalize"};

/* Returns true if the first `length` characters of the text end in `end`. */
static bool ends_with(const char *text, size_t length, const char *end)
{
	size_t size = strlen(end);
	return length > size && strncmp(text + length - size, end, size) == 0;
}

static void take_atomic(struct export_otf2_call *call, const struct atomic *atomic)
{
	call->atomic = true;
	call->type = atomic->type;
	call->sends = atomic->sends;
	call->fetches = atomic->fetches;
}

static void find_atomic(struct export_otf2_call *call, const char *name, const struct atomic *atomics, size_t count)
{
	size_t length = strlen(name);
	if (ends_with(name, length, "_nbi"))
		length -= strlen("_nbi");
	for (size_t i = 0; i < count && !call->atomic; i++) {
		if (!ends_with(name, length, atomics[i].end))
			continue;
		take_atomic(call, &atomics[i]);
	}
}

/* Names without the suffix "_c" of functions with large counts. */
static const struct atomic mpi_atomics[] = {
	{"MPI_Accumulate", OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false},
	{"MPI_Raccumulate", OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, true, false},
	{"MPI_Get_accumulate", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, true, true},
	{"MPI_Rget_accumulate", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, true, true},
	{"MPI_Fetch_and_op", OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, true, true},
	{"MPI_Compare_and_swap", OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP, true, true},
};

static void find_mpi_atomic(struct export_otf2_call *call, const char *name)
{
	for (size_t i = 0; i < sizeof(mpi_atomics) / sizeof(*mpi_atomics); i++) {
		size_t length = strlen(mpi_atomics[i].end);
		const char *end = name + length;
		if (strncmp(name, mpi_atomics[i].end, length) == 0 && (!*end || strcmp(end, "_c") == 0))
			take_atomic(call, &mpi_atomics[i]);
	}
}

struct export_otf2_call export_otf2_call_of(const struct profile_event_kind *event)
{
	struct export_otf2_call call = {.tries_lock = event->role == HEDDLE_EVENT_ATTEMPT};
	OTF2_Paradigm paradigm = export_otf2_paradigm_of(event->model);
	if (paradigm == OTF2_PARADIGM_MPI) {
		call.fences = strcmp(event->name, "MPI_Win_fence") == 0;
		find_mpi_atomic(&call, event->name);
	}
	if (paradigm != OTF2_PARADIGM_SHMEM)
		return call;
	if (event->role == HEDDLE_EVENT_MOVES)
		find_atomic(&call, event->name, shmem_atomics, sizeof(shmem_atomics) / sizeof(*shmem_atomics));
	for (size_t i = 0; i < sizeof(completing) / sizeof(*completing); i++)
		call.completes |= strcmp(event->name, completing[i]) == 0;
	call.waits_for_change = event->category == HEDDLE_CATEGORY_FENCE && strstr(event->name, "_wait");
	return call;
}

uint32_t export_otf2_region_label(const struct export_otf2 *otf2, uint32_t node)
{
	const struct profile_view *view = otf2->request->view;
	if (node == EXPORT_NO_NODE)
		return view->label_count;
	if (view->labels[view->label_of[node]].kind == HEDDLE_NODE_OBJECT)
		node = view->parents[node];
	return view->label_of[node];
}
