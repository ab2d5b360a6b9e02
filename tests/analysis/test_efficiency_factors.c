/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of runs whose losses are known, from profiles made of text. */
#include "analysis/efficiency_factors.h"
#include "profile/base/errors.h"
#include "tests/profile/trace_samples.h"

#include <errno.h>

/* main has a phase with a parallel region: two loops, a barrier, a lock, and the run-time system's own time. */
enum {
	NODE_MAIN = 1,
	NODE_PHASE,
	NODE_REGION,
	NODE_LOOP,
	NODE_OTHER_LOOP,
	NODE_BARRIER,
	NODE_LOCK,
	NODE_OVERHEAD,
	NODE_UPC_BARRIER,
	NODE_GET,
	NODE_IDLE,
	NODE_OFF,
	NODE_MEASURING,
	NODE_MPI_WAIT,
};

#define HEAD                                                                                                        \
	"process program /opt/cg\nprocess start_unix_ns 1000\nprocess duration_ns 1000\n"                           \
	"event 1 openmp 1 ompt_callback_parallel omp parallel\nevent 2 openmp 3 ompt_callback_work omp for\n"       \
	"event 3 openmp 4 ompt_callback_sync_region omp barrier\nevent 4 openmp 5 ompt_callback_mutex omp lock\n"   \
	"event 5 upc 4 GASP_UPC_BARRIER upc barrier\nevent 6 upc 8 GASP_UPC_GET upc get\n"                          \
	"event 7 mpi 4 MPI_Barrier MPI_Barrier\n"                                                                   \
	"model 1 openmp\nmodel 2 upc\nmodel-field rank UPC\nmodel-field ranks UPC thread\n"                         \
	"model 3 mpi\nmodel-field rank rank\nmodel-field ranks rank\n"                                              \
	"string main\nphase solve\nstring a.c\nnode 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0\nnode 1 PHASE 0 0 1\n"      \
	"source 2 1 2 10\nsource 3 2 2 20\nsource 3 2 2 30\nsource 3 3 2 20\nsource 3 4 2 40\nnode 3 STATE 1 0 1\n" \
	"source 1 5 2 50\nsource 1 6 2 60\nnode 0 STATE 2 0 1\nnode 0 STATE 7 0 0\nnode 1 STATE 6 0 0\n"            \
	"source 1 7 2 70\n"

struct read {
	struct traced traced;
	struct profile_naming naming;
	struct profile_view view;
	struct heddle_efficiency_factors factors;
};

static void write_process(const char *directory, const char *file, const char *threads)
{
	char text[8192];
	snprintf(text, sizeof(text), "%s%s", HEAD, threads);
	assert_int_equal(write_profile_from_text(text, traced_path(directory, file)), 0);
}

static void read_factors(struct read *read, const char *directory)
{
	struct profile_naming_options naming = {.workers = 1};
	struct profile_view_options view = {0};
	open_traced(&read->traced.measurement, directory);
	assert_int_equal(profile_naming_make(&read->naming, &read->traced.measurement.tree, &naming), 0);
	assert_int_equal(profile_view_make(&read->view, &read->traced.measurement, &read->naming, &view), 0);
	assert_int_equal(heddle__efficiency_factors_make(&read->factors, &read->traced.measurement, &read->view), 0);
}

static void free_factors(struct read *read)
{
	heddle__efficiency_factors_free(&read->factors);
	profile_view_free(&read->view);
	profile_naming_free(&read->naming);
	profile_measurement_close(&read->traced.measurement);
}

/* Factors that are not listed are 1, and the product of all is the efficiency. */
static void check(const struct heddle_efficiency_scope *scope, const double wanted[HEDDLE_FACTOR_COUNT])
{
	double product = 1;
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		double is = heddle__scope_factor(scope, factor), want = wanted[factor] > 0 ? wanted[factor] : 1;
		if (is < want - 1e-9 || is > want + 1e-9)
			fail_msg("%s: %f, not %f", heddle__factor_name(factor), is, want);
		product *= is;
	}
	assert_float_equal(product, heddle__scope_efficiency(scope), 1e-12);
}

static const struct heddle_efficiency_scope *scope_of(
	const struct read *read, enum heddle_scope_kind kind, const char *text)
{
	for (size_t s = 0; s < read->factors.count; s++)
		if (read->factors.scopes[s].kind == kind &&
			strcmp(read->view.labels[read->factors.scopes[s].label].text, text) == 0)
			return &read->factors.scopes[s];
	fail_msg("no scope %s", text);
	return NULL;
}

static void check_place(const struct read *read, enum heddle_factor factor, const char *text)
{
	const struct heddle_loss_place *place = &read->factors.scopes[0].place[factor];
	assert_int_not_equal(place->label, HEDDLE_NO_LABEL);
	assert_string_equal(read->view.labels[place->label].text, text);
}

#define MAIN_THREAD(rank) "thread 0 0 main\nthread-field wall_ns 1000\nthread-field rank " #rank "\n"
#define WORKER(rank) \
	"thread 1 1 openmp worker\nthread-field wall_ns 1000\nthread-field model 1\nthread-field rank " #rank "\n"

/* The process of a rank lasts twice as long as its thread. That is not communication, as there is no other rank. */
static void process_outlives_threads(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("outlives", "a.heddle",
		"thread 0 0 main\nthread-field wall_ns 500\nvalue cpu-time 1 250\nvalue wall-time 1 500\n");
	read_factors(&read, "outlives");
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_PROCESSORS] = 0.5});
	assert_false(read.factors.of_ranks);
	free_factors(&read);
}

/* One of two threads has a third of the other's work in a loop. */
static void uneven_loops(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("loops", "a.heddle",
		MAIN_THREAD(0) "value cpu-time 4 1000\n" WORKER(0) "value cpu-time 4 333\nvalue wall-time 6 667\n");
	read_factors(&read, "loops");
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_THREAD_BALANCE] = 0.6665});
	check(scope_of(&read, HEDDLE_SCOPE_PHASE, "phase solve"),
		(double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_THREAD_BALANCE] = 0.6665});
	check(scope_of(&read, HEDDLE_SCOPE_REGION, "omp parallel @a.c:10"),
		(double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_THREAD_BALANCE] = 0.6665});
	check_place(&read, HEDDLE_FACTOR_THREAD_BALANCE, "omp for @a.c:20");
	assert_true(read.factors.of_threads);
	assert_false(read.factors.of_ranks);
	free_factors(&read);
}

/* The sums of two loops are balanced, but each loop is not. */
static void opposite_loops_do_not_cancel_out(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("opposite", "a.heddle",
		MAIN_THREAD(0) "value cpu-time 4 600\nvalue cpu-time 5 200\nvalue wall-time 6 200\n" WORKER(
			0) "value cpu-time 4 400\nvalue cpu-time 5 400\nvalue wall-time 6 200\n");
	read_factors(&read, "opposite");
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_THREAD_BALANCE] = 0.8});
	free_factors(&read);
}

/* A quarter of the run is serial. */
static void serial_part(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("serial", "a.heddle",
		MAIN_THREAD(0) "value cpu-time 1 250\nvalue cpu-time 4 750\n" WORKER(
			0) "value cpu-time 4 750\nvalue wall-time 11 250\n");
	read_factors(&read, "serial");
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_SERIALIZATION] = 0.875});
	check_place(&read, HEDDLE_FACTOR_SERIALIZATION, "main");
	free_factors(&read);
}

/* A worker that is created late counts as missing until then. */
static void late_worker(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("worker", "a.heddle",
		MAIN_THREAD(0) "value cpu-time 1 500\nvalue cpu-time 4 500\n"
			       "thread 1 1 openmp worker\nthread-field wall_ns 500\nthread-field model 1\n"
			       "value cpu-time 4 500\n");
	read_factors(&read, "worker");
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_SERIALIZATION] = 0.75});
	free_factors(&read);
}

/* Work is balanced; of 1000, 100 are at barriers, 100 for locks, 80 in the runtime, 20 for measurement, 100 off-CPU. */
static void overheads(void **state)
{
	(void)state;
	struct read read = {0};
	const char *one = "value cpu-time 4 600\nvalue cpu-time 8 80\nvalue cpu-time 13 20\nvalue wall-time 6 100\n"
			  "value wall-time 7 100\nvalue wall-time 12 100\n";
	char text[2048];
	snprintf(text, sizeof(text), MAIN_THREAD(0) "%s" WORKER(0) "%s", one, one);
	write_process("overheads", "a.heddle", text);
	read_factors(&read, "overheads");
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_SYNCHRONIZATION] = 0.8,
					       [HEDDLE_FACTOR_RUNTIME] = 720. / 800,
					       [HEDDLE_FACTOR_MEASUREMENT] = 700. / 720,
					       [HEDDLE_FACTOR_PROCESSORS] = 600. / 700});
	free_factors(&read);
}

/* Two ranks of two threads. Rank 1 waits for rank 0 for 400, and both get for 100; then serial and uneven parts. */
static void ranks_and_threads(void **state, const char *directory, const char *model, int barrier)
{
	(void)state;
	struct read read = {0};
	char text[2048];
	snprintf(text, sizeof(text),
		"thread 0 0 main\nthread-field wall_ns 1000\nthread-field rank 1\nthread-field rank_model %s\n"
		"value cpu-time 1 300\nvalue cpu-time 4 600\nvalue wall-time %d 100\n"
		"thread 1 1 openmp worker\nthread-field wall_ns 1000\nthread-field rank 1\n"
		"thread-field model 1\nthread-field rank_model %s\n"
		"value cpu-time 4 300\nvalue wall-time 6 300\nvalue wall-time 11 400\n",
		model, barrier == NODE_MPI_WAIT ? NODE_MPI_WAIT : NODE_GET, model);
	write_process(directory, "a.heddle", text);
	snprintf(text, sizeof(text),
		"thread 0 0 main\nthread-field wall_ns 1000\nthread-field rank 2\nthread-field rank_model %s\n"
		"value cpu-time 4 500\nvalue wall-time %d 500\n"
		"thread 1 1 openmp worker\nthread-field wall_ns 1000\nthread-field rank 2\n"
		"thread-field model 1\nthread-field rank_model %s\n"
		"value cpu-time 4 500\nvalue wall-time 11 500\n",
		model, barrier, model);
	write_process(directory, "b.heddle", text);
	read_factors(&read, directory);
	/* Outside of communication: 900 and 500. In that time, a worker is idle for 300, and another 300 are uneven. */
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_COMMUNICATION] = 0.9,
					       [HEDDLE_FACTOR_RANK_BALANCE] = 700. / 900,
					       [HEDDLE_FACTOR_SERIALIZATION] = 2500. / 2800,
					       [HEDDLE_FACTOR_THREAD_BALANCE] = 2200. / 2500});
	assert_int_equal(read.factors.scopes[0].ranks, 2);
	assert_int_equal(read.factors.scopes[0].threads, 4);
	assert_true(read.factors.of_ranks && read.factors.of_threads);
	free_factors(&read);
}

static void upc_threads(void **state)
{
	ranks_and_threads(state, "upc", "2", NODE_UPC_BARRIER);
}

static void mpi_ranks(void **state)
{
	ranks_and_threads(state, "mpi", "3", NODE_MPI_WAIT);
}

/* A sleeping rank does not wait for others; the others wait for it. */
static void sleeping_rank(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("sleeper", "a.heddle",
		"thread 0 -1 main\nthread-field wall_ns 1000\nthread-field rank 1\n"
		"value cpu-time 1 200\nvalue wall-time 12 800\n");
	write_process("sleeper", "b.heddle",
		"thread 0 -1 main\nthread-field wall_ns 1000\nthread-field rank 2\n"
		"value cpu-time 1 200\nvalue wall-time 9 800\n");
	read_factors(&read, "sleeper");
	check(&read.factors.scopes[0],
		(double[HEDDLE_FACTOR_COUNT]){
			[HEDDLE_FACTOR_RANK_BALANCE] = 0.6, [HEDDLE_FACTOR_PROCESSORS] = 400. / 1200});
	check_place(&read, HEDDLE_FACTOR_RANK_BALANCE, "upc barrier @a.c:50");
	assert_false(read.factors.of_threads);
	free_factors(&read);
}

/* Samples may account for slightly more time than the clock shows. */
static void product_is_exact_with_noise(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("noise", "a.heddle",
		MAIN_THREAD(0) "value cpu-time 4 1010\nvalue cpu-time 8 20\n" WORKER(
			0) "value cpu-time 4 800\nvalue wall-time 6 230\n");
	read_factors(&read, "noise");
	const struct heddle_efficiency_scope *run = &read.factors.scopes[0];
	double product = 1;
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		assert_true(heddle__scope_factor(run, factor) <= 1);
		product *= heddle__scope_factor(run, factor);
	}
	assert_float_equal(product, 1810. / 2000, 1e-12);
	free_factors(&read);
}

/* If no runtime numbers any thread, threads without numbers count. */
static void threads_without_numbers(void **state)
{
	(void)state;
	struct read read = {0};
	write_process("threads", "a.heddle",
		"thread 0 -1 main\nthread-field wall_ns 1000\nvalue cpu-time 1 1000\n"
		"thread 1 -1 thread\nthread-field wall_ns 1000\nvalue cpu-time 1 500\nvalue wall-time 12 500\n"
		"thread 2 -1 heddle\nthread-field wall_ns 1000\nthread-field threads 0\nvalue cpu-time 13 5\n");
	read_factors(&read, "threads");
	assert_int_equal(read.factors.scopes[0].threads, 2);
	check(&read.factors.scopes[0], (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_PROCESSORS] = 0.75});
	free_factors(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(process_outlives_threads),
		cmocka_unit_test(uneven_loops),
		cmocka_unit_test(opposite_loops_do_not_cancel_out),
		cmocka_unit_test(serial_part),
		cmocka_unit_test(late_worker),
		cmocka_unit_test(overheads),
		cmocka_unit_test(upc_threads),
		cmocka_unit_test(mpi_ranks),
		cmocka_unit_test(sleeping_rank),
		cmocka_unit_test(product_is_exact_with_noise),
		cmocka_unit_test(threads_without_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
