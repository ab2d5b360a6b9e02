/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The controlled logical clock, on traces of a model whose causes and effects are known. Afterwards there are no
 * violations, whatever the clocks show, and each machine's events keep their order and, where possible, their
 * distances.
 */
#include "profile/trace/trace_correct.h"
#include "tests/profile/trace_programs.h"
#include "tests/profile/upc_model.h"

#include <stdlib.h>

/* The times of the model's events in the trace, by rank and event. */
struct times {
	uint64_t of[MODEL_RANKS][MODEL_EVENTS];
};

static size_t rank_of(const struct profile_trace *trace, size_t thread)
{
	return trace->threads[thread].row->rank - 1;
}

static void read_times(struct times *times, const struct profile_trace *trace, const struct model *model)
{
	assert_int_equal(trace->thread_count, MODEL_RANKS);
	for (size_t t = 0; t < trace->thread_count; t++) {
		struct profile_trace_stream stream;
		struct profile_trace_event event;
		size_t rank = rank_of(trace, t), count = 0;
		assert_int_equal(profile_trace_stream_open(&stream, trace, t), 0);
		while (profile_trace_next(&stream, &event))
			if (event.kind == HEDDLE_TRACE_BEGIN || event.kind == HEDDLE_TRACE_END)
				times->of[rank][count++] = event.time_ns;
		profile_trace_stream_close(&stream);
		assert_int_equal(count, model->ranks[rank].count);
	}
}

/* Counts the ranks that leave a meeting before all have entered it, or acquire the lock before its release. */
static size_t count_violations(const struct times *times, const struct model *model, int with_locks)
{
	uint64_t *entered = calloc(model->meetings + 1, sizeof(*entered));
	uint64_t *released = calloc(model->owners + 1, sizeof(*released));
	size_t found = 0;
	assert_true(entered && released);
	for (size_t r = 0; r < MODEL_RANKS; r++)
		for (size_t i = 0; i < model->ranks[r].count; i++) {
			const struct model_event *event = &model->ranks[r].events[i];
			uint64_t ns = times->of[r][i];
			if (event->kind == MODEL_ENTER && ns > entered[event->number])
				entered[event->number] = ns;
			if (event->kind == MODEL_RELEASE)
				released[event->number + 1] = ns;
		}
	for (size_t r = 0; r < MODEL_RANKS; r++)
		for (size_t i = 0; i < model->ranks[r].count; i++) {
			const struct model_event *event = &model->ranks[r].events[i];
			uint64_t ns = times->of[r][i];
			found += event->kind == MODEL_LEAVE && ns < entered[event->number];
			found += with_locks && event->kind == MODEL_ACQUIRE && ns < released[event->number];
		}
	free(entered);
	free(released);
	return found;
}

static int64_t distance(const uint64_t *of, size_t event)
{
	return (int64_t)(of[event] - of[event - 1]);
}

/* Checks that no interval is negative or shortened by over a thousandth (and rounding), and no event moved back. */
static void expect_order_kept(const struct times *before, const struct times *after, const struct model *model)
{
	for (size_t r = 0; r < MODEL_RANKS; r++)
		for (size_t i = 0; i < model->ranks[r].count; i++) {
			assert_true(after->of[r][i] >= before->of[r][i]);
			if (i == 0)
				continue;
			int64_t was = distance(before->of[r], i), is = distance(after->of[r], i);
			assert_true(is >= 0);
			assert_true(is >= was - was / 1000 - 2);
		}
}

/* Events of one machine keep their order across its threads: threads are not moved against each other. */
static void expect_machines_kept(const struct times *before, const struct times *after, const struct model *model)
{
	for (size_t r = MODEL_MACHINES; r < MODEL_RANKS; r++) {
		size_t other = r - MODEL_MACHINES, j = 0;
		for (size_t i = 0; i < model->ranks[r].count; i++) {
			while (j < model->ranks[other].count && before->of[other][j] <= before->of[r][i])
				j++;
			if (j > 0)
				assert_true(after->of[other][j - 1] <= after->of[r][i]);
		}
	}
}

struct experiment {
	struct model model;
	struct times before, after;
	struct traced traced;
	struct profile_trace_correction correction;
};

static void write_rank(const struct experiment *one, const char *directory, size_t rank, int measured)
{
	struct trace_builder builder;
	char name[32], profile[4096];
	snprintf(name, sizeof(name), "%zu.heddle", rank);
	size_t length = (size_t)snprintf(
		profile, sizeof(profile), UPC_PROGRAM, (unsigned int)(100 + rank), (unsigned int)(rank + 1));
	snprintf(profile + length, sizeof(profile) - length, "process host %zu\nprocess machine x86_64\n",
		rank % MODEL_MACHINES);
	assert_int_equal(write_profile_from_text(profile, traced_path(directory, name)), 0);
	model_trace(&one->model, rank, measured, &builder);
	snprintf(name, sizeof(name), "%zu.heddle-trace", rank);
	write_trace(&builder, directory, name);
	trace_free(&builder);
}

static struct experiment *correct(const char *directory, struct experiment *one, int measured)
{
	for (size_t r = 0; r < MODEL_RANKS; r++)
		write_rank(one, directory, r, measured);
	open_program(&one->traced, directory);
	read_times(&one->before, &one->traced.trace, &one->model);
	assert_int_equal(profile_trace_correct(&one->traced.trace, &one->correction), 0);
	read_times(&one->after, &one->traced.trace, &one->model);
	return one;
}

static struct experiment *start(unsigned int seed, uint32_t meetings, int locks)
{
	struct experiment *one = calloc(1, sizeof(*one));
	assert_non_null(one);
	model_run(&one->model, seed, meetings, locks);
	return one;
}

static void finish(struct experiment *one)
{
	close_program(&one->traced);
	free(one);
}

static void expect_nothing_left(const struct experiment *one, int with_locks)
{
	struct profile_trace_violations left = profile_trace_all_violations(&one->correction.after);
	assert_int_equal(count_violations(&one->after, &one->model, with_locks), 0);
	assert_int_equal(left.violated, 0);
	expect_order_kept(&one->before, &one->after, &one->model);
	expect_machines_kept(&one->before, &one->after, &one->model);
}

static uint64_t moved(const struct experiment *one, uint64_t *largest_ns)
{
	uint64_t count = 0;
	*largest_ns = 0;
	for (size_t r = 0; r < MODEL_RANKS; r++)
		for (size_t i = 0; i < one->model.ranks[r].count; i++) {
			uint64_t ns = one->after.of[r][i] - one->before.of[r][i];
			count += ns != 0;
			*largest_ns = ns > *largest_ns ? ns : *largest_ns;
		}
	return count;
}

/* Measured offsets compensate differences and drifts of clocks, but not changes of their rates. */
static void clocks_that_change_their_rate(void **state)
{
	(void)state;
	char name[16];
	for (unsigned int seed = 1; seed <= 8; seed++) {
		struct experiment *one = start(seed, 60, 1);
		one->model.clocks[1] = (struct model_clock){5000000000, 1e-4, 15000, 2e8};
		one->model.clocks[2] = (struct model_clock){-700000000, -1e-4, 9000, 1.5e8};
		snprintf(name, sizeof(name), "rate%u", seed);
		correct(name, one, 1);
		assert_int_not_equal(count_violations(&one->before, &one->model, 1), 0);
		struct profile_trace_violations found = profile_trace_all_violations(&one->correction.before);
		assert_int_not_equal(found.violated, 0);
		expect_nothing_left(one, 1);
		uint64_t largest;
		assert_true(one->correction.moved >= moved(one, &largest));
		assert_int_equal(one->correction.largest_ns, largest);
		assert_true(largest >= found.largest_ns && largest <= found.largest_ns + 60000);
		finish(one);
	}
}

/* No offset was measured, and the clocks are far apart: barriers determine the offsets. */
static void clocks_that_are_seconds_apart(void **state)
{
	(void)state;
	char name[16];
	for (unsigned int seed = 1; seed <= 4; seed++) {
		struct experiment *one = start(seed + 100, 40, 0);
		one->model.clocks[1] = (struct model_clock){5000000000, 1e-4, 0, 0};
		one->model.clocks[2] = (struct model_clock){-700000000, -1e-4, 0, 0};
		snprintf(name, sizeof(name), "apart%u", seed);
		correct(name, one, 0);
		assert_int_not_equal(count_violations(&one->before, &one->model, 0), 0);
		expect_nothing_left(one, 0);
		assert_true(one->correction.largest_ns > 5000000000);
		finish(one);
	}
}

/* Locks are handed over in the order that the clocks show. It may be wrong, but nothing contradicts it. */
static void locks_of_clocks_that_are_far_apart(void **state)
{
	(void)state;
	char name[16];
	for (unsigned int seed = 1; seed <= 4; seed++) {
		struct experiment *one = start(seed + 200, 40, 1);
		one->model.clocks[1] = (struct model_clock){300000, 0, 0, 0};
		snprintf(name, sizeof(name), "locks%u", seed);
		correct(name, one, 0);
		assert_int_not_equal(one->correction.before.barriers.violated, 0);
		expect_order_kept(&one->before, &one->after, &one->model);
		expect_machines_kept(&one->before, &one->after, &one->model);
		finish(one);
	}
}

static void what_is_right_stays_as_it_is(void **state)
{
	(void)state;
	struct experiment *one = start(7, 60, 1);
	one->model.clocks[1] = (struct model_clock){5000000000, 1e-4, 0, 0};
	one->model.clocks[2] = (struct model_clock){-700000000, -1e-4, 0, 0};
	correct("right", one, 1);
	assert_int_equal(count_violations(&one->before, &one->model, 1), 0);
	assert_memory_equal(&one->before, &one->after, sizeof(one->before));
	assert_int_equal(one->correction.moved, 0);
	assert_int_equal(one->correction.largest_ns, 0);
	for (size_t f = 0; f < one->traced.trace.file_count; f++)
		assert_null(one->traced.trace.files[f].shifts);
	struct profile_trace_causality *found = &one->correction.before;
	assert_int_equal(found->barriers.checked + found->collectives.checked, one->model.meetings);
	assert_int_not_equal(found->barriers.checked, 0);
	assert_int_not_equal(found->collectives.checked, 0);
	assert_int_not_equal(found->locks.checked, 0);
	finish(one);
}

/* ---- the points of a machine's clock ---- */

static void a_correction_is_distributed(void **state)
{
	(void)state;
	struct profile_trace_shifts shifts = {0};
	assert_int_equal(profile_trace_shifted(&shifts, 5), 5);
	assert_int_equal(profile_trace_shift_add(&shifts, 1000000, 1000010, 0), 0);
	assert_int_equal(profile_trace_shifted(&shifts, 989000), 989000);
	assert_int_equal(profile_trace_shifted(&shifts, 995000), 995005);
	assert_int_equal(profile_trace_shifted(&shifts, 1000000), 1000010);
	assert_int_equal(profile_trace_shifted(&shifts, 1005000), 1005005);
	assert_int_equal(profile_trace_shifted(&shifts, 1010000), 1010000);
	assert_int_equal(profile_trace_shifted(&shifts, 2000000), 2000000);
	/* A cause 100 before the point is not moved. */
	assert_int_equal(profile_trace_shift_add(&shifts, 3000000, 3000010, 2999900), 0);
	assert_int_equal(profile_trace_shifted(&shifts, 2999900), 2999900);
	assert_int_equal(profile_trace_shifted(&shifts, 2999950), 2999955);
	assert_int_equal(profile_trace_shifted(&shifts, 3000000), 3000010);
	/* A second correction at the same time; and one that has no effect, because it is included already. */
	assert_int_equal(profile_trace_shift_add(&shifts, 3000000, 3000030, 2999900), 0);
	assert_int_equal(profile_trace_shifted(&shifts, 3000000), 3000030);
	size_t count = shifts.count;
	assert_int_equal(profile_trace_shift_add(&shifts, 3001000, 3001020, 0), 0);
	assert_int_equal(shifts.count, count);
	free(shifts.items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_correction_is_distributed),
		cmocka_unit_test(what_is_right_stays_as_it_is),
		cmocka_unit_test(clocks_that_change_their_rate),
		cmocka_unit_test(clocks_that_are_seconds_apart),
		cmocka_unit_test(locks_of_clocks_that_are_far_apart),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
