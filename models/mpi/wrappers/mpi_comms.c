/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two hash tables, of communicators and windows by handle, which are read without a lock. Entries are added at the head
 * of a bucket, and reused when their handles were freed. Descriptions are also reused, by communicators with the same
 * members, so memory does not grow with communicators that are made and freed. All members make and free communicators
 * in the same order; so the members, and how many communicators with these members were made before, identify a
 * communicator in all of them, without a message.
 */
#include "models/mpi/wrappers/mpi_comms.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "models/mpi/wrappers/mpi_library.h"
#include "models/mpi/wrappers/mpi_memory.h"
#include "models/mpi/wrappers/mpi_world.h"

#define BUCKET_BITS HEDDLE_MPI_COMM_BITS
#define BUCKETS (1u << BUCKET_BITS)

#define FREE UINTPTR_MAX

/* A description, and what it is found by. */
struct known {
	struct heddle_mpi_comm comm;
	uint64_t hash;
	bool used; /* there is a handle */
	struct known *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *_Atomic all[BUCKETS];

static uint64_t hash_of_ranks(const int *ranks, int size, bool inter)
{
	uint64_t hash = heddle__hash((uint64_t)size << 1 ^ inter);
	for (int i = 0; i < size; i++)
		hash = heddle__hash((hash >> 29 ^ hash) + (unsigned int)ranks[i]);
	return hash;
}

/* A hash of the members only, for an intercommunicator of both groups: each member computes the same. */
static uint64_t hash_of_members(const struct heddle_mpi_comm *comm, const int *own_group)
{
	uint64_t hash = hash_of_ranks(comm->world, comm->size, comm->inter);
	if (own_group)
		hash += hash_of_ranks(own_group, comm->own_size, comm->inter);
	return own_group ? heddle__hash(hash) : hash;
}

static bool is_same(const struct heddle_mpi_comm *a, const struct heddle_mpi_comm *b)
{
	return a->size == b->size && a->own_size == b->own_size && a->rank == b->rank && a->inter == b->inter &&
	       a->out == b->out && a->in == b->in && a->absent == b->absent &&
	       memcmp(a->world, b->world, (size_t)a->size * sizeof(*a->world)) == 0;
}

static uint32_t name_of(const struct heddle_mpi_comm *comm, uint64_t hash, unsigned int before, const char *what)
{
	char text[80];
	if (!heddle__mpi)
		return 0;
	if (*what == 'M') /* the world */
		return heddle__mpi->text(what);
	int members = comm->size + (comm->inter ? comm->own_size : 0);
	snprintf(text, sizeof(text), "%s%s %d rank%s, %04x-%u", comm->inter ? "inter" : "", what, members,
		members == 1 ? "" : "s", (unsigned int)(hash >> 48), before);
	return heddle__mpi->text(text);
}

static struct known *add_known(const struct heddle_mpi_comm *comm, struct known *_Atomic *bucket)
{
	struct known *known = heddle__mpi_alloc(sizeof(*known));
	int *world = heddle__mpi_alloc((size_t)comm->size * sizeof(*world) + 1);
	if (!known || !world)
		return NULL;
	memcpy(world, comm->world, (size_t)comm->size * sizeof(*world));
	known->comm = *comm;
	known->comm.world = world;
	known->comm.channels = NULL;
	known->next = *bucket;
	*bucket = known;
	return known;
}

/* In an intercommunicator, members are numbered from the group whose first rank is lower. Context: the lock is held. */
static void number_group(struct heddle_mpi_comm *comm)
{
	static uint32_t last;
	int before = comm->across & 1 ? comm->size : 0;
	if (!comm->identity || comm->own < 0 || !heddle__mpi)
		return;
	comm->number = ++last;
	heddle__mpi->group(&(struct heddle_trace_group){
		comm->identity, comm->number, comm->text, (uint32_t)(before + comm->rank), (uint32_t)comm->own});
}

/* ---- partitioned messages ---- */

/* How many partitioned messages were initialized with a rank and tag. */
struct ordinal {
	const struct heddle_mpi_comm *comm;
	int partner, tag;
	bool sends;
	uint32_t count;
	struct ordinal *next;
};

/* Later ones share the groups of earlier ones; the order of their starts then distinguishes them. */
#define CHANNELS 8u

/* Context of the two: the lock is held. */
static uint32_t next_ordinal(const struct heddle_mpi_comm *comm, int partner, int tag, bool sends)
{
	static struct ordinal *all_ordinals;
	struct ordinal *one = all_ordinals;
	while (one && (one->comm != comm || one->partner != partner || one->tag != tag || one->sends != sends))
		one = one->next;
	if (!one && (one = heddle__mpi_alloc(sizeof(*one)))) {
		*one = (struct ordinal){comm, partner, tag, sends, 0, all_ordinals};
		all_ordinals = one;
	}
	return one ? one->count++ : 0;
}

static uint32_t make_channel(const struct heddle_mpi_comm *comm, uint32_t channel)
{
	struct heddle_mpi_comm copy = *comm;
	uint64_t members = comm->identity >> 40;
	copy.identity = members << 40 | (heddle__hash(comm->identity + channel + 1) >> 24);
	copy.number = 0;
	number_group(&copy);
	return comm->channels[channel] = copy.number;
}

uint32_t heddle__mpi_comm_channel(const struct heddle_mpi_comm *comm, int partner, int tag, bool sends)
{
	uint32_t number = 0;
	if (!comm || !comm->number || !heddle__mpi->traces)
		return 0;
	pthread_mutex_lock(&lock);
	struct heddle_mpi_comm *own = (struct heddle_mpi_comm *)(uintptr_t)comm;
	uint32_t channel = next_ordinal(comm, partner, tag, sends) % CHANNELS;
	if (!own->channels)
		own->channels = heddle__mpi_alloc(CHANNELS * sizeof(*own->channels));
	if (own->channels)
		number = own->channels[channel] ? own->channels[channel] : make_channel(comm, channel);
	pthread_mutex_unlock(&lock);
	return number;
}

static bool are_known(const int *ranks, int size)
{
	for (int i = 0; i < size; i++)
		if (ranks[i] < 0)
			return false;
	return size > 0;
}

/* Computes the identity that all members use in traces. The ranks of both groups have to be in this world. */
static void identify(struct heddle_mpi_comm *comm, const int *own_group, uint64_t number)
{
	uint64_t members = (uint64_t)comm->size;
	if (comm->inter) {
		if (!own_group || !are_known(own_group, comm->own_size) || !are_known(comm->world, comm->size))
			return;
		comm->across = (uint32_t)comm->size << 1 | (own_group[0] > comm->world[0]);
		members += (uint64_t)comm->own_size;
	}
	comm->identity = members << 40 | (heddle__hash(number + heddle__mpi_world_key) >> 24);
}

/*
 * `what` is the beginning of the name; `own_group` is NULL except for an intercommunicator. Context: the lock is held.
 */
static const struct heddle_mpi_comm *take_known(
	const struct heddle_mpi_comm *comm, const int *own_group, const char *what)
{
	uint64_t hash = hash_of_members(comm, own_group) ^ (uint64_t)(unsigned char)*what;
	struct known *_Atomic *bucket = &all[hash >> (64 - BUCKET_BITS)];
	unsigned int before = 0;
	for (struct known *known = *bucket; known; known = known->next) {
		if (known->hash != hash)
			continue;
		if (!known->used && is_same(&known->comm, comm)) {
			known->used = true;
			return &known->comm;
		}
		before++;
	}
	struct known *known = add_known(comm, bucket);
	if (!known)
		return NULL;
	known->hash = hash;
	known->used = true;
	known->comm.text = name_of(comm, hash, before, what);
	const int *group = comm->inter ? own_group : comm->world;
	known->comm.own = group && comm->rank >= 0 && comm->rank < comm->own_size ? group[comm->rank] : -1;
	identify(&known->comm, own_group, hash + before);
	number_group(&known->comm);
	return &known->comm;
}

/* ---- queries to the library ---- */

bool heddle__mpi_group_ranks(uintptr_t group, int size, int *ranks)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	uintptr_t world = 0;
	if (mpi->Comm_group(heddle__mpi_abi.world, &world) != 0)
		return false;
	for (int i = 0; i < size; i++)
		ranks[i] = i;
	bool translated = mpi->Group_translate_ranks(heddle__mpi_handle(group), (uintptr_t)size, ranks,
				  heddle__mpi_handle(world), ranks + size) == 0;
	mpi->Group_free(&world);
	return translated;
}

struct members {
	int size;
	int *world;  /* ranks in MPI_COMM_WORLD; NULL: not known */
	int *mapped; /* memory */
	size_t bytes;
};

/* Returns the members of a group, and frees the group. */
static struct members members_of(uintptr_t group)
{
	struct members members = {0};
	if (heddle__mpi_helpers.Group_size(heddle__mpi_handle(group), &members.size) == 0 && members.size >= 0) {
		members.bytes = 2 * sizeof(int) * (size_t)(members.size + 1);
		members.mapped = heddle__mpi_map(members.bytes);
	}
	if (members.mapped && heddle__mpi_group_ranks(group, members.size, members.mapped))
		members.world = members.mapped + members.size;
	heddle__mpi_helpers.Group_free(&group);
	return members;
}

/*
 * Describes a communicator by its group, and the own group of an intercommunicator (0: none); frees both. Context: the
 * lock is held.
 */
static const struct heddle_mpi_comm *describe(
	struct heddle_mpi_comm *comm, uintptr_t group, uintptr_t own_group, const char *what)
{
	const struct heddle_mpi_comm *found = NULL;
	struct members members = members_of(group), own = {0};
	if (own_group)
		own = members_of(own_group);
	if (members.world) {
		comm->size = members.size;
		comm->world = members.world;
		found = take_known(comm, own.world, what);
	}
	heddle__mpi_unmap(members.mapped, members.bytes);
	heddle__mpi_unmap(own.mapped, own.bytes);
	return found;
}

/* Finds the missing neighbours in each dimension of a grid, where each member has one before and one behind. */
static void find_edges(uintptr_t handle, struct heddle_mpi_comm *comm)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	int dimensions = 0;
	if (mpi->Cartdim_get(handle, &dimensions) != 0)
		return;
	comm->out = comm->in = 2 * dimensions;
	for (int i = 0; mpi->Cart_shift && i < dimensions && i < 32; i++) {
		int before = 0, behind = 0;
		if (mpi->Cart_shift(handle, (uintptr_t)i, 1, &before, &behind) != 0)
			continue;
		comm->absent |= (uint64_t)(before == heddle__mpi_abi.proc_null) << 2 * i;
		comm->absent |= (uint64_t)(behind == heddle__mpi_abi.proc_null) << (2 * i + 1);
	}
}

/* Counts neighbours by the kind of topology: in all ABIs one of these functions succeeds, the others return errors. */
static void count_neighbours(uintptr_t handle, struct heddle_mpi_comm *comm)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	int kind = heddle__mpi_abi.undefined, number = 0, weighted;
	if (comm->inter || !mpi->Topo_test || mpi->Topo_test(handle, &kind) != 0 || kind == heddle__mpi_abi.undefined)
		return;
	if (kind == heddle__mpi_abi.cartesian) {
		find_edges(handle, comm);
	} else if (kind == heddle__mpi_abi.graph) {
		mpi->Graph_neighbors_count(handle, (uintptr_t)comm->rank, &number);
		comm->out = comm->in = number;
	} else {
		mpi->Dist_graph_neighbors_count(handle, &comm->in, &comm->out, &weighted);
	}
}

static const struct heddle_mpi_comm *ask_comm(uintptr_t handle)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	struct heddle_mpi_comm comm = {.size = 0};
	uintptr_t group = 0, own_group = 0;
	int inter = 0;
	if (mpi->Comm_test_inter(handle, &inter) != 0 || mpi->Comm_rank(handle, &comm.rank) != 0 ||
		mpi->Comm_size(handle, &comm.own_size) != 0)
		return NULL;
	comm.inter = inter != 0;
	if ((inter ? mpi->Comm_remote_group(handle, &group) : mpi->Comm_group(handle, &group)) != 0)
		return NULL;
	if (inter && mpi->Comm_group(handle, &own_group) != 0)
		own_group = 0;
	count_neighbours(handle, &comm);
	return describe(
		&comm, group, own_group, handle == heddle__mpi_abi.world ? "MPI_COMM_WORLD" : "communicator of");
}

static const struct heddle_mpi_comm *ask_window(uintptr_t handle)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	struct heddle_mpi_comm comm = {.size = 0};
	uintptr_t group = 0;
	if (mpi->Win_get_group(handle, &group) != 0)
		return NULL;
	mpi->Group_rank(heddle__mpi_handle(group), &comm.rank);
	mpi->Group_size(heddle__mpi_handle(group), &comm.own_size);
	return describe(&comm, group, 0, "window of");
}

/* ---- by handle ---- */

struct heddle_mpi_comm_table heddle__mpi_comms = {.ask = ask_comm};
static struct heddle_mpi_comm_table windows = {.ask = ask_window};

static struct heddle_mpi_comm_entry *_Atomic *bucket_of(struct heddle_mpi_comm_table *table, uintptr_t handle)
{
	return &table->buckets[heddle__hash(handle) >> (64 - BUCKET_BITS)];
}

static struct heddle_mpi_comm_entry *find_comm(struct heddle_mpi_comm_table *table, uintptr_t handle)
{
	struct heddle_mpi_comm_entry *entry = atomic_load_explicit(bucket_of(table, handle), memory_order_acquire);
	while (entry && atomic_load_explicit(&entry->handle, memory_order_acquire) != handle)
		entry = entry->next;
	return entry;
}

/* Context: the lock is held. */
static struct heddle_mpi_comm_entry *add_comm(
	struct heddle_mpi_comm_table *table, uintptr_t handle, const struct heddle_mpi_comm *comm)
{
	struct heddle_mpi_comm_entry *_Atomic *bucket = bucket_of(table, handle);
	struct heddle_mpi_comm_entry *entry = *bucket;
	while (entry && entry->handle != FREE)
		entry = entry->next;
	bool added = !entry;
	if (added)
		entry = heddle__mpi_alloc(sizeof(*entry));
	if (!entry)
		return NULL;
	entry->comm = comm;
	atomic_store_explicit(&entry->handle, handle, memory_order_release);
	if (added) {
		entry->next = *bucket;
		atomic_store_explicit(bucket, entry, memory_order_release);
	}
	return entry;
}

static const struct heddle_mpi_comm *look_up(struct heddle_mpi_comm_table *table, uintptr_t word)
{
	uintptr_t handle = heddle__mpi_handle(word);
	const struct heddle_mpi_comm_entry *entry = find_comm(table, handle);
	if (entry)
		return entry->comm;
	pthread_mutex_lock(&lock);
	entry = find_comm(table, handle);
	const struct heddle_mpi_comm *comm = entry ? entry->comm : table->ask(handle);
	if (!entry && comm)
		add_comm(table, handle, comm);
	pthread_mutex_unlock(&lock);
	return comm;
}

static void forget(struct heddle_mpi_comm_table *table, uintptr_t word)
{
	pthread_mutex_lock(&lock);
	struct heddle_mpi_comm_entry *entry = find_comm(table, heddle__mpi_handle(word));
	if (entry) {
		((struct known *)(uintptr_t)entry->comm)->used = false; /* its first member */
		atomic_store_explicit(&entry->handle, FREE, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
}

const struct heddle_mpi_comm *heddle__mpi_comm_find(uintptr_t handle)
{
	return look_up(&heddle__mpi_comms, handle);
}

static const struct heddle_mpi_comm *known_of(struct heddle_mpi_comm_table *table, uintptr_t word)
{
	const struct heddle_mpi_comm_entry *entry = find_comm(table, heddle__mpi_handle(word));
	return entry ? entry->comm : NULL;
}

const struct heddle_mpi_comm *heddle__mpi_comm_known(uintptr_t handle)
{
	return known_of(&heddle__mpi_comms, handle);
}

const struct heddle_mpi_comm *heddle__mpi_window_known(uintptr_t handle)
{
	return known_of(&windows, handle);
}

const struct heddle_mpi_comm *heddle__mpi_window(uintptr_t handle)
{
	return look_up(&windows, handle);
}

void heddle__mpi_comm_forget(uintptr_t handle)
{
	forget(&heddle__mpi_comms, handle);
}

void heddle__mpi_window_forget(uintptr_t handle)
{
	forget(&windows, handle);
}

void heddle__mpi_comm_copied(uintptr_t from, uintptr_t handle)
{
	const struct heddle_mpi_comm *known = look_up(&heddle__mpi_comms, from);
	if (!known || known->inter)
		return;
	pthread_mutex_lock(&lock);
	const struct heddle_mpi_comm *copy =
		find_comm(&heddle__mpi_comms, handle) ? NULL : take_known(known, NULL, "communicator of");
	if (copy)
		add_comm(&heddle__mpi_comms, handle, copy);
	pthread_mutex_unlock(&lock);
}
