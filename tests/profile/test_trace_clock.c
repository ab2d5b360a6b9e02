/* SPDX-License-Identifier: BSD-3-Clause */
/* One clock for all processes of a trace: ticks, measured offsets, and the clocks of systems. */
#include "tests/profile/trace_samples.h"

#define NODES 3
#define SECOND 1000000000ull

struct machine {
	const char *name, *host;
	struct heddle_trace_info info;
	const struct heddle_trace_offset *offsets;
	size_t offset_count;
};

/* Writes a process that records marks with the values 0, 1, ... at these ticks. */
static void write_process(const char *directory, const struct machine *machine, const uint64_t *ticks, size_t count)
{
	struct trace_builder builder;
	char name[64], more[200];
	snprintf(more, sizeof(more), "process host %s\nprocess machine x86_64\n", machine->host);
	snprintf(name, sizeof(name), "%s.heddle", machine->name);
	write_traced_profile(directory, name, NODES, 1, more);
	trace_start(&builder);
	trace_info(&builder, &machine->info);
	trace_chain(&builder, NODES);
	trace_begin_chunk(&builder, 0, 0, ticks[0], 0);
	trace_stack(&builder, 0, 0, NULL, 0);
	for (size_t i = 0; i < count; i++)
		trace_mark(&builder, ticks[i] - builder.tick, HEDDLE_TRACE_WAITED, i);
	trace_end_chunk(&builder);
	if (machine->offset_count)
		trace_offsets(&builder, machine->offsets, machine->offset_count);
	snprintf(name, sizeof(name), "%s.heddle-trace", machine->name);
	write_trace(&builder, directory, name);
	trace_free(&builder);
}

/* Returns the time of a thread's mark with this value. */
static uint64_t time_of_mark(const struct profile_trace *trace, size_t thread, uint64_t value)
{
	struct profile_trace_stream stream;
	struct profile_trace_event event;
	uint64_t found = UINT64_MAX;
	assert_int_equal(profile_trace_stream_open(&stream, trace, thread), 0);
	while (profile_trace_next(&stream, &event))
		if (event.kind == HEDDLE_TRACE_MARK && event.value == value)
			found = event.time_ns;
	profile_trace_stream_close(&stream);
	return found;
}

static void processes_of_one_machine_have_its_clock(void **state)
{
	(void)state;
	struct traced opened;
	/* Both use the same counter, of 2 GHz, with ratios determined at different moments. */
	struct machine one = {.name = "a",
		.host = "h",
		.info = {.ns_per_tick = (uint64_t)1 << 31, .start_ticks = 1000, .start_mono_ns = 500}};
	struct machine other = {.name = "b",
		.host = "h",
		.info = {.ns_per_tick = (uint64_t)1 << 31,
			.start_ticks = 5000,
			.start_mono_ns = 2500,
			.start_unix_ns = 77 * SECOND}};
	write_process("same", &one, (uint64_t[]){2000, 4000}, 2);
	write_process("same", &other, (uint64_t[]){3000, 9000}, 2);
	open_program(&opened, "same");
	assert_int_equal(opened.trace.files[1].clock, HEDDLE_TRACE_SAME_MACHINE);
	assert_int_equal(opened.trace.zero_ns, 1000);
	assert_int_equal(time_of_mark(&opened.trace, 0, 1), 1000);
	assert_int_equal(time_of_mark(&opened.trace, 1, 0), 500);
	assert_int_equal(time_of_mark(&opened.trace, 1, 1), 3500);
	assert_int_equal(opened.trace.end_ns, 3500);
	close_program(&opened);
}

/* The second machine's clock is 3 seconds ahead and drifts by 100 us per second; the offset is measured every 10 s. */
static void drift_is_taken_out(long drift_ppm, const char *directory)
{
	struct traced opened;
	struct heddle_trace_offset offsets[4];
	uint64_t truth[200], shown[200];
	for (size_t i = 0; i < 4; i++) {
		uint64_t at = i * 10 * SECOND;
		int64_t ahead = (int64_t)(3 * SECOND) + (int64_t)at / 1000000 * drift_ppm;
		offsets[3 - i] = (struct heddle_trace_offset){at + (uint64_t)ahead, -ahead, 4000 + i};
	}
	for (size_t i = 0; i < 200; i++) {
		truth[i] = (i + 1) * SECOND / 7;
		shown[i] = truth[i] + 3 * SECOND + (uint64_t)((int64_t)truth[i] / 1000000 * drift_ppm);
	}
	struct machine one = {.name = "a", .host = "h1", .info = {.ns_per_tick = (uint64_t)1 << 32}};
	struct machine other = {.name = "b",
		.host = "h2",
		.info = {.ns_per_tick = (uint64_t)1 << 32, .start_unix_ns = 12345 * SECOND},
		.offsets = offsets,
		.offset_count = 4};
	write_process(directory, &one, truth, 200);
	write_process(directory, &other, shown, 200);
	open_program(&opened, directory);
	assert_int_equal(opened.trace.files[0].clock, HEDDLE_TRACE_SAME_MACHINE);
	assert_int_equal(opened.trace.files[1].clock, HEDDLE_TRACE_MEASURED_OFFSETS);
	assert_int_equal(opened.trace.files[1].clock_error_ns, 4003);
	for (size_t i = 0; i < 200; i++) {
		uint64_t a = time_of_mark(&opened.trace, 0, i), b = time_of_mark(&opened.trace, 1, i);
		assert_in_range(b, a > 500 ? a - 500 : 0, a + 500);
	}
	close_program(&opened);
}

static void measured_offsets_bring_clocks_together(void **state)
{
	(void)state;
	drift_is_taken_out(100, "fast");
	drift_is_taken_out(-100, "slow");
}

static void outside_of_the_measurements_the_offset_is_constant(void **state)
{
	(void)state;
	struct traced opened;
	struct heddle_trace_offset offsets[] = {{1000, 100, 1}, {2000, 300, 1}};
	struct machine one = {.name = "a", .host = "h1", .info = {.ns_per_tick = (uint64_t)1 << 32}};
	struct machine other = {.name = "b",
		.host = "h2",
		.info = {.ns_per_tick = (uint64_t)1 << 32},
		.offsets = offsets,
		.offset_count = 2};
	write_process("outside", &one, (uint64_t[]){0}, 1);
	write_process("outside", &other, (uint64_t[]){500, 1000, 1500, 2000, 2500}, 5);
	open_program(&opened, "outside");
	static const uint64_t times[] = {600, 1100, 1700, 2300, 2800};
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(time_of_mark(&opened.trace, 1, i), times[i]);
	close_program(&opened);
}

static void without_measurements_the_systems_clocks_decide(void **state)
{
	(void)state;
	struct traced opened;
	struct machine one = {.name = "a",
		.host = "h1",
		.info = {.ns_per_tick = (uint64_t)1 << 32,
			.start_mono_ns = 50 * SECOND,
			.start_unix_ns = 1000 * SECOND}};
	struct machine other = {.name = "b",
		.host = "h2",
		.info = {
			.ns_per_tick = (uint64_t)1 << 32, .start_mono_ns = 7 * SECOND, .start_unix_ns = 1002 * SECOND}};
	/* A process on the second machine, which has read the two clocks 40 ns apart. */
	struct machine more = other;
	more.name = "c";
	more.info.start_unix_ns += 40;
	write_process("system", &one, (uint64_t[]){0}, 1);
	write_process("system", &other, (uint64_t[]){0, SECOND}, 2);
	write_process("system", &more, (uint64_t[]){0}, 1);
	open_program(&opened, "system");
	assert_int_equal(opened.trace.files[1].clock, HEDDLE_TRACE_SYSTEM_CLOCKS);
	assert_true(time_of_mark(&opened.trace, 1, 0) == 2 * SECOND);
	assert_true(time_of_mark(&opened.trace, 1, 1) == 3 * SECOND);
	assert_true(time_of_mark(&opened.trace, 2, 0) == 2 * SECOND);
	close_program(&opened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_of_one_machine_have_its_clock),
		cmocka_unit_test(measured_offsets_bring_clocks_together),
		cmocka_unit_test(outside_of_the_measurements_the_offset_is_constant),
		cmocka_unit_test(without_measurements_the_systems_clocks_decide),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
