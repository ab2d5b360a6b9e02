/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers: system calls only. The file is opened for each chunk: a program may close any descriptor and
 * use its number for its own file, which must not be written to. This also detects that the file was removed.
 */
#include "core/trace/trace_file.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/notes.h"
#include "core/base/patience.h"
#include "core/base/process_info.h"
#include "core/host/host_signal.h"
#include "core/trace/trace_buffers.h"
#include "core/trace/trace_place.h"
#include "core/tree/tree.h"

#define PATIENCE_NS 2000000000u /* time-out for the lock while its holder makes no progress */
#define SLICE_NS 50000000
#define NODES_AT_ONCE 1020
#define NODES_NS 20000000u
#define ATTEMPTS 5
#define INFO_NS 1000000000u /* interval at which INFO is renewed while events are written */

struct heddle_trace_counts heddle__trace_counts;

static _Atomic uint32_t lock; /* a futex: 1: taken */
static _Atomic int failure;   /* errno; 0: none */
static _Atomic uint64_t size; /* bytes of whole chunks */
static uint32_t nodes;        /* number of the tree's nodes in the file */
static bool exists;
static _Atomic pid_t trier; /* the thread that tries an end, and holds the lock meanwhile; 0: none */
static struct heddle_signal_guard trier_guard;
static uint64_t size_before, records_before;
static uint32_t nodes_before;
static uint64_t info_ns; /* when INFO was written last */

static struct heddle_trace_info start; /* has only the members that begin with start */

static union {
	struct heddle_trace_block block;
	uint8_t bytes[sizeof(struct heddle_trace_chunk) + NODES_AT_ONCE * sizeof(struct heddle_trace_node)];
} tree;

/* ---- the lock: held with all signals blocked, except while an end is tried ---- */

static bool take_lock(struct heddle_signal_guard *guard)
{
	struct heddle_patience patience;
	uint64_t seen = atomic_load(&size);
	heddle__patience_renew(&patience);
	heddle__guard_signals(guard);
	while (atomic_exchange(&lock, 1)) {
		struct timespec slice = {0, SLICE_NS};
		syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 1, &slice, NULL, 0);
		uint64_t written = atomic_load(&size);
		if (written != seen) {
			seen = written;
			heddle__patience_renew(&patience);
		} else if (!heddle__patience_lasts(&patience, PATIENCE_NS)) {
			heddle__release_signals(guard);
			return false;
		}
	}
	return true;
}

static void release_lock(const struct heddle_signal_guard *guard)
{
	atomic_store(&lock, 0);
	syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	heddle__release_signals(guard);
}

/* ---- failures ---- */

static const char *advice(int error)
{
	switch (error) {
	case ENOSPC:
	case EDQUOT:
		return "free space, or write traces elsewhere with --trace-dir (HEDDLE_TRACE_DIR)";
	case EFBIG:
		return "raise the limit of file sizes (ulimit -f)";
	case EMFILE:
	case ENFILE:
		return "raise the limit of open files (ulimit -n)";
	case ENOENT:
	case ENOTDIR:
		return "the directory was removed or renamed while the program ran, or is outside its root directory "
		       "(chroot)";
	case EACCES:
	case EPERM:
		return "if the program runs as another user now, choose a directory that this user can write with -o "
		       "(HEDDLE_OUTPUT)";
	default:
		return "write traces elsewhere with --trace-dir (HEDDLE_TRACE_DIR)";
	}
}

static void fail(int error)
{
	if (atomic_exchange(&failure, error))
		return;
	heddle__note("the trace ends early: it could not be written");
	heddle__warn("the trace ends here: cannot write %s: %s; events before it can be read; %s", heddle__trace_path(),
		error == ETIMEDOUT ? "no progress for two seconds" : strerror(error), advice(error));
}

bool heddle__trace_file_failed(void)
{
	return atomic_load(&failure) != 0;
}

bool heddle__trace_file_exists(void)
{
	return atomic_load(&size) != 0;
}

uint64_t heddle__trace_file_size(void)
{
	return atomic_load(&size);
}

/* ---- with the lock held ---- */

/* Returns 0 or errno. */
static int write_at(int fd, const void *bytes, size_t count, uint64_t offset)
{
	const char *at = bytes;
	while (count) {
		ssize_t n = pwrite(fd, at, count, (off_t)offset);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		at += n;
		offset += (uint64_t)n;
		count -= (size_t)n;
	}
	return 0;
}

static void complete(struct heddle_trace_chunk *header, const void *payload)
{
	header->magic = HEDDLE_TRACE_MAGIC;
	header->version = HEDDLE_TRACE_VERSION;
	header->unused = 0;
	header->sum = heddle_trace_sum(payload, header->length);
}

static int append_one(int fd, struct heddle_trace_block *block)
{
	struct heddle_trace_chunk *header = &block->header;
	uint64_t at = atomic_load(&size);
	complete(header, block->payload);
	int error = write_at(fd, block, sizeof(*header) + header->length, at);
	if (!error) {
		atomic_store(&size, at + sizeof(*header) + header->length);
		if (header->kind == HEDDLE_TRACE_EVENTS) /* with the lock held: heddle__trace_file_return restores it */
			atomic_fetch_add(&heddle__trace_counts.records, header->count);
	} else if (ftruncate(fd, (off_t)at)) /* readers ignore what is left of the chunk */
		return error;
	return error;
}

struct info_chunk {
	struct heddle_trace_chunk header;
	struct heddle_trace_info info;
};

static void fill_info(struct info_chunk *chunk, uint64_t end_ticks)
{
	const struct heddle_trace_counts *counts = &heddle__trace_counts;
	*chunk = (struct info_chunk){
		.header = {.kind = HEDDLE_TRACE_INFO, .length = sizeof(chunk->info), .count = 1}, .info = start};
	chunk->info.ns_per_tick = heddle__clock_rate();
	chunk->info.end_ticks = end_ticks;
	chunk->info.records = atomic_load(&counts->records);
	chunk->info.dropped = atomic_load(&counts->dropped);
	chunk->info.lost = atomic_load(&counts->lost);
	chunk->info.error = (uint64_t)atomic_load(&failure);
	chunk->info.waits = atomic_load(&counts->waits);
	chunk->info.wait_ticks = atomic_load(&counts->wait_ticks);
	chunk->info.tick_source = heddle__clock_is_tsc;
	chunk->info.from_ns = heddle__trace_policy.from_ns;
	chunk->info.to_ns = heddle__trace_policy.to_ns;
	chunk->info.last_ns = heddle__trace_policy.last_ns;
}

static int append_info(int fd, uint64_t end_ticks)
{
	struct info_chunk chunk;
	fill_info(&chunk, end_ticks);
	return append_one(fd, (struct heddle_trace_block *)&chunk);
}

/* Overwrites the first INFO, which needs no space. */
static int renew_info(int fd, uint64_t end_ticks)
{
	struct info_chunk chunk;
	fill_info(&chunk, end_ticks);
	complete(&chunk.header, &chunk.info);
	return write_at(fd, &chunk, sizeof(chunk), 0);
}

/*
 * Returns a node, which another thread may be adding right now. One that stays without a meta never will be added: its
 * thread ended in the middle, or there was no memory. All such nodes are waited for together, until *until; 0: not
 * waited yet.
 */
static const struct heddle_node *finished_node(uint32_t number, uint64_t *until)
{
	const struct heddle_node *node = heddle__tree_node(number);
	while (!__atomic_load_n(&node->meta, __ATOMIC_ACQUIRE)) {
		uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC);
		*until = *until ? *until : now + NODES_NS;
		if (now > *until)
			break;
		sched_yield();
	}
	return node;
}

/* Appends the nodes that were added since the last call. */
static int append_nodes(int fd)
{
	struct heddle_trace_node *out = (struct heddle_trace_node *)tree.block.payload;
	uint64_t until = 0;
	int error = 0;
	for (uint32_t end = heddle__tree_count(); nodes < end && !error;) {
		uint32_t count = end - nodes < NODES_AT_ONCE ? end - nodes : NODES_AT_ONCE;
		for (uint32_t i = 0; i < count; i++) {
			const struct heddle_node *node = finished_node(nodes + i, &until);
			out[i] = (struct heddle_trace_node){node->place, node->parent, node->meta};
		}
		tree.block.header = (struct heddle_trace_chunk){.kind = HEDDLE_TRACE_TREE,
			.length = count * (uint32_t)sizeof(*out),
			.first = nodes,
			.count = count};
		error = append_one(fd, &tree.block);
		nodes += count;
	}
	return error;
}

/* Writes INFO, with which the file begins, before the first chunk. */
static int begin_file(int fd)
{
	int error = append_info(fd, 0);
	exists = true;
	info_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	return error;
}

/* Appends a block; without one, only INFO. Returns 0 or errno. */
static int append(struct heddle_trace_block *block, uint64_t end_ticks)
{
	int fd = heddle__trace_open(!exists);
	if (fd < 0)
		return -fd;
	uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC);
	int error = exists ? 0 : begin_file(fd);
	if (!error && now - info_ns > INFO_NS) {
		error = renew_info(fd, 0);
		info_ns = now;
	}
	error = error ? error : append_nodes(fd);
	if (!error)
		error = block ? append_one(fd, block) : append_info(fd, end_ticks);
	if (close(fd) && !error && errno != EINTR)
		error = errno;
	return error;
}

static bool in_turn(
	int (*work)(struct heddle_trace_block *, uint64_t), struct heddle_trace_block *block, uint64_t end_ticks)
{
	struct heddle_signal_guard guard;
	bool mine = atomic_load(&trier) == gettid();
	int saved = errno, error = ETIMEDOUT;
	if (mine) {
		heddle__guard_signals(&guard);
		error = work(block, end_ticks);
		heddle__release_signals(&guard);
	} else if (take_lock(&guard)) {
		error = work(block, end_ticks);
		release_lock(&guard);
	}
	if (error)
		fail(error);
	errno = saved;
	return !error;
}

bool heddle__trace_file_append(struct heddle_trace_block *block)
{
	return !heddle__trace_file_failed() && in_turn(append, block, 0);
}

/* Writes the counts into INFO at the file's begin after a failure. */
static int renew(struct heddle_trace_block *unused, uint64_t end_ticks)
{
	(void)unused, (void)end_ticks;
	int fd = exists ? heddle__trace_open(false) : -ENOENT;
	if (fd < 0)
		return -fd;
	int error = renew_info(fd, 0); /* the end is missing */
	close(fd);
	return error;
}

bool heddle__trace_file_append_info(uint64_t end_ticks)
{
	return in_turn(heddle__trace_file_failed() ? renew : append, NULL, end_ticks);
}

/* ---- an end that may not come ---- */

void heddle__trace_file_try_end(void)
{
	if (heddle__trace_file_failed() || !take_lock(&trier_guard))
		return;
	heddle__release_signals(&trier_guard);
	size_before = atomic_load(&size);
	nodes_before = nodes;
	records_before = atomic_load(&heddle__trace_counts.records);
	atomic_store(&trier, gettid());
}

static void take_back(void)
{
	int fd = size_before ? heddle__trace_open(false) : -ENOENT;
	if (!size_before)
		heddle__trace_remove();
	else if (fd < 0 || ftruncate(fd, (off_t)size_before))
		return;
	if (fd >= 0)
		close(fd);
	exists = size_before > 0;
	atomic_store(&size, size_before);
	atomic_store(&heddle__trace_counts.records, records_before);
	nodes = nodes_before;
}

void heddle__trace_file_return(void)
{
	if (atomic_load(&trier) != gettid())
		return;
	take_back();
	atomic_store(&trier, 0);
	atomic_store(&lock, 0);
	syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ---- beginning ---- */

uint64_t heddle__trace_file_start_ns(void)
{
	return start.start_mono_ns;
}

/* Reads ticks and clocks close to each other: takes the fastest of some attempts. */
void heddle__trace_file_begin(void)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = heddle__ticks(), mono = heddle__clock_ns(CLOCK_MONOTONIC);
		uint64_t unix_ns = heddle__clock_ns(CLOCK_REALTIME), after = heddle__ticks();
		if (after - before >= least)
			continue;
		least = after - before;
		start = (struct heddle_trace_info){
			.start_ticks = before + least / 2, .start_mono_ns = mono, .start_unix_ns = unix_ns};
	}
	heddle__trace_counts = (struct heddle_trace_counts){0};
	atomic_store(&lock, 0);
	atomic_store(&trier, 0);
	atomic_store(&failure, 0);
	atomic_store(&size, 0);
	nodes = 0;
	exists = false;
	heddle__trace_choose_place();
}
