/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random SEED STEPS [THREADS]: a program determined by the seed: steps on communicators of all kinds, and the expected
 * values of a measurement. All ranks choose the same steps, but each rank chooses how it completes requests. Threads
 * have their own communicators, except the first two, which share one.
 */
#include "random.h"

#include <pthread.h>
#include <stdlib.h>

MPI_Datatype types[TYPES];
const int type_sizes[TYPES] = {1, 4, 8, 16, 13};

_Thread_local char *out, *in;

static int rank, size, seed, steps;
static _Thread_local uint64_t common, own;
static _Thread_local int last_tag;

static int next_below(uint64_t *state, int below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (int)((*state >> 33) % (unsigned int)below);
}

int pick(int below)
{
	return next_below(&common, below);
}

int choose(int below)
{
	return next_below(&own, below);
}

int new_tag(void)
{
	return last_tag += MANY;
}

static void make_types(void)
{
	MPI_Datatype pair;
	MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &types[SPREAD]);
	MPI_Type_create_struct(
		3, (int[]){1, 1, 1}, (MPI_Aint[]){0, 8, 16}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT, MPI_CHAR}, &pair);
	MPI_Type_create_resized(pair, 0, 24, &types[MIXED]);
	MPI_Type_free(&pair);
	MPI_Type_commit(&types[SPREAD]);
	MPI_Type_commit(&types[MIXED]);
	types[CHARS] = MPI_CHAR;
	types[INTS] = MPI_INT;
	types[DOUBLES] = MPI_DOUBLE;
}

/* ---- groups ---- */

static void end(struct group *group)
{
	MPI_Comm_free(&group->comm);
	call("MPI_Comm_free", 0, 0, 0, 0);
}

/* Returns the group of the members with this rank's color, in the order of their keys. */
static struct group part_of(const struct group *from, const int *colors, const int *keys)
{
	struct group part = {.sizes = {0, 0}};
	int order[ALL], count = 0;
	for (int i = 0; i < own_size(from); i++) {
		if (colors[i] != colors[from->rank])
			continue;
		int at = count++;
		for (; at > 0 && keys[order[at - 1]] > keys[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (int i = 0; i < count; i++) {
		part.world[0][i] = part.world[1][i] = from->world[0][order[i]];
		if (order[i] == from->rank)
			part.rank = i;
	}
	part.sizes[0] = part.sizes[1] = count;
	MPI_Comm_split(from->comm, colors[from->rank], keys[from->rank], &part.comm);
	call("MPI_Comm_split", 0, 0, 0, 0);
	return part;
}

/* Returns a group of some of the ranks, in some order. */
static struct group split(const struct group *from, int parts)
{
	int colors[ALL], keys[ALL];
	for (int i = 0; i < own_size(from); i++) {
		colors[i] = pick(parts);
		keys[i] = pick(100);
	}
	return part_of(from, colors, keys);
}

static struct group copy_of(const struct group *from)
{
	struct group copy = *from;
	if (pick(2)) {
		MPI_Comm_dup(from->comm, &copy.comm);
		call("MPI_Comm_dup", 0, 0, 0, 0);
	} else {
		MPI_Request request;
		MPI_Comm_idup(from->comm, &copy.comm, &request);
		call("MPI_Comm_idup", 0, 0, 0, 0);
		finish(&request);
	}
	return copy;
}

/* Makes two groups of ranks. Returns false if there is only one rank. */
static bool intercommunicator(const struct group *from, struct group *both, struct group *half)
{
	int colors[ALL], keys[ALL], first = pick(own_size(from));
	if (own_size(from) < 2)
		return false;
	for (int i = 0; i < own_size(from); i++) {
		colors[i] = i == first || (i != (first + 1) % own_size(from) && pick(2));
		keys[i] = pick(100);
	}
	*half = part_of(from, colors, keys);
	*both = *half;
	both->inter = true;
	both->side = colors[from->rank];
	for (int side = 0; side < 2; side++) {
		int count = 0, order[ALL];
		for (int i = 0; i < own_size(from); i++) {
			if (colors[i] != side)
				continue;
			int at = count++;
			for (; at > 0 && keys[order[at - 1]] > keys[i]; at--)
				order[at] = order[at - 1];
			order[at] = i;
		}
		both->sizes[side] = count;
		for (int i = 0; i < count; i++)
			both->world[side][i] = from->world[0][order[i]];
	}
	int leader = both->world[!both->side][0], position = 0;
	while (from->world[0][position] != leader)
		position++;
	MPI_Intercomm_create(half->comm, 0, from->comm, position, 77, &both->comm);
	call("MPI_Intercomm_create", 0, 0, 0, 0);
	return true;
}

/* The communicator is freed before its message arrives. */
static void freed(const struct group *from)
{
	struct group ring = split(from, 2);
	struct pending pending = {.count = 0};
	int n = own_size(&ring), to = (ring.rank + 1) % n, before = (ring.rank + n - 1) % n, count = pick(50);
	bool any = pick(2);
	MPI_Request *request = expect_request(&pending, ring.world[0][before], count, false);
	MPI_Irecv(in, 100, MPI_CHAR, any ? MPI_ANY_SOURCE : before, 1, ring.comm, request);
	call("MPI_Irecv", 0, 0, 0, 0);
	request = expect_request(&pending, -1, -1, false);
	MPI_Isend(out, count, MPI_CHAR, to, 1, ring.comm, request);
	call("MPI_Isend", 1, count, 0, 0);
	pair(KNOWN_SENT, ring.world[0][to], count);
	MPI_Comm_free(&ring.comm);
	call("MPI_Comm_free", 0, 0, 0, 0);
	exchange(from); /* handles are reused */
	complete(&pending);
}

/* ---- steps ---- */

static void step_in(const struct group *group, bool threads)
{
	if (group->shared) {
		if (pick(2))
			exchange(group);
		else
			blocking(group);
		return;
	}
	switch (pick(11)) {
	case 0:
		blocking(group);
		break;
	case 9:
	case 10:
		if (!group->inter)
			file(group);
		break;
	case 8:
		if (!group->inter && group->sizes[0] > 1 && !threads)
			partitioned(group);
		break;
	case 1:
	case 2:
		exchange(group);
		break;
	case 3:
		cancel(group);
		break;
	case 4:
		if (!group->inter && !threads)
			grid(group);
		break;
	case 5:
		if (!group->inter && !threads)
			window(group);
		break;
	default:
		collective(group);
	}
}

static void step(const struct group *all)
{
	struct group group, half;
	uint64_t here;
	switch (pick(6)) {
	case 0:
		step_in(all, false);
		break;
	case 1:
		group = copy_of(all);
		step_in(&group, false);
		end(&group);
		break;
	case 2:
	case 3:
		group = split(all, 1 + pick(2));
		here = common;
		step_in(&group, false);
		common = here;
		step_in(&group, false);
		end(&group);
		break;
	case 4:
		freed(all);
		break;
	default:
		if (!intercommunicator(all, &group, &half))
			break;
		here = common;
		for (int i = 0; i < 3; i++) {
			common = here + (uint64_t)i * 12345;
			step_in(&group, false);
		}
		end(&group);
		end(&half);
	}
}

static void run(const struct group *all, int stream, bool threads)
{
	out = calloc(MANY, REGION);
	in = calloc(MANY, REGION);
	own = (uint64_t)(seed * 1000 + stream * 100 + rank);
	for (int i = 0; out && in && i < steps; i++) {
		common = (uint64_t)seed << 32 | (unsigned int)(stream * 100000 + i);
		last_tag = (stream * steps + i) * 20 * MANY;
		choose(2);
		for (int j = 0; j < 4; j++)
			pick(2);
		if (threads) /* MPICH 4.0 fails if several threads create communicators */
			step_in(all, true);
		else
			step(all);
	}
	free(out);
	free(in);
}

struct thread {
	pthread_t id;
	int stream;
	struct group group;
	struct known known;
};

static void *run_thread(void *argument)
{
	struct thread *thread = argument;
	run(&thread->group, thread->stream, true);
	thread->known = known;
	return NULL;
}

static void run_threads(const struct group *all, int count)
{
	struct thread *threads = calloc((size_t)count, sizeof(*threads));
	MPI_Comm shared = MPI_COMM_NULL;
	for (int i = 0; threads && i < count; i++) {
		threads[i].stream = i + 1;
		threads[i].group = *all;
		threads[i].group.shared = i < 2;
		threads[i].group.comm = shared;
		if (i == 1)
			continue;
		MPI_Comm_dup(all->comm, &threads[i].group.comm);
		shared = i == 0 ? threads[i].group.comm : shared;
		call("MPI_Comm_dup", 0, 0, 0, 0);
	}
	for (int i = 0; threads && i < count; i++)
		if (pthread_create(&threads[i].id, NULL, run_thread, &threads[i]) != 0)
			abort();
	for (int i = 0; threads && i < count; i++) {
		pthread_join(threads[i].id, NULL);
		known_join(&known, &threads[i].known);
	}
	free(threads);
}

int main(int argc, char **argv)
{
	static char buffer[4000000];
	void *detached;
	int level, length, threads = argc > 3 ? atoi(argv[3]) : 0;
	struct group all = {.comm = MPI_COMM_WORLD};
	MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
	call("MPI_Init_thread", 0, 0, 0, 0);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	seed = argc > 1 ? atoi(argv[1]) : 1;
	steps = argc > 2 ? atoi(argv[2]) : 20;
	all.rank = rank;
	all.sizes[0] = all.sizes[1] = size;
	for (int i = 0; i < size && i < ALL; i++)
		all.world[0][i] = all.world[1][i] = i;
	make_types();
	MPI_Buffer_attach(buffer, sizeof(buffer));
	call("MPI_Buffer_attach", 0, 0, 0, 0);
	if (threads && level < MPI_THREAD_MULTIPLE)
		printf("no threads\n");
	else if (threads)
		run_threads(&all, threads);
	else
		run(&all, 0, false);
	MPI_Buffer_detach(&detached, &length);
	call("MPI_Buffer_detach", 0, 0, 0, 0);
	known_write(rank);
	write_known_files(rank);
	MPI_Finalize();
	return 0;
}
