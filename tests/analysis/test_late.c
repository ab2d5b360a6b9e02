/* SPDX-License-Identifier: BSD-3-Clause */
/* Late arrivals by function or region: which rows there are, and in what order. */
#include "analysis/late.h"
#include "tests/profile/trace_programs.h"

struct named {
	struct traced traced;
	struct profile_naming naming;
	struct profile_view view;
};

static void open_named(struct named *named, const char *directory, const char *records)
{
	struct profile_naming_options how = {0};
	struct profile_view_options options = {0};
	trace_openmp(&named->traced, directory, records);
	assert_int_equal(profile_naming_make(&named->naming, &named->traced.measurement.tree, &how), 0);
	assert_int_equal(profile_view_make(&named->view, &named->traced.measurement, &named->naming, &options), 0);
}

static void close_named(struct named *named)
{
	profile_view_free(&named->view);
	profile_naming_free(&named->naming);
	close_program(&named->traced);
}

static void causes_come_in_the_order_of_their_cost(void **state)
{
	(void)state;
	struct named named;
	struct heddle_late late;
	struct profile_trace_part whole = {0, 1000};
	/* Arrivals at 40, 110 and 60; at the second barrier at 200, 200 and 230. */
	open_named(&named, "rows",
		"thread 0\nvisit 10 2\nattribute parallel 5\nopen 10 2\nattribute parallel 5\nattribute team-size 3\n"
		"begin 30 3\nend 72\nbegin 88 3\nend 32\nend 0\n"
		"thread 1\nopen 12 2\nattribute parallel 5\nattribute team-size 3\n"
		"begin 98 3\nend 5\nbegin 85 3\nend 40\nend 0\n"
		"thread 2\nopen 12 2\nattribute parallel 5\nattribute team-size 3\n"
		"begin 48 3\nend 53\nbegin 117 3\nend 3\nend 0\n");
	assert_int_equal(heddle__late_make(&late, &named.view, &named.traced.trace, &whole), 0);
	assert_int_equal(late.count, 1);
	assert_int_equal(late.waited_ns, 180);
	assert_int_equal(late.elapsed_ns, 3 * 1000);
	const struct heddle_late_row *row = &late.rows[0];
	assert_int_equal(row->label, named.view.label_of[named.view.of_node[NODE_BARRIER]]);
	assert_int_equal(row->count, 2);
	assert_int_equal(row->longest_ns, 70);
	assert_int_equal(row->longest_by, 1);
	assert_int_equal(row->cause_count, 2); /* thread 0 was never the last one */
	assert_int_equal(row->causes[0].thread, 1);
	assert_int_equal(row->causes[0].caused_ns, 120);
	assert_int_equal(row->causes[1].thread, 2);
	assert_int_equal(row->causes[1].last, 1);
	assert_ptr_equal(heddle__late_longest(&late), row);
	heddle__late_free(&late);
	close_named(&named);
}

static void kinds_come_in_the_order_of_their_waiting(void **state)
{
	(void)state;
	struct named named;
	struct heddle_late late;
	struct profile_trace_part whole = {0, 1000};
	struct profile_trace_lateness items[] = {
		{.node = NODE_BARRIER, .kind = HEDDLE_WAIT_BARRIER, .waited_ns = 2, .count = 1},
		{.node = NODE_BARRIER, .kind = HEDDLE_WAIT_MUTUAL, .waited_ns = 50, .count = 1},
		{.node = NODE_BARRIER, .kind = HEDDLE_WAIT_SENDER, .waited_ns = 90, .count = 1},
		{.node = NODE_BARRIER, .kind = HEDDLE_WAIT_RECEIVER, .waited_ns = 50, .count = 1},
	};
	struct profile_trace_late waits = {.items = items, .count = sizeof(items) / sizeof(*items)};
	open_named(&named, "kinds", "thread 0\nvisit 10 2\nattribute parallel 5\n");
	assert_int_equal(heddle__late_of(&late, &named.view, &named.traced.trace, &whole, &waits), 0);
	assert_int_equal(late.kind_count, 4);
	assert_int_equal(late.kinds[0], HEDDLE_WAIT_SENDER);
	assert_int_equal(late.kinds[1], HEDDLE_WAIT_MUTUAL);
	assert_int_equal(late.kinds[2], HEDDLE_WAIT_RECEIVER);
	assert_int_equal(late.kinds[3], HEDDLE_WAIT_BARRIER);
	heddle__late_free(&late);
	close_named(&named);
}

static void a_run_without_barriers_has_no_rows(void **state)
{
	(void)state;
	struct named named;
	struct heddle_late late;
	struct profile_trace_part whole = {0, 1000};
	open_named(&named, "none", "thread 0\nvisit 10 2\nattribute parallel 5\n");
	assert_int_equal(heddle__late_make(&late, &named.view, &named.traced.trace, &whole), 0);
	assert_int_equal(late.count, 0);
	assert_null(heddle__late_longest(&late));
	heddle__late_free(&late);
	close_named(&named);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(causes_come_in_the_order_of_their_cost),
		cmocka_unit_test(kinds_come_in_the_order_of_their_waiting),
		cmocka_unit_test(a_run_without_barriers_has_no_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
