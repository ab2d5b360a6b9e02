/* SPDX-License-Identifier: BSD-3-Clause */
/* The table as data, and the positions that the kinds of arguments give. */
#include "models/mpi/wrappers/mpi_function.h"

#include <string.h>

#include "format/trace.h"

/*
 * The direction of a collective: "r?o?" and "r?a?" are from the root, "a?r?" is to it; other collectives that do not
 * wait for all have the data of lower ranks, or of neighbours. Barriers move nothing.
 */
#define WAITS(moved)                                         \
	(!(moved)[0]                ? HEDDLE_EVENT_NO_ROLE   \
		: (moved)[0] == 'n' ? HEDDLE_EVENT_MEMBERS   \
		: (moved)[4] == 'x' ? HEDDLE_EVENT_MUTUAL    \
		: (moved)[0] == 'r' ? HEDDLE_EVENT_FROM_ROOT \
		: (moved)[2] == 'r' ? HEDDLE_EVENT_TO_ROOT   \
		: (moved)[3] == '1' ? HEDDLE_EVENT_PREFIX    \
				    : HEDDLE_EVENT_NO_ROLE)

/* Families in traces, which have no exchanges with neighbours. */
enum {
	IS_barrier = HEDDLE_TRACE_BARRIER,
	IS_bcast = HEDDLE_TRACE_BCAST,
	IS_gather = HEDDLE_TRACE_GATHER,
	IS_gatherv = HEDDLE_TRACE_GATHERV,
	IS_scatter = HEDDLE_TRACE_SCATTER,
	IS_scatterv = HEDDLE_TRACE_SCATTERV,
	IS_allgather = HEDDLE_TRACE_ALLGATHER,
	IS_allgatherv = HEDDLE_TRACE_ALLGATHERV,
	IS_alltoall = HEDDLE_TRACE_ALLTOALL,
	IS_alltoallv = HEDDLE_TRACE_ALLTOALLV,
	IS_alltoallw = HEDDLE_TRACE_ALLTOALLW,
	IS_reduce = HEDDLE_TRACE_REDUCE,
	IS_allreduce = HEDDLE_TRACE_ALLREDUCE,
	IS_reduce_scatter = HEDDLE_TRACE_REDUCE_SCATTER,
	IS_reduce_scatter_block = HEDDLE_TRACE_REDUCE_SCATTER_BLOCK,
	IS_scan = HEDDLE_TRACE_SCAN,
	IS_exscan = HEDDLE_TRACE_EXSCAN,
	IS_neighbor_allgather = HEDDLE_TRACE_OTHER,
	IS_neighbor_allgatherv = HEDDLE_TRACE_OTHER,
	IS_neighbor_alltoall = HEDDLE_TRACE_OTHER,
	IS_neighbor_alltoallv = HEDDLE_TRACE_OTHER,
	IS_neighbor_alltoallw = HEDDLE_TRACE_OTHER,
	IS_none = HEDDLE_TRACE_OTHER,
};

struct heddle_mpi_function heddle__mpi_functions[HEDDLE_MPI_FUNCTION_COUNT] = {
#define M(name_, count, kinds_, moved_, effect_, category, family, wide_) \
	[HEDDLE_MPI_##name_] = {.name = "PMPI_" #name_,                   \
		.event = &heddle__mpi_events[HEDDLE_MPI_##name_],         \
		.kinds = kinds_,                                          \
		.moved = moved_,                                          \
		.effect = HEDDLE_MPI_EFFECT_##effect_,                    \
		.arity = count,                                           \
		.wide = wide_,                                            \
		.collective = IS_##family,                                \
		.waits = WAITS(moved_ "\0\0\0\0")},
	HEDDLE_MPI_FUNCTIONS
#undef M
};

/* Barriers are those of communicators. A nonblocking collective has no such role, since its call does not wait. */
#define ROLE(category, moved, effect)                                                   \
	((effect) == HEDDLE_MPI_EFFECT_INIT || (effect) == HEDDLE_MPI_EFFECT_SESSION || \
				(effect) == HEDDLE_MPI_EFFECT_FINALIZE                  \
			? HEDDLE_EVENT_SETUP                                            \
		: (category) == HEDDLE_CATEGORY_BARRIER    ? HEDDLE_EVENT_MEMBERS       \
		: (category) == HEDDLE_CATEGORY_COLLECTIVE ? WAITS(moved)               \
							   : HEDDLE_EVENT_NO_ROLE)

struct heddle_event heddle__mpi_events[HEDDLE_MPI_FUNCTION_COUNT] = {
#define M(name_, count, kinds, moved, effect, category_, family, wide) \
	[HEDDLE_MPI_##name_] = {.model = "mpi",                        \
		.name = "MPI_" #name_,                                 \
		.label = "MPI_" #name_,                                \
		.category = HEDDLE_CATEGORY_##category_,               \
		.role = ROLE(HEDDLE_CATEGORY_##category_, moved "\0\0\0\0", HEDDLE_MPI_EFFECT_##effect)},
	HEDDLE_MPI_FUNCTIONS
#undef M
};

#define M(name, count, kinds, ...) _Static_assert(sizeof(kinds) == (count) + 1, "a kind for each argument of " #name);
HEDDLE_MPI_FUNCTIONS
#undef M

/* Returns the first position of one of these letters, at or after `from`; -1: none. */
static int8_t find_kind(const char *kinds, const char *letters, int from)
{
	size_t length = strlen(kinds), at = from < 0 ? length : (size_t)from;
	at += at < length ? strcspn(kinds + at, letters) : 0;
	return (int8_t)(at < length ? (int)at : -1);
}

/* Returns the last position of this letter; -1: none. */
static int8_t find_last_kind(const char *kinds, char letter)
{
	const char *last = strrchr(kinds, letter);
	return (int8_t)(last ? last - kinds : -1);
}

static bool is_at(const char *kinds, int8_t position, char letter)
{
	return position >= 0 && kinds[position] == letter;
}

static void describe(struct heddle_mpi_function *function)
{
	const char *kinds = function->kinds;
	struct heddle_mpi_arguments *at = &function->at;
	at->send = find_kind(kinds, "bx", 0);
	at->send_count = find_kind(kinds, "nN", at->send);
	at->send_type = find_kind(kinds, "tT", at->send);
	at->receive = find_kind(kinds, "vx", 0);
	at->receive_count = find_kind(kinds, "nN", at->receive);
	at->receive_type = find_kind(kinds, "tT", at->receive);
	at->destination = find_kind(kinds, "d", 0);
	at->source = find_kind(kinds, "s", 0);
	at->tag = find_kind(kinds, "g", 0);
	at->received_tag = find_last_kind(kinds, 'g');
	at->root = find_kind(kinds, "r", 0);
	at->communicator = find_kind(kinds, "c", 0);
	at->made = find_kind(kinds, "CW", 0);
	at->window = find_kind(kinds, "w", 0);
	at->file = find_kind(kinds, "f", 0);
	at->request = find_kind(kinds, "qQ", 0);
	at->partitions = find_kind(kinds, "k", 0);
	function->wide |= at->partitions >= 0;
	at->handle = find_kind(kinds, "h", 0);
	at->message = find_kind(kinds, "m", 0);
	at->requests = is_at(kinds, at->request, 'Q');
	at->count = (int8_t)(at->requests ? find_kind(kinds, "n", 0) : -1);
	at->status = find_kind(kinds, "SA", 0);
	at->flag = find_kind(kinds, "F", 0);
	at->index = find_kind(kinds, "X", 0);
	at->send_counts = is_at(kinds, at->send_count, 'N');
	at->receive_counts = is_at(kinds, at->receive_count, 'N');
	at->send_types = is_at(kinds, at->send_type, 'T');
	at->receive_types = is_at(kinds, at->receive_type, 'T');
	at->either = is_at(kinds, at->send, 'x');
	at->mirrored =
		strncmp(function->moved, "a1a1", 4) == 0 && at->send_count == at->receive_count && !at->send_counts;
	at->neighbours = strchr(function->moved, 'n');
}

static bool traces(void)
{
	return heddle__mpi && heddle__mpi->traces;
}

/* True if, with --mpi-sync, a barrier precedes the function, which is a blocking collective. */
static bool synchronizes(const struct heddle_mpi_function *function)
{
	return heddle__mpi && heddle__mpi->syncs && function->effect == HEDDLE_MPI_EFFECT_COLLECTIVE &&
	       function->at.request < 0;
}

/* Returns false if the function needs its act before the real function only for traces, and there are none. */
static bool needs_before(const struct heddle_mpi_function *function)
{
	if (function->effect == HEDDLE_MPI_EFFECT_MESSAGE)
		return traces() || function->at.status >= 0 || function->at.message >= 0;
	return traces() ||
	       (function->effect != HEDDLE_MPI_EFFECT_COLLECTIVE && function->effect != HEDDLE_MPI_EFFECT_PASSIVE);
}

static void choose(struct heddle_mpi_function *function)
{
	const struct heddle_mpi_operations *operations = &heddle__mpi_operations[function->effect];
	function->before = needs_before(function) ? operations->before : NULL;
	bool recorded = function->effect == HEDDLE_MPI_EFFECT_READY || function->effect == HEDDLE_MPI_EFFECT_PASSIVE;
	function->after = recorded && !traces() ? NULL : operations->after;
	function->prepares = synchronizes(function) || function->effect == HEDDLE_MPI_EFFECT_FINALIZE;
}

void heddle__mpi_functions_init(void)
{
	for (size_t i = 0; i < HEDDLE_MPI_FUNCTION_COUNT; i++) {
		describe(&heddle__mpi_functions[i]);
		choose(&heddle__mpi_functions[i]);
	}
}
