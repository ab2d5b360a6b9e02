/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What accesses would take through the cache. Each execution of a loop opens and closes a cache and has tiles; each
 * access finds its element in a table; each different element of a tile is transferred once, in messages that all
 * elements of an owner share, or with its neighbours when it is first accessed.
 */
#include "cli/advise/advice.h"

#include <math.h>

/* Less than this part of the run is not worth a change of the program. */
#define WORTHWHILE 0.01

/* Iterations of a tile for each thread, if heddle tune is not told. */
#define TILE 16384

static double or_else(const struct heddle_network *network, const char *name, double estimate)
{
	double found = network ? heddle__network_value(network, name) : NAN;
	return isnan(found) ? estimate : found;
}

/* The mean get of one element that was measured; 0: there is none. */
static double mean_get(const struct heddle_advices *advices)
{
	double us = 0, count = 0;
	for (size_t i = 0; i < advices->count; i++) {
		us += advices->items[i].got_us;
		count += (double)advices->items[i].gets;
	}
	return count > 0 ? us / count : 0;
}

static double miss_cost(const struct heddle_network *network, double latency)
{
	double found =
		network ? heddle__network_transfer(network, "memget", HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ALL, 4096)
			: NAN;
	return isnan(found) ? 1.1 * latency : found;
}

/* Microseconds of a byte in a large transfer; without a measured one, of 500 MB/s. */
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
	struct heddle_cache_costs costs = {.estimated = isnan(latency)};
	if (costs.estimated)
		latency = mean_get(advices);
	costs.latency = latency;
	costs.first = or_else(network, "cache.first", 50 * latency);
	costs.open = or_else(network, "cache.open", 1);
	costs.download = or_else(network, "cache.download", 4 * latency);
	costs.upload = or_else(network, "cache.upload", 2 * latency);
	costs.hint = or_else(network, "cache.hint", 0.15);
	costs.hint_again = or_else(network, "cache.hint-again", 0.01);
	costs.get = or_else(network, "cache.get", 0.01);
	costs.put = or_else(network, "cache.put", 0.02);
	costs.element_got = or_else(network, "cache.element-got", 0.3);
	costs.element_put = or_else(network, "cache.element-put", 0.2);
	costs.byte = byte_cost(network);
	costs.miss = miss_cost(network, latency);
	return costs;
}

/* Of a number that sketches have, what belongs to a part of the gets. */
static double part_of(double all, uint64_t part, uint64_t whole)
{
	return whole ? all * (double)part / (double)whole : 0;
}

/* What an element takes for the bytes that it has more than 8. */
static double large_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs)
{
	return one->element_bytes > 8 ? (double)(one->element_bytes - 8) * costs->byte : 0;
}

static double hints_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs)
{
	double gets = (double)one->known_gets, elements = part_of(one->elements_got, one->known_gets, one->gets);
	if (one->known_gets == 0)
		return 0;
	return one->executions * costs->download +
	       elements * (costs->hint + costs->element_got + large_us(one, costs)) +
	       (gets > elements ? gets - elements : 0) * costs->hint_again;
}

/* Elements that are brought when first accessed; a line has many. */
static double misses_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs)
{
	uint64_t gets = one->gets - one->known_gets + one->guessed_gets;
	double elements = part_of(one->elements_got, gets, one->gets);
	double lines = gets ? one->lines : 0;
	return (elements < lines ? elements : lines) * costs->miss;
}

static double cached_us(const struct heddle_advice *one, const struct heddle_cache_costs *costs)
{
	double puts_us = one->puts ? one->executions * costs->upload +
					     one->elements_put * (costs->element_put + large_us(one, costs)) +
					     (double)one->puts * costs->put
				   : 0;
	return hints_us(one, costs) + misses_us(one, costs) + puts_us + (double)one->gets * costs->get;
}

/* Without a sketch, such as of Berkeley UPC's programs, elements are taken to be accessed once. */
static void assume_sketch(struct heddle_advice *one, unsigned threads)
{
	if (one->executions > 0)
		return;
	one->executions = threads;
	one->elements_got = (double)one->gets;
	one->elements_put = (double)one->puts;
	one->elements = one->elements_got + one->elements_put;
	one->lines = one->elements;
}

/* Tiles of an execution: their elements are brought again in each tile, and each has its own messages. */
static double tiles(const struct heddle_advice *one)
{
	double count = ceil(one->iterations / one->executions / TILE);
	return count > 1 ? count : 1;
}

static double at_most(double value, uint64_t limit)
{
	return value < (double)limit ? value : (double)limit;
}

static struct heddle_advice in_tiles(const struct heddle_advice *one)
{
	struct heddle_advice tiled = *one;
	double count = tiles(one);
	tiled.executions *= count;
	tiled.lines *= count;
	tiled.elements_got = at_most(one->elements_got * count, one->gets);
	tiled.elements_put = at_most(one->elements_put * count, one->puts);
	return tiled;
}

static void decide(
	struct heddle_advice *one, const struct heddle_advices *advices, const struct heddle_cache_costs *costs)
{
	double before = one->got_us + one->put_us;
	one->after_us = before;
	if (!one->in_loop || one->gets + one->puts == 0) {
		one->kind = HEDDLE_ADVISE_BLOCKS;
		return;
	}
	assume_sketch(one, advices->threads);
	struct heddle_advice tiled = in_tiles(one);
	double after = one->executions * costs->open + cached_us(&tiled, costs);
	if (before - after < WORTHWHILE * advices->elapsed_us)
		return;
	one->after_us = after;
	one->kind = one->known_gets ? HEDDLE_ADVISE_COALESCE : HEDDLE_ADVISE_CACHE;
}

void heddle__advices_predict(struct heddle_advices *advices, const struct heddle_cache_costs *costs)
{
	for (size_t i = 0; i < advices->count; i++) {
		struct heddle_advice *one = &advices->items[i];
		decide(one, advices, costs);
		if (one->kind == HEDDLE_ADVISE_CACHE || one->kind == HEDDLE_ADVISE_COALESCE)
			advices->first_us = costs->first * advices->threads;
	}
}

/* Threads wait for those that access more, so waiting shrinks as accesses do. */
double heddle__advices_run(const struct heddle_advices *advices)
{
	double saved = 0, waiting = advices->waiting_us;
	for (size_t i = 0; i < advices->count; i++)
		saved += advices->items[i].got_us + advices->items[i].put_us - advices->items[i].after_us;
	if (advices->access_us > 0)
		saved += waiting * (saved / advices->access_us);
	return (advices->elapsed_us - saved + advices->first_us) / advices->threads;
}
