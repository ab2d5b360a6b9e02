/* SPDX-License-Identifier: BSD-3-Clause */
/* Efficiency of runs whose useful time is known. */
#include "analysis/efficiency.h"
#include "tests/profile/trace_samples.h"

#define HEAD                                                                              \
	"process program /opt/cg\nprocess start_unix_ns 1000\nprocess duration_ns 1000\n" \
	"event 2 upc 4 GASP_UPC_BARRIER barrier\n"                                        \
	"string main\nnode 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0\nnode 1 REGION 2 0 0\n"

static bool read_efficiency(struct heddle_efficiency *efficiency, const char *name, const char *threads)
{
	struct profile_measurement measurement;
	char text[4096];
	snprintf(text, sizeof(text), "%s%s", HEAD, threads);
	assert_int_equal(write_profile_from_text(text, traced_path(name, "a.heddle")), 0);
	open_traced(&measurement, name);
	bool known = heddle__efficiency_make(efficiency, &measurement);
	profile_measurement_close(&measurement);
	return known;
}

static void waiting_is_not_useful(void **state)
{
	(void)state;
	struct heddle_efficiency efficiency;
	assert_true(read_efficiency(&efficiency, "uneven",
		"thread 0 -1 main\nthread-field rank 1\nvalue cpu-time 1 300\nvalue cpu-time 2 600\n"
		"thread 1 -1 thread\nthread-field rank 2\nvalue cpu-time 1 900\n"));
	assert_int_equal(efficiency.threads, 2);
	assert_int_equal(efficiency.elapsed_ns, 1000);
	assert_int_equal(efficiency.useful_ns, 1200);
	assert_int_equal(efficiency.most_useful_ns, 900);
	assert_float_equal(efficiency.load_balance, 600. / 900, 1e-9);
	assert_float_equal(efficiency.communication, 0.9, 1e-9);
	assert_float_equal(efficiency.parallel, 0.6, 1e-9);
}

static void without_samples_elapsed_time_counts(void **state)
{
	(void)state;
	struct heddle_efficiency efficiency;
	assert_true(read_efficiency(&efficiency, "events",
		"thread 0 -1 main\nthread-field rank 1\nvalue wall-time 1 500\nvalue wall-time 2 500\n"
		"thread 1 -1 thread\nthread-field rank 2\nvalue wall-time 1 500\nvalue wall-time 2 500\n"));
	assert_float_equal(efficiency.load_balance, 1, 1e-9);
	assert_float_equal(efficiency.parallel, 0.5, 1e-9);
}

static void programs_without_teams_and_ranks_have_none(void **state)
{
	(void)state;
	struct heddle_efficiency efficiency;
	assert_false(read_efficiency(&efficiency, "serial", "thread 0 -1 main\nvalue cpu-time 1 900\n"));
	assert_false(
		read_efficiency(&efficiency, "idle", "thread 0 -1 main\nthread-field rank 1\nvalue cpu-time 2 900\n"));
}

/* A row may be the sum of successive threads: it has no efficiency. */
static void threads_one_after_the_other_are_left_alone(void **state)
{
	(void)state;
	struct heddle_efficiency efficiency;
	assert_false(read_efficiency(&efficiency, "successors",
		"thread 0 -1 main\nthread-field rank 1\nthread-field threads 9\nvalue cpu-time 1 1500\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_is_not_useful),
		cmocka_unit_test(without_samples_elapsed_time_counts),
		cmocka_unit_test(programs_without_teams_and_ranks_have_none),
		cmocka_unit_test(threads_one_after_the_other_are_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
