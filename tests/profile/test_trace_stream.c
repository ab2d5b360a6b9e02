/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading traces: records, chunks, the stack, and the order of time. */
#include "profile/base/errors.h"
#include "tests/profile/trace_samples.h"

#define NODES 10

static void start_file(struct trace_builder *builder)
{
	trace_start(builder);
	trace_simple_info(builder);
	trace_chain(builder, NODES);
}

static void finish_file(struct trace_builder *builder, const char *directory)
{
	write_traced_profile(directory, "a.heddle", NODES, 3, "string x\n");
	write_trace(builder, directory, "a.heddle-trace");
	trace_free(builder);
}

static void expect(struct profile_trace_stream *stream, struct profile_trace_event *event, enum heddle_trace_kind kind,
	uint64_t time_ns)
{
	assert_int_equal(profile_trace_next(stream, event), 1);
	assert_int_equal(event->kind, kind);
	assert_int_equal(event->time_ns, time_ns);
}

static void expect_charge(const struct profile_trace_event *event, uint64_t elapsed, uint32_t node)
{
	assert_int_equal(event->elapsed, elapsed);
	assert_int_equal(event->charged, node);
}

static void a_measurement_without_traces_has_none(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_trace trace;
	write_traced_profile("none", "a.heddle", NODES, 1, "");
	open_traced(&measurement, "none");
	assert_int_equal(profile_trace_open(&trace, &measurement, NULL), -ENOENT);
	profile_measurement_close(&measurement);
}

static void every_kind_of_record_is_decoded(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	struct profile_trace_stream stream;
	struct profile_trace_event event;
	start_file(&builder);
	trace_begin_chunk(&builder, 0, 0, 1000, 0);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_idle(&builder, 0, 9, true);
	trace_begin(&builder, 10, 1, true);
	trace_begin(&builder, 300, 2, false);
	trace_open(&builder, 70000, 3, true);
	trace_attribute(&builder, HEDDLE_TRACE_TASK, 77);
	trace_visit(&builder, 5, 4);
	trace_add(&builder, TRACE_NO_NODE, HEDDLE_METRIC_ALLOCATED, 1 << 20);
	trace_add(&builder, 5, HEDDLE_METRIC_ALLOCATIONS, 1);
	trace_access(&builder, TRACE_NO_NODE, HEDDLE_TRACE_ACCESS_PUT | HEDDLE_TRACE_REMOTE << 1, 3, 800);
	trace_access(&builder, 6, HEDDLE_TRACE_LOCAL << 1, -1, 8);
	trace_distribute(&builder, 7, 2, 1, -2.5);
	trace_sample(&builder, 6, 8, 2, 1000000, 999);
	trace_mark(&builder, 8, HEDDLE_TRACE_WAITED, 55);
	trace_end(&builder, 20);
	trace_stack(&builder, 30, 1, (uint64_t[]){trace_entry(6, true), trace_entry(7, false)}, 2);
	trace_stack(&builder, 40, 0, NULL, 0);
	trace_mark(&builder, (uint64_t)1 << 33, HEDDLE_TRACE_THREAD_END, 0);
	trace_end_chunk(&builder);
	finish_file(&builder, "kinds");
	open_program(&opened, "kinds");
	assert_int_equal(opened.trace.thread_count, 1);
	assert_int_equal(opened.trace.threads[0].records, 18);
	assert_null(opened.trace.files[0].damage);
	assert_ptr_equal(opened.trace.threads[0].row, &opened.measurement.processes[0].threads[0]);
	assert_int_equal(profile_trace_stream_open(&stream, &opened.trace, 0), 0);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 0);
	expect(&stream, &event, HEDDLE_TRACE_IDLE, 0);
	expect(&stream, &event, HEDDLE_TRACE_BEGIN, 10);
	expect_charge(&event, 10, 9);
	assert_int_equal(event.ticks, 1010);
	expect(&stream, &event, HEDDLE_TRACE_BEGIN_UNTIMED, 310);
	expect_charge(&event, 300, 1);
	assert_int_equal(event.node, 2);
	expect(&stream, &event, HEDDLE_TRACE_OPEN, 70310);
	expect_charge(&event, 70000, HEDDLE_NO_NODE);
	assert_true(event.timed);
	expect(&stream, &event, HEDDLE_TRACE_ATTRIBUTE, 70310);
	assert_int_equal(event.operand, HEDDLE_TRACE_TASK);
	assert_int_equal(event.value, 77);
	expect(&stream, &event, HEDDLE_TRACE_VISIT, 70315);
	expect_charge(&event, 0, HEDDLE_NO_NODE);
	expect(&stream, &event, HEDDLE_TRACE_ADD, 70315);
	assert_int_equal(event.node, 4);
	assert_int_equal(event.value, 1 << 20);
	expect(&stream, &event, HEDDLE_TRACE_ADD, 70315);
	assert_int_equal(event.node, 5);
	expect(&stream, &event, HEDDLE_TRACE_ACCESS, 70315);
	assert_int_equal(event.node, 5);
	assert_int_equal(event.partner, 3);
	assert_int_equal(event.value, 800);
	assert_int_equal(HEDDLE_TRACE_ACCESS_SIDE(event.operand), HEDDLE_TRACE_REMOTE);
	expect(&stream, &event, HEDDLE_TRACE_ACCESS, 70315);
	assert_int_equal(event.node, 6);
	assert_int_equal(event.partner, -1);
	expect(&stream, &event, HEDDLE_TRACE_DISTRIBUTE, 70315);
	assert_int_equal(event.node, 7);
	assert_int_equal(event.text, 1);
	assert_true(event.real == -2.5);
	expect(&stream, &event, HEDDLE_TRACE_SAMPLE, 70316);
	assert_int_equal(event.node, 8);
	assert_int_equal(event.value, 2);
	assert_int_equal(event.cpu_ns, 1000000);
	assert_int_equal(event.wall_ticks, 999);
	expect(&stream, &event, HEDDLE_TRACE_MARK, 70318);
	expect_charge(&event, 8, 3);
	assert_int_equal(event.value, 55);
	assert_int_equal(stream.depth, 3);
	expect(&stream, &event, HEDDLE_TRACE_END, 70338);
	expect_charge(&event, 20, 3);
	assert_int_equal(event.node, 3);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 70368);
	assert_int_equal(event.operand, 1);
	assert_int_equal(event.pushed, 2);
	assert_int_equal(stream.depth, 3);
	assert_int_equal(stream.stack[2].node, 7);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 70408);
	expect_charge(&event, 40, HEDDLE_NO_NODE);
	expect(&stream, &event, HEDDLE_TRACE_MARK, 70408 + ((uint64_t)1 << 33));
	expect_charge(&event, (uint64_t)1 << 33, 9);
	assert_int_equal(opened.trace.end_ns, event.time_ns);
	assert_int_equal(profile_trace_next(&stream, &event), 0);
	assert_int_equal(stream.error, 0);
	profile_trace_stream_close(&stream);
	close_program(&opened);
}

/* Three chunks of one thread, in any order in the file, with a chunk of another thread between them. */
static void chunks_follow_each_other_by_their_numbers(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	struct profile_trace_stream stream;
	struct profile_trace_event event;
	start_file(&builder);
	trace_begin_chunk(&builder, 5, 1, 2000, 0);
	trace_stack(&builder, 100, 0, (uint64_t[]){trace_entry(1, true)}, 1);
	trace_end(&builder, 50);
	trace_end_chunk(&builder);
	trace_begin_chunk(&builder, 2, 0, 1500, 0);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_end_chunk(&builder);
	trace_begin_chunk(&builder, 5, 0, 1000, 0);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_begin(&builder, 1000, 1, true);
	trace_end_chunk(&builder);
	trace_begin_chunk(&builder, 5, 3, 5000, 700);
	trace_stack(&builder, 100, 0, NULL, 0);
	trace_end_chunk(&builder);
	finish_file(&builder, "order");
	open_program(&opened, "order");
	assert_int_equal(opened.trace.thread_count, 2);
	assert_int_equal(opened.trace.threads[0].id, 2);
	assert_int_equal(opened.trace.threads[1].id, 5);
	assert_null(opened.trace.threads[1].row);
	assert_int_equal(profile_trace_stream_open(&stream, &opened.trace, 1), 0);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 0);
	expect(&stream, &event, HEDDLE_TRACE_BEGIN, 1000);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 1100);
	expect_charge(&event, 100, 1);
	expect(&stream, &event, HEDDLE_TRACE_END, 1150);
	/* Chunk 2 is missing: what was open until here is unknown. Also, measurement was paused for 700 ticks. */
	expect(&stream, &event, HEDDLE_TRACE_STACK, 4800);
	expect_charge(&event, 100, HEDDLE_NO_NODE);
	assert_int_equal(profile_trace_next(&stream, &event), 0);
	assert_int_equal(stream.error, 0);
	profile_trace_stream_seek(&stream, 1010);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 1100);
	assert_int_equal(stream.depth, 1);
	profile_trace_stream_seek(&stream, 0);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 0);
	profile_trace_stream_close(&stream);
	close_program(&opened);
}

static void pauses_and_control_charge_nothing(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	struct profile_trace_stream stream;
	struct profile_trace_event event;
	start_file(&builder);
	trace_begin_chunk(&builder, 0, 0, 0, 0);
	trace_stack(&builder, 0, 0, (uint64_t[]){trace_entry(1, true)}, 1);
	trace_mark(&builder, 10, HEDDLE_TRACE_OFF, 0);
	trace_mark(&builder, 100, HEDDLE_TRACE_ON, 0);
	trace_mark(&builder, 5, HEDDLE_TRACE_PAUSED, 5000);
	trace_end(&builder, 7);
	trace_end_chunk(&builder);
	finish_file(&builder, "off");
	open_program(&opened, "off");
	assert_int_equal(profile_trace_stream_open(&stream, &opened.trace, 0), 0);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 0);
	expect(&stream, &event, HEDDLE_TRACE_MARK, 10);
	expect_charge(&event, 10, 1);
	expect(&stream, &event, HEDDLE_TRACE_MARK, 110);
	expect_charge(&event, 100, HEDDLE_NO_NODE);
	expect(&stream, &event, HEDDLE_TRACE_MARK, 115);
	expect_charge(&event, 5, 1);
	expect(&stream, &event, HEDDLE_TRACE_END, 5122);
	expect_charge(&event, 7, 1);
	profile_trace_stream_close(&stream);
	close_program(&opened);
}

static void a_damaged_chunk_ends_its_thread_alone(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	struct profile_trace_event event;
	const struct profile_trace_stream *stream;
	size_t events[2] = {0};
	start_file(&builder);
	for (uint32_t i = 0; i < 6; i++) {
		trace_begin_chunk(&builder, i % 2, i / 2, (uint64_t)i * 100, 0);
		trace_stack(&builder, 0, 0, NULL, 0);
		trace_mark(&builder, 50, HEDDLE_TRACE_WAITED, i);
		trace_end_chunk(&builder);
		if (i == 2)
			builder.bytes[builder.size - 1] ^= 1;
	}
	finish_file(&builder, "broken");
	open_program(&opened, "broken");
	struct profile_trace_merge *merge = profile_trace_merge_open(&opened.trace, 0);
	while (profile_trace_merge_next(merge, &stream, &event))
		events[stream->thread->id]++;
	assert_int_equal(events[0], 2);
	assert_int_equal(events[1], 6);
	assert_int_equal(profile_trace_merge_broken(merge), 1);
	profile_trace_merge_close(merge);
	close_program(&opened);
}

/* No memory must be reserved for a group number that is greater than the file could contain. */
static void a_group_with_a_wild_number_is_ignored(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	const struct heddle_trace_group groups[] = {
		{7, 1, 0, 0, 0}, {8, 1 << 20, 0, 0, 0}, {9, 0, 0, 0, 0}, {10, 2, 0, 0, 0}};
	start_file(&builder);
	trace_groups(&builder, groups, 4);
	finish_file(&builder, "wild");
	open_program(&opened, "wild");
	const struct profile_trace_file *file = &opened.trace.files[0];
	assert_int_equal(file->group_count, 2);
	assert_int_equal(file->groups[0].identity, 7);
	assert_int_equal(file->groups[1].identity, 10);
	assert_string_equal(file->damage, "a group of ranks is ignored: its number is 1048576");
	close_program(&opened);
}

/* The record of the context's idle node may be earlier than the thread's begin. */
static void a_thread_that_begins_keeps_what_is_idle(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	struct profile_trace_stream stream;
	struct profile_trace_event event;
	start_file(&builder);
	trace_begin_chunk(&builder, 0, 0, 0, 0);
	trace_stack(&builder, 0, 0, NULL, 0);
	trace_idle(&builder, 0, 4, true);
	trace_mark(&builder, 0, HEDDLE_TRACE_THREAD_BEGIN, 123);
	trace_begin(&builder, 60, 1, true);
	trace_end_chunk(&builder);
	finish_file(&builder, "begin");
	open_program(&opened, "begin");
	assert_int_equal(profile_trace_stream_open(&stream, &opened.trace, 0), 0);
	expect(&stream, &event, HEDDLE_TRACE_STACK, 0);
	expect(&stream, &event, HEDDLE_TRACE_IDLE, 0);
	expect(&stream, &event, HEDDLE_TRACE_MARK, 0);
	assert_int_equal(event.value, 123);
	expect(&stream, &event, HEDDLE_TRACE_BEGIN, 60);
	expect_charge(&event, 60, 4);
	profile_trace_stream_close(&stream);
	close_program(&opened);
}

/* Thread t records at t, t + 3, t + 6, ...: with three of them, every tick has one event. */
static void all_threads_are_merged_by_time(void **state)
{
	(void)state;
	struct trace_builder builder;
	struct traced opened;
	struct profile_trace_event event;
	const struct profile_trace_stream *stream;
	start_file(&builder);
	for (uint32_t order = 0; order < 10; order++) {
		for (uint32_t t = 0; t < 3; t++) {
			trace_begin_chunk(&builder, t, order, (uint64_t)order * 30 + t, 0);
			trace_stack(&builder, 0, 0, NULL, 0);
			for (int i = 0; i < 10; i++) {
				trace_mark(&builder, 3, HEDDLE_TRACE_WAITED, i);
				trace_attribute(&builder, HEDDLE_TRACE_LOCK, i);
			}
			trace_end_chunk(&builder);
		}
	}
	finish_file(&builder, "merge");
	open_program(&opened, "merge");
	struct profile_trace_merge *merge = profile_trace_merge_open(&opened.trace, 0);
	assert_non_null(merge);
	uint64_t marks = 0, before = 0;
	const struct profile_trace_stream *of_mark = NULL;
	while (profile_trace_merge_next(merge, &stream, &event)) {
		assert_true(event.time_ns >= before);
		before = event.time_ns;
		if (event.kind == HEDDLE_TRACE_MARK) {
			assert_int_equal(event.time_ns, 3 + marks);
			assert_int_equal(stream->thread->id, marks++ % 3);
			of_mark = stream;
		}
		if (event.kind == HEDDLE_TRACE_ATTRIBUTE)
			assert_ptr_equal(stream, of_mark);
	}
	assert_int_equal(marks, 300);
	profile_trace_merge_close(merge);
	merge = profile_trace_merge_open(&opened.trace, 200);
	assert_int_equal(profile_trace_merge_next(merge, &stream, &event), 1);
	assert_in_range(event.time_ns, 180, 182);
	profile_trace_merge_close(merge);
	close_program(&opened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_measurement_without_traces_has_none),
		cmocka_unit_test(every_kind_of_record_is_decoded),
		cmocka_unit_test(chunks_follow_each_other_by_their_numbers),
		cmocka_unit_test(pauses_and_control_charge_nothing),
		cmocka_unit_test(a_damaged_chunk_ends_its_thread_alone),
		cmocka_unit_test(a_group_with_a_wild_number_is_ignored),
		cmocka_unit_test(a_thread_that_begins_keeps_what_is_idle),
		cmocka_unit_test(all_threads_are_merged_by_time),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
