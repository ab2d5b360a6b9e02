/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predicts the time of misses, as upc/cache/upc_cache_lines.h brings lines: 8 KiB at first, twice as much after each
 * eight misses, up to 64 KiB, if at least an eighth of the data that these brought is used until then. A sketch has the
 * number of different parts of 4 KiB, and how often an access is far from the one before. If that is seldom, accesses
 * are in order: parts are neighbours, and a line is used before the next miss. Otherwise, parts are spread evenly over
 * the array; a line is used later, and its length stays.
 */
#include "tune/advise/miss_costs.h"

#include <math.h>

#define PART 4096.0
#define GRANULE 256.0
#define FIRST_PARTS 2
#define MOST_PARTS 16
#define CONSIDERED 8

/* A loop's accesses without hints in one tile of one thread. */
struct scattered {
	double parts;  /* different parts with accesses */
	double used;   /* the share of such a part that is used */
	double of_one; /* parts of the array on each other thread; 0: unknown */
	double others; /* threads */
	bool in_order;
};

static struct scattered scattered_of(const struct heddle_advice *one, double elements, unsigned threads)
{
	double bytes = (double)one->element_bytes, granules = PART / (bytes > GRANULE ? bytes : GRANULE);
	double tiles = one->executions * one->tiles, each = one->lines > 0 ? elements / one->lines : 0;
	double parts = elements < one->lines ? elements : one->lines;
	return (struct scattered){
		.parts = parts / tiles,
		.used = granules > 1 ? 1 - pow(1 - 1 / granules, each > 1 ? each : 1) : 1,
		.of_one = one->array_elements * bytes / PART / threads,
		.others = threads - 1,
		.in_order = one->runs - one->near - one->far - one->farther <= one->lines,
	};
}

/* The lines of that many parts in which elements are accessed. */
static double lines_of(const struct scattered *of, int length)
{
	double all = of->others * of->of_one, lines = of->others * ceil(of->of_one / length);
	double density = of->parts < all ? of->parts / all : 1;
	if (of->in_order)
		return of->parts / (all > 0 && of->of_one < length ? of->of_one : length);
	if (all == 0)
		return of->parts;
	lines *= 1 - pow(1 - density, length);
	return lines < of->parts ? lines : of->parts;
}

static bool gets_longer(const struct scattered *of, int length)
{
	return of->in_order && length < MOST_PARTS && 8 * of->used >= 1;
}

/* A line ends with its thread's part of the array. */
static double line_us(
	const struct heddle_cache_costs *costs, const struct scattered *of, const struct heddle_advice *one, int length)
{
	double bytes = PART * (of->of_one > 0 && of->of_one < length ? of->of_one : length);
	if (bytes < (double)one->element_bytes)
		bytes = (double)one->element_bytes;
	return heddle__miss_cost(costs, bytes);
}

double heddle__miss_cost(const struct heddle_cache_costs *costs, double bytes)
{
	double found = costs->network ? heddle__network_transfer(
						costs->network, "memget", HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ALL, bytes)
				      : NAN;
	return isnan(found) ? costs->latency * (1 + bytes / 98304) : found; /* 64 KiB: 1.67 times, as over TCP */
}

struct heddle_misses heddle__predict_misses(
	const struct heddle_advice *one, const struct heddle_cache_costs *costs, double elements, unsigned threads)
{
	struct scattered of = scattered_of(one, elements, threads);
	struct heddle_misses misses = {0};
	double left = 1; /* the share of an execution's elements that are not in the cache yet */
	int length = FIRST_PARTS;
	if (of.parts <= 0)
		return misses;
	while (gets_longer(&of, length) && left * lines_of(&of, length) * one->tiles > CONSIDERED) {
		misses.count += CONSIDERED;
		misses.us += CONSIDERED * line_us(costs, &of, one, length);
		left -= CONSIDERED / (lines_of(&of, length) * one->tiles);
		length *= 2;
	}
	double rest = left * lines_of(&of, length) * one->tiles;
	misses.count += rest;
	misses.us += rest * line_us(costs, &of, one, length);
	misses.count *= one->executions;
	misses.us *= one->executions;
	return misses;
}
