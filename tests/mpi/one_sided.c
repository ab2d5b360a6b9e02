/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one_sided [open]: accesses of all kinds to the next rank's window, by a communicator that counts ranks backwards,
 * with all kinds of synchronization; open: stops measurement before the last one is completed. What there is of each
 * kind, one_sided.py knows.
 */
#include <heddle/heddle.h>
#include <mpi.h>

#define NUMBERS 64

static long values[NUMBERS], got[NUMBERS];
static int rank, size, next, before;
static MPI_Comm comm;

static void fences(MPI_Win window)
{
	MPI_Win_fence(0, window);
	MPI_Put(values, 10, MPI_LONG, next, 0, 10, MPI_LONG, window);
	MPI_Accumulate(values, 3, MPI_LONG, next, 20, 3, MPI_LONG, MPI_SUM, window);
	MPI_Win_fence(0, window);
	MPI_Get(got, 5, MPI_LONG, next, 0, 5, MPI_LONG, window);
	MPI_Put(values, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, window);
	MPI_Win_fence(0, window);
}

static void groups(MPI_Win window)
{
	MPI_Group all, to, from;
	MPI_Comm_group(comm, &all);
	MPI_Group_incl(all, 1, &next, &to);
	MPI_Group_incl(all, 1, &before, &from);
	MPI_Win_post(from, 0, window);
	MPI_Win_start(to, 0, window);
	MPI_Put(values, 2, MPI_LONG, next, 0, 2, MPI_LONG, window);
	MPI_Win_complete(window);
	MPI_Win_wait(window);
	MPI_Group_free(&from);
	MPI_Group_free(&to);
	MPI_Group_free(&all);
}

static void locks(MPI_Win window)
{
	long one = 1, two = 2, result;
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window);
	MPI_Put(values, 4, MPI_LONG, next, 0, 4, MPI_LONG, window);
	MPI_Win_flush_local(next, window);
	MPI_Fetch_and_op(&one, &result, MPI_LONG, next, 0, MPI_SUM, window);
	MPI_Win_flush(next, window);
	MPI_Compare_and_swap(&one, &two, &result, MPI_LONG, next, 0, window);
	MPI_Win_unlock(next, window);
	MPI_Win_lock(MPI_LOCK_SHARED, before, 0, window);
	MPI_Get(got, 6, MPI_LONG, before, 0, 6, MPI_LONG, window);
	MPI_Win_unlock(before, window);
}

/* The last one is complete at its target by the unlock alone. */
static void requests(MPI_Win window)
{
	MPI_Request request[3];
	MPI_Status status[3];
	MPI_Win_lock_all(0, window);
	MPI_Rput(values, 7, MPI_LONG, next, 0, 7, MPI_LONG, window, &request[0]);
	MPI_Rget(got, 8, MPI_LONG, before, 0, 8, MPI_LONG, window, &request[1]);
	MPI_Rget_accumulate(
		values, 9, MPI_LONG, got + 10, 9, MPI_LONG, next, 0, 9, MPI_LONG, MPI_SUM, window, &request[2]);
	MPI_Waitall(3, request, status);
	MPI_Win_flush_all(window);
	MPI_Raccumulate(values, 11, MPI_LONG, next, 0, 11, MPI_LONG, MPI_SUM, window, &request[0]);
	for (int done = 0; !done;)
		MPI_Test(&request[0], &done, MPI_STATUS_IGNORE);
	MPI_Win_unlock_all(window);
}

int main(int argc, char **argv)
{
	MPI_Win window, other;
	long *memory, *more;
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comm);
	MPI_Comm_rank(comm, &rank);
	next = (rank + 1) % size;
	before = (rank + size - 1) % size;
	MPI_Win_allocate(NUMBERS * sizeof(long), sizeof(long), MPI_INFO_NULL, comm, &memory, &window);
	MPI_Win_allocate(NUMBERS * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &more, &other);
	fences(window);
	groups(window);
	locks(window);
	requests(window);
	heddle_stop();
	fences(window); /* not measured */
	heddle_start();
	MPI_Win_lock_all(0, other);
	MPI_Put(values, 12, MPI_LONG, size - 1 - next, 0, 12, MPI_LONG, other);
	if (argc > 1)
		heddle_stop();
	MPI_Win_unlock_all(other);
	MPI_Win_free(&other);
	MPI_Win_free(&window);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
