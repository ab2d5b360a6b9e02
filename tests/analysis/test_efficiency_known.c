/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles of programs whose factors are known by design. Each thread is simulated interval by interval, and sampled at
 * irregular times of CPU time, like a program. Every factor is within 2 points of the truth, and the product of all is
 * exactly the parallel efficiency.
 */
#include "analysis/efficiency_factors.h"
#include "tests/profile/trace_samples.h"

#include <math.h>
#include <stdlib.h>

#define BOUND 0.02
#define PERIOD 1e6 /* ns of CPU time from sample to sample, on average */
#define MS 1e6
#define ROUNDS 100

/* Nodes of HEAD. */
enum { SERIAL = 1, LOOP = 3, BARRIER, IDLE, OFF, RECEIVE, RUNTIME, NODES };

#define HEAD                                                                                                    \
	"process program /opt/cg\nprocess start_unix_ns %.0f\nprocess duration_ns %.0f\n"                       \
	"event 1 openmp 1 ompt_callback_parallel omp parallel\nevent 3 openmp 4 ompt_callback_sync_region omp " \
	"barrier\nevent 4 mpi 4 MPI_Recv MPI_Recv\nmodel 1 openmp\nmodel 2 mpi\nmodel-field rank rank\n"        \
	"model-field ranks rank\nstring main\nstring a.c\nnode 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0\n"           \
	"source 1 1 1 10\nnode 2 FUNCTION 0 0 0\nsource 2 3 1 20\nnode 0 STATE 2 0 1\nnode 0 STATE 7 0 0\n"     \
	"source 1 4 1 30\nnode 2 STATE 1 0 1\n"

struct thread {
	double wall[NODES], cpu[NODES];
	double elapsed, next; /* ns; `next`: CPU time until the next sample */
	double since;         /* the last sample, in CPU time */
};

static uint64_t seed;
static double start_ns = 1000; /* of the processes that are written next */

static double uniform(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Spends CPU time at a node: each sample accounts for the time since the one before. */
static void compute(struct thread *thread, int node, double ns)
{
	thread->elapsed += ns;
	while (ns >= thread->next) {
		ns -= thread->next;
		thread->cpu[node] += thread->since + thread->next;
		thread->since = 0;
		thread->next = PERIOD * (0.5 + uniform());
	}
	thread->next -= ns;
	thread->since += ns;
}

static void spend(struct thread *thread, int node, double ns)
{
	thread->elapsed += ns;
	thread->wall[node] += ns;
}

/* Threads that arrive earlier wait in `node`, or are idle. */
static void meet(struct thread *threads, int count, int node)
{
	double last = 0;
	for (int t = 0; t < count; t++)
		last = fmax(last, threads[t].elapsed);
	for (int t = 0; t < count; t++)
		if (threads[t].elapsed < last)
			spend(&threads[t], node, last - threads[t].elapsed);
}

/* If `ranks` is 1, the process has no rank. */
static void write_rank(const char *directory, int rank, int ranks, const struct thread *threads, int count)
{
	char text[8192], file[32];
	size_t at = (size_t)snprintf(text, sizeof(text), HEAD, start_ns, threads[0].elapsed);
	for (int t = 0; t < count; t++) {
		at += (size_t)snprintf(text + at, sizeof(text) - at, "thread %d %d %s\nthread-field wall_ns %.0f\n", t,
			t, t ? "openmp worker" : "main", threads[t].elapsed);
		if (t)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "thread-field model 1\n");
		if (ranks > 1)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
				"thread-field rank %d\nthread-field rank_model 2\n", rank + 1);
		for (int n = 1; n < NODES; n++) {
			if (threads[t].cpu[n] > 0)
				at += (size_t)snprintf(
					text + at, sizeof(text) - at, "value cpu-time %d %.0f\n", n, threads[t].cpu[n]);
			if (threads[t].wall[n] > 0)
				at += (size_t)snprintf(text + at, sizeof(text) - at, "value wall-time %d %.0f\n", n,
					threads[t].wall[n]);
		}
	}
	snprintf(file, sizeof(file), "%d.heddle", rank);
	assert_true(at < sizeof(text));
	assert_int_equal(write_profile_from_text(text, traced_path(directory, file)), 0);
}

static void begin(struct thread *threads, int count)
{
	for (int t = 0; t < count; t++)
		threads[t] = (struct thread){.next = PERIOD * (0.5 + uniform())};
}

/* Factors that are not listed are 1. */
static void check(const char *directory, const double truth[HEDDLE_FACTOR_COUNT])
{
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	struct profile_naming_options naming_options = {.workers = 1};
	struct profile_view_options view_options = {0};
	struct heddle_efficiency_factors factors;
	double product = 1;
	open_traced(&measurement, directory);
	assert_int_equal(profile_naming_make(&naming, &measurement.tree, &naming_options), 0);
	assert_int_equal(profile_view_make(&view, &measurement, &naming, &view_options), 0);
	assert_int_equal(heddle__efficiency_factors_make(&factors, &measurement, &view), 0);
	for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++) {
		double is = heddle__scope_factor(&factors.scopes[0], f), want = truth[f] > 0 ? truth[f] : 1;
		print_message("%s: %s %.4f, in truth %.4f\n", directory, heddle__factor_name(f), is, want);
		if (fabs(is - want) > BOUND)
			fail_msg("%s: %s is %.4f, not %.4f", directory, heddle__factor_name(f), is, want);
		product *= is;
	}
	assert_float_equal(product, heddle__scope_efficiency(&factors.scopes[0]), 1e-12);
	heddle__efficiency_factors_free(&factors);
	profile_view_free(&view);
	profile_naming_free(&naming);
	profile_measurement_close(&measurement);
}

/* One thread has a third of the other's work. */
static void imbalance_of_1_to_3(void **state)
{
	(void)state;
	struct thread threads[2];
	begin(threads, 2);
	for (int round = 0; round < ROUNDS; round++) {
		compute(&threads[0], LOOP, 3 * MS);
		compute(&threads[1], LOOP, 9 * MS);
		meet(threads, 2, BARRIER);
	}
	write_rank("imbalance", 0, 1, threads, 2);
	check("imbalance", (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_THREAD_BALANCE] = 12. / 18});
}

/* In a quarter of the elapsed time, one of four threads works alone. */
static void serial_part_of_25_percent(void **state)
{
	(void)state;
	struct thread threads[4];
	begin(threads, 4);
	for (int round = 0; round < ROUNDS; round++) {
		compute(&threads[0], SERIAL, 2.5 * MS);
		meet(threads, 4, IDLE);
		for (int t = 0; t < 4; t++)
			compute(&threads[t], LOOP, 7.5 * MS);
	}
	write_rank("serial", 0, 1, threads, 4);
	check("serial", (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_SERIALIZATION] = 1 - 0.25 * 0.75});
}

/* Work is balanced; barriers take a tenth of the time, and the run-time system a twentieth. */
static void overhead_of_barriers(void **state)
{
	(void)state;
	struct thread threads[2];
	begin(threads, 2);
	for (int round = 0; round < ROUNDS; round++)
		for (int t = 0; t < 2; t++) {
			compute(&threads[t], LOOP, 8.5 * MS);
			compute(&threads[t], RUNTIME, 0.5 * MS);
			spend(&threads[t], BARRIER, 1 * MS);
		}
	write_rank("barriers", 0, 1, threads, 2);
	check("barriers", (double[HEDDLE_FACTOR_COUNT]){
				  [HEDDLE_FACTOR_SYNCHRONIZATION] = 0.9, [HEDDLE_FACTOR_RUNTIME] = 8.5 / 9});
}

/* Two ranks of two threads share two processors: each thread runs for half of the time. */
static void four_threads_on_two_processors(void **state)
{
	(void)state;
	struct thread threads[2];
	for (int rank = 0; rank < 2; rank++) {
		begin(threads, 2);
		for (int round = 0; round < ROUNDS; round++)
			for (int t = 0; t < 2; t++) {
				compute(&threads[t], LOOP, 4 * MS);
				spend(&threads[t], OFF, 4 * MS);
			}
		write_rank("crowded", rank, 2, threads, 2);
	}
	check("crowded", (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_PROCESSORS] = 0.5});
}

/* One of two ranks sleeps for 6 of 10 ms, and the other waits for its message. */
static void a_rank_that_sleeps(void **state)
{
	(void)state;
	struct thread ranks[2];
	begin(ranks, 2);
	for (int round = 0; round < ROUNDS; round++) {
		compute(&ranks[0], SERIAL, 4 * MS);
		spend(&ranks[0], OFF, 6 * MS);
		compute(&ranks[1], SERIAL, 4 * MS);
		meet(ranks, 2, RECEIVE);
	}
	for (int rank = 0; rank < 2; rank++)
		write_rank("sleeper", rank, 2, &ranks[rank], 1);
	check("sleeper", (double[HEDDLE_FACTOR_COUNT]){
				 [HEDDLE_FACTOR_RANK_BALANCE] = 14. / 20, [HEDDLE_FACTOR_PROCESSORS] = 8. / 14});
}

/* A script runs two programs one after the other: neither waits for the other one, although one is shorter. */
static void programs_one_after_the_other(void **state)
{
	(void)state;
	struct thread threads[2];
	for (int program = 0; program < 2; program++) {
		begin(threads, 2);
		for (int t = 0; t < 2; t++)
			compute(&threads[t], LOOP, (program ? 40 : 400) * MS);
		write_rank("script", program, 1, threads, 2);
		start_ns += 500 * MS;
	}
	start_ns = 1000;
	check("script", (double[HEDDLE_FACTOR_COUNT]){0});
}

/* Two successive jobs of two ranks, one of which waits for half of its time. */
static void jobs_one_after_the_other(void **state)
{
	(void)state;
	struct thread ranks[2];
	for (int job = 0; job < 2; job++) {
		begin(ranks, 2);
		for (int round = 0; round < ROUNDS; round++) {
			compute(&ranks[0], SERIAL, job ? 1 * MS : 10 * MS);
			compute(&ranks[1], SERIAL, job ? 1 * MS : 5 * MS);
			meet(ranks, 2, RECEIVE);
		}
		for (int rank = 0; rank < 2; rank++)
			write_rank("jobs", rank + 2 * job, 4, &ranks[rank], 1);
		start_ns += 2000 * MS;
	}
	start_ns = 1000;
	check("jobs", (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_RANK_BALANCE] = 17. / 22});
}

/* All of these together: ranks of 8 and 6 ms, 2 ms of messages, a serial quarter, threads of 1 to 3. */
static void all_at_once(void **state)
{
	(void)state;
	struct thread threads[2][2];
	for (int rank = 0; rank < 2; rank++) {
		double work = rank ? 6 * MS : 8 * MS;
		begin(threads[rank], 2);
		for (int round = 0; round < ROUNDS; round++) {
			compute(&threads[rank][0], SERIAL, work / 4);
			meet(threads[rank], 2, IDLE);
			compute(&threads[rank][0], LOOP, work * 3 / 4);
			compute(&threads[rank][1], LOOP, work / 4);
			meet(threads[rank], 2, BARRIER);
			spend(&threads[rank][0], RECEIVE, 10 * MS - work);
			meet(threads[rank], 2, IDLE);
		}
		write_rank("all", rank, 2, threads[rank], 2);
	}
	check("all", (double[HEDDLE_FACTOR_COUNT]){[HEDDLE_FACTOR_COMMUNICATION] = 0.8,
			     [HEDDLE_FACTOR_RANK_BALANCE] = 7. / 8,
			     [HEDDLE_FACTOR_SERIALIZATION] = 7. / 8,
			     [HEDDLE_FACTOR_THREAD_BALANCE] = 5. / 7});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(imbalance_of_1_to_3),
		cmocka_unit_test(serial_part_of_25_percent),
		cmocka_unit_test(overhead_of_barriers),
		cmocka_unit_test(four_threads_on_two_processors),
		cmocka_unit_test(a_rank_that_sleeps),
		cmocka_unit_test(programs_one_after_the_other),
		cmocka_unit_test(jobs_one_after_the_other),
		cmocka_unit_test(all_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
