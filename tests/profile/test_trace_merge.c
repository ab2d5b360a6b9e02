/* SPDX-License-Identifier: BSD-3-Clause */
/* With helper threads, a merge returns the same events, in the same order, with the same stacks, as without them. */
#include "tests/profile/trace_random.h"
#include "tests/profile/trace_samples.h"

#include <stdlib.h>

#define NODES 16
#define THREADS 7
#define CHUNKS 20 /* of a long trace */

/* Some chunks are missing, and some have no records. */
static void put_chunk(struct trace_builder *builder, uint32_t thread, uint32_t order, uint32_t records)
{
	struct trace_random random = {.nodes = NODES, .texts = 2, .counter = HEDDLE_METRIC_BYTES_PUT};
	uint64_t entries[4];
	trace_begin_chunk(builder, thread, order, (uint64_t)order * 1000000 + thread, order * 3);
	for (size_t i = 0; i < 4; i++)
		entries[i] = trace_entry(trace_some(NODES), trace_some(2));
	if (records) {
		trace_stack(builder, trace_some(5), 0, entries, random.depth = trace_some(5));
		trace_idle(builder, trace_some(5), trace_some(NODES), true);
	}
	for (uint32_t i = 0; i < records; i++)
		trace_random_record(builder, &random);
	trace_end_chunk(builder);
}

static void write_random(const char *directory, unsigned int seed, uint32_t chunks, uint32_t records)
{
	struct trace_builder builder;
	srand(seed);
	trace_start(&builder);
	trace_simple_info(&builder);
	trace_chain(&builder, NODES);
	builder.random_widths = true;
	for (uint32_t order = 0; order < chunks; order++)
		for (uint32_t thread = 0; thread < THREADS; thread++)
			if (trace_some(10))
				put_chunk(&builder, thread, order, trace_some(8) ? trace_some(records) : 0);
	write_traced_profile(directory, "a.heddle", NODES, THREADS, "string x=%d\nstring y=%d\n");
	write_trace(&builder, directory, "a.heddle-trace");
	trace_free(&builder);
}

static bool same_entries(const struct profile_trace_stream *one, const struct profile_trace_stream *other, size_t first)
{
	bool same = true;
	for (size_t i = first; i < one->depth; i++)
		same &= one->stack[i].node == other->stack[i].node && one->stack[i].timed == other->stack[i].timed &&
			one->stack[i].region == other->stack[i].region;
	return same;
}

/* An event changes the top of the stack. The rest of a deep stack is compared now and then only, as that takes long. */
static void expect_same_stack(
	const struct profile_trace_stream *one, const struct profile_trace_stream *other, size_t event)
{
	assert_int_equal(one->thread->id, other->thread->id);
	assert_int_equal(one->chunk, other->chunk);
	assert_int_equal(one->off, other->off);
	assert_int_equal(one->unknown, other->unknown);
	assert_int_equal(one->time_ns, other->time_ns);
	assert_int_equal(one->idle.node, other->idle.node);
	assert_int_equal(one->idle.timed, other->idle.timed);
	assert_int_equal(one->depth, other->depth);
	assert_true(same_entries(one, other, one->depth > 16 && event % 16 ? one->depth - 16 : 0));
}

static void expect_same(const struct profile_trace_event *one, const struct profile_trace_event *other)
{
	assert_int_equal(one->kind, other->kind);
	assert_int_equal(one->ticks, other->ticks);
	assert_int_equal(one->time_ns, other->time_ns);
	assert_int_equal(one->node, other->node);
	if (one->kind == HEDDLE_TRACE_BEGIN || one->kind == HEDDLE_TRACE_OPEN || one->kind == HEDDLE_TRACE_VISIT)
		assert_int_equal(one->tree_node, other->tree_node);
	assert_int_equal(one->timed, other->timed);
	assert_int_equal(one->operand, other->operand);
	assert_int_equal(one->pushed, other->pushed);
	assert_int_equal(one->value, other->value);
	assert_int_equal(one->cpu_ns, other->cpu_ns);
	assert_int_equal(one->wall_ticks, other->wall_ticks);
	assert_int_equal(one->partner, other->partner);
	assert_int_equal(one->text, other->text);
	assert_memory_equal(&one->real, &other->real, sizeof(one->real));
	assert_int_equal(one->elapsed, other->elapsed);
	assert_int_equal(one->charged, other->charged);
}

/* Compares and closes both merges. Returns the number of events. */
static size_t expect_same_order(struct profile_trace_merge *plain, struct profile_trace_merge *ahead)
{
	const struct profile_trace_stream *one, *other;
	struct profile_trace_event event, same;
	size_t count = 0;
	assert_non_null(plain);
	assert_non_null(ahead);
	for (; profile_trace_merge_next(plain, &one, &event); count++) {
		assert_int_equal(profile_trace_merge_next(ahead, &other, &same), 1);
		expect_same(&event, &same);
		expect_same_stack(one, other, count);
	}
	assert_int_equal(profile_trace_merge_next(ahead, &other, &same), 0);
	assert_int_equal(profile_trace_merge_broken(plain), profile_trace_merge_broken(ahead));
	assert_int_equal(profile_trace_merge_error(ahead), 0);
	profile_trace_merge_close(plain);
	profile_trace_merge_close(ahead);
	return count;
}

/* Compares and closes two merges that are read without streams: events, and the entries that a STACK record pushed. */
static void expect_same_without_streams(struct profile_trace_merge *plain, struct profile_trace_merge *ahead)
{
	const struct profile_trace_entry *one = NULL, *other = NULL;
	struct profile_trace_event event, same;
	size_t thread, same_thread;
	assert_non_null(plain);
	assert_non_null(ahead);
	while (profile_trace_merge_take(plain, &thread, &event, &one)) {
		assert_int_equal(profile_trace_merge_take(ahead, &same_thread, &same, &other), 1);
		assert_int_equal(thread, same_thread);
		same.ticks = event.ticks;
		same.elapsed = event.elapsed;
		same.charged = event.charged;
		expect_same(&event, &same);
		for (uint32_t i = 0; event.kind == HEDDLE_TRACE_STACK && i < event.pushed; i++)
			assert_int_equal(one[i].node, other[i].node);
	}
	assert_int_equal(profile_trace_merge_take(ahead, &same_thread, &same, &other), 0);
	profile_trace_merge_close(plain);
	profile_trace_merge_close(ahead);
}

static size_t compare(const struct profile_trace *trace, uint64_t from_ns, size_t helpers)
{
	expect_same_without_streams(profile_trace_merge_open_with(trace, from_ns, 0),
		profile_trace_merge_open_with(trace, from_ns, helpers));
	return expect_same_order(profile_trace_merge_open_with(trace, from_ns, 0),
		profile_trace_merge_open_with(trace, from_ns, helpers));
}

static void random_traces_are_read_in_the_same_order(void **state)
{
	(void)state;
	size_t events = 0;
	for (unsigned int seed = 0; seed < 20; seed++) {
		struct traced opened;
		char name[32];
		snprintf(name, sizeof(name), "random%u", seed);
		write_random(name, seed, 6, 30);
		open_program(&opened, name);
		for (size_t helpers = 1; helpers <= 4; helpers++)
			events += compare(&opened.trace, 0, helpers);
		events += compare(&opened.trace, 3000000, 2);
		close_program(&opened);
	}
	assert_true(events > 10000);
}

/* The events are more than fit into the blocks, and some stacks are deeper than a block can hold. */
static void long_traces_are_read_in_the_same_order(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	static uint64_t entries[5000];
	trace_start(&builder);
	trace_simple_info(&builder);
	trace_chain(&builder, NODES);
	for (size_t i = 0; i < 5000; i++)
		entries[i] = trace_entry(i % NODES, true);
	for (uint32_t order = 0; order < CHUNKS; order++) {
		for (uint32_t t = 0; t < 3; t++) {
			trace_begin_chunk(&builder, t, order, (uint64_t)order * 10000 + t, 0);
			trace_stack(&builder, 0, 0, entries, order * 240);
			for (int i = 0; i < 1000; i++) {
				trace_begin(&builder, i % 7, i % NODES, true);
				trace_end(&builder, i % 3);
			}
			trace_end_chunk(&builder);
		}
	}
	write_traced_profile("long", "a.heddle", NODES, 3, "");
	write_trace(&builder, "long", "a.heddle-trace");
	trace_free(&builder);
	open_program(&opened, "long");
	assert_int_equal(compare(&opened.trace, 0, 2), 3 * CHUNKS * 2001);
	close_program(&opened);
}

/* There are enough events that helpers are started, if there are processors for them. */
static void some_threads_are_read_in_the_same_order(void **state)
{
	(void)state;
	static const size_t threads[] = {2, 0};
	struct traced opened;
	open_program(&opened, "long");
	struct profile_trace_merge *plain = profile_trace_merge_open_some(&opened.trace, threads, 2, 0);
	struct profile_trace_merge *ahead = profile_trace_merge_open_some(&opened.trace, threads, 2, 2);
	assert_int_equal(expect_same_order(plain, ahead), 2 * CHUNKS * 2001);
	close_program(&opened);
}

/* Helpers end, even if they wait for room or still read. */
static void a_merge_may_be_closed_early(void **state)
{
	(void)state;
	struct traced opened;
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	open_program(&opened, "long");
	for (int events = 0; events < 3; events++) {
		struct profile_trace_merge *merge = profile_trace_merge_open_with(&opened.trace, 0, 3);
		for (int i = 0; i < events; i++)
			assert_int_equal(profile_trace_merge_next(merge, &stream, &event), 1);
		profile_trace_merge_close(merge);
	}
	close_program(&opened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces_are_read_in_the_same_order),
		cmocka_unit_test(long_traces_are_read_in_the_same_order),
		cmocka_unit_test(some_threads_are_read_in_the_same_order),
		cmocka_unit_test(a_merge_may_be_closed_early),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
