/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes known numbers of calls, and writes the values that a measurement must have. */
#include <mpi.h>
#include <stdlib.h>

#include "known.h"

static int rank, size;

static int next(void)
{
	return (rank + 1) % size;
}

static int before(void)
{
	return (rank + size - 1) % size;
}

static char out[100000], in[100000];

static void blocking(MPI_Comm comm)
{
	MPI_Status status;
	MPI_Datatype pair;
	MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pair); /* two of three doubles */
	MPI_Type_commit(&pair);
	MPI_Sendrecv(out, 100, MPI_INT, next(), 1, in, 1000, MPI_INT, before(), 1, comm, &status);
	call("MPI_Sendrecv", 1, 400, 1, 400);
	MPI_Sendrecv(
		out, 10, pair, next(), 2, in, 1000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
	call("MPI_Sendrecv", 1, 160, 1, 160);
	MPI_Sendrecv_replace(out, 7, MPI_SHORT, next(), 3, before(), 3, comm, &status);
	call("MPI_Sendrecv_replace", 1, 14, 1, 14);
	MPI_Send(out, 50, MPI_CHAR, MPI_PROC_NULL, 0, comm);
	call("MPI_Send", 0, 0, 0, 0);
	MPI_Recv(in, 50, MPI_CHAR, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
	call("MPI_Recv", 0, 0, 0, 0);
	if (size > 1 && rank < 2) {
		if (rank == 0) {
			MPI_Ssend(out, 30000, MPI_CHAR, 1, 4, comm);
			call("MPI_Ssend", 1, 30000, 0, 0);
		} else {
			MPI_Recv(in, 100000, MPI_CHAR, 0, 4, comm, MPI_STATUS_IGNORE);
			call("MPI_Recv", 0, 0, 1, 30000);
		}
	}
	MPI_Type_free(&pair);
}

static void requests(MPI_Comm comm)
{
	MPI_Request r[100];
	int done = 0, which, many, list[100];
	for (int i = 0; i < 50; i++) {
		MPI_Irecv(in + 100 * i, 100, MPI_CHAR, before(), i, comm, &r[i]);
		call("MPI_Irecv", 0, 0, 0, 0);
	}
	for (int i = 0; i < 50; i++) {
		MPI_Isend(out, i, MPI_CHAR, next(), i, comm, &r[50 + i]);
		call("MPI_Isend", 1, i, 0, 0);
	}
	MPI_Waitall(100, r, MPI_STATUSES_IGNORE);
	call("MPI_Waitall", 0, 0, 50, 49 * 50 / 2);
	MPI_Irecv(in, 100, MPI_CHAR, before(), 0, comm, &r[0]);
	MPI_Irecv(in, 100, MPI_CHAR, before(), 1, comm, &r[1]);
	call("MPI_Irecv", 0, 0, 0, 0);
	call("MPI_Irecv", 0, 0, 0, 0);
	MPI_Send(out, 3, MPI_CHAR, next(), 0, comm);
	MPI_Send(out, 5, MPI_CHAR, next(), 1, comm);
	call("MPI_Send", 1, 3, 0, 0);
	call("MPI_Send", 1, 5, 0, 0);
	MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
	call("MPI_Waitany", 0, 0, 1, which == 0 ? 3 : 5);
	MPI_Waitsome(2, r, &many, list, MPI_STATUSES_IGNORE);
	call("MPI_Waitsome", 0, 0, 1, which == 0 ? 5 : 3);
	MPI_Irecv(in, 100, MPI_CHAR, MPI_ANY_SOURCE, 9, comm, &r[0]);
	call("MPI_Irecv", 0, 0, 0, 0);
	MPI_Send(out, 11, MPI_CHAR, next(), 9, comm);
	call("MPI_Send", 1, 11, 0, 0);
	while (!done) {
		MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
		call("MPI_Test", 0, 0, done, done ? 11 : 0);
	}
}

static void persistent(MPI_Comm comm)
{
	MPI_Request r[2];
	MPI_Recv_init(in, 100, MPI_INT, before(), 5, comm, &r[0]);
	call("MPI_Recv_init", 0, 0, 0, 0);
	MPI_Send_init(out, 25, MPI_INT, next(), 5, comm, &r[1]);
	call("MPI_Send_init", 0, 0, 0, 0);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, r);
		call("MPI_Startall", 1, 100, 0, 0);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		call("MPI_Waitall", 0, 0, 1, 100);
	}
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* inactive */
	call("MPI_Waitall", 0, 0, 0, 0);
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
	call("MPI_Request_free", 0, 0, 0, 0);
	call("MPI_Request_free", 0, 0, 0, 0);
}

/* Starts a persistent receive and another one, of messages with 21 and 22 bytes. */
static void receive_two(MPI_Comm comm, MPI_Request *r)
{
	MPI_Recv_init(in, 100, MPI_CHAR, before(), 15, comm, &r[0]);
	call("MPI_Recv_init", 0, 0, 0, 0);
	MPI_Start(&r[0]);
	call("MPI_Start", 0, 0, 0, 0);
	MPI_Irecv(in + 100, 100, MPI_CHAR, before(), 16, comm, &r[1]);
	call("MPI_Irecv", 0, 0, 0, 0);
	for (int i = 0; i < 2; i++) {
		MPI_Send(out, 21 + i, MPI_CHAR, next(), 15 + i, comm);
		call("MPI_Send", 1, 21 + i, 0, 0);
	}
}

/* A receive counts once, where the program first learns that it is complete. */
static void looked_at(MPI_Comm comm)
{
	MPI_Request r[2];
	receive_two(comm, r);
	for (int i = 0; i < 2; i++) {
		for (int done = 0; !done; call("MPI_Request_get_status", 0, 0, done, done ? 21 + i : 0))
			MPI_Request_get_status(r[i], &done, MPI_STATUS_IGNORE);
		for (int done = 0; !done; call("MPI_Request_get_status", 0, 0, 0, 0))
			MPI_Request_get_status(r[i], &done, MPI_STATUS_IGNORE);
		MPI_Request_free(&r[i]);
		call("MPI_Request_free", 0, 0, 0, 0);
	}
}

/* The same by functions of MPI 4.1 that query several requests. */
static void looked_at_together(MPI_Comm comm)
{
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
	static const char *const names[] = {
		"MPI_Request_get_status_all", "MPI_Request_get_status_any", "MPI_Request_get_status_some"};
	for (int form = 0; form < 3; form++) {
		MPI_Request r[2];
		receive_two(comm, r);
		for (int known_complete = 0, done = 0; known_complete < 2; known_complete += done) {
			int which[2] = {known_complete, 1}, first = known_complete;
			if (form == 0)
				MPI_Request_get_status_all(2, r, &done, MPI_STATUSES_IGNORE);
			else if (form == 1)
				MPI_Request_get_status_any(1, r + first, which, &done, MPI_STATUS_IGNORE);
			else
				MPI_Request_get_status_some(1, r + first, &done, which, MPI_STATUSES_IGNORE);
			done = form == 0 ? 2 * done : done;
			call(names[form], 0, 0, done, done == 2 ? 43 : done ? 21 + first : 0);
		}
		for (int i = 0; i < 2; i++) {
			MPI_Request_free(&r[i]);
			call("MPI_Request_free", 0, 0, 0, 0);
		}
	}
#else
	(void)comm;
#endif
}

/* A probe extracts the message, and returns a handle of the message to receive. */
static void matched(MPI_Comm comm)
{
	MPI_Request request;
	MPI_Message message;
	MPI_Status status;
	MPI_Isend(out, 12, MPI_CHAR, next(), 8, comm, &request);
	call("MPI_Isend", 1, 12, 0, 0);
	MPI_Mprobe(MPI_ANY_SOURCE, 8, comm, &message, &status);
	call("MPI_Mprobe", 0, 0, 0, 0);
	MPI_Mrecv(in, 100, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	call("MPI_Mrecv", 0, 0, 1, 12);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	call("MPI_Wait", 0, 0, 0, 0);
}

/* One of two receives is too short for its message. Later requests may reuse its handle. */
static void truncated(MPI_Comm comm)
{
	MPI_Request r[2];
	if (size == 1) /* Open MPI does not detect it */
		return;
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	call("MPI_Comm_set_errhandler", 0, 0, 0, 0);
	for (int i = 0; i < 3; i++) {
		MPI_Irecv(in, 10, MPI_CHAR, before(), 20, comm, &r[0]);
		MPI_Irecv(in + 100, 4, MPI_CHAR, before(), 21, comm, &r[1]);
		call("MPI_Irecv", 0, 0, 0, 0);
		call("MPI_Irecv", 0, 0, 0, 0);
		MPI_Send(out, 9, MPI_CHAR, next(), 20, comm);
		MPI_Send(out, 8, MPI_CHAR, next(), 21, comm);
		call("MPI_Send", 1, 9, 0, 0);
		call("MPI_Send", 1, 8, 0, 0);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		call("MPI_Waitall", 0, 0, 1, 9);
		MPI_Irecv(in, 4, MPI_CHAR, before(), 22, comm, &r[0]);
		call("MPI_Irecv", 0, 0, 0, 0);
		MPI_Send(out, 8, MPI_CHAR, next(), 22, comm);
		call("MPI_Send", 1, 8, 0, 0);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
		call("MPI_Wait", 0, 0, 0, 0);
	}
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
	call("MPI_Comm_set_errhandler", 0, 0, 0, 0);
}

/* A ring: each rank has two neighbours. */
static void neighbours(MPI_Comm comm)
{
	MPI_Comm ring;
	MPI_Cart_create(comm, 1, &size, (int[]){1}, 0, &ring);
	call("MPI_Cart_create", 0, 0, 0, 0);
	MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, ring);
	call("MPI_Neighbor_allgather", 0, 12, 0, 24);
	MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring);
	call("MPI_Neighbor_alltoall", 0, 16, 0, 16);
	MPI_Allgather(out, 3, MPI_INT, in, 3, MPI_INT, ring); /* an ordinary collective includes all members */
	call("MPI_Allgather", 0, 12, 0, 12 * size);
	MPI_Comm_free(&ring);
	call("MPI_Comm_free", 0, 0, 0, 0);
}

/* A row, whose ends have one neighbour. Then a graph in which rank 0 sends to all others. */
static void edges(MPI_Comm comm)
{
	MPI_Comm row, star;
	int counts[] = {5, 7}, places[] = {0, 100}, others[64];
	int left = rank > 0, right = rank < size - 1;
	MPI_Cart_create(comm, 1, &size, (int[]){0}, 0, &row);
	call("MPI_Cart_create", 0, 0, 0, 0);
	MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, row);
	call("MPI_Neighbor_allgather", 0, 12, 0, 12 * (left + right));
	MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, row);
	call("MPI_Neighbor_alltoall", 0, 8 * (left + right), 0, 8 * (left + right));
	MPI_Neighbor_alltoallv(out, counts, places, MPI_CHAR, in, (int[]){7, 5}, places, MPI_CHAR, row);
	call("MPI_Neighbor_alltoallv", 0, 5 * left + 7 * right, 0, 7 * left + 5 * right);
	for (int i = 1; i < size; i++)
		others[i - 1] = i;
	others[size - 1] = 0;
	MPI_Dist_graph_create_adjacent(comm, rank > 0, others + size - 1, MPI_UNWEIGHTED, rank ? 0 : size - 1, others,
		MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
	call("MPI_Dist_graph_create_adjacent", 0, 0, 0, 0);
	MPI_Neighbor_alltoall(out, 9, MPI_INT, in, 9, MPI_INT, star);
	call("MPI_Neighbor_alltoall", 0, rank ? 0 : 36 * (size - 1), 0, rank ? 36 : 0);
	MPI_Comm_free(&row);
	MPI_Comm_free(&star);
	call("MPI_Comm_free", 0, 0, 0, 0);
	call("MPI_Comm_free", 0, 0, 0, 0);
}

/* A message of 4 partitions of 6 ints, sent twice: it counts as one message, however its partitions become ready. */
static void partitioned(MPI_Comm comm)
{
#if MPI_VERSION >= 4
	MPI_Request r[2];
	int there = 0;
	MPI_Precv_init(in, 2, 12, MPI_INT, before(), 8, comm, MPI_INFO_NULL, &r[0]);
	call("MPI_Precv_init", 0, 0, 0, 0);
	MPI_Psend_init(out, 4, 6, MPI_INT, next(), 8, comm, MPI_INFO_NULL, &r[1]);
	call("MPI_Psend_init", 0, 0, 0, 0);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, r);
		call("MPI_Startall", 1, 96, 0, 0);
		MPI_Pready(3, r[1]);
		MPI_Pready_range(0, 1, r[1]);
		MPI_Pready_list(1, (int[]){2}, r[1]);
		MPI_Parrived(r[0], 1, &there);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		call("MPI_Pready", 0, 0, 0, 0);
		call("MPI_Pready_range", 0, 0, 0, 0);
		call("MPI_Pready_list", 0, 0, 0, 0);
		call("MPI_Parrived", 0, 0, 0, 0);
		call("MPI_Waitall", 0, 0, 1, 96);
	}
	for (int i = 0; i < 2; i++) {
		MPI_Request_free(&r[i]);
		call("MPI_Request_free", 0, 0, 0, 0);
	}
#else
	(void)comm;
#endif
}

/* Counts of 64 bits, and a persistent collective that is started twice. */
static void of_version_4(MPI_Comm comm)
{
#if MPI_VERSION >= 4
	MPI_Request request;
	MPI_Isend_c(out, 77, MPI_CHAR, next(), 10, comm, &request);
	call("MPI_Isend_c", 1, 77, 0, 0);
	MPI_Recv_c(in, 100, MPI_CHAR, before(), 10, comm, MPI_STATUS_IGNORE);
	call("MPI_Recv_c", 0, 0, 1, 77);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	call("MPI_Wait", 0, 0, 0, 0);
	MPI_Allreduce_c(out, in, 6, MPI_INT, MPI_BOR, comm);
	call("MPI_Allreduce_c", 0, 24, 0, 24);
	MPI_Allreduce_init(out, in, 3, MPI_INT, MPI_BOR, comm, MPI_INFO_NULL, &request);
	call("MPI_Allreduce_init", 0, 0, 0, 0);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request);
		call("MPI_Start", 0, 12, 0, 12);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		call("MPI_Wait", 0, 0, 0, 0);
	}
	MPI_Request_free(&request);
	call("MPI_Request_free", 0, 0, 0, 0);
#else
	(void)comm;
#endif
}

/* The communicator is freed before the receive completes. */
static void freed(void)
{
	MPI_Comm comm;
	MPI_Request request;
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm); /* reversed */
	call("MPI_Comm_split", 0, 0, 0, 0);
	int self = size - 1 - rank;
	MPI_Irecv(in, 100, MPI_CHAR, (self + 1) % size, 6, comm, &request);
	call("MPI_Irecv", 0, 0, 0, 0);
	MPI_Send(out, 20 + rank, MPI_CHAR, (self + size - 1) % size, 6, comm);
	call("MPI_Send", 1, 20 + rank, 0, 0);
	MPI_Comm_free(&comm);
	call("MPI_Comm_free", 0, 0, 0, 0);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	call("MPI_Wait", 0, 0, 1, 20 + before());
}

static void collectives(MPI_Comm comm)
{
	int counts[64], places[64], sum = 0;
	MPI_Request request;
	for (int i = 0; i < size; i++) {
		counts[i] = i + 1;
		places[i] = sum;
		sum += i + 1;
	}
	int root = size - 1, am = rank == root;
	MPI_Datatype large; /* 4 GiB, but no data is transferred */
	MPI_Type_contiguous(1 << 30, MPI_INT, &large);
	MPI_Type_commit(&large);
	MPI_Bcast(in, 1, large, 0, MPI_COMM_SELF);
	call("MPI_Bcast", 0, 4LL << 30, 0, 0);
	MPI_Type_free(&large);
	MPI_Barrier(comm);
	call("MPI_Barrier", 0, 0, 0, 0);
	MPI_Bcast(in, 10, MPI_DOUBLE, root, comm);
	call("MPI_Bcast", 0, am ? 80 : 0, 0, am ? 0 : 80);
	MPI_Reduce(out, in, 10, MPI_DOUBLE, MPI_SUM, root, comm);
	call("MPI_Reduce", 0, 80, 0, am ? 80 : 0);
	MPI_Allreduce(MPI_IN_PLACE, in, 5, MPI_INT, MPI_SUM, comm);
	call("MPI_Allreduce", 0, 20, 0, 20);
	MPI_Gather(out, 4, MPI_INT, in, 4, MPI_INT, root, comm);
	call("MPI_Gather", 0, 16, 0, am ? 16 * size : 0);
	MPI_Gather(am ? MPI_IN_PLACE : out, 4, MPI_INT, in, 4, MPI_INT, root, comm);
	call("MPI_Gather", 0, 16, 0, am ? 16 * size : 0);
	MPI_Gatherv(out, rank + 1, MPI_CHAR, in, counts, places, MPI_CHAR, root, comm);
	call("MPI_Gatherv", 0, rank + 1, 0, am ? sum : 0);
	MPI_Scatter(out, 6, MPI_SHORT, in, 6, MPI_SHORT, root, comm);
	call("MPI_Scatter", 0, am ? 12 * size : 0, 0, 12);
	MPI_Scatterv(out, counts, places, MPI_CHAR, am ? MPI_IN_PLACE : in, rank + 1, MPI_CHAR, root, comm);
	call("MPI_Scatterv", 0, am ? sum : 0, 0, rank + 1);
	MPI_Allgather(out, 3, MPI_INT, in, 3, MPI_INT, comm);
	call("MPI_Allgather", 0, 12, 0, 12 * size);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 3, MPI_INT, comm);
	call("MPI_Allgather", 0, 12, 0, 12 * size);
	MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, comm);
	call("MPI_Allgatherv", 0, 4 * (rank + 1), 0, 4 * sum);
	MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, comm);
	call("MPI_Alltoall", 0, 8 * size, 0, 8 * size);
	for (int i = 0; i < size; i++) {
		counts[i] = rank + i;
		places[i] = 100 * i;
	}
	MPI_Alltoallv(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, comm);
	call("MPI_Alltoallv", 0, rank * size + size * (size - 1) / 2, 0, rank * size + size * (size - 1) / 2);
	for (int i = 0; i < size; i++)
		counts[i] = i + 1;
	MPI_Reduce_scatter(out, in, counts, MPI_CHAR, MPI_BOR, comm);
	call("MPI_Reduce_scatter", 0, sum, 0, rank + 1);
	MPI_Scan(out, in, 9, MPI_CHAR, MPI_BOR, comm);
	call("MPI_Scan", 0, 9, 0, 9);
	MPI_Exscan(out, in, 9, MPI_CHAR, MPI_BOR, comm);
	call("MPI_Exscan", 0, 9, 0, rank ? 9 : 0);
	MPI_Ibarrier(comm, &request);
	call("MPI_Ibarrier", 0, 0, 0, 0);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	call("MPI_Wait", 0, 0, 0, 0);
	MPI_Iallreduce(out, in, 100, MPI_CHAR, MPI_BOR, comm, &request);
	call("MPI_Iallreduce", 0, 100, 0, 100);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	call("MPI_Wait", 0, 0, 0, 0);
}

/* Even and odd ranks are the two groups. */
static void intercommunicator(void)
{
	MPI_Comm half, both;
	int counts[64], color = rank % 2, others = color ? (size + 1) / 2 : size / 2;
	if (size < 2)
		return;
	MPI_Comm_split(MPI_COMM_WORLD, color, rank, &half);
	call("MPI_Comm_split", 0, 0, 0, 0);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 7, &both);
	call("MPI_Intercomm_create", 0, 0, 0, 0);
	int root = color ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
	MPI_Bcast(in, 40, MPI_CHAR, root, both);
	call("MPI_Bcast", 0, rank == 0 ? 40 : 0, 0, color ? 40 : 0);
	MPI_Gather(out, 8, MPI_CHAR, in, 8, MPI_CHAR, root, both);
	call("MPI_Gather", 0, color ? 8 : 0, 0, rank == 0 ? 8 * others : 0);
	int members = size - others; /* both groups have the same number of elements: 12 */
	for (int i = 0; i < members; i++)
		counts[i] = i == 0 ? 12 - 2 * (members - 1) : 2;
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, both);
	call("MPI_Reduce_scatter", 0, 48, 0, 4 * counts[rank / 2]);
	MPI_Reduce_scatter_block(out, in, 12 / members, MPI_INT, MPI_SUM, both);
	call("MPI_Reduce_scatter_block", 0, 48, 0, 48 / members);
	if (rank / 2 < size / 2) { /* with the rank of that number in the other group */
		MPI_Sendrecv(out, 15, MPI_CHAR, rank / 2, 8, in, 100, MPI_CHAR, rank / 2, 8, both, MPI_STATUS_IGNORE);
		call("MPI_Sendrecv", 1, 15, 1, 15);
	}
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
	call("MPI_Comm_free", 0, 0, 0, 0);
	call("MPI_Comm_free", 0, 0, 0, 0);
}

static void windows(void)
{
	static int memory[100];
	MPI_Win win;
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	call("MPI_Win_create", 0, 0, 0, 0);
	MPI_Win_fence(0, win);
	MPI_Put(out, 10, MPI_INT, next(), 0, 10, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Get(in, 20, MPI_INT, next(), 0, 20, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Accumulate(out, 5, MPI_INT, next(), 0, 5, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(0, win);
	for (int i = 0; i < 4; i++)
		call("MPI_Win_fence", 0, 0, 0, 0);
	call("MPI_Put", 0, 40, 0, 0);
	call("MPI_Get", 0, 0, 0, 80);
	call("MPI_Accumulate", 0, 20, 0, 0);
	MPI_Win_free(&win);
	call("MPI_Win_free", 0, 0, 0, 0);
}

static void file(const char *name)
{
	MPI_File file;
	MPI_File_open(
		MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
	MPI_File_write_at(file, 100 * rank, out, 25, MPI_INT, MPI_STATUS_IGNORE);
	call("MPI_File_write_at", 0, 100, 0, 0);
	MPI_File_write_at_all(file, 100 * rank, out, 25, MPI_INT, MPI_STATUS_IGNORE);
	call("MPI_File_write_at_all", 0, 100, 0, 0);
	MPI_File_read_at(file, 100 * rank, in, 100, MPI_CHAR, MPI_STATUS_IGNORE);
	call("MPI_File_read_at", 0, 0, 0, 100);
	MPI_File_close(&file);
	call("MPI_File_open", 0, 0, 0, 0);
	call("MPI_File_close", 0, 0, 0, 0);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	blocking(MPI_COMM_WORLD);
	requests(MPI_COMM_WORLD);
	persistent(MPI_COMM_WORLD);
	matched(MPI_COMM_WORLD);
	looked_at(MPI_COMM_WORLD);
	looked_at_together(MPI_COMM_WORLD);
	truncated(MPI_COMM_WORLD);
	neighbours(MPI_COMM_WORLD);
	edges(MPI_COMM_WORLD);
	of_version_4(MPI_COMM_WORLD);
	partitioned(MPI_COMM_WORLD);
	freed();
	collectives(MPI_COMM_WORLD);
	intercommunicator();
	windows();
	file("exact.data");
	known_write(rank);
	MPI_Finalize();
	return 0;
}
