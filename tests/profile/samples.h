/* SPDX-License-Identifier: BSD-3-Clause */
/* A profile with something of everything, and helpers to read profiles made in a test. */
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

#define SAMPLE SAMPLE_HEAD SAMPLE_TREE SAMPLE_THREADS

/* A name in a directory of the test's own, which is removed at exit. */
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
