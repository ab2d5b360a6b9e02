/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading directories: threads and processes are merged; states; broken files among good ones. */
#include "profile/base/errors.h"
#include "profile/file/measurement.h"
#include "profile/view/view.h"
#include "tests/profile/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* The paths of SAMPLE in another order, with other ids of modules and events. */
#define OTHER_PROCESS                                             \
	"process program /opt/cg/cg\nprocess pid 101\n"           \
	"event 44 openmp 1 ompt_callback_parallel omp parallel\n" \
	"module 3 1 - /nowhere/cg\n"                              \
	"node 0 ROOT 0 0 0\n"                                     \
	"node 0 FRAME 0 3 1000\n"                                 \
	"node 1 FRAME 0 3 9999\n"                                 \
	"node 1 REGION 44 3 1010\n"                               \
	"node 3 FRAME 0 3 2000\n"                                 \
	"thread 0 0 main\n"                                       \
	"value samples 2 3\nvalue samples 4 1000\n"

static char directory[600];

static void start_directory(const char *name)
{
	snprintf(directory, sizeof(directory), "%s", scratch(name));
	mkdir(directory, 0777);
}

static void add_file(const char *name, const char *text)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_int_equal(write_profile_from_text(text, path), 0);
}

static void open_it(struct profile_measurement *measurement, size_t workers)
{
	struct profile_load_options options = {.workers = workers, .keep_threads = true};
	assert_int_equal(profile_measurement_open(measurement, directory, &options, NULL), 0);
}

static void threads_of_a_process_share_its_tree(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	start_directory("one");
	add_file("a.heddle", SAMPLE);
	open_it(&measurement, 1);
	assert_int_equal(profile_measurement_total(&measurement, HEDDLE_METRIC_SAMPLES), 351);
	assert_int_equal(measurement.processes[0].info->samples_taken, 351);
	assert_int_equal(measurement.tree.values[HEDDLE_METRIC_SAMPLES][3], 300);
	assert_int_equal(profile_measurement_total(&measurement, HEDDLE_METRIC_VISITS), 5);
	assert_int_equal(profile_measurement_total(&measurement, HEDDLE_METRIC_CPU_TIME), 0);
	profile_measurement_close(&measurement);
}

static void a_value_counts_as_the_nearest_state_through_runtime_frames_only(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	start_directory("states");
	add_file("a.heddle", SAMPLE);
	open_it(&measurement, 1);
	const uint64_t *main_thread = measurement.processes[0].threads[0].values[HEDDLE_METRIC_SAMPLES];
	const uint64_t *worker = measurement.processes[0].threads[1].values[HEDDLE_METRIC_SAMPLES];
	assert_int_equal(main_thread[HEDDLE_STATE_WORK], 131);
	assert_int_equal(main_thread[HEDDLE_STATE_BARRIER_WAIT], 7);
	assert_int_equal(worker[HEDDLE_STATE_WORK], 200);
	assert_int_equal(worker[HEDDLE_STATE_IDLE], 11);
	assert_int_equal(worker[HEDDLE_STATE_HEDDLE], 2);
	profile_measurement_close(&measurement);
}

static void processes_are_merged_by_path_whatever_their_numbers(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	start_directory("two");
	add_file("a.heddle", SAMPLE);
	add_file("b.heddle", OTHER_PROCESS);
	for (size_t workers = 1; workers <= 4; workers++) {
		open_it(&measurement, workers);
		uint64_t kernel = 0;
		for (size_t i = 0; i < measurement.tree.node_count; i++)
			if (HEDDLE_PLACE_OFFSET(measurement.tree.nodes[i].place) == 0x2000)
				kernel += measurement.tree.values[HEDDLE_METRIC_SAMPLES][i] == 1300;
		assert_int_equal(kernel, 1);
		assert_int_equal(measurement.tree.node_count, 11);
		assert_int_equal(profile_measurement_total(&measurement, HEDDLE_METRIC_SAMPLES), 1354);
		profile_measurement_close(&measurement);
	}
}

/* What views ask for each of many threads is known of their process. */
static void a_process_knows_whether_its_threads_have_numbers_and_one_rank(void **state)
{
	(void)state;
	static const char head[] =
		"process pid 100\nmodule 3 1 - /nowhere/cg\nnode 0 ROOT 0 0 0\nnode 0 FRAME 0 3 1000\n";
	static const struct {
		const char *threads;
		uint32_t only_rank;
		bool has_workers, second_helps;
	} cases[] = {
		{"thread 0 -1 main\nthread 1 -1 other\n", 0, false, false},
		{"thread 0 -1 main\nthread-field rank 3\nthread 1 -1 other\n", 3, true, true},
		{"thread 0 -1 main\nthread-field rank 3\nthread 1 1 openmp worker\n", 3, true, false},
		{"thread 0 -1 main\nthread-field rank 3\nthread 1 -1 other\nthread-field rank 4\n"
		 "thread 2 -1 other\nthread-field rank 4\n",
			0, true, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct profile_measurement measurement;
		char name[16], text[512];
		snprintf(name, sizeof(name), "ranks%zu", i);
		snprintf(text, sizeof(text), "%s%s", head, cases[i].threads);
		start_directory(name);
		add_file("a.heddle", text);
		open_it(&measurement, 1);
		const struct profile_process *process = &measurement.processes[0];
		assert_int_equal(process->only_rank, cases[i].only_rank);
		assert_int_equal(process->has_workers, cases[i].has_workers);
		assert_int_equal(profile_thread_is_helper(process, &process->threads[1]), cases[i].second_helps);
		profile_measurement_close(&measurement);
	}
}

static int add_up(void *context, const struct profile_thread_values *values)
{
	uint64_t *sums = context;
	for (size_t i = 0; i < values->count; i++)
		sums[values->nodes[i]] += values->values[i];
	sums[15]++;
	return 0;
}

static void threads_one_by_one_add_up_to_the_merged_tree(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	for (size_t workers = 1; workers <= 3; workers++) {
		uint64_t sums[16] = {0};
		snprintf(directory, sizeof(directory), "%s", scratch("two"));
		open_it(&measurement, workers);
		assert_int_equal(profile_measurement_threads(&measurement, HEDDLE_METRIC_SAMPLES, add_up, sums), 0);
		assert_int_equal(sums[15], 3);
		assert_memory_equal(sums, measurement.tree.values[HEDDLE_METRIC_SAMPLES],
			measurement.tree.node_count * sizeof(*sums));
		profile_measurement_close(&measurement);
	}
}

static void a_broken_file_among_good_ones_is_left_out(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	start_directory("broken");
	add_file("a.heddle", SAMPLE);
	add_file("b.heddle", SAMPLE "no-end\n");
	add_file("c.heddle", SAMPLE "value samples 900 1\n");
	add_file(".d.heddle", SAMPLE);
	add_file("e.heddle.tmp", SAMPLE);
	open_it(&measurement, 2);
	assert_int_equal(measurement.process_count, 3);
	assert_int_equal(measurement.broken_count, 2);
	assert_int_equal(measurement.processes[1].error, -HEDDLE_TRUNCATED);
	assert_int_equal(measurement.processes[2].error, -HEDDLE_INCONSISTENT);
	assert_int_equal(profile_measurement_total(&measurement, HEDDLE_METRIC_SAMPLES), 351);
	profile_measurement_close(&measurement);
}

static void only_broken_files_are_an_error_that_names_the_first(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_load_options options = {0};
	char *bad = NULL;
	start_directory("allbroken");
	add_file("a.heddle", SAMPLE "no-end\n");
	assert_int_equal(profile_measurement_open(&measurement, directory, &options, &bad), -HEDDLE_TRUNCATED);
	assert_non_null(bad);
	assert_non_null(strstr(bad, "/allbroken/a.heddle"));
	free(bad);
}

static void a_directory_without_profiles_is_called_empty(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_load_options options = {0};
	start_directory("empty");
	assert_int_equal(profile_measurement_open(&measurement, directory, &options, NULL), -HEDDLE_EMPTY);
	assert_int_equal(profile_measurement_open(&measurement, scratch("nothing"), &options, NULL), -ENOENT);
}

/* The paths of SAMPLE_EVENTS, with strings and events in another order, and another function. */
#define OTHER_EVENTS                                    \
	"process program /opt/cg/cg\nprocess pid 201\n" \
	"event 7 upc 4 GASP_UPC_BARRIER barrier\n"      \
	"event 8 upc 8 GASP_UPC_GET get\n"              \
	"string step=%d\nstring rough\nstring step\n"   \
	"string /home/you/get.upc\n"                    \
	"module 4 1 - /nowhere/cg\n"                    \
	"node 0 ROOT 0 0 0\nnode 0 FRAME 0 4 1000\n"    \
	"node 1 PHASE 0 0 2\nnode 2 FUNCTION 0 0 1\n"   \
	"source 1 8 3 57\n"                             \
	"thread 0 -1 main\nthread-field rank 3\n"       \
	"value wall-time 4 1000\nvalue bytes-got 4 1\n" \
	"distribution 2 1 1 1 100 100 100\n"            \
	"distribution 4 0 0 1 16 16 16 0 0 0 0 0 1\n"

static void open_events(struct profile_measurement *measurement, size_t workers)
{
	start_directory("events");
	add_file("a.heddle", SAMPLE_EVENTS);
	add_file("b.heddle", OTHER_EVENTS);
	open_it(measurement, workers);
}

static const struct profile_distribution *distribution_of(
	const struct profile_measurement *measurement, const char *text, uint32_t argument)
{
	const struct profile_distributions *set = &measurement->tree.distributions;
	for (size_t i = 0; i < set->count; i++) {
		const struct profile_distribution *one = &set->items[i];
		const char *own = one->text ? measurement->tree.strings[one->text - 1] : "";
		if (one->argument == argument && strcmp(own, text) == 0)
			return one;
	}
	return NULL;
}

static void distributions_are_merged_over_threads_and_processes(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	for (size_t workers = 1; workers <= 3; workers++) {
		open_events(&measurement, workers);
		assert_int_equal(measurement.tree.distributions.count, 2);
		const struct profile_distribution *steps = distribution_of(&measurement, "step=%d", 1);
		assert_int_equal(steps->count, 8);
		assert_true(steps->minimum == -4 && steps->maximum == 100 && steps->sum == 123.5);
		assert_null(steps->buckets);
		const struct profile_distribution *sizes = distribution_of(&measurement, "", 0);
		assert_int_equal(sizes->count, 12);
		assert_true(sizes->minimum == 0 && sizes->maximum == 500 && sizes->sum == 1016);
		assert_int_equal(sizes->buckets[0], 1);
		assert_int_equal(sizes->buckets[4], 6);
		assert_int_equal(sizes->buckets[5], 1);
		assert_int_equal(sizes->buckets[9], 4);
		profile_measurement_close(&measurement);
	}
}

static void what_is_held_comes_of_all_threads_together(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	start_directory("held");
	add_file("a.heddle", SAMPLE_EVENTS "value bytes-allocated 1 5\n");
	open_it(&measurement, 1);
	assert_int_equal(measurement.tree.values[HEDDLE_METRIC_HELD][8], 0);
	assert_int_equal(profile_measurement_total(&measurement, HEDDLE_METRIC_HELD), 5);
	assert_int_equal(profile_measurement_threads(&measurement, HEDDLE_METRIC_HELD, NULL, NULL), -EINVAL);
	profile_measurement_close(&measurement);
}

static int add_all(void *context, const struct profile_thread_values *values)
{
	uint64_t *sum = context;
	for (size_t i = 0; i < values->count; i++)
		*sum += values->values[i];
	return 0;
}

static void waiting_is_the_time_of_regions_that_wait(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	open_events(&measurement, 2);
	uint64_t sum = 0;
	const struct profile_thread *threads = measurement.processes[0].threads;
	assert_int_equal(profile_measurement_total(&measurement, HEDDLE_METRIC_WAITING), 100);
	assert_int_equal(profile_thread_value(&threads[0], HEDDLE_METRIC_WAITING, HEDDLE_STATE_BARRIER_WAIT), 70);
	assert_int_equal(profile_thread_total(&threads[1], HEDDLE_METRIC_WAITING), 30);
	assert_int_equal(profile_measurement_threads(&measurement, HEDDLE_METRIC_WAITING, add_all, &sum), 0);
	assert_int_equal(sum, 100);
	profile_measurement_close(&measurement);
}

static void frames_below_communication_communicate(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	open_events(&measurement, 1);
	const struct profile_thread *first = &measurement.processes[0].threads[0];
	assert_int_equal(profile_thread_value(first, HEDDLE_METRIC_WALL_TIME, HEDDLE_STATE_COMMUNICATION), 540);
	assert_int_equal(profile_thread_value(first, HEDDLE_METRIC_WALL_TIME, HEDDLE_STATE_WORK), 0);
	assert_int_equal(first->rank, 1);
	assert_int_equal(measurement.processes[1].threads[0].rank, 3);
	profile_measurement_close(&measurement);
}

/* ---- the user's view ---- */

static void view_of(const char *text, struct profile_measurement *measurement, struct profile_naming *naming,
	struct profile_view *view, bool runtime_frames)
{
	struct profile_naming_options names = {.runtime_frames = runtime_frames};
	struct profile_view_options options = {.runtime_frames = runtime_frames};
	start_directory("view");
	add_file("a.heddle", text);
	open_it(measurement, 1);
	assert_int_equal(profile_naming_make(naming, &measurement->tree, &names), 0);
	assert_int_equal(profile_view_make(view, measurement, naming, &options), 0);
}

static void close_view(
	struct profile_measurement *measurement, struct profile_naming *naming, struct profile_view *view)
{
	profile_view_free(view);
	profile_naming_free(naming);
	profile_measurement_close(measurement);
}

static const char *text_of(const struct profile_view *view, uint32_t node)
{
	return view->labels[view->label_of[node]].text;
}

static void runtime_frames_give_their_values_and_children_to_their_parents(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	view_of(SAMPLE, &measurement, &naming, &view, false);
	uint32_t barrier = view.of_node[6];
	assert_string_equal(text_of(&view, 0), "cg");
	assert_string_equal(text_of(&view, view.of_node[1]), "cg+0x1000");
	assert_string_equal(text_of(&view, view.of_node[2]), "omp parallel @cg+0x1010");
	assert_string_equal(text_of(&view, barrier), "omp barrier @cg+0x1020");
	assert_int_equal(view.parents[barrier], view.of_node[2]);
	assert_string_equal(text_of(&view, view.of_node[7]), "[omp idle]");
	assert_int_equal(view.parents[view.of_node[7]], view.of_node[2]);
	assert_string_equal(text_of(&view, view.of_node[8]), "phase set up");
	assert_int_equal(view.values[HEDDLE_METRIC_SAMPLES][barrier], 7);
	close_view(&measurement, &naming, &view);
}

static void runtime_frames_are_there_on_request(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	view_of(SAMPLE, &measurement, &naming, &view, true);
	assert_string_equal(text_of(&view, view.of_node[4]), "libomp.so.5+0x500");
	assert_int_equal(view.parents[view.of_node[7]], view.of_node[4]);
	close_view(&measurement, &naming, &view);
}

static void inclusive_sums_count_everything_once(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	view_of(SAMPLE, &measurement, &naming, &view, false);
	uint64_t *sums = profile_view_inclusive(&view, HEDDLE_METRIC_SAMPLES);
	assert_int_equal(sums[0], 351);
	assert_int_equal(sums[view.of_node[2]], 318);
	assert_null(profile_view_inclusive(&view, HEDDLE_METRIC_CPU_TIME));
	free(sums);
	close_view(&measurement, &naming, &view);
}

static bool has_node(const struct profile_view *view, const char *text, const char *parent)
{
	for (uint32_t i = 1; i < view->node_count; i++)
		if (strcmp(text_of(view, i), text) == 0 && strcmp(text_of(view, view->parents[i]), parent) == 0)
			return true;
	return false;
}

static void what_events_tell_themselves_is_shown_by_its_names(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	view_of(SAMPLE_EVENTS, &measurement, &naming, &view, false);
	assert_true(has_node(&view, "get @get.upc:57", "cg+0x1000"));
	assert_true(has_node(&view, "get", "cg+0x1000"));
	assert_true(has_node(&view, "barrier @get.upc:60", "cg+0x1000"));
	assert_true(has_node(&view, "smooth", "phase step"));
	assert_string_equal(view.labels[view.label_of[view.of_node[2]]].file, "/home/you/get.upc");
	assert_int_equal(view.labels[view.label_of[view.of_node[2]]].line, 57);
	size_t count;
	const struct profile_distribution *sizes =
		profile_distributions_of(&view.distributions, view.of_node[2], &count);
	assert_int_equal(count, 1);
	assert_int_equal(sizes->count, 11);
	assert_null(profile_distributions_of(&view.distributions, view.of_node[5], &count));
	close_view(&measurement, &naming, &view);
}

/* The deepest path that a file may contain must not make the reader recurse as deeply. */
static void a_very_deep_path_is_no_trouble(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	size_t used = 0, room = 4000 * 40;
	char *text = malloc(room);
	used += (size_t)snprintf(text, room, "module 1 1 - /nowhere/deep\nnode 0 ROOT 0 0 0\n");
	for (int i = 0; i < 4000; i++)
		used += (size_t)snprintf(text + used, room - used, "node %d FRAME 0 1 %x\n", i, 16 + i);
	snprintf(text + used, room - used, "thread 0 0 main\nvalue samples 4000 7\n");
	view_of(text, &measurement, &naming, &view, false);
	uint64_t *sums = profile_view_inclusive(&view, HEDDLE_METRIC_SAMPLES);
	assert_int_equal(sums[0], 7);
	assert_int_equal(view.node_count, 4001);
	free(sums);
	free(text);
	close_view(&measurement, &naming, &view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_of_a_process_share_its_tree),
		cmocka_unit_test(a_value_counts_as_the_nearest_state_through_runtime_frames_only),
		cmocka_unit_test(processes_are_merged_by_path_whatever_their_numbers),
		cmocka_unit_test(a_process_knows_whether_its_threads_have_numbers_and_one_rank),
		cmocka_unit_test(threads_one_by_one_add_up_to_the_merged_tree),
		cmocka_unit_test(a_broken_file_among_good_ones_is_left_out),
		cmocka_unit_test(only_broken_files_are_an_error_that_names_the_first),
		cmocka_unit_test(a_directory_without_profiles_is_called_empty),
		cmocka_unit_test(distributions_are_merged_over_threads_and_processes),
		cmocka_unit_test(what_is_held_comes_of_all_threads_together),
		cmocka_unit_test(waiting_is_the_time_of_regions_that_wait),
		cmocka_unit_test(frames_below_communication_communicate),
		cmocka_unit_test(what_events_tell_themselves_is_shown_by_its_names),
		cmocka_unit_test(runtime_frames_give_their_values_and_children_to_their_parents),
		cmocka_unit_test(runtime_frames_are_there_on_request),
		cmocka_unit_test(inclusive_sums_count_everything_once),
		cmocka_unit_test(a_very_deep_path_is_no_trouble),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
