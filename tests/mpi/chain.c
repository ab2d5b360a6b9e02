/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with its own MPI wrappers; with LOADER, a program that loads it as a library, and so does not link MPI. */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LOADER
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	int (*communicate)(void) = library ? (int (*)(void))dlsym(library, "communicate") : NULL;
	if (!communicate || argc < 2)
		return fprintf(stderr, "%s\n", dlerror()), 1;
	return communicate();
}
#else
#include <mpi.h>

static int wrapped;

#ifndef LIBRARY
int MPI_Allreduce(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	wrapped++;
	PMPI_Barrier(comm);
	return PMPI_Allreduce(out, in, count, type, op, comm);
}
#endif

int communicate(void)
{
	int rank, sum = 0;
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 5; i++)
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("%d %d\n", sum, wrapped);
	MPI_Finalize();
	return 0;
}

#ifndef LIBRARY
int main(void)
{
	return communicate();
}
#endif
#endif
