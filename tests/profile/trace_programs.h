/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements with traces of small programs, made from text, for tests of the analysis of traces. */
#ifndef HEDDLE_TESTS_TRACE_PROGRAMS_H
#define HEDDLE_TESTS_TRACE_PROGRAMS_H

#include "tests/profile/trace_samples.h"
#include "tests/profile/trace_text.h"

/* Nodes of an OpenMP program. */
enum {
	NODE_MAIN = 1,
	NODE_PARALLEL,
	NODE_BARRIER,
	NODE_LOCK_WAIT,
	NODE_LOCK,
	NODE_TASK,
	NODE_TASKWAIT,
	NODE_PHASE,
	NODE_OTHER_PHASE,
	NODE_KERNEL,
	NODE_PHASE_IN_LOCK,
	NODE_COUNT
};

#define OPENMP_PROGRAM                                     \
	"process program /opt/cg\nprocess pid 100\n"       \
	"event 1 openmp 1 parallel omp parallel\n"         \
	"event 2 openmp 4 barrier omp barrier\n"           \
	"event 3 openmp 5 lock_wait omp lock wait\n"       \
	"event 4 openmp 0 lock omp lock\n"                 \
	"event 5 openmp 2 task omp task\n"                 \
	"event 6 openmp 6 taskwait omp taskwait\n"         \
	"string solve\nstring setup\n"                     \
	"module 1 1 - /nowhere/cg\n"                       \
	"node 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\n"       \
	"node 1 REGION 1 1 1010\nnode 2 REGION 2 1 1020\n" \
	"node 2 REGION 3 1 1030\nnode 2 REGION 4 1 1040\n" \
	"node 2 REGION 5 1 1050\nnode 2 REGION 6 1 1060\n" \
	"node 1 PHASE 0 0 0\nnode 8 PHASE 0 0 1\n"         \
	"node 2 FRAME 0 1 2000\nnode 5 PHASE 0 0 0\n"      \
	"thread 0 0 main\nthread 1 1 openmp worker\nthread 2 2 openmp worker\n"

/*
 * Nodes of a UPC program: 1 main, 2 barrier, 3 notify, 4 wait, 5 lock, 6 unlock, 7 lock attempt, 8 a collective. Ranks
 * are 1 greater than threads.
 */
#define UPC_PROGRAM                                                                \
	"process program /opt/is\nprocess pid %u\n"                                \
	"event 1 upc 4 GASP_UPC_BARRIER upc barrier\n"                             \
	"event 2 upc 4 GASP_UPC_NOTIFY upc notify\nrole 1\n"                       \
	"event 3 upc 4 GASP_UPC_WAIT upc wait\nrole 2\n"                           \
	"event 4 upc 5 GASP_UPC_LOCK upc lock\n"                                   \
	"event 5 upc 8 GASP_UPC_UNLOCK upc unlock\nrole 4\n"                       \
	"event 6 upc 8 GASP_UPC_LOCK_ATTEMPT upc lock attempt\nrole 3\n"           \
	"event 7 upc 10 GASP_UPC_ALL_GATHER_ALL upc gather all\n"                  \
	"module 1 1 - /nowhere/is\n"                                               \
	"node 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\nnode 1 REGION 1 1 1010\n"       \
	"node 1 REGION 2 1 1020\nnode 1 REGION 3 1 1030\nnode 1 REGION 4 1 1040\n" \
	"node 1 REGION 5 1 1050\nnode 1 REGION 6 1 1060\nnode 1 REGION 7 1 1070\n" \
	"thread 0 -1 main\nthread-field rank %u\n"

/*
 * Nodes of an MPI program: 1 main, 2 MPI_Send, 3 MPI_Recv, 4 MPI_Isend, 5 MPI_Irecv, 6 MPI_Waitall, 7 MPI_Barrier,
 * 8 MPI_Allreduce, 9 MPI_Bcast, 10 MPI_Reduce, 11 MPI_Scan.
 */
enum {
	NODE_SEND = 2,
	NODE_RECV,
	NODE_ISEND,
	NODE_IRECV,
	NODE_WAITALL,
	NODE_MPI_BARRIER,
	NODE_ALLREDUCE,
	NODE_BCAST,
	NODE_REDUCE,
	NODE_SCAN
};

#define MPI_PROGRAM                                                                 \
	"process program /opt/lu\nprocess pid %u\n"                                 \
	"event 1 mpi 8 MPI_Send MPI_Send\nevent 2 mpi 8 MPI_Recv MPI_Recv\n"        \
	"event 3 mpi 8 MPI_Isend MPI_Isend\nevent 4 mpi 8 MPI_Irecv MPI_Irecv\n"    \
	"event 5 mpi 8 MPI_Waitall MPI_Waitall\n"                                   \
	"event 6 mpi 4 MPI_Barrier MPI_Barrier\nrole 5\n"                           \
	"event 7 mpi 10 MPI_Allreduce MPI_Allreduce\nrole 6\n"                      \
	"event 8 mpi 10 MPI_Bcast MPI_Bcast\nrole 7\n"                              \
	"event 9 mpi 10 MPI_Reduce MPI_Reduce\nrole 8\n"                            \
	"event 10 mpi 10 MPI_Scan MPI_Scan\nrole 9\n"                               \
	"module 1 1 - /nowhere/lu\n"                                                \
	"node 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\nnode 1 REGION 1 1 1010\n"        \
	"node 1 REGION 2 1 1020\nnode 1 REGION 3 1 1030\nnode 1 REGION 4 1 1040\n"  \
	"node 1 REGION 5 1 1050\nnode 1 REGION 6 1 1060\nnode 1 REGION 7 1 1070\n"  \
	"node 1 REGION 8 1 1080\nnode 1 REGION 9 1 1090\nnode 1 REGION 10 1 10a0\n" \
	"thread 0 -1 main\nthread-field rank %u\n"

/* `records`: text of trace_text.h, without the tree. */
static inline void write_process(const char *directory, const char *name, const char *profile, const char *records)
{
	char file[64], text[8192];
	assert_int_equal(write_profile_from_text(profile, traced_path(directory, name)), 0);
	snprintf(file, sizeof(file), "%s-trace", name);
	snprintf(text, sizeof(text), "nodes %d\n%s", (int)NODE_COUNT, records);
	assert_int_equal(write_trace_from_text(text, traced_path(directory, file)), 0);
}

static inline void trace_openmp(struct traced *traced, const char *directory, const char *records)
{
	write_process(directory, "a.heddle", OPENMP_PROGRAM, records);
	open_program(traced, directory);
}

#define MPI_WORLD(count) ((uint64_t)(count) << 40 | 77)

/* One process for each of `count` MPI ranks, all in communicator 1. */
static inline void trace_mpi(struct traced *traced, const char *directory, const char *const *records, unsigned count)
{
	char name[32], profile[2048], text[4096];
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%u.heddle", i);
		snprintf(profile, sizeof(profile), MPI_PROGRAM, 100 + i, i + 1);
		snprintf(text, sizeof(text), "group %llu 1 0 %u %u\nthread 0\n%s", (unsigned long long)MPI_WORLD(count),
			i, i, records[i]);
		write_process(directory, name, profile, text);
	}
	open_program(traced, directory);
}

/* One process for each of `count` UPC threads. */
static inline void trace_upc(struct traced *traced, const char *directory, const char *const *records, unsigned count)
{
	char name[32], profile[2048];
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%u.heddle", i);
		snprintf(profile, sizeof(profile), UPC_PROGRAM, 100 + i, i + 1);
		write_process(directory, name, profile, records[i]);
	}
	open_program(traced, directory);
}

#endif
