/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two tables of fixed size: of open files by handle, which is read without a lock, and of names. Files that do not fit
 * are counted as other files. Handles of files are pointers in all ABIs.
 */
#include "models/mpi/wrappers/mpi_files.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "models/mpi/wrappers/mpi_arguments.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_requests.h"

#define OPEN_BITS 12
#define PROBES 16u /* places from its hash on where a handle may be */
#define NAME_BITS 11
#define NAMES_MOST 1000u /* each thread may have rows for each of them */
#define NAME_SIZE 1001   /* as much as a string of the profile has */
#define OTHERS "(other files)"

struct place {
	_Atomic uintptr_t handle; /* 0: free */
	_Atomic uint32_t name;
	_Atomic uint64_t asked; /* bytes requested by a split read in progress, of which a file has at most one */
};

struct name {
	uint64_t hash; /* 0: free */
	uint32_t text;
};

static struct place open_files[(1u << OPEN_BITS) + PROBES];
static struct name names[1u << NAME_BITS];
static uint32_t name_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- names ---- */

static uint64_t hash_of(const char *name)
{
	uint64_t hash = 14695981039346656037u;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211u;
	return hash | 1;
}

/* Removes the kind of file system, which programs may write before the path, as MPI-IO does. */
static const char *without_kind(const char *name)
{
	static const char *const kinds[] = {"ufs:", "nfs:", "xfs:", "panfs:", "lustre:", "gpfs:", "pvfs2:", "testfs:"};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
			return name + strlen(kinds[i]);
	return name;
}

/* The same file must have the same name in all ranks, which may have different working directories. */
static void make_absolute(char path[NAME_SIZE], const char *name)
{
	size_t length;
	name = without_kind(name);
	while (name[0] == '.' && name[1] == '/')
		name += 2;
	path[0] = '\0';
	if (*name != '/' && !getcwd(path, NAME_SIZE))
		path[0] = '\0';
	length = strlen(path);
	snprintf(path + length, NAME_SIZE - length, "%s%s", length > 1 ? "/" : "", name);
}

/* Returns the text of a name, or that of other files if there are too many. Context: the lock is held. */
static uint32_t text_of(const char *path)
{
	uint64_t hash = hash_of(path);
	uint32_t at = (uint32_t)(heddle__hash(hash) >> (64 - NAME_BITS));
	while (names[at].hash && names[at].hash != hash)
		at = (at + 1) & ((1u << NAME_BITS) - 1);
	if (names[at].hash)
		return names[at].text;
	if (name_count == NAMES_MOST)
		return heddle__mpi->text(OTHERS);
	name_count++;
	names[at] = (struct name){hash, heddle__mpi->text(path)};
	return names[at].text;
}

/* ---- handles ---- */

static struct place *home_of(uintptr_t handle)
{
	return &open_files[heddle__hash(handle) >> (64 - OPEN_BITS)];
}

/* Returns NULL if the handle is not in the table. */
static struct place *find(uintptr_t handle)
{
	struct place *home = home_of(handle);
	for (struct place *place = home; place < home + PROBES; place++)
		if (atomic_load_explicit(&place->handle, memory_order_acquire) == handle)
			return place;
	return NULL;
}

static uint32_t name_of(uintptr_t handle)
{
	const struct place *place = find(handle);
	return place ? atomic_load_explicit(&place->name, memory_order_relaxed) : heddle__mpi->text(OTHERS);
}

/* Context: the lock is held. */
static void keep(uintptr_t handle, uint32_t name)
{
	struct place *place = find(handle);
	if (!place)
		place = home_of(handle);
	for (const struct place *end = home_of(handle) + PROBES; place < end; place++) {
		uintptr_t other = atomic_load_explicit(&place->handle, memory_order_relaxed);
		if (other && other != handle)
			continue;
		atomic_store_explicit(&place->name, name, memory_order_relaxed);
		atomic_store_explicit(&place->handle, handle, memory_order_release);
		return;
	}
}

/* ---- calls ---- */

void heddle__mpi_file_opened(struct heddle_mpi_operation *operation)
{
	const char *name = (const char *)operation->words[1];
	char path[NAME_SIZE];
	uintptr_t handle;
	if (!succeeded(operation))
		return;
	memcpy(&handle, (const void *)operation->words[4], sizeof(handle));
	make_absolute(path, name);
	pthread_mutex_lock(&lock);
	uint32_t text = text_of(path);
	keep(handle, text);
	pthread_mutex_unlock(&lock);
	operation->moved.size = 0;
	heddle__mpi_exchange_with_file(operation, text, HEDDLE_EXCHANGE_FILE_OPENED, 0);
}

/* Before the call, since another thread may get the same handle before it returns. */
void heddle__mpi_file_closing(struct heddle_mpi_operation *operation)
{
	uintptr_t handle = 0;
	if (operation->words[0])
		memcpy(&handle, (const void *)operation->words[0], sizeof(handle));
	operation->file = name_of(handle);
	pthread_mutex_lock(&lock);
	struct place *place = find(handle);
	if (place)
		atomic_store_explicit(&place->handle, 0, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
}

void heddle__mpi_file_closed(struct heddle_mpi_operation *operation)
{
	if (!succeeded(operation))
		return;
	operation->moved.size = 0;
	heddle__mpi_exchange_with_file(operation, operation->file, HEDDLE_EXCHANGE_FILE_CLOSED, 0);
}

/*
 * True if the call begins a read that another call completes: calls without a status complete no read. A call with a
 * buffer and without a count ends what a call with both began.
 */
static bool begins_read(const struct heddle_mpi_arguments *at)
{
	return at->receive >= 0 && at->status < 0;
}

/*
 * As for messages, a write counts where it begins, and a read where it completes, since its bytes are not known before.
 */
static enum heddle_exchange_kind kind_of(const struct heddle_mpi_arguments *at)
{
	if (at->receive >= 0)
		return begins_read(at) ? HEDDLE_EXCHANGE_FILE_READING : HEDDLE_EXCHANGE_FILE_READ;
	if (at->send >= 0)
		return at->send_count >= 0 ? HEDDLE_EXCHANGE_FILE_WRITTEN : HEDDLE_EXCHANGE_FILE_WRITING;
	return HEDDLE_EXCHANGE_FILE_OTHER;
}

static void follow(struct heddle_mpi_operation *operation, uint32_t name, uint64_t asked)
{
	struct heddle_mpi_request request = {
		.bytes_sent = operation->moved.bytes_sent,
		.bytes_received = asked,
		.partner = (int)name,
		.function = heddle__mpi_function_number(operation->function),
	};
	heddle__mpi_follow(operation, &request);
}

/*
 * If the program ignores the status, provides one whose count is larger than any requested: libraries that do not set
 * the count leave it unchanged.
 */
void heddle__mpi_file_accessing(struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.status;
	if (at < 0 || operation->words[at] != heddle__mpi_abi.status_ignore)
		return;
	memset(operation->few_statuses, 0xff, HEDDLE_MPI_STATUS_SIZE);
	operation->words[at] = (uintptr_t)operation->few_statuses;
}

/* Returns the bytes that were read: at the end of the file, fewer than requested. */
static uint64_t read_of(const unsigned char *status, uint64_t asked)
{
	uint64_t bytes = heddle__mpi_accessed(status);
	return bytes < asked ? bytes : asked;
}

/*
 * Returns the bytes that the read requests, or that were requested by the call which began it. UINT64_MAX: not known.
 */
static uint64_t asked_by(const struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct place *place;
	if (at->receive < 0)
		return 0;
	if (at->receive_count >= 0)
		return bytes_at(operation, at->receive_count, at->receive_type);
	place = find(operation->words[at->file]);
	return place ? atomic_load_explicit(&place->asked, memory_order_relaxed) : UINT64_MAX;
}

static void count_read(struct heddle_mpi_operation *operation, uint64_t asked)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct place *place = begins_read(at) && at->request < 0 ? find(operation->words[at->file]) : NULL;
	if (place)
		atomic_store_explicit(&place->asked, asked, memory_order_relaxed);
	if (!begins_read(at))
		operation->moved.bytes_received = read_of((const unsigned char *)operation->words[at->status], asked);
}

void heddle__mpi_file_accessed(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct heddle_mpi_moved *moved = &operation->moved;
	uint64_t asked;
	if (!succeeded(operation))
		return;
	asked = asked_by(operation);
	moved->bytes_sent = bytes_at(operation, at->send_count, at->send_type);
	if (at->receive >= 0)
		count_read(operation, asked);
	moved->size = begins_read(at) ? asked : moved->bytes_sent + moved->bytes_received; /* one of the two is 0 */
	moved->moves = at->send_count >= 0 || (at->receive >= 0 && !begins_read(at));
	if (at->file < 0) /* MPI_File_delete */
		return;
	uint32_t name = name_of(operation->words[at->file]);
	heddle__mpi_exchange_with_file(operation, name, kind_of(at), moved->size);
	if (at->request >= 0)
		follow(operation, name, asked);
}

void heddle__mpi_file_access_ends(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request,
	const struct heddle_mpi_function *function, const unsigned char *status)
{
	bool reads = function->at.receive >= 0;
	uint64_t bytes = reads ? read_of(status, request->bytes_received) : request->bytes_sent;
	if (reads)
		operation->moved.bytes_received += bytes;
	heddle__mpi_exchange_with_file(operation, (uint32_t)request->partner,
		reads ? HEDDLE_EXCHANGE_FILE_READ : HEDDLE_EXCHANGE_FILE_WRITING, bytes);
}
