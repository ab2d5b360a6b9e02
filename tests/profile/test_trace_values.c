/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profile made from a trace. Random operations are recorded, while a model adds up what the measured threads would
 * have counted. Traces that were cut or changed anywhere are read as far as they are valid.
 */
#include "profile/base/errors.h"
#include "tests/profile/trace_samples.h"
#include "tests/support/effort.h"

#include <fcntl.h>
#include <unistd.h>

#define NODES 12
#define THREADS 4
#define MOST_DEPTH 20

/* ---- the model: a thread's state, and its values in ticks ---- */

struct entry {
	uint32_t node;
	bool timed;
};

struct model {
	uint64_t ticks, paused;
	uint64_t ahead; /* ticks until the last visit or sample, whose records do not advance the time */
	struct entry stack[MOST_DEPTH], idle;
	uint32_t depth, last, chunks;
	bool off;
	uint64_t values[HEDDLE_METRIC_COUNT][NODES];
	uint64_t measured;
	struct heddle_trace_value rest[3];
};

struct world {
	struct trace_builder builder;
	struct model threads[THREADS];
	uint64_t ns_per_tick;
	size_t chunk_ends[1000], chunk_records[1000], chunk_count;
	size_t records;
};

static uint32_t some(uint32_t limit)
{
	return (uint32_t)rand() % limit;
}

static uint64_t some_time(void)
{
	static const uint64_t limits[] = {1, 100, 300, 70000, (uint64_t)1 << 31};
	uint64_t time = some(5) < 4 ? some((uint32_t)limits[some(4)]) : some((uint32_t)limits[4]);
	return some(200) == 0 ? time * 16 : time;
}

/* Lets time pass up to the next record. */
static uint64_t pass(struct model *model)
{
	uint64_t time = some_time() + model->ahead;
	const struct entry *open = model->depth ? &model->stack[model->depth - 1] : &model->idle;
	if (!model->off && open->timed)
		model->values[HEDDLE_METRIC_WALL_TIME][open->node] += time;
	if (!model->off)
		model->measured += time;
	model->ticks += time;
	model->ahead = 0;
	return time;
}

/* The time of a record that does not advance the time. */
static uint64_t look_ahead(struct model *model)
{
	return model->ahead += some_time() / 8;
}

static void count(struct model *model, enum heddle_metric metric, uint32_t node, uint64_t amount)
{
	model->values[metric][node] += amount;
}

static void do_begin(struct world *world, struct model *model)
{
	struct entry entry = {some(NODES), some(2)};
	if (model->depth == MOST_DEPTH)
		return;
	uint64_t time = pass(model);
	if (some(4)) {
		trace_begin(&world->builder, time, entry.node, entry.timed);
		count(model, HEDDLE_METRIC_VISITS, entry.node, 1);
		model->last = entry.node;
	} else {
		trace_open(&world->builder, time, entry.node, entry.timed);
	}
	model->stack[model->depth++] = entry;
}

static void do_end(struct world *world, struct model *model)
{
	if (model->depth == 0)
		return;
	trace_end(&world->builder, pass(model));
	model->depth--;
}

static void do_stack(struct world *world, struct model *model)
{
	uint64_t entries[MOST_DEPTH];
	uint32_t stays = some(model->depth + 1), pushed = some(MOST_DEPTH - stays + 1);
	uint64_t time = pass(model);
	for (uint32_t i = 0; i < pushed; i++) {
		model->stack[stays + i] = (struct entry){some(NODES), some(2)};
		entries[i] = trace_entry(model->stack[stays + i].node, model->stack[stays + i].timed);
	}
	trace_stack(&world->builder, time, stays, entries, pushed);
	model->depth = stays + pushed;
}

static void do_idle(struct world *world, struct model *model)
{
	uint64_t time = pass(model);
	model->idle = (struct entry){some(NODES), some(2)};
	trace_idle(&world->builder, time, model->idle.node, model->idle.timed);
}

static void do_visit(struct world *world, struct model *model)
{
	model->last = some(NODES);
	trace_visit(&world->builder, look_ahead(model), model->last);
	count(model, HEDDLE_METRIC_VISITS, model->last, 1);
}

static void do_sample(struct world *world, struct model *model)
{
	uint64_t periods = some(300), cpu = some(1u << 30), wall = some(1u << 30);
	model->last = some(NODES);
	trace_sample(&world->builder, look_ahead(model), model->last, periods, cpu, wall);
	count(model, HEDDLE_METRIC_SAMPLES, model->last, periods);
	count(model, HEDDLE_METRIC_CPU_TIME, model->last, cpu);
	count(model, HEDDLE_METRIC_WALL_TIME, model->last, wall);
}

/* Chooses whether a record names a node, and which. Returns the operand of the record. */
static uint32_t choose_node(struct model *model)
{
	if (some(2))
		return TRACE_NO_NODE;
	return model->last = some(NODES);
}

static void do_add(struct world *world, struct model *model)
{
	static const enum heddle_metric metrics[] = {
		HEDDLE_METRIC_ALLOCATED, HEDDLE_METRIC_FLIGHT_TIME, HEDDLE_METRIC_CPU_TIME, HEDDLE_METRIC_LOCK_BLAME};
	enum heddle_metric metric = metrics[some(4)];
	uint64_t amount = (uint64_t)some(1u << 31) << some(20);
	trace_add(&world->builder, choose_node(model), metric, amount);
	count(model, metric, model->last, amount);
}

static void do_access(struct world *world, struct model *model)
{
	uint32_t side = some(4), put = some(2);
	uint64_t bytes = some(100000);
	trace_access(&world->builder, choose_node(model), put | side << 1, (int64_t)some(5) - 1, bytes);
	count(model, put ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT, model->last, bytes);
	if (side == HEDDLE_TRACE_LOCAL)
		count(model, HEDDLE_METRIC_LOCAL, model->last, 1);
	if (side == HEDDLE_TRACE_SAME_NODE)
		count(model, HEDDLE_METRIC_SAME_NODE, model->last, 1);
	if (side == HEDDLE_TRACE_SAME_NODE)
		count(model, HEDDLE_METRIC_SAME_NODE_BYTES, model->last, bytes);
	if (side == HEDDLE_TRACE_REMOTE)
		count(model, HEDDLE_METRIC_REMOTE, model->last, 1);
	if (side == HEDDLE_TRACE_REMOTE)
		count(model, HEDDLE_METRIC_REMOTE_BYTES, model->last, bytes);
}

static void do_switch(struct world *world, struct model *model)
{
	trace_mark(&world->builder, pass(model), model->off ? HEDDLE_TRACE_ON : HEDDLE_TRACE_OFF, 0);
	model->off = !model->off;
}

static void do_other(struct world *world, struct model *model)
{
	switch (some(3)) {
	case 0:
		trace_attribute(&world->builder, HEDDLE_TRACE_LOCK, some(1000));
		break;
	case 1:
		trace_distribute(&world->builder, choose_node(model), some(3), 0, some(1000) / 8.0);
		break;
	default:
		model->paused += some(10000);
		trace_mark(&world->builder, pass(model), HEDDLE_TRACE_PAUSED, model->paused);
	}
}

static void do_something(struct world *world, struct model *model)
{
	static void (*const operations[])(struct world *, struct model *) = {do_begin, do_begin, do_begin, do_end,
		do_end, do_end, do_stack, do_idle, do_visit, do_sample, do_add, do_access, do_switch, do_other};
	operations[some(sizeof(operations) / sizeof(*operations))](world, model);
}

static void record_chunk(struct world *world, uint32_t thread, uint32_t operations)
{
	struct model *model = &world->threads[thread];
	struct trace_builder *builder = &world->builder;
	uint64_t entries[MOST_DEPTH];
	trace_begin_chunk(builder, thread, model->chunks++, model->ticks, model->paused);
	size_t header = builder->chunk;
	for (uint32_t i = 0; i < model->depth; i++)
		entries[i] = trace_entry(model->stack[i].node, model->stack[i].timed);
	trace_stack(builder, pass(model), 0, entries, model->depth);
	trace_idle(builder, 0, model->idle.node, model->idle.timed);
	if (model->off)
		trace_mark(builder, 0, HEDDLE_TRACE_ON, 0);
	model->off = false;
	model->last = 0;
	for (uint32_t i = 0; i < operations; i++)
		do_something(world, model);
	trace_end_chunk(builder);
	struct heddle_trace_chunk chunk;
	memcpy(&chunk, builder->bytes + header, sizeof(chunk));
	world->records += chunk.count;
	world->chunk_ends[world->chunk_count] = builder->size;
	world->chunk_records[world->chunk_count++] = world->records;
}

static void record_rest(struct world *world, uint32_t thread)
{
	struct model *model = &world->threads[thread];
	for (size_t i = 0; i < 3; i++) {
		model->rest[i] = (struct heddle_trace_value){some(NODES), HEDDLE_METRIC_WALL_TIME, some(1u << 30)};
		count(model, HEDDLE_METRIC_WALL_TIME, model->rest[i].node, model->rest[i].value);
	}
	trace_rest(&world->builder, thread, model->rest, 3);
}

static struct world *make_world(unsigned int seed, uint32_t chunks, uint32_t operations, uint64_t ns_per_tick)
{
	struct world *world = calloc(1, sizeof(*world));
	assert_non_null(world);
	srand(seed);
	world->ns_per_tick = ns_per_tick;
	trace_start(&world->builder);
	world->builder.random_widths = true;
	trace_info(&world->builder, &(struct heddle_trace_info){.ns_per_tick = ns_per_tick});
	trace_chain(&world->builder, NODES);
	for (uint32_t i = 0; i < chunks; i++)
		record_chunk(world, i < THREADS ? i : some(THREADS), some(operations));
	return world;
}

static void free_world(struct world *world)
{
	trace_free(&world->builder);
	free(world);
}

/* ---- comparisons ---- */

static uint64_t in_units(const struct world *world, enum heddle_metric metric, uint64_t value)
{
	bool ticked = metric == HEDDLE_METRIC_WALL_TIME || metric == HEDDLE_METRIC_FLIGHT_TIME ||
		      metric == HEDDLE_METRIC_LOCK_BLAME;
	return ticked ? (uint64_t)((unsigned __int128)value * world->ns_per_tick >> 32) : value;
}

static void expect_values(const struct world *world, const struct profile_trace *trace, uint32_t thread)
{
	struct profile_trace_values values;
	assert_int_equal(profile_trace_thread_values(&values, trace, thread, NULL), 0);
	for (uint32_t m = 0; m < HEDDLE_METRIC_COUNT; m++)
		for (uint32_t n = 0; n < NODES; n++) {
			uint64_t found = values.of[m] ? values.of[m][n] : 0;
			assert_int_equal(found, in_units(world, m, world->threads[thread].values[m][n]));
		}
	assert_int_equal(values.measured_ns, in_units(world, HEDDLE_METRIC_WALL_TIME, world->threads[thread].measured));
	profile_trace_values_free(&values);
}

static void open_world(const struct world *world, const char *directory, struct profile_measurement *measurement,
	struct profile_trace *trace)
{
	write_traced_profile(directory, "a.heddle", NODES, THREADS, "");
	write_trace(&world->builder, directory, "a.heddle-trace");
	open_traced(measurement, directory);
	assert_int_equal(profile_trace_open(trace, measurement, NULL), 0);
}

static void values_are_those_that_the_threads_counted(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	for (unsigned int seed = 0; seed < 60; seed += EXHAUSTIVE_STEP) {
		struct world *world = make_world(seed, THREADS + seed * 2, 4 + seed * 4, 1 + ((uint64_t)rand() << 3));
		for (uint32_t t = 0; t < THREADS; t++)
			record_rest(world, t);
		open_world(world, "values", &measurement, &trace);
		assert_null(trace.files[0].damage);
		for (uint32_t t = 0; t < THREADS; t++)
			expect_values(world, &trace, t);
		profile_trace_close(&trace);
		profile_measurement_close(&measurement);
		free_world(world);
	}
}

/* ---- parts ---- */

static void add_values(uint64_t *sums, const struct profile_trace_values *values)
{
	for (uint32_t m = 0; m < HEDDLE_METRIC_COUNT; m++)
		for (uint32_t n = 0; values->of[m] && n < NODES; n++)
			sums[m * NODES + n] += values->of[m][n];
}

static void parts_add_up_to_the_whole(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	struct world *world = make_world(7, 60, 60, (uint64_t)1 << 32);
	open_world(world, "parts", &measurement, &trace);
	for (int attempt = 0; attempt < 50; attempt++) {
		uint64_t one = trace.end_ns / 1000 * some(1000), other = trace.end_ns / 1000 * some(1000);
		struct profile_trace_part parts[] = {{0, one < other ? one : other},
			{one < other ? one : other, one < other ? other : one},
			{one < other ? other : one, UINT64_MAX}};
		uint32_t thread = some(THREADS);
		uint64_t sums[HEDDLE_METRIC_COUNT * NODES] = {0};
		for (size_t p = 0; p < 3; p++) {
			struct profile_trace_values values;
			assert_int_equal(profile_trace_thread_values(&values, &trace, thread, &parts[p]), 0);
			add_values(sums, &values);
			profile_trace_values_free(&values);
		}
		assert_memory_equal(sums, world->threads[thread].values, sizeof(sums));
	}
	profile_trace_close(&trace);
	profile_measurement_close(&measurement);
	free_world(world);
}

static void a_part_has_its_share_of_what_was_open(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	struct profile_trace_values values;
	struct world world = {.ns_per_tick = (uint64_t)1 << 32};
	trace_start(&world.builder);
	trace_info(&world.builder, &(struct heddle_trace_info){.ns_per_tick = (uint64_t)1 << 32, .end_ticks = 1300});
	trace_chain(&world.builder, NODES);
	trace_begin_chunk(&world.builder, 0, 0, 100, 0);
	trace_stack(&world.builder, 0, 0, (uint64_t[]){trace_entry(1, true)}, 1);
	trace_begin(&world.builder, 1000, 2, true);
	trace_end_chunk(&world.builder);
	open_world(&world, "share", &measurement, &trace);
	assert_int_equal(profile_trace_thread_values(&values, &trace, 0, &(struct profile_trace_part){250, 500}), 0);
	assert_int_equal(values.of[HEDDLE_METRIC_WALL_TIME][1], 250);
	assert_null(values.of[HEDDLE_METRIC_VISITS]);
	assert_int_equal(values.measured_ns, 250);
	profile_trace_values_free(&values);
	/* What was open at the end counts up to tick 1300. */
	assert_int_equal(profile_trace_thread_values(&values, &trace, 0, &(struct profile_trace_part){900, 1150}), 0);
	assert_int_equal(values.of[HEDDLE_METRIC_WALL_TIME][1], 100);
	assert_int_equal(values.of[HEDDLE_METRIC_WALL_TIME][2], 150);
	assert_int_equal(values.of[HEDDLE_METRIC_VISITS][2], 1);
	profile_trace_values_free(&values);
	profile_trace_close(&trace);
	profile_measurement_close(&measurement);
	trace_free(&world.builder);
}

/*
 * A sample moves blame that was charged at an earlier release. If a part of the run begins after that release, the
 * blame is not subtracted in the part.
 */
static void blame_moves_within_a_part_only(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	struct profile_trace_values values;
	struct world world = {.ns_per_tick = (uint64_t)1 << 32};
	trace_start(&world.builder);
	trace_info(&world.builder, &(struct heddle_trace_info){.ns_per_tick = (uint64_t)1 << 32, .end_ticks = 1300});
	trace_chain(&world.builder, NODES);
	trace_begin_chunk(&world.builder, 0, 0, 100, 0);
	trace_stack(&world.builder, 0, 0, NULL, 0);
	trace_visit(&world.builder, 0, 2);
	trace_add(&world.builder, 2, HEDDLE_METRIC_LOCK_BLAME, 70);
	trace_add(&world.builder, 2, HEDDLE_METRIC_BLAME, 70);
	trace_add(&world.builder, 2, HEDDLE_METRIC_BARRIER_BLAME, 5);
	trace_sample(&world.builder, 900, 3, 1, 0, 0);
	trace_add(&world.builder, 2, HEDDLE_METRIC_LOCK_BLAME, -(uint64_t)70);
	trace_add(&world.builder, 2, HEDDLE_METRIC_BLAME, -(uint64_t)70);
	trace_add(&world.builder, 2, HEDDLE_METRIC_BLAME, 5);
	trace_add(&world.builder, 3, HEDDLE_METRIC_LOCK_BLAME, 70);
	trace_add(&world.builder, 3, HEDDLE_METRIC_BLAME, 70);
	trace_mark(&world.builder, 1000, HEDDLE_TRACE_THREAD_END, 0);
	trace_end_chunk(&world.builder);
	open_world(&world, "moved", &measurement, &trace);
	for (int part = 0; part < 2; part++) {
		const struct profile_trace_part late = {500, 1200};
		assert_int_equal(profile_trace_thread_values(&values, &trace, 0, part ? &late : NULL), 0);
		assert_int_equal(values.of[HEDDLE_METRIC_LOCK_BLAME][2], 0);
		assert_int_equal(values.of[HEDDLE_METRIC_BLAME][2], 5);
		assert_int_equal(values.of[HEDDLE_METRIC_LOCK_BLAME][3], 70);
		assert_int_equal(values.of[HEDDLE_METRIC_BLAME][3], 70);
		profile_trace_values_free(&values);
	}
	profile_trace_close(&trace);
	profile_measurement_close(&measurement);
	trace_free(&world.builder);
}

/* ---- select ---- */

static char *text_of_values(const struct world *world)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	fputs("process program /opt/cg\nmodule 1 1 - /nowhere/cg\nnode 0 ROOT 0 0 0\n", out);
	for (int i = 1; i < NODES; i++)
		fprintf(out, "node %d FRAME 0 1 %x\n", i - 1, i * 16);
	for (uint32_t t = 0; t < THREADS; t++) {
		fprintf(out, "thread %u -1 thread\n", t);
		for (uint32_t m = 0; m < HEDDLE_METRIC_COUNT; m++)
			for (uint32_t n = 0; n < NODES; n++)
				if (world->threads[t].values[m][n])
					fprintf(out, "value %s %u %llu\n", profile_metric_name(m), n,
						(unsigned long long)in_units(world, m, world->threads[t].values[m][n]));
	}
	fclose(out);
	return text;
}

static int add_to_sum(void *context, const struct profile_thread_values *values)
{
	for (size_t i = 0; i < values->count; i++)
		*(uint64_t *)context += values->values[i] * (values->nodes[i] + 1) * (values->thread->id + 1);
	return 0;
}

/* Returns a number that depends on all values. */
static uint64_t fingerprint(const struct profile_measurement *measurement)
{
	uint64_t sum = 0;
	for (uint32_t m = 0; m < HEDDLE_METRIC_COUNT; m++) {
		const uint64_t *values = measurement->tree.values[m];
		for (size_t n = 0; values && n < measurement->tree.node_count; n++)
			sum += values[n] * (n + 3) * (m + 1);
		for (size_t t = 0; t < measurement->processes[0].thread_count; t++)
			sum += profile_thread_total(&measurement->processes[0].threads[t], m) * (t + 1);
		if (heddle__metric_is_stored(m))
			assert_int_equal(profile_measurement_threads(measurement, m, add_to_sum, &sum), 0);
	}
	return sum;
}

static void selecting_all_changes_nothing_and_nothing_leaves_nothing(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	struct world *world = make_world(3, 40, 50, (uint64_t)3 << 31);
	for (uint32_t t = 0; t < THREADS; t++)
		record_rest(world, t);
	char *text = text_of_values(world);
	assert_int_equal(write_profile_from_text(text, traced_path("select", "a.heddle")), 0);
	free(text);
	write_trace(&world->builder, "select", "a.heddle-trace");
	open_traced(&measurement, "select");
	assert_int_equal(profile_trace_open(&trace, &measurement, NULL), 0);
	uint64_t before = fingerprint(&measurement);
	assert_true(before != 0);
	assert_int_equal(profile_trace_select(&measurement, &trace, &(struct profile_trace_part){0, UINT64_MAX}), 0);
	assert_true(fingerprint(&measurement) == before);
	struct profile_trace_part late = {trace.end_ns + 1, trace.end_ns + 2};
	assert_int_equal(profile_trace_select(&measurement, &trace, &late), 0);
	assert_true(fingerprint(&measurement) == 0);
	/* Each thread has its own half of the run. */
	struct profile_trace_part halves[] = {{0, trace.end_ns / 2}, {trace.end_ns / 2, UINT64_MAX}};
	struct profile_trace_part_list lists[THREADS] = {{halves, 2}, {halves, 1}, {halves + 1, 1}, {halves, 0}};
	assert_int_equal(profile_trace_select_lists(&measurement, &trace, lists), 0);
	for (uint32_t t = 0; t < THREADS; t++) {
		uint64_t found = profile_thread_total(&measurement.processes[0].threads[t], HEDDLE_METRIC_WALL_TIME);
		uint64_t expected = 0;
		for (size_t i = 0; i < lists[t].count; i++) {
			struct profile_trace_values values;
			assert_int_equal(profile_trace_thread_values(&values, &trace, t, &lists[t].items[i]), 0);
			for (uint32_t n = 0; values.of[HEDDLE_METRIC_WALL_TIME] && n < NODES; n++)
				expected += values.of[HEDDLE_METRIC_WALL_TIME][n];
			profile_trace_values_free(&values);
		}
		assert_in_range(found, expected, expected + NODES); /* half a nanosecond each */
		assert_true(t != 0 || found > 0);
	}
	profile_trace_close(&trace);
	profile_measurement_close(&measurement);
	free_world(world);
}

/* ---- damage ---- */

/* Reads everything in all ways. Returns the number of events. */
static size_t read_all(const struct profile_trace *trace)
{
	size_t events = 0, merged = 0;
	const struct profile_trace_stream *of;
	struct profile_trace_event event;
	for (size_t t = 0; t < trace->thread_count; t++) {
		struct profile_trace_stream stream;
		struct profile_trace_values values;
		assert_int_equal(profile_trace_stream_open(&stream, trace, t), 0);
		while (profile_trace_next(&stream, &event))
			events++;
		profile_trace_stream_close(&stream);
		profile_trace_thread_values(&values, trace, t, NULL);
		profile_trace_values_free(&values);
	}
	struct profile_trace_merge *merge = profile_trace_merge_open(trace, 0);
	while (profile_trace_merge_next(merge, &of, &event))
		merged++;
	profile_trace_merge_close(merge);
	assert_int_equal(merged, events);
	return events;
}

static size_t complete_records(const struct world *world, size_t size)
{
	size_t records = 0;
	for (size_t i = 0; i < world->chunk_count && world->chunk_ends[i] <= size; i++)
		records = world->chunk_records[i];
	return records;
}

static void a_file_cut_anywhere_is_read_up_to_its_last_whole_chunk(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	struct world *world = make_world(11, 25, 20, (uint64_t)1 << 32);
	size_t whole = world->builder.size, damaged = 0, cuts = 0;
	open_world(world, "cut", &measurement, &trace);
	assert_int_equal(read_all(&trace), world->records);
	profile_trace_close(&trace);
	for (size_t size = whole - 1; size < whole; size -= EXHAUSTIVE_STEP, cuts++) {
		assert_int_equal(truncate(traced_path("cut", "a.heddle-trace"), (off_t)size), 0);
		assert_int_equal(profile_trace_open(&trace, &measurement, NULL), 0);
		assert_int_equal(read_all(&trace), complete_records(world, size));
		damaged += trace.files[0].damage != NULL;
		profile_trace_close(&trace);
	}
	assert_in_range(damaged, cuts - world->chunk_count - 3, cuts);
	profile_measurement_close(&measurement);
	free_world(world);
}

static void a_byte_changed_anywhere_costs_at_most_what_follows(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	struct world *world = make_world(12, 12, 20, (uint64_t)1 << 32);
	open_world(world, "flip", &measurement, &trace);
	profile_trace_close(&trace);
	int fd = open(traced_path("flip", "a.heddle-trace"), O_WRONLY);
	for (size_t at = 0; at < world->builder.size; at += EXHAUSTIVE_STEP) {
		uint8_t right = world->builder.bytes[at], wrong = right ^ (uint8_t)(1 + some(255));
		assert_int_equal(pwrite(fd, &wrong, 1, (off_t)at), 1);
		int error = profile_trace_open(&trace, &measurement, NULL);
		assert_int_equal(error, 0);
		assert_true(read_all(&trace) <= world->records);
		profile_trace_close(&trace);
		assert_int_equal(pwrite(fd, &right, 1, (off_t)at), 1);
	}
	close(fd);
	profile_measurement_close(&measurement);
	free_world(world);
}

/* ---- progress ---- */

struct told {
	size_t steps, last, count;
};

static void take_step(void *context, const char *what, size_t done, size_t count)
{
	struct told *told = context;
	assert_string_equal(what, "reading parts of the trace");
	assert_true(done >= 1 && done <= count);
	*told = (struct told){told->steps + 1, done, count};
}

/* Each chunk is a step; a second reading of the trace starts again at the first step. */
static void each_chunk_is_told(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	struct told told = {0};
	struct profile_progress progress = {take_step, &told};
	struct profile_trace_steps steps = {.progress = &progress};
	struct world *world = make_world(3, 60, 60, (uint64_t)1 << 32);
	open_world(world, "steps", &measurement, &trace);
	for (size_t t = 0; t < trace.thread_count; t++)
		steps.count += trace.threads[t].chunk_count;
	assert_true(steps.count > 1);
	trace.steps = &steps;
	read_all(&trace);
	assert_true(told.steps >= steps.count);
	assert_int_equal(told.steps % steps.count, 0);
	assert_int_equal(told.last, steps.count);
	profile_trace_close(&trace);
	profile_measurement_close(&measurement);
	free_world(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_that_the_threads_counted),
		cmocka_unit_test(parts_add_up_to_the_whole),
		cmocka_unit_test(a_part_has_its_share_of_what_was_open),
		cmocka_unit_test(blame_moves_within_a_part_only),
		cmocka_unit_test(selecting_all_changes_nothing_and_nothing_leaves_nothing),
		cmocka_unit_test(a_file_cut_anywhere_is_read_up_to_its_last_whole_chunk),
		cmocka_unit_test(a_byte_changed_anywhere_costs_at_most_what_follows),
		cmocka_unit_test(each_chunk_is_told),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
