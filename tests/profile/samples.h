/* SPDX-License-Identifier: BSD-3-Clause */
/* A profile with an example of everything, and helpers to read profiles made in a test. */
#ifndef HEDDLE_TESTS_SAMPLES_H
#define HEDDLE_TESTS_SAMPLES_H

#include "tests/profile/profile_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SAMPLE_HEAD                                                \
	"process program /opt/cg/cg\n"                             \
	"process pid 100\n"                                        \
	"process sample_source perf task-clock\n"                  \
	"event 3 openmp 1 ompt_callback_parallel omp parallel\n"   \
	"event 9 openmp 4 ompt_callback_sync_region omp barrier\n" \
	"phase set up\n"                                           \
	"module 1 1 - /nowhere/cg\n"                               \
	"module 7 3 0011223344 /nowhere/libomp.so.5\n"

/* nodes: 0 root, 1 main, 2 region, 3 kernel, 4 runtime frame, 5 barrier region, 6 runtime frame, 7 idle, 8 phase */
#define SAMPLE_TREE                      \
	"node 0 ROOT 0 0 0\n"            \
	"node 0 FRAME 0 1 1000\n"        \
	"node 1 REGION 3 1 1010\n"       \
	"node 2 FRAME 0 1 2000\n"        \
	"node 2 RUNTIME_FRAME 0 7 500\n" \
	"node 4 REGION 9 1 1020\n"       \
	"node 5 RUNTIME_FRAME 0 7 600\n" \
	"node 4 STATE 2 0 0\n"           \
	"node 1 PHASE 0 0 0\n"

#define SAMPLE_THREADS                              \
	"thread 0 0 main\n"                         \
	"value samples 1 1\nvalue samples 3 100\n"  \
	"value samples 6 7\nvalue samples 8 30\n"   \
	"value visits 2 5\n"                        \
	"thread 1 1 openmp worker\n"                \
	"value samples 3 200\nvalue samples 7 11\n" \
	"heddle 2\n"

/*
 * A profile with GASP events. Nodes: 0 root, 1 main, 2 get at get.upc:57, 3 a frame of the transfer, 4 get at a line of
 * no file, 5 barrier, 6 user event, 7 function known by name, 8 allocation. Strings: 0 step, 1 file, 2 description, 3
 * function, 4 nothing.
 */
#define SAMPLE_EVENTS                                            \
	"process program /opt/cg/cg\nprocess pid 200\n"          \
	"process memory_measured 1\nprocess memory_peak 9000\n"  \
	"process memory_peak_ns 500000\n"                        \
	"process memory_in_use 700\n"                            \
	"event 1 upc 8 GASP_UPC_GET get\n"                       \
	"event 2 upc 4 GASP_UPC_BARRIER barrier\n"               \
	"event 5 c 11 GASP_C_MALLOC malloc\n"                    \
	"event 6 upc 0 GASP_1030 event 1030\ngenerated\n"        \
	"phase step\nstring /home/you/get.upc\nstring step=%d\n" \
	"string smooth\nstring \n"                               \
	"module 1 1 - /nowhere/cg\n"                             \
	"node 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\n"             \
	"source 1 1 1 57\nnode 2 FRAME 0 1 5000\n"               \
	"source 1 1 4 0\nsource 1 2 1 60\nnode 1 PHASE 0 0 0\n"  \
	"node 6 FUNCTION 0 0 3\nnode 7 REGION 5 1 1010\n"        \
	"thread 0 -1 main\nthread-field rank 1\n"                \
	"value wall-time 2 500\nvalue wall-time 3 40\n"          \
	"value wall-time 5 70\nvalue visits 2 10\n"              \
	"value bytes-got 2 1000\nvalue local-accesses 2 4\n"     \
	"value remote-accesses 2 6\nvalue remote-bytes 2 600\n"  \
	"value allocations 8 3\nvalue bytes-allocated 8 300\n"   \
	"value bytes-freed 8 50\n"                               \
	"distribution 2 0 0 10 8 500 1000 0 0 0 0 6 0 0 0 0 4\n" \
	"distribution 6 1 3 5 1 9 25\n"                          \
	"thread 1 -1 thread\nthread-field rank 2\n"              \
	"value wall-time 5 30\nvalue bytes-freed 8 250\n"        \
	"distribution 2 0 0 1 0 0 0 1\n"                         \
	"distribution 6 1 3 2 -4 2.5 -1.5\n"

#define SAMPLE SAMPLE_HEAD SAMPLE_TREE SAMPLE_THREADS

/* Returns the path of a file in the test's own directory, which is removed at exit. */
static inline const char *scratch(const char *name)
{
	static char directory[] = "/tmp/heddle-test-XXXXXX", path[512];
	static int made;
	if (!made && !mkdtemp(directory))
		abort();
	made = 1;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static inline void remove_scratch(void)
{
	char command[600];
	snprintf(command, sizeof(command), "rm -rf '%s'", scratch(""));
	if (system(command) != 0)
		perror(command);
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		abort();
}

#endif
