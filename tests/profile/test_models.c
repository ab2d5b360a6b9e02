/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader shows models as the profile describes them: a made-up model with other numbers in each file. A file that
 * describes no model has the models OpenMP and UPC. Code of a runtime is folded by the role of its module.
 */
#include "profile/merge/merged_file.h"
#include "profile/view/view.h"
#include "tests/profile/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define RELAY(id)                                                    \
	"model " id " relay\nmodel-field label Relay\n"              \
	"model-field state relay\nmodel-field rank rank\n"           \
	"model-field ranks relay rank\nmodel-field generated none\n" \
	"model-code OUTLINED *.relayed.# -\n"                        \
	"model-code MAIN relay_main -\n"                             \
	"model-code RUNTIME relay_* -\n"

/*
 * Paths: main, a frame of the runtime that was sampled as a frame of the program, and a state. `id`: the model's
 * number.
 */
#define FILE_OF(id, role, model)                                                                   \
	"process program /opt/ring\nevent 3 relay 10 relay_exchange exchange\n"                    \
	"string step.relayed.7\nstring relay_main\nstring plain\n" RELAY(                          \
		id) "module 1 1 - /nowhere/ring\nmodule 2 " role " - /nowhere/librelay.so\n"       \
		    "module-field model " model "\n"                                               \
		    "node 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\nnode 1 FRAME 0 2 2000\n"            \
		    "node 2 FRAME 0 1 3000\nnode 1 STATE 1 0 " id "\nnode 1 STATE 3 0 0\n"         \
		    "node 0 FUNCTION 0 0 1\nnode 6 FUNCTION 0 0 0\nnode 6 FUNCTION 0 0 2\n"        \
		    "thread 0 -1 main\nthread-field rank 3\nthread-field rank_model " id "\n"      \
		    "value samples 2 4\nvalue samples 3 5\nvalue samples 4 6\nvalue samples 5 7\n" \
		    "value samples 7 8\n"                                                          \
		    "thread 1 2 relay helper\nthread-field rank 3\nthread-field model " id "\n"

static char directory[600];
static struct profile_measurement measurement;
static struct profile_naming naming;
static struct profile_view view;

static void start(const char *name)
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

static void look_at(const char *path)
{
	static const struct profile_load_options options = {.workers = 1};
	static const struct profile_naming_options naming_options = {.workers = 1};
	static const struct profile_view_options view_options = {0};
	assert_int_equal(profile_measurement_open(&measurement, path, &options, NULL), 0);
	assert_int_equal(profile_naming_make(&naming, &measurement.tree, &naming_options), 0);
	assert_int_equal(profile_view_make(&view, &measurement, &naming, &view_options), 0);
}

static void done(void)
{
	profile_view_free(&view);
	profile_naming_free(&naming);
	profile_measurement_close(&measurement);
}

/* The samples of the node labelled `text` below a node labelled `above`; UINT64_MAX: there is none. */
static uint64_t samples_of(const char *above, const char *text)
{
	for (size_t i = 1; i < view.node_count; i++)
		if (strcmp(view.labels[view.label_of[i]].text, text) == 0 &&
			strcmp(view.labels[view.label_of[view.parents[i]]].text, above) == 0)
			return view.values[HEDDLE_METRIC_SAMPLES][i];
	return UINT64_MAX;
}

static bool is_shown(const char *text)
{
	for (size_t i = 0; i < view.label_count; i++)
		if (strcmp(view.labels[i].text, text) == 0)
			return true;
	return false;
}

static void expect_ring(uint64_t files)
{
	assert_int_equal(samples_of("ring", "ring+0x1000"), 4 * files); /* with the runtime's frame, folded */
	assert_int_equal(samples_of("ring+0x1000", "ring+0x3000"), 5 * files);
	assert_false(is_shown("librelay.so+0x2000"));
	assert_int_equal(samples_of("ring+0x1000", "[relay overhead]"), 6 * files);
	assert_int_equal(samples_of("ring+0x1000", "[barrier wait]"), 7 * files);
	assert_int_equal(samples_of("ring", "main"), 8 * files); /* with those of the outlined function */
	assert_true(is_shown("plain"));
	assert_false(is_shown("step.relayed.7"));
	assert_string_equal(profile_models_named(&measurement.tree.models, "relay")->ranks, "relay rank");
	const struct profile_thread *threads = measurement.processes[0].threads;
	assert_string_equal(threads[0].rank_model, "relay");
	assert_true(profile_thread_is_rank(&threads[0]));
	assert_string_equal(threads[1].model, "relay");
	assert_false(profile_thread_is_rank(&threads[1])); /* its rank's model is unknown */
}

static void a_model_is_what_its_profile_says(void **state)
{
	(void)state;
	start("one_model");
	add_file("a.heddle", FILE_OF("1", "3", "1"));
	look_at(directory);
	expect_ring(1);
	done();
}

static void models_of_several_files_are_one(void **state)
{
	(void)state;
	start("two_models");
	add_file("a.heddle", "model 1 other\n" FILE_OF("2", "3", "2"));
	add_file("b.heddle", "model 4 different\n" FILE_OF("1", "3", "1"));
	look_at(directory);
	expect_ring(2);
	assert_int_equal(measurement.tree.models.count, 4); /* with "no model" */
	done();
}

/* A library that had just been loaded was not recognized as the runtime's in all processes. */
static void a_runtime_s_library_is_one_in_all_processes(void **state)
{
	(void)state;
	start("late_role");
	add_file("a.heddle", FILE_OF("1", "0", "0"));
	add_file("b.heddle", FILE_OF("1", "3", "1"));
	look_at(directory);
	expect_ring(2);
	done();
}

static void a_merged_file_has_the_models(void **state)
{
	char merged[700];
	(void)state;
	start("merged_models");
	add_file("a.heddle", "model 1 other\n" FILE_OF("2", "3", "2"));
	add_file("b.heddle", FILE_OF("1", "3", "1"));
	look_at(directory);
	snprintf(merged, sizeof(merged), "%s.merged.heddle", directory);
	const struct profile_merged_options options = {0};
	assert_int_equal(profile_merged_write(merged, &measurement, &options), 0);
	done();
	look_at(merged);
	expect_ring(2);
	done();
	remove(merged);
}

#define OLD                                                                                                         \
	"process program /opt/old\nmodule 1 1 - /nowhere/old\nmodule 2 3 - /nowhere/libomptarget.rtl.so\n"          \
	"string f._omp_fn.0\nnode 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\nnode 1 FRAME 0 2 2000\nnode 1 STATE 2 0 0\n" \
	"node 1 STATE 6 0 0\nnode 1 FUNCTION 0 0 0\nthread 0 -1 main\nthread-field rank 1\n"                        \
	"value samples 2 4\nvalue samples 3 5\nvalue samples 4 6\nvalue samples 5 7\n"                              \
	"thread 1 3 openmp worker\nthread-field rank 1\n"

static void a_file_without_models_means_openmp_and_upc(void **state)
{
	(void)state;
	start("old_models");
	add_file("a.heddle", OLD);
	look_at(directory);
	assert_int_equal(samples_of("old", "old+0x1000"), 11);
	assert_int_equal(samples_of("old+0x1000", "[omp idle]"), 5);
	assert_int_equal(samples_of("old+0x1000", "[heddle]"), 6);
	assert_false(is_shown("libomptarget.rtl.so+0x2000"));
	const struct profile_thread *threads = measurement.processes[0].threads;
	assert_true(profile_thread_is_rank(&threads[0]));
	assert_false(profile_thread_is_rank(&threads[1]));
	assert_string_equal(profile_models_named(&measurement.tree.models, threads[0].rank_model)->rank, "UPC");
	done();
}

/* An invalid number of a model means no model; an inconsistent list of models is refused. */
static void numbers_of_models_are_checked(void **state)
{
	static const struct profile_load_options options = {.workers = 1};
	(void)state;
	start("wrong_models");
	add_file("a.heddle", "model 2 other\n" FILE_OF("1", "3", "4000000000"));
	look_at(directory);
	expect_ring(1);
	done();
	add_file("a.heddle", "model 64 other\n" FILE_OF("1", "3", "1"));
	assert_int_not_equal(profile_measurement_open(&measurement, directory, &options, NULL), 0);
	add_file("a.heddle", "model 0 other\n" FILE_OF("1", "3", "1"));
	assert_int_not_equal(profile_measurement_open(&measurement, directory, &options, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_model_is_what_its_profile_says),
		cmocka_unit_test(models_of_several_files_are_one),
		cmocka_unit_test(a_runtime_s_library_is_one_in_all_processes),
		cmocka_unit_test(a_merged_file_has_the_models),
		cmocka_unit_test(a_file_without_models_means_openmp_and_upc),
		cmocka_unit_test(numbers_of_models_are_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
