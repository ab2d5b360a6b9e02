/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI front end's descriptor. It knows no function of MPI: libheddle-mpi.so, which is preloaded for programs that
 * need it, brings them (mpi_events.c).
 */
#include <stddef.h>

#include "core/modules/model.h"
#include "core/threads/frontend.h"
#include "models/mpi/mpi_events.h"

/* Open MPI; the MPICH family and the libraries of its ABI; what they load to communicate. */
#define MPI_LIBRARY "libmp{i,ich}*.so*"
static const struct heddle_model_library libraries[] = {
	{"libmpi.so*", NULL},
	{"libmpi_{mpifh,usempi,usempif08,cxx,abi}*.so*", NULL},
	{"libmpi{fort,cxx}*.so*", NULL},
	{"libmpich*.so*", NULL},
	{"lib{open-rte,open-pal,oshmem}.so*", NULL},
	{"libmca_common_*.so*", NULL},
	{"mca_*.so", NULL},
	{"lib{pmix,pmi,pmi2,prrte}.so*", MPI_LIBRARY},
	{"libuc{m,p,t,s}.so*", MPI_LIBRARY},
	{"libuc{m,t,s}_*.so*", MPI_LIBRARY},
	{"lib{fabric,psm_infinipath,psm2,ibverbs,rdmacm,efa}.so*", MPI_LIBRARY},
	{"libevent{,_core,_pthreads,_extra}-*.so*", MPI_LIBRARY},
	{"libhwloc.so*", MPI_LIBRARY},
	{NULL, NULL},
};

const struct heddle_model heddle__mpi_model = {
	.name = "mpi",
	.label = "MPI",
	.rank = "MPI",
	.ranks = "MPI rank",
	.libraries = libraries,
};

const struct heddle_frontend heddle__mpi_frontend = {
	.name = "mpi",
	.model = &heddle__mpi_model,
	.init = heddle__mpi_init,
	.finish = heddle__mpi_finish,
	.after_fork = heddle__mpi_after_fork,
};
