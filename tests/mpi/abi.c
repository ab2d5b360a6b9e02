/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program for the standard ABI of MPI 5; with LIBRARY, a stand-in for a library with that ABI, for one rank. It
 * aborts the program if a function does not apply to the communicator, as libraries do by default.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct handle *handle;
typedef struct {
	int source, tag, error, internal[5];
} status;

#define WORLD ((handle)0x101)
#define INT ((handle)0x209)
#define BYTE ((handle)0x247)
#define PROC_NULL (-3)
#define CARTESIAN ((handle)0x1001) /* of three dimensions */
#define GRAPH ((handle)0x1002)     /* with five neighbours */
#define UNDEFINED (-32766)
#define FILE_REQUEST ((handle)0x2002) /* of a read of 24 bytes */
#define OPEN_FILE ((handle)0x3001)

#ifdef LIBRARY
#define FUNCTION(name, ...)                                                \
	int MPI_##name(__VA_ARGS__) __attribute__((alias("PMPI_" #name))); \
	int PMPI_##name(__VA_ARGS__)

static void need(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "fatal error in %s\n", what);
	exit(9);
}

FUNCTION(Init, int *argc, char ***argv)
{
	return (void)argc, (void)argv, 0;
}
FUNCTION(Finalize, void)
{
	return 0;
}
FUNCTION(Comm_rank, handle comm, int *rank)
{
	return (void)comm, *rank = 0;
}
FUNCTION(Comm_size, handle comm, int *size)
{
	return (void)comm, *size = 1, 0;
}
FUNCTION(Comm_group, handle comm, handle *group)
{
	return *group = comm, 0;
}
FUNCTION(Comm_test_inter, handle comm, int *inter)
{
	return (void)comm, *inter = 0;
}
FUNCTION(Group_size, handle group, int *size)
{
	return (void)group, *size = 1, 0;
}
FUNCTION(Group_rank, handle group, int *rank)
{
	return (void)group, *rank = 0;
}
FUNCTION(Group_free, handle *group)
{
	return *group = (handle)0x108, 0;
}
FUNCTION(Group_translate_ranks, handle from, int count, const int *ranks, handle to, int *found)
{
	(void)from, (void)to;
	memcpy(found, ranks, (size_t)count * sizeof(*found));
	return 0;
}
FUNCTION(Type_size, handle type, int *size)
{
	return *size = type == INT ? 4 : 1, 0;
}
FUNCTION(Topo_test, handle comm, int *kind)
{
	*kind = comm == CARTESIAN ? 211 : comm == GRAPH ? 212 : UNDEFINED;
	return 0;
}
FUNCTION(Cartdim_get, handle comm, int *dimensions)
{
	need(comm == CARTESIAN, "MPI_Cartdim_get");
	return *dimensions = 3, 0;
}
FUNCTION(Graph_neighbors_count, handle comm, int rank, int *count)
{
	need(comm == GRAPH && rank == 0, "MPI_Graph_neighbors_count");
	return *count = 5, 0;
}
FUNCTION(Dist_graph_neighbors_count, handle comm, int *in, int *out, int *weighted)
{
	need(0, "MPI_Dist_graph_neighbors_count");
	return (void)comm, *in = *out = *weighted = 0;
}
FUNCTION(Send, const void *data, int count, handle type, int to, int tag, handle comm)
{
	return (void)data, (void)count, (void)type, (void)to, (void)tag, (void)comm, 0;
}
FUNCTION(Recv, void *data, int count, handle type, int from, int tag, handle comm, status *brought)
{
	*brought = (status){.source = 0, .tag = 1, .internal = {5 << 28, 1}}; /* more than fits in an int */
	return (void)data, (void)count, (void)type, (void)from, (void)tag, (void)comm, 0;
}
FUNCTION(Irecv, void *data, int count, handle type, int from, int tag, handle comm, handle *request)
{
	*request = (handle)0x2001;
	return (void)data, (void)count, (void)type, (void)from, (void)tag, (void)comm, 0;
}
FUNCTION(Cancel, handle *request)
{
	return (void)request, 0;
}
FUNCTION(Wait, handle *request, status *brought)
{
	if (*request == FILE_REQUEST)
		*brought = (status){.internal = {24}};
	else
		*brought = (status){.source = 0, .tag = 1, .internal = {0, 0, 1}};
	*request = (handle)0x180;
	return 0;
}
FUNCTION(File_open, handle comm, const char *name, int mode, handle info, handle *file)
{
	return (void)comm, (void)name, (void)mode, (void)info, *file = OPEN_FILE, 0;
}
FUNCTION(File_close, handle *file)
{
	return *file = (handle)0x118, 0;
}
FUNCTION(File_read, handle file, void *data, int count, handle type, status *brought)
{
	*brought = (status){.internal = {12}};
	return (void)file, (void)data, (void)count, (void)type, 0;
}
FUNCTION(File_iread, handle file, void *data, int count, handle type, handle *request)
{
	*request = FILE_REQUEST;
	return (void)file, (void)data, (void)count, (void)type, 0;
}
FUNCTION(Get_count_c, const status *of, handle type, int64_t *count)
{
	need(type == BYTE, "MPI_Get_count_c");
	return *count = (int64_t)of->internal[1] << 32 | (unsigned int)of->internal[0], 0;
}
FUNCTION(Get_count, const status *of, handle type, int *count)
{
	int size = type == INT ? 4 : 1;
	return *count = of->internal[1] || of->internal[0] % size ? UNDEFINED : of->internal[0] / size, 0;
}
FUNCTION(Test_cancelled, const status *of, int *cancelled)
{
	return *cancelled = of->internal[2], 0;
}
FUNCTION(Neighbor_allgather, const void *out, int outs, handle out_type, void *in, int ins, handle in_type, handle comm)
{
	return (void)out, (void)outs, (void)out_type, (void)in, (void)ins, (void)in_type, (void)comm, 0;
}
#else
int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Send(const void *data, int count, handle type, int to, int tag, handle comm);
int MPI_Recv(void *data, int count, handle type, int from, int tag, handle comm, status *brought);
int MPI_Irecv(void *data, int count, handle type, int from, int tag, handle comm, handle *request);
int MPI_Cancel(handle *request);
int MPI_Wait(handle *request, status *brought);
int MPI_Get_count(const status *of, handle type, int *count);
int MPI_File_open(handle comm, const char *name, int mode, handle info, handle *file);
int MPI_File_close(handle *file);
int MPI_File_read(handle file, void *data, int count, handle type, status *brought);
int MPI_File_iread(handle file, void *data, int count, handle type, handle *request);
int MPI_Neighbor_allgather(const void *out, int outs, handle out_type, void *in, int ins, handle in_type, handle comm);

/* Reads 16 ints: the library delivers 3, and 6 in nonblocking reads. The counts that the program gets are unchanged. */
static void read_file(void)
{
	int in[16] = {0}, counts[3];
	handle file, request;
	status brought;
	MPI_File_open(WORLD, "/abi.data", 2, (handle)0x130, &file);
	MPI_File_read(file, in, 16, INT, NULL);
	MPI_File_read(file, in, 16, INT, &brought);
	MPI_Get_count(&brought, INT, &counts[0]);
	MPI_File_iread(file, in, 16, INT, &request);
	MPI_Wait(&request, &brought);
	MPI_Get_count(&brought, INT, &counts[1]);
	MPI_File_iread(file, in, 16, INT, &request);
	MPI_Wait(&request, NULL);
	MPI_Recv(in, 16, INT, 0, 1, WORLD, &brought);
	MPI_Get_count(&brought, BYTE, &counts[2]);
	MPI_File_close(&file);
	printf("counts %d %d %d\n", counts[0], counts[1], counts[2]);
}

int main(void)
{
	int out[16] = {0}, in[16] = {0};
	handle request;
	MPI_Init(NULL, NULL);
	MPI_Recv(in, 16, INT, 0, 1, WORLD, NULL);
	MPI_Irecv(in, 16, INT, 0, 1, WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, NULL);
	MPI_Send(out, 10, INT, 0, 1, WORLD);
	MPI_Send(out, 10, INT, PROC_NULL, 1, WORLD);
	MPI_Neighbor_allgather(out, 2, INT, in, 2, INT, CARTESIAN);
	MPI_Neighbor_allgather(out, 2, INT, in, 2, INT, GRAPH);
	read_file();
	MPI_Finalize();
	puts("done");
	return 0;
}
#endif
