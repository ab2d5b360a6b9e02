/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that compiled code counts, on the simulated machine, where time passes as the test says: visits and bytes
 * are those of all accesses, and each place's share of the time is within 2 points of what it took, by 10,000 timed
 * ones.
 */
#include "tests/support/unit.h"

#include "core/base/settings.h"
#include "core/threads/elapsed.h"
#include "core/threads/region.h"
#include "models/upc/upc_counted.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_names.h"
#include "models/upc/upc_rows.h"
#include "tests/support/simulated.h"

#define ROUNDS 5200000u /* by each place; about 10,000 of them are timed */
#define MOST_POINTS 0.02
#define ERRORS 5 /* standard errors that an estimate may be off */

/* A place of the program: one access in ten takes five times as long. */
struct site {
	enum heddle_upc_key key;
	uint64_t ns;
	bool put, local;
	struct heddle_upc_count count;
	uint64_t took, timed;
};

static struct site sites[] = {
	{.key = HEDDLE_UPC_GET, .ns = 3, .local = true},
	{.key = HEDDLE_UPC_PUT, .ns = 8, .put = true, .local = true},
	{.key = HEDDLE_UPC_GET, .ns = 20},
};
enum { SITES = sizeof(sites) / sizeof(*sites), WORK_NS = 5 };

static struct heddle_thread *self;
static const struct heddle_upc_counting *counting;
static uint64_t late; /* time that has yet to pass */

static void keep(const struct heddle_upc_counting *given)
{
	counting = given;
}

static void pass(void)
{
	if (late)
		simulated_sleep(late);
	late = 0;
}

/* As compiled code does it, by the region that the event would open. */
static void report(struct site *site, uint64_t ns)
{
	const struct heddle_event *event = heddle__upc_kinds[site->key].event;
	struct heddle_upc_counted access = {
		.size = 8, .put = site->put, .local = site->local, .same_node = 1, .cycles = ns};
	pass();
	int begun = counting->begin(&site->count);
	heddle__enter(self);
	heddle__region_begin(self, event, (uint64_t)(site - sites) + 1);
	struct heddle_slot *slot = heddle__innermost_slot(self);
	heddle__slot_add(slot, site->put ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT, access.size);
	late = ns;
	pass();
	heddle__region_end(self, event);
	heddle__leave(self);
	counting->end(&site->count, &access, begun);
	site->timed++;
}

static void make_access(struct site *site, uint64_t random)
{
	uint64_t ns = random % 10 ? site->ns : 5 * site->ns;
	site->took += ns;
	if (site->count.left > 0) {
		site->count.left--;
		late += ns;
	} else {
		report(site, ns);
	}
}

static uint64_t more_of(const struct heddle_slot *slot, enum heddle_metric metric)
{
	return slot->more ? slot->more[metric - HEDDLE_METRIC_COMMON] : 0;
}

static double off(double a, double b)
{
	return a > b ? a - b : b - a;
}

static void check(const struct site *site, uint64_t all)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__upc_kinds[site->key].event->id);
	const struct heddle_slot *slot = heddle__event_slot(self, self->base, meta, (uint64_t)(site - sites) + 1);
	double measured = (double)slot->value[HEDDLE_METRIC_WALL_TIME], took = (double)site->took;
	assert_int_equal(slot->value[HEDDLE_METRIC_VISITS], ROUNDS);
	assert_int_equal(more_of(slot, site->put ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT), 8 * ROUNDS);
	assert_int_equal(
		more_of(slot, site->local ? HEDDLE_METRIC_LOCAL : HEDDLE_METRIC_SAME_NODE), ROUNDS - site->timed);
	assert_true(site->timed >= 10000 && site->timed < 11000);
	assert_true(off(measured, took) < MOST_POINTS * (double)all);
	assert_true(off(measured, took) < ERRORS * (double)more_of(slot, HEDDLE_METRIC_ACCESS_TIME_ERROR));
}

static void shares_are_within_two_points(void **state)
{
	(void)state;
	uint64_t random = 1, all = (uint64_t)ROUNDS * WORK_NS, measured = 0;
	struct heddle_slot *around = heddle__node_slot(self, self->base);
	uint64_t before = sum_of(self, HEDDLE_METRIC_WALL_TIME);
	heddle__set_idle(self, around);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		for (unsigned int s = 0; s < SITES; s++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
			make_access(&sites[s], random >> 33);
		}
		late += WORK_NS;
	}
	pass();
	heddle__enter(self);
	heddle__upc_counted_add(self);
	heddle__set_idle(self, NULL);
	heddle__leave(self);
	for (unsigned int s = 0; s < SITES; s++)
		all += sites[s].took;
	for (unsigned int s = 0; s < SITES; s++)
		check(&sites[s], all);
	measured = sum_of(self, HEDDLE_METRIC_WALL_TIME) - before;
	assert_int_equal(measured, all); /* what is moved from the code around is neither lost nor made */
}

/* The processor's counter is not simulated: what compiled code reports is in ticks, here nanoseconds. */
static int start(void **state)
{
	static const struct heddle_upc_bridge bridge = {.version = 8, .count_accesses = keep};
	(void)state;
	self = be_measured();
	setenv("HEDDLE_INST_TIME", "sampled", 1);
	heddle__settings_read();
	heddle__events_give_time = true;
	assert_int_equal(heddle__events_register(heddle__upc_events, HEDDLE_UPC_KIND_COUNT), 0);
	heddle__upc_handles_start(0);
	heddle__upc_select(true);
	heddle__upc_rows_choose();
	heddle__clock_is_tsc = true;
	heddle__upc_counted_start();
	heddle__clock_is_tsc = false;
	heddle__upc_counted_ask(&bridge);
	return counting ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_within_two_points)};
	return cmocka_run_group_tests(tests, start, NULL);
}
