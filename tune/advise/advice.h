/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of `heddle advise`: what the accesses of each upc_forall to remote elements of each variable took, what
 * they look like, and what they would take with a software cache (heddle/upc_cache.h).
 */
#ifndef HEDDLE_CLI_ADVISE_ADVICE_H
#define HEDDLE_CLI_ADVISE_ADVICE_H

#include "cli/base/network_costs.h"
#include "profile/view/accesses.h"

#include <stdbool.h>

/* What to do with a variable in a loop. */
enum heddle_advice_kind {
	HEDDLE_ADVISE_NOTHING,  /* it would not pay */
	HEDDLE_ADVISE_CACHE,    /* indices follow from remote data: elements are brought when first accessed */
	HEDDLE_ADVISE_COALESCE, /* indices are known before the loop: all elements are brought at once */
	HEDDLE_ADVISE_BLOCKS,   /* not in a upc_forall, or by whole blocks: not for heddle tune */
};

#define HEDDLE_ADVICE_OBJECTS 4

/* A prediction: from the medians of what was measured of the network, and from the quartiles. */
enum heddle_bound { HEDDLE_TYPICAL, HEDDLE_LOW, HEDDLE_HIGH, HEDDLE_BOUNDS };

/* A loop and a variable; sums over all threads. Times in microseconds. */
struct heddle_advice {
	const char *file;     /* of the loop, as the compiler wrote it; "": unknown */
	uint32_t line;        /* of the upc_forall; without one, of the access */
	const char *variable; /* its name; in a loop, the one that the source has there */
	/* The objects that it stands for, by the names of accesses: a pointer-to-shared may point to several. */
	const char *objects[HEDDLE_ADVICE_OBJECTS];
	unsigned object_count;
	bool in_loop;
	uint32_t last_line;          /* of a loop without events: found in the source by the access's line; else 0 */
	uint64_t gets, puts, others; /* remote accesses: of single elements; others such as upc_memget */
	uint64_t known_gets;         /* of gets, those whose indices need no remote data */
	uint64_t guessed_gets;       /* of known_gets, those whose indices may change in the loop */
	uint64_t element_bytes;      /* 0: unknown */
	double got_us, put_us, others_us;
	/* From sketches; executions 0: there is none. */
	double executions, elements, elements_got, elements_put, lines, runs, regular, sketched;
	double near, far, farther; /* of runs, by distance: metrics loop-near, loop-far, loop-farther */
	double iterations;         /* of all threads that access the variable, at least; in all executions */
	double array_elements;     /* of the variable, on all threads; 0: unknown */
	const char *refused;       /* why heddle tune does not change the loop, as far as it looked; or NULL */
	unsigned occurrences;      /* of the variable in the loop's source: accesses of an iteration, at most */
	double tiles;              /* of an execution */
	double loop_us;            /* of the whole loop, the same in all rows of the loop; 0: unknown, without events */
	double own_us;             /* of it, what is neither an access nor its events */
	double after_us[HEDDLE_BOUNDS]; /* of gets and puts, as advised */
	enum heddle_advice_kind kind;
};

struct heddle_advices {
	struct heddle_advice *items; /* the most expensive first */
	size_t count;
	char **names; /* texts that items point to */
	size_t name_count;
	unsigned threads;
	double elapsed_us; /* of all threads, added up */
	double waiting_us; /* of it, in barriers and other waits */
	double access_us;  /* of it, in remote accesses */
	double first_us;   /* what the advice costs once */
};

/* The most expensive first. */
void heddle__advices_sort(struct heddle_advices *advices);

/* Collect what was measured. 0 or -ENOMEM, after which there is nothing to free. */
int heddle__advices_make(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses);
void heddle__advices_free(struct heddle_advices *advices);

/* The innermost upc_forall around a node; 0: none. */
uint32_t heddle__loop_around(const struct profile_call_tree *tree, uint32_t node);

/*
 * Look into the sources: by what names loops access objects (rows of one name become one), and which indices are known
 * before the loop. `flags`: options that the sources are compiled with, ended by NULL; or NULL. Returns a sentence, as
 * long as the advices, about a file that cannot be read or does not compile, whose indices count as not known; or NULL.
 */
const char *heddle__advices_read_sources(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses, const char *const *flags);

/* What the library costs, microseconds: from a file of heddle doctor --network, or estimated from a latency. */
struct heddle_cache_costs {
	const struct heddle_network *network; /* has times of tiles; may be NULL */
	double first;                         /* the first tiles of the program, more than others, on each thread */
	double get_again, put_again;          /* a further access to an element of the tile */
	double iteration;                     /* of the loop, beside its accesses */
	double local;                         /* a hint and a get of an element of the thread's own */
	double byte;                          /* of an element larger than 8 bytes, each further byte */
	double miss;                          /* bringing an element that was not hinted, with its neighbours */
	double latency;                       /* a get of 8 bytes */
	bool estimated;
};
struct heddle_cache_costs heddle__cache_costs(
	const struct heddle_network *network, const struct heddle_advices *advices);

/* Decide what to advise, and what it would leave. */
void heddle__advices_predict(struct heddle_advices *advices, const struct heddle_cache_costs *costs);

/*
 * All of it: collects what was measured, looks into the sources, and decides. `network`: NULL if none was measured.
 * `flags` and *problem: as heddle__advices_read_sources has them. 0 or -ENOMEM, after which there is nothing to free.
 */
int heddle__advices_find(struct heddle_advices *advices, struct heddle_cache_costs *costs,
	const struct profile_measurement *measurement, const struct profile_accesses *accesses,
	const struct heddle_network *network, const char *const *flags, const char **problem);

/* Returns true if a cache is advised for that loop and variable. */
bool heddle__advice_is_advised(const struct heddle_advice *advice);

/*
 * What the loop of that row would take, of all threads, without what the first loop with a cache takes more; by events
 * of the loop, else 0 and its accesses.
 */
double heddle__advices_loop(
	const struct heddle_advices *advices, const struct heddle_advice *loop, enum heddle_bound bound);

/* The elapsed time of the run that is predicted, microseconds; without any change, what was measured. */
double heddle__advices_run(const struct heddle_advices *advices);

#endif
