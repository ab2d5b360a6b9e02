/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a job publish their node, process and memory file; the lowest rank of each node keeps its file, and the
 * others map it through /proc. Afterwards ranks communicate through that memory, like thread processes.
 */
#include "upc/runtime/start/ranks.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/watch.h"
#include "upc/runtime/memory/segment.h"
#include "upc/runtime/start/launcher.h"
#include "upc/runtime/start/network_open.h"

struct hupc__options hupc__ranks_options;
static bool is_rank;
static int own_file = -1;

void hupc__ranks_begin(int rank, int size)
{
	sigset_t end;
	sigemptyset(&end);
	sigaddset(&end, HUPC__END_SIGNAL);
	hupc__system(rt_sigprocmask, SIG_BLOCK, &end, NULL, 8);
	hupc__mythread = rank;
	hupc__threads = size ? size : 1;
	hupc__is_thread = is_rank = true;
}

/* Ends the job because of an error that other ranks may not detect. */
_Noreturn static void fail(const char *what, int error)
{
	hupc__say("thread %d: cannot %s (error %d: %s)", hupc__mythread, what, error, strerrordesc_np(error));
	hupc__job_await_line();
	hupc__job->abort(1, what);
	_exit(1);
}

/* Ends a rank because of an error that all ranks detect: rank 0 prints it, and the others wait for that. */
_Noreturn static void give_up(void)
{
	if (hupc__mythread > 0)
		sleep(1);
	_exit(1);
}

static uint64_t hash(uint64_t hash, const void *data, size_t size)
{
	for (const unsigned char *at = data; size > 0; size--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t hash_file(uint64_t so_far, const char *path)
{
	char text[64];
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = file >= 0 ? read(file, text, sizeof(text)) : 0;
	if (file >= 0)
		close(file);
	return hash(so_far, text, size > 0 ? (size_t)size : 0);
}

static uint64_t hash_identity(uint64_t so_far, const char *path)
{
	struct stat about;
	if (stat(path, &about) != 0)
		return so_far;
	so_far = hash(so_far, &about.st_dev, sizeof(about.st_dev));
	return hash(so_far, &about.st_ino, sizeof(about.st_ino));
}

/*
 * Ranks with the same value share memory. Containers and network namespaces on one machine count as separate machines.
 * With UPC_NODE_SIZE=K, so do each K consecutive ranks.
 */
static uint64_t identify_node(void)
{
	const char *size_text = getenv("UPC_NODE_SIZE");
	int size = size_text ? atoi(size_text) : 0;
	char host[256] = "";
	gethostname(host, sizeof(host) - 1);
	uint64_t node = hash(UINT64_C(0xcbf29ce484222325), host, strlen(host));
	node = hash_file(node, "/proc/sys/kernel/random/boot_id");
	node = hash_identity(node, "/proc/self/ns/pid");
	node = hash_identity(node, "/proc/self/ns/net");
	int part = size > 0 ? hupc__mythread / size : 0;
	return hash(node, &part, sizeof(part));
}

/* Ranks with the same value are connected by the loopback interface. */
static uint64_t identify_machine(void)
{
	uint64_t machine = hash_file(UINT64_C(0xcbf29ce484222325), "/proc/sys/kernel/random/boot_id");
	return hash_identity(machine, "/proc/self/ns/net");
}

/*
 * With a network, the two heaps of a segment have a fixed border (heap.c): each heap gets the size that both share
 * otherwise. Untouched memory costs nothing.
 */
static uint64_t room_for(uint64_t segment_size)
{
	return segment_size <= HUPC__STRIDE / 2 ? 2 * segment_size : HUPC__STRIDE;
}

static int create(uint64_t segment_size)
{
	int file = hupc__segment_create(hupc__threads, room_for(segment_size));
	if (file < 0)
		fail("make the shared memory; give a smaller size with UPC_SHARED_HEAP_SIZE", -file);
	int error = hupc__segment_attach_control(file);
	if (error)
		fail("map the shared memory", -error);
	fcntl(file, F_SETFD, FD_CLOEXEC);
	hupc__control->threads = (uint32_t)hupc__threads;
	hupc__control->magic = HUPC__MAGIC;
	return file;
}

static int open_file_of(const struct hupc__place *owner)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", owner->pid, owner->file);
	int file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		fail("open the shared memory of another thread's process; both must be of one user", errno);
	return file;
}

/* Opens the file of the first rank of this node; closes this rank's own file if that is another rank. */
static void take_file(void)
{
	struct hupc__place owner;
	int rank = hupc__first_mapped();
	if (rank == hupc__mythread)
		return;
	const char *problem = hupc__places_look_up(hupc__job, rank, &owner);
	if (problem)
		fail(problem, ENODATA);
	hupc__segment_forget();
	close(own_file);
	own_file = open_file_of(&owner);
}

static void map(uint64_t segment_size)
{
	int error = hupc__segment_attach_control(own_file);
	if (!error && hupc__control->magic != HUPC__MAGIC)
		error = -EINVAL;
	if (!error) {
		/* The same size for all ranks, at most that of the file. */
		bool several = hupc__nodes_count() > 1;
		hupc__control->segment_size = several ? room_for(segment_size) : segment_size;
		hupc__control->border = several ? hupc__control->segment_size / 2 : 0;
		error = hupc__segment_attach(own_file);
	}
	if (error)
		fail("map the shared memory", -error);
}

static void note_processors(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	for (int i = 0; i < HUPC__PROCESSOR_WORDS * 64; i++) {
		if (CPU_ISSET(i, &set))
			atomic_fetch_or(&hupc__control->processor_set[i / 64], UINT64_C(1) << i % 64);
	}
}

static void share(struct hupc__common *common)
{
	struct hupc__place mine = {.node = identify_node(),
		.machine = identify_machine(),
		.segment_size = hupc__ranks_options.segment_size,
		.pid = getpid()};
	mine.file = own_file = create(mine.segment_size);
	const char *problem = hupc__places_exchange(hupc__job, &mine, common);
	if (problem)
		fail(problem, ENODATA);
	take_file();
	map(common->segment_size);
	atomic_store(&hupc__me()->pid, mine.pid);
	note_processors();
}

void hupc__ranks_join(void)
{
	struct hupc__common common;
	if (!is_rank)
		return;
	hupc__say_nothing = hupc__mythread > 0;
	hupc__job = hupc__job_open();
	if (!hupc__job)
		give_up();
	hupc__mythread = hupc__job->rank;
	hupc__threads = hupc__job->size;
	if (!hupc__options_fit(&hupc__ranks_options, hupc__job->size))
		give_up();
	hupc__say_nothing = false;
	setenv(HUPC__JOB_TAKEN, "1", 1);
	share(&common);
	if (hupc__threads > 1)
		hupc__watch_begin();
	if (hupc__nodes_count() == 1)
		return;
	hupc__network_start(&common);
	hupc__job_meet(hupc__job);
}

void hupc__ranks_started(void)
{
	uint32_t count = 0;
	if (!is_rank)
		return;
	for (int i = 0; i < HUPC__PROCESSOR_WORDS; i++)
		count += (uint32_t)__builtin_popcountll(atomic_load(&hupc__control->processor_set[i]));
	hupc__control->processors = count;
	close(own_file); /* all ranks of the node have mapped it */
}
