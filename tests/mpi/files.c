/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads and writes files by every kind of call, with the numbers expected by files.py. With an argument, uses that many
 * files, one after the other.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE (MPI_MODE_CREATE | MPI_MODE_RDWR)

static int rank, buffer[1000];

static MPI_File opened(MPI_Comm comm, const char *name)
{
	MPI_File file;
	if (MPI_File_open(comm, name, MODE, MPI_INFO_NULL, &file) != MPI_SUCCESS)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return file;
}

/* Each rank writes 400, 800 and 1200 bytes, and reads 400 and 800. */
static void blocking(void)
{
	MPI_File file = opened(MPI_COMM_WORLD, "blocking.data");
	MPI_Info info;
	MPI_File_set_size(file, 100000);
	MPI_File_set_atomicity(file, 0);
	MPI_File_set_info(file, MPI_INFO_NULL);
	MPI_File_seek(file, 4000 * rank, MPI_SEEK_SET);
	MPI_File_write(file, buffer, 100, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_write_at(file, 4000 * rank, buffer, 200, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_write_at_all(file, 4000 * rank, buffer, 300, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_File_get_info(file, &info);
	MPI_Info_free(&info);
	MPI_File_read_at(file, 4000 * rank, buffer, 100, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at_all(file, 4000 * rank, buffer, 800, MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

/* By the shared file pointer: each rank writes 40 and 80 bytes, and reads 40. */
static void shared(void)
{
	MPI_File file = opened(MPI_COMM_WORLD, "shared.data");
	MPI_File_write_shared(file, buffer, 10, MPI_INT, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_write_ordered(file, buffer, 20, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_read_ordered(file, buffer, 10, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

/* By split collective calls: each rank writes 120 bytes and reads 80. */
static void split(void)
{
	MPI_File file = opened(MPI_COMM_WORLD, "split.data");
	MPI_File_write_at_all_begin(file, 400 * rank, buffer, 30, MPI_INT);
	MPI_File_write_at_all_end(file, buffer, MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin(file, 400 * rank, buffer, 20, MPI_INT);
	MPI_File_read_at_all_end(file, buffer, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

/*
 * Nonblocking reads of 100 ints beyond the end of the file: 10, 5 and no ints are there, completed alone and together;
 * by split collective reads, 10 and none. Open MPI 4 never completes such reads.
 */
static void beyond_later(void)
{
#ifndef OPEN_MPI
	MPI_File file = opened(MPI_COMM_SELF, "later.data");
	MPI_Request requests[3];
	MPI_Status status;
	static int in[3][100];
	int done = 0;
	MPI_File_write_at(file, 0, buffer, 100, MPI_INT, MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++) {
		MPI_File_iread_at(file, 360, in[0], 100, MPI_INT, &requests[0]);
		MPI_Wait(&requests[0], i ? &status : MPI_STATUS_IGNORE);
	}
	MPI_File_iread_at(file, 360, in[0], 100, MPI_INT, &requests[0]);
	MPI_File_iread_at(file, 380, in[1], 100, MPI_INT, &requests[1]);
	MPI_File_iread_at(file, 400, in[2], 100, MPI_INT, &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	MPI_File_seek(file, 396, MPI_SEEK_SET);
	MPI_File_iread(file, in[0], 100, MPI_INT, &requests[0]);
	while (!done)
		MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin(file, 360, in[0], 100, MPI_INT);
	MPI_File_read_at_all_end(file, in[0], MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin(file, 400, in[0], 100, MPI_INT);
	MPI_File_read_at_all_end(file, in[0], &status);
	MPI_File_close(&file);
#endif
}

/* Requests of two files, completed together: each file has 4 writes of 100 ints and a read of 200. */
static void nonblocking(void)
{
	MPI_File files[2] = {opened(MPI_COMM_WORLD, "one.data"), opened(MPI_COMM_WORLD, "other.data")};
	MPI_Request requests[8];
	static int in[2][200];
	for (int i = 0; i < 8; i++)
		MPI_File_iwrite_at(files[i % 2], 4000 * rank + 400 * (i / 2), buffer, 100, MPI_INT, &requests[i]);
	MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 2; i++)
		MPI_File_iread_at(files[i], 4000 * rank, in[i], 200, MPI_INT, &requests[i]);
	for (int i = 0; i < 2; i++)
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++)
		MPI_File_close(&files[i]);
}

/* 10 elements of a type of 5 ints in an extent of 9; then 25 ints through a view with that type. */
static void derived(void)
{
	MPI_File file = opened(MPI_COMM_WORLD, "derived.data");
	MPI_Datatype holes;
	MPI_Type_vector(5, 1, 2, MPI_INT, &holes);
	MPI_Type_commit(&holes);
	MPI_File_write_at(file, 4000 * rank, buffer, 10, holes, MPI_STATUS_IGNORE);
	MPI_File_set_view(file, 4000 * rank, MPI_INT, holes, "native", MPI_INFO_NULL);
	MPI_File_write(file, buffer, 25, MPI_INT, MPI_STATUS_IGNORE);
	MPI_Type_free(&holes);
	MPI_File_close(&file);
}

/* Each rank uses the same name in its own directory, twice, so that handles are reused. */
static void own(void)
{
	char directory[16];
	snprintf(directory, sizeof(directory), "rank%d", rank);
	mkdir(directory, 0777);
	if (chdir(directory) != 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < 2; i++) {
		MPI_File file = opened(MPI_COMM_SELF, "./own.data");
		MPI_File_write(file, buffer, 10 * (rank + 1), MPI_INT, MPI_STATUS_IGNORE);
		MPI_File_close(&file);
	}
	if (chdir("..") != 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each rank opens the same file by MPI_COMM_SELF. */
static void self(void)
{
	MPI_File file = opened(MPI_COMM_SELF, "ufs:self.data");
	MPI_File_write_at(file, 100 * rank, buffer, 25, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

static void failing(void)
{
	MPI_File file = MPI_FILE_NULL;
	if (MPI_File_open(MPI_COMM_SELF, "missing/none.data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void large(void)
{
#if MPI_VERSION >= 4
	MPI_File file = opened(MPI_COMM_WORLD, "large.data");
	MPI_File_write_at_c(file, 4000 * rank, buffer, (MPI_Count)50, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
#endif
}

/* Reads of 100 ints at the end of the file: 10 ints are there, and then none. */
static void beyond(void)
{
	MPI_File file = opened(MPI_COMM_SELF, "short.data");
	MPI_Status status;
	MPI_File_write_at(file, 0, buffer, 100, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at(file, 360, buffer, 100, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at(file, 360, buffer, 100, MPI_INT, &status);
	MPI_File_read_at(file, 400, buffer, 100, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

static void many(int count)
{
	char name[32];
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "many%d.data", i);
		MPI_File file = opened(MPI_COMM_SELF, name);
		MPI_File_write(file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE);
		MPI_File_close(&file);
		MPI_File_delete(name, MPI_INFO_NULL);
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc > 1) {
		many(atoi(argv[1]));
	} else {
		blocking();
		shared();
		split();
		nonblocking();
		derived();
		own();
		self();
		failing();
		large();
		beyond();
		beyond_later();
	}
	MPI_Finalize();
	return 0;
}
