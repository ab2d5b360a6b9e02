/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of the random program: blocking, nonblocking and persistent; in place; grids; windows. */
#include "random.h"

#include <stdlib.h>

#if MPI_VERSION >= 4
#define PERSISTENT(NAME, SENT, GOT, ...)                                      \
	MPI_##NAME##_init(__VA_ARGS__, group->comm, MPI_INFO_NULL, &request); \
	call("MPI_" #NAME "_init", 0, 0, 0, 0);                               \
	for (int again = 0; again < 2; again++) {                             \
		MPI_Start(&request);                                          \
		call("MPI_Start", 0, SENT, 0, GOT);                           \
		finish(&request);                                             \
	}                                                                     \
	MPI_Request_free(&request);                                           \
	call("MPI_Request_free", 0, 0, 0, 0)
#else
#define PERSISTENT(NAME, SENT, GOT, ...)      \
	MPI_##NAME(__VA_ARGS__, group->comm); \
	call("MPI_" #NAME, 0, SENT, 0, GOT)
#endif

/* Calls a collective in one of three forms. In MPICH 4.0, MPI_Gatherv_init, MPI_Reduce_init and others hang. */
#define COLLECTIVE(NAME, LOWER, SENT, GOT, ...)                           \
	do {                                                              \
		if (form == 0) {                                          \
			MPI_##NAME(__VA_ARGS__, group->comm);             \
			call("MPI_" #NAME, 0, SENT, 0, GOT);              \
		} else if (form == 1) {                                   \
			MPI_I##LOWER(__VA_ARGS__, group->comm, &request); \
			call("MPI_I" #LOWER, 0, SENT, 0, GOT);            \
			finish(&request);                                 \
		} else {                                                  \
			PERSISTENT(NAME, SENT, GOT, __VA_ARGS__);         \
		}                                                         \
	} while (0)

/* Returns the number of elements that one rank sends to another. */
static int between(int from, int to, int salt)
{
	return (from + 2 * to + salt) % 5;
}

struct rooted {
	int argument;    /* the root, as this rank must pass it */
	bool root, part; /* this rank is the root; the root exchanges data with it */
};

static struct rooted pick_root(const struct group *group)
{
	int side = pick(2), root = pick(group->sizes[side]);
	struct rooted rooted = {root, group->rank == root, true};
	if (!group->inter)
		return rooted;
	rooted.root = side == group->side && group->rank == root;
	rooted.part = side != group->side;
	if (side == group->side)
		rooted.argument = rooted.root ? MPI_ROOT : MPI_PROC_NULL;
	return rooted;
}

/* Lists of counts from or to each rank of the other group. */
struct lists {
	int counts[ALL], places[ALL], bytes[ALL], sum;
	MPI_Datatype types[ALL];
};

static void place(struct lists *lists, int ranks)
{
	lists->sum = 0;
	for (int i = 0; i < ranks; i++) {
		lists->places[i] = 10 * i;
		lists->bytes[i] = 1000 * i;
		lists->sum += lists->counts[i];
	}
}

static void rooted_collective(const struct group *group, int kind, int form)
{
	struct rooted of = pick_root(group);
	MPI_Request request;
	struct lists lists;
	int type = pick(TYPES), count = pick(30), size = type_sizes[type], other = other_size(group);
	long long bytes = (long long)count * size;
	bool in_place = pick(2) && of.root && !group->inter;
	for (int i = 0; i < other; i++)
		lists.counts[i] = (i + count) % 7;
	place(&lists, other);
	int own = (group->rank + count) % 7;
	if (kind > 0)
		form %= 2;
	switch (kind) {
	case 0:
		COLLECTIVE(Bcast, bcast, of.root ? bytes : 0, of.part && !of.root ? bytes : 0, in, count, types[type],
			of.argument);
		break;
	case 1:
		COLLECTIVE(Reduce, reduce, of.part ? 8 * count : 0, of.root ? 8 * count : 0,
			in_place ? MPI_IN_PLACE : (void *)out, in, count, MPI_DOUBLE, MPI_SUM, of.argument);
		break;
	case 2:
		COLLECTIVE(Gather, gather, of.part ? bytes : 0, of.root ? bytes * other : 0,
			in_place ? MPI_IN_PLACE : (void *)out, count, types[type], in, count, types[type], of.argument);
		break;
	case 3:
		COLLECTIVE(Gatherv, gatherv, of.part ? own * size : 0, of.root ? lists.sum * size : 0,
			in_place ? MPI_IN_PLACE : (void *)out, own, types[type], in, lists.counts, lists.places,
			types[type], of.argument);
		break;
	case 4:
		COLLECTIVE(Scatter, scatter, of.root ? bytes * other : 0, of.part ? bytes : 0, out, count, types[type],
			in_place ? MPI_IN_PLACE : (void *)in, count, types[type], of.argument);
		break;
	default:
		COLLECTIVE(Scatterv, scatterv, of.root ? lists.sum * size : 0, of.part ? own * size : 0, out,
			lists.counts, lists.places, types[type], in_place ? MPI_IN_PLACE : (void *)in, own, types[type],
			of.argument);
	}
}

/* Counts for each pair of ranks. */
static void all_to_all(const struct group *group, int kind, int form)
{
	struct lists to, from;
	MPI_Request request;
	int type = pick(TYPES), salt = pick(5), size = type_sizes[type], other = other_size(group);
	bool in_place = pick(2) && !group->inter;
	long long sent = 0, got = 0;
	for (int i = other; i < ALL; i++) /* Open MPI 4.1 reads as many types as its own group has ranks */
		to.types[i] = from.types[i] = types[0];
	for (int i = 0; i < other; i++) {
		/* In place, a rank receives as much as it sends. */
		to.counts[i] = in_place ? (group->rank + i) % 5 : between(group->rank, i, salt);
		from.counts[i] = in_place ? (group->rank + i) % 5 : between(i, group->rank, salt);
		int at = kind == 0 ? type : (group->rank + i) % TYPES;
		to.types[i] = from.types[i] = types[at];
		sent += (long long)to.counts[i] * type_sizes[at];
		got += (long long)from.counts[i] * type_sizes[at];
	}
	place(&to, other);
	place(&from, other);
	const void *buffer = in_place ? MPI_IN_PLACE : (void *)out;
	if (kind == 0)
		COLLECTIVE(Alltoallv, alltoallv, (long long)to.sum * size, (long long)from.sum * size, buffer,
			to.counts, to.places, types[type], in, from.counts, from.places, types[type]);
	else
		COLLECTIVE(Alltoallw, alltoallw, sent, got, buffer, to.counts, to.bytes, to.types, in, from.counts,
			from.bytes, from.types);
}

static void scatter_reduced(const struct group *group, int kind, int form)
{
	struct lists lists;
	MPI_Request request;
	int salt = pick(3), own = own_size(group), other = other_size(group);
	bool in_place = pick(2) && !group->inter;
	/* Both groups of an intercommunicator have the same number of elements. */
	int count = group->inter ? other * (1 + salt) : 1 + salt;
	for (int i = 0; i < own; i++)
		lists.counts[i] = group->inter ? count : (i + salt) % 4;
	place(&lists, own);
	if (kind == 0)
		COLLECTIVE(Reduce_scatter, reduce_scatter, 4 * lists.sum, 4 * lists.counts[group->rank],
			in_place ? MPI_IN_PLACE : (void *)out, in, lists.counts, MPI_INT, MPI_BOR);
	else
		COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, 4 * count * own, 4 * count,
			in_place ? MPI_IN_PLACE : (void *)out, in, count, MPI_INT, MPI_BOR);
}

static void symmetric(const struct group *group, int kind, int form)
{
	struct lists lists;
	MPI_Request request;
	int type = pick(TYPES), count = pick(30), size = type_sizes[type], other = other_size(group);
	long long bytes = (long long)count * size;
	bool in_place = pick(2) && !group->inter;
	const void *buffer = in_place ? MPI_IN_PLACE : (void *)out;
	for (int i = 0; i < other; i++)
		lists.counts[i] = (i + count) % 7;
	place(&lists, other);
	int own = (group->rank + count) % 7;
	if (kind > 1)
		form %= 2;
	switch (kind) {
	case 0:
		COLLECTIVE(Allreduce, allreduce, 8 * count, 8 * count, buffer, in, count, MPI_2INT, MPI_MAXLOC);
		break;
	case 1:
		COLLECTIVE(
			Allgather, allgather, bytes, bytes * other, buffer, count, types[type], in, count, types[type]);
		break;
	case 2:
		COLLECTIVE(Allgatherv, allgatherv, (long long)own * size, (long long)lists.sum * size, buffer, own,
			types[type], in, lists.counts, lists.places, types[type]);
		break;
	case 3:
		COLLECTIVE(Alltoall, alltoall, bytes * other, bytes * other, buffer, count, types[type], in, count,
			types[type]);
		break;
	case 4:
		if (!group->inter)
			COLLECTIVE(Scan, scan, 12 * count, 12 * count, buffer, in, count, MPI_DOUBLE_INT, MPI_MINLOC);
		break;
	default:
		if (!group->inter)
			COLLECTIVE(Exscan, exscan, 4 * count, group->rank ? 4 * count : 0, buffer, in, count, MPI_INT,
				MPI_SUM);
	}
}

static void barrier(const struct group *group, bool waits)
{
	MPI_Request request;
	if (waits) {
		MPI_Barrier(group->comm);
		call("MPI_Barrier", 0, 0, 0, 0);
		return;
	}
	MPI_Ibarrier(group->comm, &request);
	call("MPI_Ibarrier", 0, 0, 0, 0);
	finish(&request);
}

void collective(const struct group *group)
{
	int kind = pick(18), form = pick(3);
	if (kind < 6)
		rooted_collective(group, kind, form);
	else if (kind < 8)
		all_to_all(group, kind - 6, form % 2);
	else if (kind < 10)
		scatter_reduced(group, kind - 8, form % 2);
	else if (kind < 16)
		symmetric(group, kind - 10, form);
	else
		barrier(group, kind == 16);
}

/* ---- a grid ---- */

/* The neighbours in two dimensions, before and after in each; -1: none. */
static int neighbours_of(const struct group *group, const int *dims, const int *periods, int *neighbours)
{
	int at[2] = {group->rank / dims[1], group->rank % dims[1]}, present = 0;
	for (int i = 0; i < 4; i++) {
		int there[2] = {at[0], at[1]}, d = i / 2;
		there[d] += i % 2 ? 1 : -1;
		if (periods[d])
			there[d] = (there[d] + dims[d]) % dims[d];
		bool beyond = there[d] < 0 || there[d] >= dims[d];
		neighbours[i] = beyond ? -1 : there[0] * dims[1] + there[1];
		present += !beyond;
	}
	return present;
}

/* A rank sends to a neighbour as much as it receives from the opposite one: one count for each dimension. */
static void counted_neighbours(const struct group *group, const int *neighbours, int form)
{
	struct lists to, from;
	MPI_Request request;
	long long bytes = 0;
	int type = pick(TYPES), first = pick(20), second = pick(20);
	for (int i = 0; i < 4; i++) {
		to.counts[i] = from.counts[i] = i < 2 ? first : second;
		bytes += neighbours[i] < 0 ? 0 : (long long)to.counts[i] * type_sizes[type];
	}
	for (int i = 0; i < 4; i++)
		to.places[i] = from.places[i] = 100 * i;
	COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv, bytes, bytes, out, to.counts, to.places, types[type], in,
		from.counts, from.places, types[type]);
}

void grid(const struct group *whole)
{
	struct group cart = *whole, *group = &cart;
	MPI_Request request;
	int n = own_size(whole), form = pick(2), kind = pick(4), type = pick(TYPES), count = pick(20);
	int dims[2] = {n % 2 == 0 && pick(2) ? 2 : 1, 1}, periods[2] = {pick(2), pick(2)}, neighbours[4];
	long long bytes = (long long)count * type_sizes[type];
	dims[1] = n / dims[0];
	MPI_Cart_create(whole->comm, 2, dims, periods, 0, &cart.comm);
	call("MPI_Cart_create", 0, 0, 0, 0);
	int present = neighbours_of(group, dims, periods, neighbours);
	if (kind == 0)
		COLLECTIVE(Neighbor_allgather, neighbor_allgather, bytes, bytes * present, out, count, types[type], in,
			count, types[type]);
	else if (kind == 1)
		COLLECTIVE(Neighbor_alltoall, neighbor_alltoall, bytes * present, bytes * present, out, count,
			types[type], in, count, types[type]);
	else if (kind == 2)
		counted_neighbours(group, neighbours, form);
	else
		collective(group);
	exchange(group);
	MPI_Comm_free(&cart.comm);
	call("MPI_Comm_free", 0, 0, 0, 0);
}

/* ---- windows ---- */

static void moved(const struct group *group, const char *name, int target, long long put, long long got)
{
	call(name, 0, put, 0, got);
	pair(put ? KNOWN_PUT : KNOWN_GOT, group->world[0][target], put > got ? put : got);
}

/* One access of some kind. */
static void access_window(const struct group *group, MPI_Win window, int target, bool locked)
{
	MPI_Request request;
	int count = 1 + choose(20), place = 50 * group->rank;
	switch (choose(locked ? 6 : 3)) {
	case 0:
		MPI_Put(out, count, MPI_INT, target, place, count, MPI_INT, window);
		moved(group, "MPI_Put", target, 4 * count, 0);
		break;
	case 1:
		MPI_Get(in, count, MPI_INT, target, place, count, MPI_INT, window);
		moved(group, "MPI_Get", target, 0, 4 * count);
		break;
	case 2:
		MPI_Accumulate(out, count, MPI_INT, target, place, count, MPI_INT, MPI_SUM, window);
		moved(group, "MPI_Accumulate", target, 4 * count, 0);
		break;
	case 3:
		MPI_Fetch_and_op(out, in, MPI_INT, target, place, MPI_SUM, window);
		moved(group, "MPI_Fetch_and_op", target, 4, 4);
		break;
	case 4:
		MPI_Rput(out, count, MPI_INT, target, place, count, MPI_INT, window, &request);
		moved(group, "MPI_Rput", target, 4 * count, 0);
		finish(&request);
		break;
	default:
		MPI_Put(out, count, MPI_INT, MPI_PROC_NULL, place, count, MPI_INT, window);
		call("MPI_Put", 0, 0, 0, 0);
	}
}

void window(const struct group *group)
{
	static int memory[50 * ALL];
	MPI_Win window;
	int target = choose(own_size(group));
	bool locked = pick(2);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, group->comm, &window);
	call("MPI_Win_create", 0, 0, 0, 0);
	if (locked) {
		MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
		call("MPI_Win_lock", 0, 0, 0, 0);
		access_window(group, window, target, true);
		MPI_Win_unlock(target, window);
		call("MPI_Win_unlock", 0, 0, 0, 0);
	} else {
		MPI_Win_fence(0, window);
		access_window(group, window, target, false);
		MPI_Win_fence(0, window);
		call("MPI_Win_fence", 0, 0, 0, 0);
		call("MPI_Win_fence", 0, 0, 0, 0);
	}
	MPI_Win_free(&window);
	call("MPI_Win_free", 0, 0, 0, 0);
}
