/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of `heddle advise`: the time of the accesses of each upc_forall to remote elements of each variable, their
 * pattern, and the time that they would take with a software cache (heddle/upc_cache.h).
 */
#ifndef HEDDLE_TUNE_ADVISE_ADVICE_H
#define HEDDLE_TUNE_ADVISE_ADVICE_H

#include "cli/base/network_costs.h"
#include "profile/view/accesses.h"

#include <stdbool.h>

/* The advice for a variable in a loop. */
enum heddle_advice_kind {
	HEDDLE_ADVISE_NOTHING,  /* a cache would not pay */
	HEDDLE_ADVISE_CACHE,    /* indices depend on remote data: elements are brought when first accessed */
	HEDDLE_ADVISE_COALESCE, /* indices are known before the loop: all elements are brought at once */
	HEDDLE_ADVISE_BLOCKS,   /* not in a upc_forall, or whole blocks: heddle tune cannot change it */
};

#define HEDDLE_ADVICE_OBJECTS 4

/* A prediction from the medians of the network's measured times, and from their quartiles. */
enum heddle_bound { HEDDLE_TYPICAL, HEDDLE_LOW, HEDDLE_HIGH, HEDDLE_BOUNDS };

/* A loop and a variable. Sums over all threads. Times in microseconds. */
struct heddle_advice {
	const char *file;     /* of the loop, as the compiler recorded it; "": unknown */
	uint32_t line;        /* of the upc_forall; outside of one, of the access */
	const char *variable; /* the object's name; in a loop, the name in the loop's source */
	/* The objects behind `variable`, by the names in accesses: a pointer-to-shared may point to several. */
	const char *objects[HEDDLE_ADVICE_OBJECTS];
	unsigned object_count;
	bool in_loop;
	uint32_t last_line;          /* of a loop without events: from the source, by the access's line; else 0 */
	uint64_t gets, puts, others; /* remote accesses: of single elements; `others`: such as upc_memget */
	uint64_t known_gets;         /* gets whose indices need no remote data */
	uint64_t guessed_gets;       /* known_gets whose indices may change in the loop */
	uint64_t element_bytes;      /* 0: unknown */
	double got_us, put_us, others_us;
	/* From sketches. executions 0: there is no sketch. */
	double executions, elements, elements_got, elements_put, lines, runs, regular, sketched;
	double near, far, farther;      /* parts of `runs`, by distance: metrics loop-near, loop-far, loop-farther */
	double iterations;              /* at least, of all threads that access the variable, in all executions */
	double array_elements;          /* of the variable, on all threads; 0: unknown */
	const char *refused;            /* why heddle tune does not change the loop, as far as tried; or NULL */
	unsigned occurrences;           /* of the variable in the loop's source: the most accesses of an iteration */
	double tiles;                   /* of an execution */
	double loop_us;                 /* of the whole loop, the same in all of its rows; 0: unknown, without events */
	double own_us;                  /* the part of loop_us that is neither in accesses nor in their events */
	double after_us[HEDDLE_BOUNDS]; /* predicted time of gets and puts, if the advice is followed */
	enum heddle_advice_kind kind;
};

struct heddle_advices {
	struct heddle_advice *items; /* the most expensive first */
	size_t count;
	char **names; /* texts that `items` point to */
	size_t name_count;
	unsigned threads;
	double elapsed_us; /* of all threads, summed */
	double waiting_us; /* the part in barriers and other waits */
	double access_us;  /* the part in remote accesses */
	double first_us;   /* time that following the advice costs once */
};

/* Sorts the items, the most expensive first. */
void heddle__advices_sort(struct heddle_advices *advices);

/* Collects what was measured. Returns 0 or -ENOMEM; then there is nothing to free. */
int heddle__advices_make(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses);
void heddle__advices_free(struct heddle_advices *advices);

/* Returns the innermost upc_forall around a node; 0: none. */
uint32_t heddle__loop_around(const struct profile_call_tree *tree, uint32_t node);

/*
 * Reads the sources: the names by which loops access objects (rows with the same name are merged), and which indices
 * are known before the loop. `flags`: options that the sources are compiled with, ended by NULL; or NULL. Returns NULL,
 * or a sentence about a file that cannot be read or compiled, whose indices count as unknown; it lives as long as the
 * advices.
 */
const char *heddle__advices_read_sources(struct heddle_advices *advices, const struct profile_measurement *measurement,
	const struct profile_accesses *accesses, const char *const *flags);

/* Costs of the library in microseconds: from a file of heddle doctor --network, or estimated from a latency. */
struct heddle_cache_costs {
	const struct heddle_network *network; /* has times of tiles; may be NULL */
	double first;                         /* the additional time of each thread's first tiles in the program */
	double get_again, put_again;          /* a further access to an element of the tile */
	double iteration;                     /* of the loop, besides its accesses */
	double local;                         /* a hint and a get of an element that is the thread's own */
	double byte;                          /* for each byte of an element beyond 8 bytes */
	double latency;                       /* a get of 8 bytes */
	bool estimated;
};
struct heddle_cache_costs heddle__cache_costs(
	const struct heddle_network *network, const struct heddle_advices *advices);

/* Decides what to advise, and predicts the remaining time. */
void heddle__advices_predict(struct heddle_advices *advices, const struct heddle_cache_costs *costs);

/*
 * Does all steps: collects what was measured, reads the sources, and decides. `network`: NULL if none was measured.
 * `flags` and *problem: see heddle__advices_read_sources. Returns 0 or -ENOMEM; then there is nothing to free.
 */
int heddle__advices_find(struct heddle_advices *advices, struct heddle_cache_costs *costs,
	const struct profile_measurement *measurement, const struct profile_accesses *accesses,
	const struct heddle_network *network, const char *const *flags, const char **problem);

/* Returns true if a cache is advised for that loop and variable. */
bool heddle__advice_is_advised(const struct heddle_advice *advice);

/*
 * The predicted time of the row's loop, of all threads, without the additional time of the first loop with a cache.
 * Without events of the loop, only its accesses count.
 */
double heddle__advices_loop(
	const struct heddle_advices *advices, const struct heddle_advice *loop, enum heddle_bound bound);

/* The predicted elapsed time of the run in microseconds; without any change, the measured time. */
double heddle__advices_run(const struct heddle_advices *advices);

#endif
