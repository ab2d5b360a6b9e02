/* SPDX-License-Identifier: BSD-3-Clause */
/* Merged files: nothing is lost or counted twice, statistics are right, and any order results in the same file. */
#include "profile/base/errors.h"
#include "profile/merge/merged_file.h"
#include "tests/profile/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define FILES 40
#define THREADS 3
#define NODES 200

static char directory[600], output[600];

static uint64_t random_state = 12345;

static unsigned next_random(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

/* Trees that share some of their paths, with values of all kinds at some of their nodes. */
static void write_process(unsigned number)
{
	static char text[1 << 20];
	char path[1024];
	size_t used = 0;
#define SAY(...) used += (size_t)snprintf(text + used, sizeof(text) - used, __VA_ARGS__)
	SAY("process program /opt/cg/cg\nprocess pid %u\nphase step\nstring n=%%d\nstring own %u\n", 100 + number,
		number % 7);
	SAY("event 3 openmp 1 ompt_callback_parallel omp parallel\nevent %u openmp 4 sync omp barrier\n", 9 + number);
	SAY("module %u 1 - /nowhere/cg\nmodule 9 0 - /nowhere/lib%u.so\n", 1 + number % 3, number % 2);
	SAY("node 0 ROOT 0 0 0\nnode 0 PHASE 0 0 %u\nnode 0 REGION %u 0 0\n", number % 4 ? 0 : 2, 9 + number);
	for (unsigned n = 3; n < NODES; n++)
		SAY("node %u FRAME 0 %u %x\n", next_random(n), n % 5 ? 1 + number % 3 : 9,
			next_random(n < 20 ? 2 : 40) * 16);
	for (unsigned t = 0; t < THREADS; t++) {
		SAY("thread %u %u %s\nthread-field rank %u\n", t, t, t == 2 && number % 5 == 0 ? "heddle" : "thread",
			number + 1);
		SAY("heddle %u\n", number == 7 ? 5 : 0);
		static const char *const metrics[] = {"samples", "wall-time", "visits", "bytes-got"};
		for (unsigned m = 0; m < 4; m++)
			for (unsigned n = 1; n < NODES; n++)
				if (next_random(3) == 0)
					SAY("value %s %u %u\n", metrics[m], n, next_random(100000));
		SAY("distribution 1 1 2 3 %g 9 %g\n", 0.1 * number, 1.1 * number + t * 1e-9);
	}
	snprintf(path, sizeof(path), "%s/p%02u.heddle", directory, number);
	assert_int_equal(write_profile_from_text(text, path), 0);
}

struct opened {
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
};

static void open_it(struct opened *opened, const char *path, size_t workers)
{
	struct profile_load_options options = {.workers = workers};
	assert_int_equal(profile_measurement_open(&opened->measurement, path, &options, NULL), 0);
	assert_int_equal(
		profile_naming_make(&opened->naming, &opened->measurement.tree, &(struct profile_naming_options){0}),
		0);
	assert_int_equal(profile_view_make(&opened->view, &opened->measurement, &opened->naming,
				 &(struct profile_view_options){0}),
		0);
}

static void close_it(struct opened *opened)
{
	profile_view_free(&opened->view);
	profile_naming_free(&opened->naming);
	profile_measurement_close(&opened->measurement);
}

static const bool all_metrics[HEDDLE_METRIC_LIMIT] = {[HEDDLE_METRIC_SAMPLES] = true,
	[HEDDLE_METRIC_WALL_TIME] = true,
	[HEDDLE_METRIC_VISITS] = true,
	[HEDDLE_METRIC_BYTES_GOT] = true,
	[HEDDLE_METRIC_WAITING] = true};

static void spread(struct profile_spreads *spreads, const struct opened *opened, size_t workers)
{
	char *bad = NULL;
	assert_int_equal(profile_spreads_start(spreads, &opened->view, all_metrics, (bool[]){true, true}), 0);
	assert_int_equal(profile_spreads_read(spreads, &opened->measurement, &opened->measurement.tree, &opened->view,
				 workers, NULL, &bad),
		0);
}

static void merge(const char *path, size_t workers)
{
	struct opened opened;
	struct profile_spreads spreads;
	open_it(&opened, directory, workers);
	spread(&spreads, &opened, workers);
	struct profile_merged_options how = {.spreads = &spreads, .view = &opened.view};
	assert_int_equal(profile_merged_write(path, &opened.measurement, &how), 0);
	profile_spreads_free(&spreads);
	close_it(&opened);
}

static int set_up(void **state)
{
	(void)state;
	snprintf(directory, sizeof(directory), "%s", scratch("many"));
	snprintf(output, sizeof(output), "%s", scratch("merged.heddle"));
	mkdir(directory, 0777);
	for (unsigned i = 0; i < FILES; i++)
		write_process(i);
	merge(output, 2);
	return 0;
}

static void what_is_merged_is_what_was_there(void **state)
{
	(void)state;
	struct opened single, merged;
	open_it(&single, directory, 3);
	open_it(&merged, output, 1);
	const struct profile_call_tree *a = &single.measurement.tree, *b = &merged.measurement.tree;
	assert_int_equal(a->node_count, b->node_count);
	assert_int_equal(merged.measurement.process_count, FILES);
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		assert_int_equal(!a->values[m], !b->values[m]);
		for (size_t i = 0; a->values[m] && b->values[m] && i < a->node_count; i++)
			assert_int_equal(a->values[m][i], b->values[m][i]);
	}
	assert_int_equal(a->distributions.count, b->distributions.count);
	for (size_t p = 0; p < FILES; p++) {
		const struct profile_process *x = &single.measurement.processes[p],
					     *y = &merged.measurement.processes[p];
		assert_int_equal(x->info->pid, y->info->pid);
		assert_int_equal(x->info->samples_taken, y->info->samples_taken);
		assert_int_equal(x->thread_count, y->thread_count);
		for (size_t t = 0; t < x->thread_count; t++)
			for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
				for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
					assert_int_equal(profile_thread_value(&x->threads[t], m, s),
						profile_thread_value(&y->threads[t], m, s));
	}
	assert_true(profile_view_fingerprint(&single.view) == profile_view_fingerprint(&merged.view));
	close_it(&single);
	close_it(&merged);
}

static uint8_t *slurp(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	uint8_t *bytes = malloc(1 << 24);
	*size = fread(bytes, 1, 1 << 24, file);
	fclose(file);
	return bytes;
}

static void the_file_is_the_same_for_any_number_of_workers(void **state)
{
	(void)state;
	size_t size, other_size;
	uint8_t *bytes = slurp(output, &size);
	for (size_t workers = 1; workers <= 16; workers += 3) {
		const char *again = scratch("again.heddle");
		merge(again, workers);
		uint8_t *other = slurp(again, &other_size);
		assert_int_equal(size, other_size);
		assert_memory_equal(bytes, other, size);
		free(other);
	}
	free(bytes);
}

/* Each thread's inclusive values, computed by the test, in arrays with an element for each node of the view. */
struct by_hand {
	const struct opened *opened;
	enum heddle_metric metric;
	double *sum, *squares, *least, *most;
	size_t threads;
};

static int add_thread(void *context, const struct profile_thread_values *values)
{
	struct by_hand *hand = context;
	const struct profile_view *view = &hand->opened->view;
	if (strcmp(values->thread->role, "heddle") == 0)
		return 0;
	double *mine = calloc(view->node_count, sizeof(*mine));
	for (size_t i = 0; i < values->count; i++)
		for (uint32_t node = profile_view_holder(view, values->nodes[i], hand->metric);;
			node = view->parents[node]) {
			mine[node] += (double)values->values[i];
			if (node == 0)
				break;
		}
	for (size_t i = 0; i < view->node_count; i++) {
		hand->sum[i] += mine[i];
		hand->squares[i] += mine[i] * mine[i];
		hand->least[i] = hand->threads == 0 || mine[i] < hand->least[i] ? mine[i] : hand->least[i];
		hand->most[i] = mine[i] > hand->most[i] ? mine[i] : hand->most[i];
	}
	hand->threads++;
	free(mine);
	return 0;
}

static void compare(const struct by_hand *hand, const struct profile_spreads *spreads)
{
	size_t seen = 0;
	assert_int_equal(spreads->threads, hand->threads);
	for (size_t i = 0; i < hand->opened->view.node_count; i++) {
		const struct profile_spread *spread = &spreads->of[hand->metric][HEDDLE_SPREAD_PATHS][i];
		double n = (double)hand->threads, mean = hand->sum[i] / n;
		double deviation = sqrt(fmax(hand->squares[i] / n - mean * mean, 0));
		seen += hand->sum[i] > 0;
		assert_int_equal(spread->sum, (uint64_t)hand->sum[i]);
		assert_int_equal(profile_spread_least(spreads, spread), (uint64_t)hand->least[i]);
		assert_int_equal(spread->most, (uint64_t)hand->most[i]);
		assert_true(fabs(profile_spread_mean(spreads, spread) - mean) <= 1e-9 * mean);
		assert_true(fabs(profile_spread_deviation(spreads, spread) - deviation) <= 1e-6 * (mean + 1));
		if (mean > 0)
			assert_true(
				fabs(profile_spread_imbalance(spreads, spread) - (hand->most[i] / mean - 1)) < 1e-9);
	}
	assert_true(seen > 100);
}

static void statistics_are_those_counted_by_hand(void **state)
{
	(void)state;
	struct opened merged, single;
	struct profile_spreads spreads;
	struct profile_load_options options = {.keep_threads = true};
	open_it(&merged, output, 1);
	assert_int_equal(profile_spreads_start(&spreads, &merged.view, all_metrics, (bool[]){true, true}), 0);
	assert_int_equal(profile_spreads_load(&spreads, output, &merged.view), 0);
	open_it(&single, directory, 1);
	profile_measurement_close(&single.measurement);
	assert_int_equal(profile_measurement_open(&single.measurement, directory, &options, NULL), 0);
	size_t count = single.view.node_count;
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		struct by_hand hand = {.opened = &single, .metric = m};
		if (!all_metrics[m])
			continue;
		hand.sum = calloc(4 * count, sizeof(double));
		hand.squares = hand.sum + count;
		hand.least = hand.squares + count;
		hand.most = hand.least + count;
		assert_int_equal(profile_measurement_threads(&single.measurement, m, add_thread, &hand), 0);
		compare(&hand, &spreads);
		free(hand.sum);
	}
	profile_spreads_free(&spreads);
	close_it(&single);
	close_it(&merged);
}

static void compare_tables(const struct profile_spread *a, const struct profile_spread *b, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		assert_int_equal(a[i].threads, b[i].threads);
		assert_true(a[i].least == b[i].least && a[i].most == b[i].most && a[i].sum == b[i].sum);
		assert_true(a[i].squares == b[i].squares && a[i].squares_high == b[i].squares_high);
	}
}

static void kept_statistics_are_those_of_the_directory(void **state)
{
	(void)state;
	struct opened single;
	struct profile_spreads read, loaded;
	open_it(&single, directory, 2);
	spread(&read, &single, 2);
	assert_int_equal(profile_spreads_start(&loaded, &single.view, all_metrics, (bool[]){true, true}), 0);
	assert_int_equal(profile_spreads_load(&loaded, output, &single.view), 0);
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		for (int k = 0; all_metrics[m] && k < HEDDLE_SPREAD_KINDS; k++)
			compare_tables(read.of[m][k], loaded.of[m][k], read.rows[k]);
	profile_spreads_free(&read);
	profile_spreads_free(&loaded);
	close_it(&single);
}

static void statistics_under_other_names_are_refused(void **state)
{
	(void)state;
	struct opened merged;
	struct profile_spreads spreads;
	open_it(&merged, output, 1);
	merged.view.labels[3].text = "other";
	assert_int_equal(profile_spreads_start(&spreads, &merged.view, all_metrics, (bool[]){true, true}), 0);
	assert_int_equal(profile_spreads_load(&spreads, output, &merged.view), -HEDDLE_RENAMED);
	profile_spreads_free(&spreads);
	close_it(&merged);
}

static void single_threads_are_not_in_a_merged_file(void **state)
{
	(void)state;
	struct opened merged;
	struct by_hand hand = {.opened = &merged};
	open_it(&merged, output, 1);
	assert_int_equal(profile_measurement_threads(&merged.measurement, HEDDLE_METRIC_SAMPLES, add_thread, &hand),
		-HEDDLE_MERGED);
	close_it(&merged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_merged_is_what_was_there),
		cmocka_unit_test(the_file_is_the_same_for_any_number_of_workers),
		cmocka_unit_test(statistics_are_those_counted_by_hand),
		cmocka_unit_test(kept_statistics_are_those_of_the_directory),
		cmocka_unit_test(statistics_under_other_names_are_refused),
		cmocka_unit_test(single_threads_are_not_in_a_merged_file),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
