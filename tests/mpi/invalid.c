/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * invalid FILE: calls with arguments that MPI refuses, while errors are returned. Writes the error class of each call
 * to FILE; a message afterwards arrives. Expects one rank.
 */
#include <mpi.h>
#include <stdio.h>

static FILE *classes;

static void show(const char *name, int error)
{
	int class = MPI_SUCCESS;
	MPI_Error_class(error, &class);
	fprintf(classes, "%s %d\n", name, class);
}
#define SHOW(call) show(#call, call)
/* Open MPI does not check these calls. */
#ifdef OPEN_MPI
#define SHOW_CHECKED(call) (void)0
#else
#define SHOW_CHECKED(call) SHOW(call)
#endif

static void requests(void)
{
	int value = 0, sent = 1, flag = 0;
	MPI_Request request = MPI_REQUEST_NULL, posted;
	MPI_Status status;
	MPI_Irecv(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &posted);
	SHOW(MPI_Test(&posted, NULL, &status));
	SHOW(MPI_Testall(1, NULL, &flag, MPI_STATUSES_IGNORE));
	SHOW(MPI_Testall(1, &posted, NULL, MPI_STATUSES_IGNORE));
	SHOW(MPI_Testany(1, &posted, NULL, NULL, &status));
	SHOW(MPI_Testsome(1, &posted, NULL, NULL, MPI_STATUSES_IGNORE));
	SHOW(MPI_Wait(NULL, &status));
	SHOW(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE));
	SHOW(MPI_Waitany(1, NULL, &flag, &status));
	SHOW(MPI_Waitsome(1, NULL, &flag, &flag, MPI_STATUSES_IGNORE));
	SHOW(MPI_Request_free(NULL));
	SHOW(MPI_Request_free(&request));
	SHOW(MPI_Cancel(NULL));
	SHOW(MPI_Start(NULL));
	SHOW(MPI_Startall(1, NULL));
	SHOW(MPI_Send(&sent, 1, MPI_INT, 0, 7, MPI_COMM_SELF));
	SHOW(MPI_Wait(&posted, &status));
}

static void messages(void)
{
	int value = 0, flag = 0;
	MPI_Message message = MPI_MESSAGE_NULL;
	MPI_Status status;
	MPI_Request request;
	SHOW_CHECKED(MPI_Iprobe(0, 8, MPI_COMM_SELF, NULL, &status));
	SHOW_CHECKED(MPI_Improbe(0, 8, MPI_COMM_SELF, NULL, &message, &status));
	SHOW_CHECKED(MPI_Improbe(0, 8, MPI_COMM_NULL, &flag, &message, &status));
	SHOW_CHECKED(MPI_Mrecv(&value, 1, MPI_INT, NULL, &status));
	SHOW_CHECKED(MPI_Imrecv(&value, 1, MPI_INT, NULL, &request));
	SHOW(MPI_Send(&value, -1, MPI_INT, 0, 8, MPI_COMM_SELF));
	SHOW(MPI_Send(&value, 1, MPI_INT, 5, 8, MPI_COMM_SELF));
	SHOW(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 8, MPI_COMM_SELF));
	SHOW(MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_NULL));
	SHOW(MPI_Recv(&value, 1, MPI_INT, 5, 8, MPI_COMM_SELF, &status));
	SHOW(MPI_Isend(&value, 1, MPI_INT, 0, 8, MPI_COMM_NULL, &request));
	SHOW(MPI_Isend(&value, 1, MPI_INT, 0, 8, MPI_COMM_SELF, NULL));
	SHOW(MPI_Sendrecv(&value, 1, MPI_INT, 5, 8, &flag, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &status));
}

static void groups(void)
{
	int value = 0, other = 0;
	MPI_Comm comm = MPI_COMM_NULL;
	SHOW_CHECKED(MPI_Comm_free(NULL));
	SHOW(MPI_Comm_free(&comm));
	SHOW(MPI_Comm_dup(MPI_COMM_NULL, &comm));
	SHOW(MPI_Comm_dup(MPI_COMM_SELF, NULL));
	SHOW(MPI_Comm_split(MPI_COMM_NULL, 0, 0, &comm));
	SHOW_CHECKED(MPI_Win_free(NULL));
	SHOW(MPI_Bcast(&value, 1, MPI_INT, 9, MPI_COMM_SELF));
	SHOW(MPI_Reduce(&value, &other, 1, MPI_INT, MPI_OP_NULL, 0, MPI_COMM_SELF));
	SHOW(MPI_Allreduce(&value, &other, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL));
	SHOW(MPI_Alltoallv(&value, NULL, NULL, MPI_INT, &other, NULL, NULL, MPI_INT, MPI_COMM_NULL));
	SHOW(MPI_Barrier(MPI_COMM_NULL));
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	classes = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (!classes)
		return 1;
	setvbuf(classes, NULL, _IOLBF, 0);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	requests();
	messages();
	groups();
	MPI_Finalize();
	return 0;
}
