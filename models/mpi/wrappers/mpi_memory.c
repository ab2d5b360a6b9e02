/* SPDX-License-Identifier: BSD-3-Clause */
/* Small blocks are cut from larger ones, under a lock: they are made for new communicators only. */
#include "models/mpi/wrappers/mpi_memory.h"

#include <pthread.h>
#include <sys/mman.h>

#define CHUNK ((size_t)64 << 10)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *chunk;
static size_t left;

void *heddle__mpi_map(size_t size)
{
	void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return block == MAP_FAILED ? NULL : block;
}

void heddle__mpi_unmap(void *block, size_t size)
{
	if (block)
		munmap(block, size);
}

void *heddle__mpi_alloc(size_t size)
{
	void *block = NULL;
	size = (size + 15) & ~(size_t)15;
	if (size > CHUNK / 4)
		return heddle__mpi_map(size);
	pthread_mutex_lock(&lock);
	if (size > left) {
		chunk = heddle__mpi_map(CHUNK);
		left = chunk ? CHUNK : 0;
	}
	if (size <= left) {
		block = chunk;
		chunk += size;
		left -= size;
	}
	pthread_mutex_unlock(&lock);
	return block;
}
