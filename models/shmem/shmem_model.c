/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OpenSHMEM front end's descriptor. It knows no function of OpenSHMEM: libheddle-shmem.so, which is preloaded for
 * programs that need it, brings them (shmem_events.c).
 */
#include <stddef.h>

#include "core/modules/model.h"
#include "core/threads/frontend.h"
#include "models/shmem/shmem_events.h"

/* Open MPI's library; Sandia's and Cray's; plug-ins that Open MPI's loads. */
static const struct heddle_model_library libraries[] = {
	{"liboshmem.so*", NULL},
	{"libsma.so*", NULL},
	{"mca_{spml,scoll,sshmem,memheap,atomic}_*.so", NULL},
	{NULL, NULL},
};

const struct heddle_model heddle__shmem_model = {
	.name = "shmem",
	.label = "OpenSHMEM",
	.rank = "PE",
	.ranks = "PE",
	.libraries = libraries,
};

const struct heddle_frontend heddle__shmem_frontend = {
	.name = "shmem",
	.model = &heddle__shmem_model,
	.init = heddle__shmem_init,
	.finish = heddle__shmem_finish,
	.after_fork = heddle__shmem_after_fork,
};
