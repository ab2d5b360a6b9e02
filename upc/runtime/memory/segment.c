/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates and maps the shared memory file. Runs before constructors: makes system calls directly. */
#include "upc/runtime/memory/segment.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/system.h"

#define CONTROL_SIZE ((sizeof(struct hupc__control) + HUPC__PAGE - 1) & ~(HUPC__PAGE - 1))

static uint32_t *index_of_heaps; /* of all threads, then of the global heap; after the segments in the file */

/* The number of entries of one heap's index. */
static uint64_t index_length(uint64_t size)
{
	return (size >> HUPC__INDEX_SHIFT) + 1;
}

static uint64_t index_size(uint64_t threads, uint64_t size)
{
	return ((threads + 1) * index_length(size) * sizeof(uint32_t) + HUPC__PAGE - 1) & ~(HUPC__PAGE - 1);
}

uint32_t *hupc__segment_index(uint64_t thread)
{
	return index_of_heaps + thread * index_length(hupc__control->segment_size);
}

uint32_t *hupc__segment_global_index(void)
{
	return hupc__segment_index(hupc__control->threads);
}

/* Keeps a standard descriptor closed that was closed at the start, because the program reads and writes there. */
static int leave_standard(int file)
{
	if (file < 0 || file > STDERR_FILENO)
		return file;
	int other = (int)hupc__system(fcntl, file, F_DUPFD, STDERR_FILENO + 1), error = errno;
	hupc__system(close, file);
	errno = error;
	return other;
}

int hupc__segment_create(int threads, uint64_t size)
{
	int file = leave_standard((int)hupc__system(memfd_create, "upc", 0));
	if (file < 0)
		return -errno;
	if (hupc__system(ftruncate, file,
		    CONTROL_SIZE + (uint64_t)threads * size + index_size((uint64_t)threads, size)) != 0) {
		int error = errno;
		hupc__system(close, file);
		return -error;
	}
	return file;
}

/* Maps at `address`, or anywhere if it is 0. */
static void *map(uint64_t address, uint64_t size, int file, uint64_t offset)
{
	int fixed = address ? MAP_FIXED_NOREPLACE : 0;
	long got = hupc__system(
		mmap, address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | fixed, file, offset);
	if (got == -1)
		return NULL;
	if (address && (uint64_t)got != address) { /* kernels before 4.17 ignore MAP_FIXED_NOREPLACE */
		hupc__system(munmap, got, size);
		errno = EEXIST;
		return NULL;
	}
	return (void *)got;
}

int hupc__segment_attach_control(int file)
{
	if (!hupc__control)
		hupc__control = map(0, CONTROL_SIZE, file, 0);
	return hupc__control ? 0 : -errno;
}

void hupc__segment_forget(void)
{
	hupc__system(munmap, hupc__control, CONTROL_SIZE);
	hupc__control = NULL;
}

int hupc__segment_attach(int file)
{
	int error = hupc__segment_attach_control(file);
	if (error)
		return error;
	uint64_t size = hupc__control->segment_size;
	for (uint32_t t = 0; t < hupc__control->threads; t++) {
		if (!hupc__is_mapped_thread((int)t))
			continue;
		uint64_t address = UPCRT_BASE + t * HUPC__STRIDE + HUPC__PAGE;
		if (!map(address, size - HUPC__PAGE, file, CONTROL_SIZE + t * size + HUPC__PAGE))
			return -errno;
	}
	index_of_heaps =
		map(0, index_size(hupc__control->threads, size), file, CONTROL_SIZE + hupc__control->threads * size);
	return index_of_heaps ? 0 : -errno;
}
