/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late FILE: ranks are late by known times: 1 at barriers of all ranks, 2 at barriers of the even ranks, 3 at a
 * collective, 0 with messages; 1 with a receive, and as a root; 2 in a reduction, 3 at a fence of the odd ranks, in a
 * nonblocking reduction, and when it posts its window; 2 when it completes accesses. In FILE, which is new, ranks
 * record their arrival (late.h). Prints "WHAT MS": the longest time that others can have waited for it.
 */
#include "tests/support/late.h"
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

static void progress(void)
{
	int is_there;
	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &is_there, MPI_STATUS_IGNORE);
}

static void say_waited(const char *what)
{
	printf("%s %lld\n", what, (long long)waited() / 1000);
}

static void barriers(MPI_Comm comm, int late, int rank, int times, const char *what)
{
	int64_t most = 0;
	int others;
	MPI_Comm_size(comm, &others);
	for (int i = 0; i < times; i++) {
		step++;
		if (rank == late)
			be_late(others - 1, 50000, progress);
		else if (others == 4 || rank % 2 == late % 2)
			come(rank);
		if (others == 4)
			MPI_Barrier(comm); /* line: all */
		else
			MPI_Barrier(comm); /* line: even */
		most += waited();
	}
	if (rank == late)
		printf("%s %lld\n", what, (long long)most / 1000);
}

static void collective(int rank)
{
	int sum = 0;
	int64_t begin;
	step++;
	if (rank == 3)
		be_late(3, 100000, progress);
	else
		come(rank);
	begin = now_us();
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank != 3)
		return;
	say_waited("collective");
	printf("own %lld\n", (long long)(now_us() - begin) / 1000 + 1);
}

/* Rank 2 waits for messages of rank 0, in a communicator in which they are ranks 1 and 0. */
static void messages(MPI_Comm half, int rank)
{
	int buffer = 0;
	int64_t most = 0;
	for (int i = 0; i < 2; i++) {
		step++;
		if (rank == 0) {
			be_late(1, 50000, progress);
			MPI_Send(&buffer, 1, MPI_INT, 1, 5, half);
			most += waited();
		} else if (rank == 2) {
			come(rank);
			MPI_Recv(&buffer, 1, MPI_INT, 0, MPI_ANY_TAG, half, MPI_STATUS_IGNORE); /* line: receive */
		}
	}
	if (rank == 0)
		printf("messages %lld\n", (long long)most / 1000);
}

static void persistent_messages(MPI_Comm half, int rank)
{
	int buffer = 0;
	int64_t most = 0;
	MPI_Request request;
	if (rank == 0)
		MPI_Send_init(&buffer, 1, MPI_INT, 1, 6, half, &request);
	for (int i = 0; i < 2; i++) {
		step++;
		if (rank == 0) {
			be_late(1, 50000, progress);
			MPI_Start(&request);
			most += waited();
		} else if (rank == 2) {
			MPI_Irecv(&buffer, 1, MPI_INT, MPI_ANY_SOURCE, 6, half, &request);
			come(rank);
		}
		if (rank == 0 || rank == 2)
			MPI_Wait(&request, MPI_STATUS_IGNORE); /* line: wait */
	}
	if (rank == 0) {
		printf("persistent %lld\n", (long long)most / 1000);
		MPI_Request_free(&request);
	}
}

/* Rank 2 waits for the last partition of messages of rank 0. */
static void partitioned_messages(MPI_Comm half, int rank)
{
#if MPI_VERSION >= 4
	int buffer[2] = {0};
	int64_t most = 0;
	MPI_Request request;
	if (rank == 0)
		MPI_Psend_init(buffer, 2, 1, MPI_INT, 1, 6, half, MPI_INFO_NULL, &request);
	else if (rank == 2)
		MPI_Precv_init(buffer, 1, 2, MPI_INT, 0, 6, half, MPI_INFO_NULL, &request);
	else
		step += 2;
	for (int i = 0; i < 2 && rank % 2 == 0; i++) {
		step++;
		MPI_Start(&request);
		if (rank == 0) {
			MPI_Pready(1, request);
			be_late(1, 50000, progress);
			MPI_Pready(0, request);
			most += waited();
		} else {
			come(rank);
		}
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* line: parts */
	}
	if (rank == 0)
		printf("parts %lld\n", (long long)most / 1000);
	if (rank % 2 == 0)
		MPI_Request_free(&request);
#else
	(void)half, (void)rank;
#endif
}

/* Rank 0 sends before rank 1 receives. */
static void early_sends(int rank)
{
	int buffer = 0;
	MPI_Request request;
	step++;
	if (rank == 0) {
		come(rank);
		MPI_Ssend(&buffer, 1, MPI_INT, 1, 7, MPI_COMM_WORLD); /* line: ssend */
	} else if (rank == 1) {
		be_late(1, 50000, progress);
		MPI_Recv(&buffer, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		say_waited("ssend");
	}
	step++;
	if (rank == 0) {
		MPI_Issend(&buffer, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
		come(rank);
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* line: issend */
	} else if (rank == 1) {
		be_late(1, 50000, progress);
		MPI_Recv(&buffer, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		say_waited("issend");
	}
}

/* Three ranks wait for the root 1; then the root 0 waits for rank 2. */
static void roots(int rank)
{
	int buffer = 0, sum;
	step++;
	if (rank == 1)
		be_late(3, 50000, progress);
	else
		come(rank);
	MPI_Bcast(&buffer, 1, MPI_INT, 1, MPI_COMM_WORLD); /* line: broadcast */
	if (rank == 1)
		say_waited("broadcast");
	MPI_Barrier(MPI_COMM_WORLD);
	step++; /* ranks that do not wait must have arrived, too: else the root waits for one of them */
	if (rank == 2)
		be_late(2, 0, progress);
	else if (rank != 0)
		come(rank);
	step++;
	if (rank == 2)
		be_late(1, 50000, progress);
	else if (rank == 0)
		come(rank);
	MPI_Reduce(&buffer, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* line: reduce */
	if (rank == 2)
		say_waited("reduce");
}

/* Rank 3 is late in a nonblocking reduction, and 1, the root, in a broadcast: others have begun theirs, and wait. */
static void going_on(int rank)
{
	int one = 1, sum = 0;
	MPI_Request request;
	step++;
	if (rank == 3)
		be_late(3, 50000, progress);
	MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	if (rank != 3)
		come(rank);
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* line: going on */
	if (rank == 3)
		say_waited("iallreduce");
	MPI_Barrier(MPI_COMM_WORLD);
	step++;
	if (rank == 1)
		be_late(3, 50000, progress);
	MPI_Ibcast(&sum, 1, MPI_INT, 1, MPI_COMM_WORLD, &request);
	if (rank != 1)
		come(rank);
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* line: goes on from the root */
	if (rank == 1)
		say_waited("ibcast");
}

/* Fences of a window of the ranks with one parity: the ranks of the other parity have separate fences. */
static void fences(MPI_Comm comm, int rank)
{
	int word = 0, value = rank;
	MPI_Win window;
	MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, comm, &window);
	MPI_Win_fence(0, window);
	step++;
	MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
	if (rank == 3)
		be_late(1, 100000, progress);
	else if (rank == 1)
		come(rank);
	MPI_Win_fence(0, window); /* line: fence */
	if (rank == 3)
		say_waited("fence");
	MPI_Win_free(&window);
}

static void access_both(MPI_Group targets, MPI_Win window)
{
	static const int value = 2;
	MPI_Win_start(targets, 0, window); /* line: start */
	MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
	MPI_Put(&value, 1, MPI_INT, 3, 0, 1, MPI_INT, window);
}

/* Rank 2 waits for rank 3, which posts its window late, when it starts or completes accesses (libraries differ). */
static void late_post(int rank, MPI_Group targets, MPI_Group accessing, MPI_Win window)
{
	step++;
	if (rank == 3)
		be_late(1, 50000, progress);
	if (rank % 2) {
		MPI_Win_post(accessing, 0, window);
		if (rank == 3)
			say_waited("post");
		MPI_Win_wait(window);
	} else if (rank == 2) {
		come(rank);
		access_both(targets, window);
		MPI_Win_complete(window); /* line: complete */
	}
}

/* Ranks 1 and 3 wait for rank 2, which does not wait for their posts. */
static void late_complete(int rank, MPI_Group targets, MPI_Group accessing, MPI_Win window)
{
	step++;
	if (rank % 2)
		MPI_Win_post(accessing, 0, window);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank % 2) {
		come(rank);
		MPI_Win_wait(window); /* line: exposed */
	} else if (rank == 2) {
		access_both(targets, window);
		be_late(2, 50000, progress);
		MPI_Win_complete(window);
		say_waited("complete");
	}
}

static void epochs(int rank)
{
	int word = 0, two = 2, odd[] = {1, 3};
	MPI_Group all, accessing, targets;
	MPI_Win window;
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 1, &two, &accessing);
	MPI_Group_incl(all, 2, odd, &targets);
	MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	late_post(rank, targets, accessing, window);
	MPI_Barrier(MPI_COMM_WORLD);
	late_complete(rank, targets, accessing, window);
	MPI_Group_free(&targets);
	MPI_Group_free(&accessing);
	MPI_Group_free(&all);
	MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Comm half;
	if (argc < 2 || !map_steps(argv[1]))
		return 1;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	barriers(MPI_COMM_WORLD, 1, rank, 3, "all");
	barriers(half, 2, rank, 2, "even");
	MPI_Barrier(MPI_COMM_WORLD);
	collective(rank);
	messages(half, rank);
	persistent_messages(half, rank);
	partitioned_messages(half, rank);
	MPI_Barrier(MPI_COMM_WORLD);
	early_sends(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	roots(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	going_on(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	fences(half, rank);
	MPI_Barrier(MPI_COMM_WORLD);
	epochs(rank);
	MPI_Finalize();
	return 0;
}
