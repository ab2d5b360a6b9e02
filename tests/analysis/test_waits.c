/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass finds the same late arrivals and critical path as two passes. */
#include "analysis/waits.h"

#include "analysis/critical.h"
#include "tests/profile/trace_programs.h"

struct named {
	struct traced traced;
	struct profile_naming naming;
	struct profile_view view;
};

static void open_named(struct named *named)
{
	struct profile_naming_options how = {0};
	struct profile_view_options options = {0};
	/* Two barriers: the second thread is last at 110, then the first one at 230. */
	trace_openmp(&named->traced, "both",
		"thread 0\nvisit 10 2\nattribute parallel 5\nopen 10 2\nattribute parallel 5\nattribute team-size 2\n"
		"begin 30 3\nend 72\nbegin 108 3\nend 10\nend 0\n"
		"thread 1\nopen 12 2\nattribute parallel 5\nattribute team-size 2\n"
		"begin 98 3\nend 5\nbegin 85 3\nend 45\nend 0\n");
	assert_int_equal(profile_naming_make(&named->naming, &named->traced.measurement.tree, &how), 0);
	assert_int_equal(profile_view_make(&named->view, &named->traced.measurement, &named->naming, &options), 0);
}

static void close_named(struct named *named)
{
	profile_view_free(&named->view);
	profile_naming_free(&named->naming);
	close_program(&named->traced);
}

static void expect_late(const struct heddle_late *late, const struct heddle_late *alone)
{
	assert_int_equal(late->count, alone->count);
	assert_int_equal(late->waited_ns, alone->waited_ns);
	assert_int_equal(late->elapsed_ns, alone->elapsed_ns);
	for (size_t i = 0; i < late->count; i++) {
		assert_int_equal(late->rows[i].label, alone->rows[i].label);
		assert_int_equal(late->rows[i].node, alone->rows[i].node);
		assert_int_equal(late->rows[i].waited_ns, alone->rows[i].waited_ns);
		assert_int_equal(late->rows[i].cause_count, alone->rows[i].cause_count);
		for (size_t c = 0; c < late->rows[i].cause_count; c++)
			assert_int_equal(late->rows[i].causes[c].caused_ns, alone->rows[i].causes[c].caused_ns);
	}
}

static void expect_path(const struct profile_trace_critical *path, const struct profile_trace_critical *alone)
{
	assert_int_equal(path->count, alone->count);
	assert_int_equal(path->changes, alone->changes);
	for (size_t i = 0; i < path->count; i++) {
		assert_int_equal(path->path[i].thread, alone->path[i].thread);
		assert_int_equal(path->path[i].from_ns, alone->path[i].from_ns);
	}
	assert_memory_equal(path->of_node, alone->of_node, path->node_count * sizeof(*path->of_node));
	assert_memory_equal(path->of_thread, alone->of_thread, path->thread_count * sizeof(*path->of_thread));
}

static void one_pass_finds_what_two_find(void **state)
{
	static const struct profile_trace_part parts[] = {{0, 1000}, {0, 150}, {150, 1000}};
	(void)state;
	struct named named;
	open_named(&named);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		struct heddle_waits waits;
		struct heddle_late late;
		struct profile_trace_critical critical;
		const struct profile_trace *trace = &named.traced.trace;
		assert_int_equal(heddle__waits_make(&waits, &named.view, trace, &parts[i]), 0);
		assert_int_equal(heddle__late_make(&late, &named.view, trace, &parts[i]), 0);
		assert_int_equal(profile_trace_critical_make(&critical, trace, &parts[i]), 0);
		assert_int_equal(late.count, 1);
		expect_late(&waits.late, &late);
		expect_path(&waits.critical, &critical);
		profile_trace_critical_free(&critical);
		heddle__late_free(&late);
		heddle__waits_free(&waits);
	}
	close_named(&named);
}

static void nodes_of_the_path_add_up_to_its_length(void **state)
{
	static const struct profile_trace_part whole = {0, 1000};
	(void)state;
	struct named named;
	struct heddle_waits waits;
	struct heddle_critical_rows rows;
	open_named(&named);
	assert_int_equal(heddle__waits_make(&waits, &named.view, &named.traced.trace, &whole), 0);
	assert_int_equal(waits.late.rows[0].node, named.view.of_node[NODE_BARRIER]);
	assert_int_equal(waits.late.rows[0].node_ns, waits.late.rows[0].waited_ns);
	assert_int_equal(heddle__critical_rows_make(&rows, &named.traced.trace, &waits.critical), 0);
	uint64_t *nodes = heddle__critical_nodes(&named.view, &waits.critical), sum = 0;
	assert_non_null(nodes);
	for (size_t i = 0; i < named.view.node_count; i++)
		sum += nodes[i];
	assert_int_equal(sum, rows.total);
	assert_int_equal(sum, named.traced.trace.end_ns);
	free(nodes);
	heddle__critical_rows_free(&rows);
	heddle__waits_free(&waits);
	close_named(&named);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pass_finds_what_two_find),
		cmocka_unit_test(nodes_of_the_path_add_up_to_its_length),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
