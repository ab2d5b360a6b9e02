/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * critical FILE: of four ranks, one makes another one wait, in several ways. The late rank sleeps for 200 ms in a phase
 * of that name, and the rank that waited sleeps for 100 ms afterwards, when all others have arrived, however slow the
 * machine is: that is the critical path. The others sleep in "early" for 40. FILE: a page of zeros, for arrivals.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "heddle/heddle.h"

static int rank;
static atomic_int *come; /* number of other ranks that have arrived, at the rank's current step */

static void sleep_in(const char *phase, useconds_t ms, int others)
{
	heddle_phase_begin(phase);
	while (atomic_load(come) < others)
		usleep(1000);
	usleep(ms * 1000);
	heddle_phase_end(phase);
}

/* The rank WHO sleeps until after all others have arrived. */
static void late(int who, const char *phase)
{
	if (rank == who) {
		sleep_in(phase, 200, 3);
	} else {
		sleep_in("early", 40, 0);
		atomic_fetch_add(come, 1);
	}
	come++;
}

static void after(int who, const char *phase)
{
	if (rank == who)
		sleep_in(phase, 100, 3);
	else
		atomic_fetch_add(come, 1);
	come++;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void messages(void)
{
	int number = 0;
	MPI_Request request;
	late(2, "late_sender");
	if (rank == 2)
		MPI_Send(&number, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
	else if (rank == 3)
		MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	after(3, "after_receive");
	late(0, "late_sender_of_request");
	if (rank == 0)
		MPI_Send(&number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Irecv(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	after(1, "after_wait");
	late(1, "late_receiver");
	if (rank == 0)
		MPI_Ssend(&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
	else if (rank == 1)
		MPI_Recv(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	after(0, "after_send");
	late(3, "late_receiver_of_request");
	if (rank == 2) {
		MPI_Issend(&number, 1, MPI_INT, 3, 4, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else if (rank == 3) {
		MPI_Recv(&number, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	after(2, "after_wait_for_receiver");
}

static void collectives(void)
{
	int number = 1, sum = 0;
	MPI_Comm half;
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	late(1, "late_at_barrier");
	MPI_Barrier(MPI_COMM_WORLD);
	after(3, "after_barrier");
	late(2, "late_in_half");
	if (rank % 2 == 0)
		MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, half);
	after(0, "after_half");
	late(2, "late_root");
	MPI_Bcast(&number, 1, MPI_INT, 2, MPI_COMM_WORLD);
	after(0, "after_broadcast");
	late(3, "late_member");
	MPI_Reduce(&number, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	after(0, "after_reduce");
	MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	int file = argc > 1 ? open(argv[1], O_RDWR) : -1;
	come = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (come == MAP_FAILED)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	messages();
	collectives();
	MPI_Finalize();
	return 0;
}
