/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predicts the time of accesses through the cache. Each execution of a loop opens and closes a cache, and has tiles.
 * Each access finds its element in a table. Each different element of a tile is transferred once: in messages that all
 * elements of an owner share, or with its neighbours when it is first accessed.
 */
#include "tune/advise/advice.h"
#include "tune/advise/miss_costs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A saving of less than this part of the run is not worth a change of the program. */
#define WORTHWHILE 0.01

/* Iterations of a tile for each thread, unless heddle tune is given another number. */
#define TILE 16384

/* Time of an access before and after its measured time: its events, and data that was evicted from processor caches. */
#define EVENTS_US 0.15
#define EVENTS_PART 0.006

static double or_else(const struct heddle_network *network, const char *name, double estimate)
{
	double found = network ? heddle__network_value(network, name) : NAN;
	return isnan(found) ? estimate : found;
}

/* The mean measured time of a get of one element; 0: none was measured. */
static double mean_get(const struct heddle_advices *advices)
{
	double us = 0, count = 0;
	for (size_t i = 0; i < advices->count; i++) {
		us += advices->items[i].got_us;
		count += (double)advices->items[i].gets;
	}
	return count > 0 ? us / count : 0;
}

/* Microseconds per byte of a large transfer; if none was measured, of 500 MB/s. */
static double byte_cost(const struct heddle_network *network)
{
	double sizes[] = {32768, 262144}, times[2];
	for (int i = 0; i < 2; i++)
		times[i] = network ? heddle__network_transfer(
					     network, "memget", HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ALL, sizes[i])
				   : NAN;
	double cost = (times[1] - times[0]) / (sizes[1] - sizes[0]);
	return cost > 0 ? cost : 0.002;
}

struct heddle_cache_costs heddle__cache_costs(
	const struct heddle_network *network, const struct heddle_advices *advices)
{
	double latency =
		network ? heddle__network_access(network, "get", HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ALL, 8) : NAN;
	struct heddle_cache_costs costs = {.network = network, .estimated = isnan(latency)};
	if (costs.estimated)
		latency = mean_get(advices);
	costs.latency = latency;
	costs.first = or_else(network, "cache.first", 50 * latency);
	costs.get_again = or_else(network, "cache.get-again", 0.02);
	costs.put_again = or_else(network, "cache.put-again", 0.02);
	costs.iteration = or_else(network, "cache.iteration", 0.03);
	costs.local = or_else(network, "cache.local", 0.02);
	costs.byte = byte_cost(network);
	return costs;
}

/* ---- tiles ---- */

static const char *const bounds[HEDDLE_BOUNDS] = {"", "-low", "-high"};

/*
 * Microseconds of a tile with that many different elements, on each thread: in "loop-got" the tile opens the cache, in
 * "tile-got" the cache is open; similarly with "put". Measured, or estimated from the latency.
 */
static double tile_us(
	const struct heddle_cache_costs *costs, const char *phase, enum heddle_bound bound, double elements)
{
	static const double parts[HEDDLE_BOUNDS] = {1, 0.5, 2};
	char name[32];
	snprintf(name, sizeof name, "%s%s", phase, bounds[bound]);
	double found = costs->network ? heddle__network_transfer(
						costs->network, name, HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ALL, elements)
				      : NAN;
	return isnan(found) ? parts[bound] * (6 * costs->latency + 0.3 * elements) : found;
}

/* The time of all tiles of all executions, with ELEMENTS different elements in all. */
static double tiles_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs, bool puts,
	enum heddle_bound bound, double elements)
{
	double further = one->tiles - 1, each = elements / one->executions / one->tiles;
	return one->executions * (tile_us(costs, puts ? "loop-put" : "loop-got", bound, each) +
					 further * tile_us(costs, puts ? "tile-put" : "tile-got", bound, each));
}

/* Returns the share of a sketch's number that belongs to a part of the gets. */
static double part_of(double all, uint64_t part, uint64_t whole)
{
	return whole ? all * (double)part / (double)whole : 0;
}

/* The time of an element for its bytes beyond 8. */
static double large_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs)
{
	return one->element_bytes > 8 ? (double)(one->element_bytes - 8) * costs->byte : 0;
}

/* The time of accesses to elements that were accessed before. */
static double again_us(uint64_t accesses, double elements, double cost)
{
	return (double)accesses > elements ? ((double)accesses - elements) * cost : 0;
}

/* The time of gets of elements with hints; each further access to an element is a further hint, too. */
static double hints_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs, enum heddle_bound bound)
{
	double elements = part_of(one->elements_got, one->known_gets, one->gets);
	if (one->known_gets == 0)
		return 0;
	return tiles_us(one, costs, false, bound, elements) + elements * large_us(one, costs) +
	       again_us(one->known_gets, elements, 2 * costs->get_again);
}

/* The time of elements that are brought when first accessed; each miss brings a line of several elements. */
static double misses_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs, unsigned threads)
{
	uint64_t gets = one->gets - one->known_gets + one->guessed_gets;
	double elements = part_of(one->elements_got, gets, one->gets);
	struct heddle_misses misses = {0};
	if (gets)
		misses = heddle__predict_misses(one, costs, elements, threads);
	return misses.us + again_us(one->gets - one->known_gets, misses.count, costs->get_again);
}

static double puts_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs, enum heddle_bound bound)
{
	if (one->puts == 0)
		return 0;
	return tiles_us(one, costs, true, bound, one->elements_put) + one->elements_put * large_us(one, costs) +
	       again_us(one->puts, one->elements_put, costs->put_again);
}

static double remote_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs, unsigned threads,
	enum heddle_bound bound)
{
	return hints_us(one, costs, bound) + misses_us(one, costs, threads) + puts_us(one, costs, bound);
}

/* Without a sketch, as for programs of Berkeley UPC, assumes that each element is accessed once, far from others. */
static void assume_sketch(struct heddle_advice *one, unsigned threads)
{
	if (one->executions > 0)
		return;
	one->executions = threads;
	one->elements_got = (double)one->gets;
	one->elements_put = (double)one->puts;
	one->elements = one->elements_got + one->elements_put;
	one->lines = one->elements;
	one->runs = 2 * one->elements; /* more than lines: in no order */
}

static bool same_loop(const struct heddle_advice *a, const struct heddle_advice *b)
{
	return a->in_loop && b->in_loop && a->line == b->line && strcmp(a->file, b->file) == 0;
}

static double events_us(const struct heddle_advice *one)
{
	double each = EVENTS_US * (double)(one->gets + one->puts), part = EVENTS_PART * (one->got_us + one->put_us);
	return each > part ? each : part;
}

/* Computes the loop's time without measured accesses and their events. */
static void find_own(struct heddle_advices *advices, struct heddle_advice *loop)
{
	double own = loop->loop_us;
	for (size_t i = 0; i < advices->count; i++) {
		const struct heddle_advice *one = &advices->items[i];
		if (same_loop(one, loop))
			own -= one->got_us + one->put_us + one->others_us + events_us(one);
	}
	loop->own_us = own > 0 ? own : 0;
}

/* The iterations of all threads in all executions: those with remote accesses, or one for each element of the array. */
static double iterations(const struct heddle_advice *one, unsigned threads)
{
	double all = one->array_elements / threads * one->executions;
	return one->iterations > all ? one->iterations : all;
}

/* The time of iterations, and of the search for elements that are the thread's own. */
static double local_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs, unsigned threads)
{
	double count = iterations(one, threads);
	double local = count * one->occurrences - (double)(one->gets + one->puts);
	return count * costs->iteration + (local > 0 ? local * costs->local : 0);
}

static double at_most(double value, uint64_t limit)
{
	return value < (double)limit ? value : (double)limit;
}

/* Divides the loop into tiles: an execution's elements are brought again in each tile, in separate messages. */
static void make_tiles(struct heddle_advice *one, unsigned threads)
{
	double count = ceil(iterations(one, threads) / one->executions / TILE);
	one->tiles = count > 1 ? count : 1;
}

static struct heddle_advice in_tiles(const struct heddle_advice *one)
{
	struct heddle_advice tiled = *one;
	tiled.lines *= one->tiles;
	tiled.elements_got = at_most(one->elements_got * one->tiles, one->gets);
	tiled.elements_put = at_most(one->elements_put * one->tiles, one->puts);
	return tiled;
}

static void decide(
	struct heddle_advice *one, const struct heddle_advices *advices, const struct heddle_cache_costs *costs)
{
	double before = one->got_us + one->put_us;
	for (int bound = 0; bound < HEDDLE_BOUNDS; bound++)
		one->after_us[bound] = before;
	if (!one->in_loop || one->gets + one->puts == 0) {
		one->kind = HEDDLE_ADVISE_BLOCKS;
		return;
	}
	assume_sketch(one, advices->threads);
	make_tiles(one, advices->threads);
	struct heddle_advice tiled = in_tiles(one);
	double local = local_us(one, costs, advices->threads);
	if (before - local - remote_us(&tiled, costs, advices->threads, HEDDLE_TYPICAL) <
		WORTHWHILE * advices->elapsed_us)
		return;
	for (int bound = 0; bound < HEDDLE_BOUNDS; bound++)
		one->after_us[bound] = local + remote_us(&tiled, costs, advices->threads, (enum heddle_bound)bound);
	one->kind = one->known_gets ? HEDDLE_ADVISE_COALESCE : HEDDLE_ADVISE_CACHE;
}

bool heddle__advice_is_advised(const struct heddle_advice *advice)
{
	return advice->kind == HEDDLE_ADVISE_CACHE || advice->kind == HEDDLE_ADVISE_COALESCE;
}

void heddle__advices_predict(struct heddle_advices *advices, const struct heddle_cache_costs *costs)
{
	for (size_t i = 0; i < advices->count; i++) {
		struct heddle_advice *one = &advices->items[i];
		find_own(advices, one);
		decide(one, advices, costs);
		if (heddle__advice_is_advised(one))
			advices->first_us = costs->first * advices->threads;
	}
}

double heddle__advices_loop(
	const struct heddle_advices *advices, const struct heddle_advice *loop, enum heddle_bound bound)
{
	double us = loop->own_us;
	for (size_t i = 0; i < advices->count; i++) {
		const struct heddle_advice *one = &advices->items[i];
		double before = one->got_us + one->put_us;
		if (!same_loop(one, loop))
			continue;
		us += one->others_us +
		      (heddle__advice_is_advised(one) ? one->after_us[bound] : before + events_us(one));
	}
	return us;
}

/* Threads wait for those with more accesses, so waiting is reduced in proportion to accesses. */
double heddle__advices_run(const struct heddle_advices *advices)
{
	double saved = 0, waiting = advices->waiting_us;
	for (size_t i = 0; i < advices->count; i++)
		saved += advices->items[i].got_us + advices->items[i].put_us -
			 advices->items[i].after_us[HEDDLE_TYPICAL];
	if (advices->access_us > 0)
		saved += waiting * (saved / advices->access_us);
	return (advices->elapsed_us - saved + advices->first_us) / advices->threads;
}
