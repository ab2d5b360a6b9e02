/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses counted by compiled code, on the simulated machine, where time passes as the test says. Visits and bytes are
 * those of all accesses. From 10,000 timed accesses, each place's share of the time is within 2 points of its true
 * share, and of its share if each access is an event.
 */
#include "tests/support/sanitizers.h"
#include "tests/support/unit.h"

#include "core/base/settings.h"
#include "core/threads/elapsed.h"
#include "core/threads/region.h"
#include "models/upc/upc_counted.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_names.h"
#include "models/upc/upc_rows.h"
#include "tests/support/simulated.h"

/* Accesses at each place; about 10,000 of them are timed. Sanitizers need only a quarter of them to find errors. */
#define SHORTER (UNDER_ASAN || UNDER_TSAN ? 4 : 1)
#define ROUNDS (5200000u / SHORTER)
#define MOST_POINTS (0.02 * (SHORTER > 1 ? 2 : 1))
#define ERRORS 5       /* the largest error of an estimate, in standard errors */
#define ALL_FOR 50u    /* one of so many rounds is repeated with each access as an event */
#define ALL_PLACES 100 /* added to the place's number for such a round */

/* A place of the program. The first `dear` of `period` accesses take dear_ns, others ns; period 0: a random tenth. */
struct site {
	enum heddle_upc_key key;
	uint64_t ns, dear_ns;
	uint32_t period, dear;
	bool put, local;
	uint64_t place;
	struct heddle_upc_count count;
	uint64_t took, timed;
};

enum { WORK_NS = 5 };

static struct heddle_thread *self;
static const struct heddle_upc_counting *counting;
static uint64_t late; /* time that has yet to pass */
static uint64_t next_random = 1;

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

/* Reports an access as compiled code does: with `each`, as an event; otherwise as the tool requests it. */
static void report(struct site *site, uint64_t ns, bool each)
{
	const struct heddle_event *event = heddle__upc_kinds[site->key].event;
	struct heddle_upc_counted access = {
		.size = 8, .put = site->put, .local = site->local, .same_node = 1, .cycles = ns};
	pass();
	int begun = each ? 0 : counting->begin(&site->count);
	heddle__enter(self);
	heddle__region_begin(self, event, site->place);
	struct heddle_slot *slot = heddle__innermost_slot(self);
	heddle__slot_add(slot, site->put ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT, access.size);
	late = ns;
	pass();
	heddle__region_end(self, event);
	heddle__leave(self);
	if (!each)
		counting->end(&site->count, &access, begun);
	site->timed++;
}

static uint64_t cost_of(const struct site *site, uint32_t round)
{
	next_random = next_random * UINT64_C(6364136223846793005) + 1442695040888963407u;
	bool dear = site->period ? round % site->period < site->dear : (next_random >> 33) % 10 == 0;
	return dear ? site->dear_ns : site->ns;
}

static void make_access(struct site *site, uint64_t ns, bool each)
{
	site->took += ns;
	if (site->count.left > 0 && !each) {
		site->count.left--;
		late += ns;
	} else {
		report(site, ns, each);
	}
}

static void run(struct site *sites, unsigned int count, uint32_t rounds, bool each)
{
	for (uint32_t i = 0; i < rounds; i++) {
		for (unsigned int s = 0; s < count; s++)
			make_access(&sites[s], cost_of(&sites[s], i), each);
		late += WORK_NS;
	}
	pass();
	heddle__enter(self);
	heddle__upc_counted_add(self);
	heddle__leave(self);
}

static uint64_t more_of(const struct heddle_slot *slot, enum heddle_metric metric)
{
	return slot->more ? slot->more[metric - HEDDLE_METRIC_COMMON] : 0;
}

static double off(double a, double b)
{
	return a > b ? a - b : b - a;
}

static const struct heddle_slot *slot_of(const struct site *site, uint32_t parent)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__upc_kinds[site->key].event->id);
	return heddle__event_slot(self, parent, meta, site->place);
}

static void check(const struct site *site, uint64_t all)
{
	const struct heddle_slot *slot = slot_of(site, self->base);
	double measured = (double)slot->value[HEDDLE_METRIC_WALL_TIME], took = (double)site->took;
	assert_int_equal(slot->value[HEDDLE_METRIC_VISITS], ROUNDS);
	assert_int_equal(more_of(slot, site->put ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT), 8 * ROUNDS);
	assert_int_equal(
		more_of(slot, site->local ? HEDDLE_METRIC_LOCAL : HEDDLE_METRIC_SAME_NODE), ROUNDS - site->timed);
	assert_true(site->timed >= 9500 / SHORTER && site->timed < 11000 / SHORTER);
	assert_true(off(measured, took) < MOST_POINTS * (double)all);
	assert_true(off(measured, took) < ERRORS * (double)more_of(slot, HEDDLE_METRIC_ACCESS_TIME_ERROR));
}

static void count_and_check(struct site *sites, unsigned int count)
{
	uint64_t all = (uint64_t)ROUNDS * WORK_NS, before = sum_of(self, HEDDLE_METRIC_WALL_TIME);
	heddle__set_idle(self, heddle__node_slot(self, self->base));
	run(sites, count, ROUNDS, false);
	for (unsigned int s = 0; s < count; s++)
		all += sites[s].took;
	for (unsigned int s = 0; s < count; s++)
		check(&sites[s], all);
	/* Time that is moved from or to the surrounding code is neither lost nor counted twice. */
	assert_int_equal(sum_of(self, HEDDLE_METRIC_WALL_TIME) - before, all);
	heddle__set_idle(self, NULL);
}

static void shares_are_within_two_points(void **state)
{
	struct site sites[] = {
		{.key = HEDDLE_UPC_GET, .ns = 3, .dear_ns = 15, .local = true, .place = 1},
		{.key = HEDDLE_UPC_PUT, .ns = 8, .dear_ns = 40, .put = true, .local = true, .place = 2},
		{.key = HEDDLE_UPC_GET, .ns = 20, .dear_ns = 100, .place = 3},
	};
	(void)state;
	count_and_check(sites, sizeof(sites) / sizeof(*sites));
}

/* Loops whose length is the mean or greatest distance of timed accesses, close to it, or a part of it. */
static void no_loop_is_hit_in_step(void **state)
{
	static const uint32_t periods[][2] = {{512, 256}, {1023, 511}, {511, 64}, {256, 1}, {2, 1}, {1024, 3}};
	enum { SITES = sizeof(periods) / sizeof(*periods) };
	struct site sites[SITES], each[SITES];
	uint64_t all = 0, all_each = 0;
	(void)state;
	for (unsigned int s = 0; s < SITES; s++) {
		sites[s] = (struct site){.key = HEDDLE_UPC_GET, .ns = 2, .dear_ns = 40, .place = 10 + s};
		sites[s].period = periods[s][0];
		sites[s].dear = periods[s][1];
		each[s] = sites[s];
		each[s].place += ALL_PLACES;
	}
	count_and_check(sites, SITES);
	run(each, SITES, ROUNDS / ALL_FOR, true);
	for (unsigned int s = 0; s < SITES; s++) {
		all += slot_of(&sites[s], self->base)->value[HEDDLE_METRIC_WALL_TIME];
		all_each += slot_of(&each[s], self->base)->value[HEDDLE_METRIC_WALL_TIME];
	}
	for (unsigned int s = 0; s < SITES; s++) {
		double share = (double)slot_of(&sites[s], self->base)->value[HEDDLE_METRIC_WALL_TIME] / (double)all;
		double of_each =
			(double)slot_of(&each[s], self->base)->value[HEDDLE_METRIC_WALL_TIME] / (double)all_each;
		assert_true(off(share, of_each) < MOST_POINTS);
	}
}

/*
 * Two regions execute one place in turn, each for `every` accesses; in one of them, accesses take five times as long.
 */
static void alternate(uint32_t every, uint64_t place)
{
	const struct heddle_event *around = heddle__upc_kinds[HEDDLE_UPC_FORALL].event;
	struct site site = {.key = HEDDLE_UPC_GET, .place = place};
	uint64_t took[2] = {0}, visits = 0;
	uint32_t rounds = 2 * ROUNDS / (2 * every) * (2 * every);
	for (uint32_t i = 0; i < rounds; i++) {
		unsigned int in = i / every % 2;
		if (i % every == 0) {
			pass();
			heddle__enter(self);
			heddle__region_begin(self, around, place + in);
			heddle__leave(self);
		}
		site.ns = in ? 20 : 4;
		site.dear_ns = 5 * site.ns;
		uint64_t ns = cost_of(&site, i);
		make_access(&site, ns, false);
		took[in] += ns;
		late += WORK_NS;
		if (i % every != every - 1)
			continue;
		pass();
		heddle__enter(self);
		heddle__region_end(self, around);
		heddle__leave(self);
	}
	uint64_t all = (uint64_t)rounds * WORK_NS + took[0] + took[1];
	for (unsigned int in = 0; in < 2; in++) {
		uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, around->id);
		const struct heddle_slot *slot =
			slot_of(&site, heddle__event_slot(self, self->base, meta, place + in)->node);
		double away = off((double)slot->value[HEDDLE_METRIC_WALL_TIME], (double)took[in]);
		assert_true(away < MOST_POINTS * (double)all);
		assert_true(away < ERRORS * (double)more_of(slot, HEDDLE_METRIC_ACCESS_TIME_ERROR));
		visits += slot->value[HEDDLE_METRIC_VISITS];
	}
	assert_int_equal(visits, rounds);
}

static void each_path_has_its_own_time(void **state)
{
	(void)state;
	alternate(8, 200);
	alternate(512, 202);
}

/* The processor's counter is not simulated: compiled code reports ticks, which are nanoseconds here. */
static int start(void **state)
{
	static const struct heddle_upc_bridge bridge = {.version = HEDDLE_UPC_BRIDGE_VERSION, .count_accesses = keep};
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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_within_two_points),
		cmocka_unit_test(no_loop_is_hit_in_step),
		cmocka_unit_test(each_path_has_its_own_time),
	};
	return cmocka_run_group_tests(tests, start, NULL);
}
