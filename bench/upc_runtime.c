/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of the UPC run-time system's barrier, lock and upc_memget, compared with pthread's between processes and
 * memcpy. All variants run in turn; thread 0 prints medians, in nanoseconds per operation. First argument: number of
 * repetitions.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/runtime/base/library.h"

#define MOST 101
#define LARGE (UINT64_C(1) << 20)

__attribute__((section(UPCRT_UNIT_SECTION), used)) static const struct upcrt_unit_record unit = {
	UPCRT_ABI_VERSION, 0, 0, 0, NULL, "upc_runtime.c"};

int __upcrt_user_main(int argc, char **argv);

static struct peers {
	pthread_barrier_t barrier;
	_Alignas(64) pthread_mutex_t lock, free_lock[UPCRT_MAX_THREADS];
} * peers;
static upcrt_shared lock, own_lock, small, large;
static char *private_memory;

static void barrier_upc(int count)
{
	for (int i = 0; i < count; i++)
		__upcrt_barrier(0, 0, "upc_runtime.c", __LINE__);
}

static void barrier_pthread(int count)
{
	for (int i = 0; i < count; i++)
		pthread_barrier_wait(&peers->barrier);
}

static void lock_upc(int count)
{
	for (int i = 0; i < count; i++) {
		upc_lock(lock);
		upc_unlock(lock);
	}
}

static void lock_pthread(int count)
{
	for (int i = 0; i < count; i++) {
		pthread_mutex_lock(&peers->lock);
		pthread_mutex_unlock(&peers->lock);
	}
}

static void free_lock_upc(int count)
{
	for (int i = 0; i < count; i++) {
		upc_lock(own_lock);
		upc_unlock(own_lock);
	}
}

static void free_lock_pthread(int count)
{
	for (int i = 0; i < count; i++) {
		pthread_mutex_lock(&peers->free_lock[MYTHREAD]);
		pthread_mutex_unlock(&peers->free_lock[MYTHREAD]);
	}
}

/* Defines two functions that copy SIZE bytes from FROM. */
#define GET(name, from, size)                                              \
	static void name##_upc(int count)                                  \
	{                                                                  \
		for (int i = 0; i < count; i++)                            \
			upc_memget(private_memory, from, size);            \
	}                                                                  \
	static void name##_memcpy(int count)                               \
	{                                                                  \
		for (int i = 0; i < count; i++) {                          \
			memcpy(private_memory, UPCRT_ADDRESS(from), size); \
			__asm__ volatile("" ::: "memory");                 \
		}                                                          \
	}

GET(get_8, small, 8)
GET(get_64, small, 64)
GET(get_1k, small, 1024)
GET(get_16k, small, 16384)
GET(get_1m, large, LARGE)

static const struct {
	const char *name;
	void (*upc)(int), (*peer)(int);
	const char *peer_name;
	int count;
} pairs[] = {
	{"barrier", barrier_upc, barrier_pthread, "pthread_barrier_wait", 2000},
	{"lock all want", lock_upc, lock_pthread, "pthread_mutex_lock", 20000},
	{"lock nobody wants", free_lock_upc, free_lock_pthread, "pthread_mutex_lock", 200000},
	{"upc_memget 8 B", get_8_upc, get_8_memcpy, "memcpy", 500000},
	{"upc_memget 64 B", get_64_upc, get_64_memcpy, "memcpy", 500000},
	{"upc_memget 1 KB", get_1k_upc, get_1k_memcpy, "memcpy", 100000},
	{"upc_memget 16 KB", get_16k_upc, get_16k_memcpy, "memcpy", 5000},
	{"upc_memget 1 MB", get_1m_upc, get_1m_memcpy, "memcpy", 50},
};

static void set_up(void)
{
	pthread_barrierattr_t barrier;
	pthread_mutexattr_t mutex;
	size_t neighbour = (size_t)((MYTHREAD + 1) % THREADS);

	peers = UPCRT_ADDRESS(upc_all_alloc(1, sizeof(*peers)));
	lock = upc_all_lock_alloc();
	own_lock = upc_global_lock_alloc();
	small = large = upc_all_alloc((size_t)THREADS, LARGE) + UPCRT_POINTER(0, neighbour, 0);
	private_memory = malloc(LARGE);
	memset(private_memory, 1, LARGE);
	upc_memput(large, private_memory, LARGE);
	if (MYTHREAD == 0) {
		pthread_barrierattr_init(&barrier);
		pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
		pthread_barrier_init(&peers->barrier, &barrier, (unsigned int)THREADS);
		pthread_mutexattr_init(&mutex);
		pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
		pthread_mutex_init(&peers->lock, &mutex);
		for (int t = 0; t < THREADS; t++)
			pthread_mutex_init(&peers->free_lock[t], &mutex);
	}
	barrier_upc(1);
}

static double measure(void (*what)(int), int count)
{
	barrier_upc(1);
	uint64_t start = upc_ticks_now();
	what(count);
	uint64_t took = upc_ticks_now() - start;
	barrier_upc(1);
	return (double)took / count;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int __upcrt_user_main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 5;
	double upc[MOST], peer[MOST];

	repeats = repeats < 1 ? 1 : repeats > MOST ? MOST : repeats;
	set_up();
	for (size_t p = 0; p < sizeof(pairs) / sizeof(*pairs); p++) {
		for (int r = 0; r < repeats; r++) {
			upc[r] = measure(pairs[p].upc, pairs[p].count);
			peer[r] = measure(pairs[p].peer, pairs[p].count);
		}
		qsort(upc, (size_t)repeats, sizeof(*upc), compare);
		qsort(peer, (size_t)repeats, sizeof(*peer), compare);
		if (MYTHREAD == 0)
			printf("%7d  %-18s %12.1f %12.1f  %-20s %6.2f\n", THREADS, pairs[p].name, upc[repeats / 2],
				peer[repeats / 2], pairs[p].peer_name, upc[repeats / 2] / peer[repeats / 2]);
	}
	return 0;
}
