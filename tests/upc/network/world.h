/* SPDX-License-Identifier: BSD-3-Clause */
/* A job without a launcher: forks its ranks, which find each other by shared memory, and opens the network in each. */
#ifndef HEDDLE_TESTS_UPC_NETWORK_WORLD_H
#define HEDDLE_TESTS_UPC_NETWORK_WORLD_H

#include "upc/network/network.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define WORLD_RANKS 8
#define WORLD_SEGMENT (8 << 20)
#define WORLD_SECRET "a secret of test" /* HUPC__SECRET_SIZE characters */

struct world_shared {
	pthread_barrier_t barrier;
	atomic_int published, lost_rank[WORLD_RANKS];
	atomic_llong stamp[WORLD_RANKS]; /* for tests */
	size_t size[WORLD_RANKS];
	char address[WORLD_RANKS][8192];
	char listening[WORLD_RANKS][512];
};

struct world {
	int rank, ranks;
	const struct hupc__network *net;
	struct world_shared *shared;
	char *segment;
	/* Set by a test before it uses the network. */
	void (*handle)(int from, const void *message, size_t size, const struct hupc__ticket *ticket);
	void (*lost)(int thread, const char *why);
	void (*stranger)(const char *address);
};

extern struct world world;

/* Runs `body` in that many processes. Returns 0 if all ended with 0. KILLED: a rank that may be killed; -1: none */
int world_run(int ranks, int killed, void (*body)(void));

/* Waits for all ranks, without the network. */
void world_barrier(void);

int64_t world_now(void); /* ns */
int64_t world_cpu(void); /* CPU time of this process in ns */

#define CHECK(condition)                                                                                     \
	do {                                                                                                 \
		if (!(condition)) {                                                                          \
			fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, world.rank, #condition); \
			_exit(1);                                                                            \
		}                                                                                            \
	} while (0)

#endif
