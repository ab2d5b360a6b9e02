/* SPDX-License-Identifier: BSD-3-Clause */
/* Short records, which account for several events, and numbers. */
#include "profile/base/errors.h"
#include "tests/profile/trace_samples.h"

#define NODES 10

static struct profile_measurement measurement;
static struct profile_trace trace;
static struct profile_trace_stream stream;
static struct profile_trace_event event;

static void start_file(struct trace_builder *builder)
{
	trace_start(builder);
	trace_simple_info(builder);
	trace_chain(builder, NODES);
	trace_begin_chunk(builder, 0, 0, 0, 0);
}

static void begin_next_chunk(struct trace_builder *builder, uint32_t order)
{
	trace_end_chunk(builder);
	trace_begin_chunk(builder, 0, order, builder->tick, 0);
}

static void open_file(struct trace_builder *builder, const char *directory)
{
	trace_end_chunk(builder);
	write_traced_profile(directory, "a.heddle", NODES, 1, "");
	write_trace(builder, directory, "a.heddle-trace");
	trace_free(builder);
	open_traced(&measurement, directory);
	assert_int_equal(profile_trace_open(&trace, &measurement, NULL), 0);
	assert_int_equal(profile_trace_stream_open(&stream, &trace, 0), 0);
}

static void close_file(void)
{
	profile_trace_stream_close(&stream);
	profile_trace_close(&trace);
	profile_measurement_close(&measurement);
}

static void expect(enum heddle_trace_kind kind, uint64_t time_ns)
{
	assert_int_equal(profile_trace_next(&stream, &event), 1);
	assert_int_equal(event.kind, kind);
	assert_int_equal(event.time_ns, time_ns);
}

static void expect_attribute(enum heddle_trace_attribute attribute, uint64_t value, uint64_t time_ns)
{
	expect(HEDDLE_TRACE_ATTRIBUTE, time_ns);
	assert_int_equal(event.operand, attribute);
	assert_int_equal(event.value, value);
	assert_int_equal(event.elapsed, 0);
	assert_int_equal(event.charged, HEDDLE_NO_NODE);
}

static void expect_end(int error)
{
	assert_int_equal(profile_trace_next(&stream, &event), 0);
	assert_int_equal(stream.error, error);
}

/* The context of the task is node 4, and its begin is a visit of node 5. */
static void expect_task(uint64_t task, uint64_t time_ns)
{
	expect(HEDDLE_TRACE_OPEN, time_ns);
	assert_int_equal(event.node, 4);
	assert_true(event.timed);
	expect(HEDDLE_TRACE_VISIT, time_ns);
	assert_int_equal(event.node, 5);
	expect_attribute(HEDDLE_TRACE_TASK, task, time_ns);
}

static void numbers_are_attributes(void **state)
{
	(void)state;
	struct trace_builder builder;
	start_file(&builder);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_LOCK, 77);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_TASK_CREATE, 0);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_PARALLEL, 0xfedcba98);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_TEAM_SIZE, 300);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_LOCK, 0);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_LOCK, (uint64_t)1 << 50);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_LOCK, 0);
	begin_next_chunk(&builder, 1);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_number(&builder, HEDDLE_TRACE_NUMBER_LOCK, 0); /* the first one in this chunk */
	open_file(&builder, "numbers");
	expect(HEDDLE_TRACE_STACK, 0);
	expect_attribute(HEDDLE_TRACE_LOCK, 77, 0);
	expect_attribute(HEDDLE_TRACE_TASK_CREATE, 0, 0);
	expect_attribute(HEDDLE_TRACE_PARALLEL, 0xfedcba98, 0);
	expect_attribute(HEDDLE_TRACE_TEAM_SIZE, 300, 0);
	expect_attribute(HEDDLE_TRACE_LOCK, 77, 0);
	expect_attribute(HEDDLE_TRACE_LOCK, (uint64_t)1 << 50, 0);
	expect_attribute(HEDDLE_TRACE_LOCK, (uint64_t)1 << 50, 0);
	expect(HEDDLE_TRACE_STACK, 0);
	expect_end(-HEDDLE_CORRUPTED);
	close_file();
}

/* One task inside another one, which is inside an implicit task, which has no number. */
static void a_task_that_ends_names_itself_and_the_one_that_continues(void **state)
{
	(void)state;
	struct trace_builder builder;
	uint64_t entries[] = {trace_entry(1, true), trace_entry(2, true), trace_entry(4, true)};
	start_file(&builder);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_open(&builder, 10, 1, true);
	trace_begin(&builder, 10, 2, true);
	trace_task_begin(&builder, 10, 5, true, 88);
	begin_next_chunk(&builder, 1);
	trace_stack(&builder, 0, 0, entries, 3);
	trace_task_begin(&builder, 300, 5, true, 0xffffffff);
	trace_task_return(&builder, 70000);
	trace_task_return(&builder, 5);
	trace_end(&builder, 5);
	open_file(&builder, "tasks");
	assert_int_equal(trace.threads[0].records, 9);
	expect(HEDDLE_TRACE_STACK, 0);
	expect(HEDDLE_TRACE_OPEN, 10);
	expect(HEDDLE_TRACE_BEGIN, 20);
	expect_task(88, 30);
	expect(HEDDLE_TRACE_STACK, 30);
	expect_task(0xffffffff, 330);
	expect(HEDDLE_TRACE_END, 70330);
	assert_int_equal(event.charged, 4);
	assert_int_equal(event.elapsed, 70000);
	expect_attribute(HEDDLE_TRACE_TASK_END, 0xffffffff, 70330);
	expect_attribute(HEDDLE_TRACE_TASK, 88, 70330);
	expect(HEDDLE_TRACE_END, 70335);
	expect_attribute(HEDDLE_TRACE_TASK_END, 88, 70335);
	expect(HEDDLE_TRACE_ATTRIBUTE, 70335);
	assert_int_equal(event.operand, HEDDLE_TRACE_TASK);
	assert_true(event.value > UINT32_MAX);
	expect(HEDDLE_TRACE_END, 70340);
	assert_int_equal(event.node, 2);
	expect_end(0);
	close_file();
}

/* After a loss, or if reading begins in the middle, the number of an open task is not known. */
static void a_task_whose_begin_was_not_read_has_no_number(void **state)
{
	(void)state;
	struct trace_builder builder;
	uint64_t entries[] = {trace_entry(4, true), trace_entry(4, true)};
	start_file(&builder);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_task_begin(&builder, 10, 5, true, 88);
	trace_task_begin(&builder, 10, 5, true, 99);
	begin_next_chunk(&builder, 2);
	trace_stack(&builder, 0, 0, entries, 2);
	trace_task_return(&builder, 5);
	trace_end(&builder, 5);
	open_file(&builder, "unknown");
	expect(HEDDLE_TRACE_STACK, 0);
	expect_task(88, 10);
	expect_task(99, 20);
	expect(HEDDLE_TRACE_STACK, 20);
	expect(HEDDLE_TRACE_END, 25);
	expect(HEDDLE_TRACE_ATTRIBUTE, 25);
	assert_int_equal(event.operand, HEDDLE_TRACE_TASK);
	assert_true(event.value > UINT32_MAX);
	expect(HEDDLE_TRACE_END, 30);
	expect_end(0);
	close_file();
}

static void put_task_of_the_root(struct trace_builder *builder)
{
	trace_task_begin(builder, 1, 0, true, 7);
}

static void put_task_of_no_node(struct trace_builder *builder)
{
	trace_task_begin(builder, 1, NODES, true, 7);
}

static void put_half_a_task(struct trace_builder *builder)
{
	trace_task_begin(builder, 1, 5, true, 7);
	builder->size -= 2;
}

static void put_end_of_nothing(struct trace_builder *builder)
{
	trace_task_return(builder, 1);
}

static void put_end_of_another_kind(struct trace_builder *builder)
{
	trace_begin(builder, 1, 1, true);
	trace_end(builder, 1);
	builder->bytes[builder->size - 2] |= 2 << 6;
}

static void damaged_records_end_the_stream(void **state)
{
	(void)state;
	static void (*const put[])(struct trace_builder * builder) = {put_task_of_the_root, put_task_of_no_node,
		put_half_a_task, put_end_of_nothing, put_end_of_another_kind};
	for (size_t i = 0; i < sizeof(put) / sizeof(put[0]); i++) {
		struct trace_builder builder;
		char directory[32];
		snprintf(directory, sizeof(directory), "damaged.%zu", i);
		start_file(&builder);
		trace_stack(&builder, 0, 0, NULL, 0);
		put[i](&builder);
		open_file(&builder, directory);
		while (profile_trace_next(&stream, &event))
			;
		expect_end(-HEDDLE_CORRUPTED);
		close_file();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_attributes),
		cmocka_unit_test(a_task_that_ends_names_itself_and_the_one_that_continues),
		cmocka_unit_test(a_task_whose_begin_was_not_read_has_no_number),
		cmocka_unit_test(damaged_records_end_the_stream),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
