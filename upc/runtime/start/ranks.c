/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of a job publish their node, process and memory file; the lowest rank of each node keeps its file, and the
 * others map it through /proc. From then on everything goes through that memory, as among thread processes.
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
#include "upc/runtime/base/job.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/events/site.h"
#include "upc/runtime/memory/segment.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/start/monitor.h"
#include "upc/runtime/start/places.h"

#define PATIENCE_MS 4000 /* for other processes of the node to end */
#define STEP_MS 2
#define WATCH_MS (HUPC__NAP_MS - 50)

struct hupc__options hupc__ranks_options;
bool hupc__watches;
static bool is_rank;
static const struct hupc__job *job;
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

void hupc__ranks_unblock(void)
{
	sigset_t end;
	if (!is_rank)
		return;
	sigemptyset(&end);
	sigaddset(&end, HUPC__END_SIGNAL);
	pthread_sigmask(SIG_UNBLOCK, &end, NULL);
}

/* ---- the start ---- */

/* What one of the ranks finds wrong that the others may not see. */
_Noreturn static void fail(const char *what, int error)
{
	hupc__say("thread %d: cannot %s (error %d: %s)", hupc__mythread, what, error, strerrordesc_np(error));
	job->abort(1, what);
	_exit(1);
}

/* What all ranks find wrong: rank 0 has said it, and the others give it the time. */
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
 * Ranks with the same value share memory. Containers and network namespaces on one machine count as machines of their
 * own. UPC_NODE_SIZE=K: so do each K ranks.
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

/* Ranks with the same value reach each other by the loopback interface. */
static uint64_t identify_machine(void)
{
	uint64_t machine = hash_file(UINT64_C(0xcbf29ce484222325), "/proc/sys/kernel/random/boot_id");
	return hash_identity(machine, "/proc/self/ns/net");
}

/*
 * With a network, the two heaps of a segment have a fixed border (heap.c): each gets what both share otherwise. What is
 * not touched costs nothing.
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

/* Opens the file of the first rank of this node, and gives up the own one if that is another's. */
static void take_file(void)
{
	struct hupc__place owner;
	int rank = hupc__first_near();
	if (rank == hupc__mythread)
		return;
	const char *problem = hupc__places_look_up(job, rank, &owner);
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
		/* The same for all, and at most that of the file. */
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
	const char *problem = hupc__places_exchange(job, &mine, common);
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
	job = hupc__job_open();
	if (!job)
		give_up();
	hupc__mythread = job->rank;
	hupc__threads = job->size;
	if (!hupc__options_fit(&hupc__ranks_options, job->size))
		give_up();
	hupc__say_nothing = false;
	setenv(HUPC__JOB_TAKEN, "1", 1);
	share(&common);
	hupc__watches = hupc__threads > 1;
	if (hupc__nodes_count() == 1)
		return;
	hupc__network_start(job, &common);
	if (!job->fence())
		_exit(1);
}

void hupc__ranks_started(void)
{
	uint32_t count = 0;
	if (!is_rank)
		return;
	for (int i = 0; i < HUPC__PROCESSOR_WORDS; i++)
		count += (uint32_t)__builtin_popcountll(atomic_load(&hupc__control->processor_set[i]));
	hupc__control->processors = count;
	close(own_file); /* everyone has mapped it */
}

/* ---- watching each other ---- */

/* Has ended: its launcher may not have noticed, and then its number is still in use. */
static bool has_vanished(int thread)
{
	int pid = atomic_load(&hupc__control->thread[thread].pid);
	struct pollfd process = {.fd = pid > 0 ? (int)hupc__system(pidfd_open, pid, 0) : -1, .events = POLLIN};
	if (pid <= 0 || process.fd < 0)
		return pid > 0 && hupc__system(kill, pid, 0) != 0 && errno == ESRCH;
	bool ended = poll(&process, 1, 0) == 1;
	hupc__system(close, process.fd);
	return ended;
}

/* Its last words were not that it ends. */
static void note_lost(int thread)
{
	struct hupc__thread_control *it = &hupc__control->thread[thread];
	if (atomic_load(&it->gone))
		return;
	if (atomic_load(&it->state) != HUPC__FINISHED)
		atomic_store(&it->status, HUPC__LOST);
	atomic_store(&it->gone, 1);
	atomic_fetch_add(&hupc__control->ended, 1);
}

void hupc__watch(void)
{
	static _Atomic uint64_t last;
	uint64_t now = hupc__now_ms(), before = atomic_load_explicit(&last, memory_order_relaxed);
	int saved = errno;
	if (now - before < WATCH_MS || !atomic_compare_exchange_strong(&last, &before, now))
		return;
	for (int t = 0; t < hupc__threads; t++) {
		if (t != hupc__mythread && has_vanished(t))
			note_lost(t);
	}
	if (!job->alive() && hupc__ask_to_end(1)) {
		hupc__say("the launcher has ended before the program");
		hupc__leave(true, 1);
	}
	errno = saved;
}

void hupc__ranks_end_if_lost(const char *what)
{
	struct hupc__site nowhere = {.file = NULL};
	for (int t = 0; t < hupc__threads; t++) {
		if (atomic_load(&hupc__control->thread[t].gone) &&
			atomic_load(&hupc__control->thread[t].status) == HUPC__LOST)
			hupc__fatal(&nowhere, "%s waits for thread %d, which has ended: it was killed, or called _exit",
				what, t);
	}
}

/* ---- the end ---- */

/* Whether that process of this node has not ended. */
static bool lives(int thread)
{
	return thread != hupc__mythread && hupc__is_near(thread) && !has_vanished(thread);
}

/*
 * Launchers kill all others as soon as one has failed, so these end first: those that end well or have a higher number.
 * The others have at least told the launcher.
 */
static bool ends_before(int thread, int status)
{
	const struct hupc__thread_control *it = &hupc__control->thread[thread];
	return !status || !atomic_load(&it->status) || thread > hupc__mythread ||
	       atomic_load(&it->state) != HUPC__FINISHED;
}

/* Waits until processes of this node have ended. */
static void let_others_go(int status)
{
	struct timespec step = {0, STEP_MS * 1000000L};
	for (int t = 0, waited = 0; t < hupc__threads && waited < PATIENCE_MS; t++) {
		while (lives(t) && ends_before(t, status) && waited < PATIENCE_MS) {
			hupc__system(nanosleep, &step, NULL);
			waited += STEP_MS;
		}
	}
}

void hupc__ranks_finish(int status)
{
	if (is_rank)
		job->finalize();
	atomic_store(&hupc__me()->state, HUPC__FINISHED);
	if (is_rank && status)
		let_others_go(status);
}

static void tell_others(void)
{
	for (int t = 0; t < hupc__threads; t++) {
		int pid = atomic_load(&hupc__control->thread[t].pid);
		if (t != hupc__mythread && pid > 0) {
			hupc__system(kill, pid, HUPC__END_SIGNAL);
			hupc__system(kill, pid, SIGCONT);
		}
	}
}

/* The launcher must end the others where MPI is still open: it would complain about ranks that end. */
_Noreturn static void leave_by_launcher(bool first, int status)
{
	struct timespec patience = {first ? 0 : PATIENCE_MS / 1000, first ? 100000000 : 0};
	hupc__system(nanosleep, &patience, NULL);
	job->abort(status, "upc_global_exit");
	_exit(status);
}

/* This process ends anyway: the launcher may kill it. */
static void obey_launcher(void)
{
	struct sigaction normal = {.sa_handler = SIG_DFL};
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaction(SIGTERM, &normal, NULL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void hupc__leave(bool first, int status)
{
	if (!hupc__watches)
		_exit(status);
	obey_launcher();
	if (first) {
		hupc__network_end_others(status);
		tell_others();
	}
	if (hupc__job_has_mpi())
		leave_by_launcher(first, status);
	job->finalize();
	atomic_store(&hupc__me()->state, HUPC__FINISHED);
	if (first)
		let_others_go(0);
	_exit(first ? status : 0);
}
