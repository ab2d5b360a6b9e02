/* SPDX-License-Identifier: BSD-3-Clause */
/* A job without a launcher; see the header. HEDDLE_UPC_NETWORK names the plug-in. */
#include "world.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

struct world world;

int64_t world_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int64_t world_cpu(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void world_barrier(void)
{
	pthread_barrier_wait(&world.shared->barrier);
}

static bool address_of(int thread, void *address, size_t *size)
{
	size_t length = world.shared->size[thread];
	if (!length || length > *size)
		return false;
	memcpy(address, world.shared->address[thread], length);
	*size = length;
	return true;
}

static const char *handle(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	CHECK(world.handle);
	world.handle(from, message, size, ticket);
	return NULL;
}

static void lost(int thread, const char *why)
{
	if (world.lost) {
		world.lost(thread, why);
		return;
	}
	fprintf(stderr, "rank %d lost rank %d: %s\n", world.rank, thread, why);
	_exit(3);
}

static void broken(int thread, const char *why)
{
	fprintf(stderr, "rank %d: rank %d sent what cannot be right: %s\n", world.rank, thread, why);
	_exit(4);
}

static void stranger(const char *address)
{
	if (world.stranger)
		world.stranger(address);
}

static void open_network(void)
{
	static struct hupc__network_host host;
	const char *path = getenv("HEDDLE_UPC_NETWORK");
	char problem[200] = "";
	hupc__network_open_function *open;
	void *library = dlopen(path ? path : "libheddle-upc-ucx.so", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		fprintf(stderr, "%s\n", dlerror());
	CHECK(library);
	*(void **)&open = dlsym(library, "hupc_network_open");
	host = (struct hupc__network_host){
		.version = HUPC__NETWORK_VERSION,
		.mythread = world.rank,
		.threads = world.ranks,
		.segment = world.segment,
		.segment_end = WORLD_SEGMENT,
		.secret = WORLD_SECRET,
		.address_of = address_of,
		.handle = handle,
		.lost = lost,
		.broken = broken,
		.stranger = stranger,
	};
	world.net = open(&host, problem, sizeof problem);
	if (!world.net)
		fprintf(stderr, "%s\n", problem);
	CHECK(world.net);
	CHECK(world.net->address_size <= sizeof world.shared->address[0]);
	memcpy(world.shared->address[world.rank], world.net->address, world.net->address_size);
	world.shared->size[world.rank] = world.net->address_size;
	strcpy(world.shared->listening[world.rank], world.net->listening);
}

/* HEDDLE_TEST_NETNS=NAME: each rank enters the network namespace NAME<rank>, as if on separate machines. */
static void enter_namespace(int rank)
{
	const char *name = getenv("HEDDLE_TEST_NETNS");
	char path[200];
	int fd;
	if (!name)
		return;
	snprintf(path, sizeof path, "/run/netns/%s%d", name, rank);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0 && !setns(fd, 0));
	close(fd);
	/* UCX finds network devices in /sys. */
	CHECK(!unshare(CLONE_NEWNS) && !mount("", "/", "none", MS_SLAVE | MS_REC, NULL));
	umount2("/sys", MNT_DETACH);
	CHECK(!mount("sysfs", "/sys", "sysfs", 0, NULL));
}

static void run_rank(int rank, void (*body)(void))
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	world.rank = rank;
	enter_namespace(rank);
	world.segment = mmap(NULL, WORLD_SEGMENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(world.segment != MAP_FAILED);
	open_network();
	world_barrier();
	body();
	exit(0);
}

int world_run(int ranks, int killed, void (*body)(void))
{
	pthread_barrierattr_t attributes;
	pid_t pids[WORLD_RANKS];
	int failures = 0;
	world.ranks = ranks;
	world.shared = mmap(NULL, sizeof *world.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_init(&attributes);
	pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&world.shared->barrier, &attributes, (unsigned)ranks);
	for (int rank = 0; rank < ranks; rank++) {
		world.shared->lost_rank[rank] = -1;
		pids[rank] = fork();
		if (!pids[rank])
			run_rank(rank, body);
	}
	for (int rank = 0; rank < ranks; rank++) {
		int status;
		waitpid(pids[rank], &status, 0);
		if (status && rank != killed) {
			fprintf(stderr, "rank %d of %d ended with status %#x\n", rank, ranks, (unsigned)status);
			failures++;
		}
	}
	munmap(world.shared, sizeof *world.shared);
	return failures;
}
