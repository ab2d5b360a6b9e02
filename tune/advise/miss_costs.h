/* SPDX-License-Identifier: BSD-3-Clause */
/* The misses that a loop's accesses without hints would have with a cache, and their time. */
#ifndef HEDDLE_TUNE_ADVISE_MISS_COSTS_H
#define HEDDLE_TUNE_ADVISE_MISS_COSTS_H

#include "tune/advise/advice.h"

struct heddle_misses {
	double count, us; /* of all executions on all threads */
};

/* `elements`: different ones of these accesses, in all executions and tiles. */
struct heddle_misses heddle__predict_misses(
	const struct heddle_advice *one, const struct heddle_cache_costs *costs, double elements, unsigned threads);

/* Microseconds of a miss that brings that many bytes: measured, or estimated from the latency. */
double heddle__miss_cost(const struct heddle_cache_costs *costs, double bytes);

#endif
