/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The only list of front ends: each is a folder, and its name here. Models precede the sampler, which inquires of them.
 */
#include <stddef.h>

#include "core/threads/frontend.h"
#include "core/threads/thread.h"

#define FRONTENDS(X)   \
	X(c)           \
	X(ompt2015)    \
	X(ompt)        \
	X(upc)         \
	X(mpi)         \
	X(shmem)       \
	X(annotations) \
	X(sampler)

#define X(name) extern const struct heddle_frontend heddle__##name##_frontend;
FRONTENDS(X)
#undef X

#define X(name) &heddle__##name##_frontend,
const struct heddle_frontend *const heddle__frontends[] = {FRONTENDS(X) NULL};

_Static_assert(sizeof(heddle__frontends) / sizeof(heddle__frontends[0]) - 1 <= HEDDLE_FRONTENDS,
	"each front end has a place in struct heddle_thread");
