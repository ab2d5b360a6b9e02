/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and codes of counters, as `heddle run` passes them to the library. */
#include "tests/support/unit.h"

#include <errno.h>
#include <sys/utsname.h>

#include "perf/counter.h"

static int parse(const char *text, struct heddle_counter *counter)
{
	return heddle__counter_parse(text, strlen(text), counter);
}

static void codes_come_through_unchanged(void **state)
{
	static const char *const texts[] = {"page-faults", "PAPI_TOT_CYC", "perf::PAGE-FAULTS{1:2}", "X{4:53c1c4}",
		"sum{4:c4+4:c5}", "difference{4:c4-4:c5}", "weights{4:1c7+2*4:4c7-8*4:10c7}", "long{4:1:2:3}",
		"first{-4:1+4:2}", "big{ffffffff:ffffffffffffffff:0:1}"};
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct heddle_counter counter;
		char text[256];
		assert_int_equal(parse(texts[i], &counter), 0);
		assert_int_equal(heddle__counter_print(&counter, text, sizeof(text)), strlen(texts[i]));
		assert_string_equal(text, texts[i]);
	}
}

static void terms_have_their_factors(void **state)
{
	struct heddle_counter counter;
	(void)state;
	assert_int_equal(parse("x{4:1c7+2*4:4c7:5-10*4:10c7:0:6}", &counter), 0);
	assert_int_equal(counter.term_count, 3);
	assert_int_equal(counter.terms[0].factor, 1);
	assert_int_equal(counter.terms[1].factor, 2);
	assert_int_equal(counter.terms[2].factor, -16);
	assert_int_equal(counter.terms[1].code.config1, 5);
	assert_int_equal(counter.terms[2].code.config2, 6);
}

static void nonsense_is_refused(void **state)
{
	static const char *const texts[] = {"{1:2}", "x{", "x{}", "x{1:2", "x{1:2}y", "x{1:2+}", "x{1:}", "x{:1}",
		"x{1:2 }", "x{1:2:3:4:5}", "x{100000000:1}", "x{1:10000000000000000}", "x{2*}", "x{*1:2}",
		"x{100000000*1:2}", "x{1:1+1:2+1:3+1:4+1:5+1:6+1:7+1:8+1:9}"};
	struct heddle_counter counter;
	char name[HEDDLE_COUNTER_NAME + 8];
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (parse(texts[i], &counter) != -EINVAL)
			fail_msg("%s was accepted", texts[i]);
	}
	assert_int_equal(parse("page-fault", &counter), -ENOENT);
	assert_int_equal(parse("page-faultss", &counter), -ENOENT);
	assert_int_equal(parse("", &counter), -ENOENT);
	memset(name, 'n', sizeof(name));
	memcpy(name + HEDDLE_COUNTER_NAME, "{1:2}", 6);
	assert_int_equal(parse(name, &counter), -EINVAL);
}

static void a_short_buffer_gets_what_fits(void **state)
{
	struct heddle_counter counter;
	char text[8];
	(void)state;
	assert_int_equal(parse("name{1:2}", &counter), 0);
	assert_int_equal(heddle__counter_print(&counter, text, sizeof(text)), 9);
	assert_string_equal(text, "name{1:");
}

static void sample_events_have_a_period(void **state)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {{"page-faults@1", 0}, {"x{4:3c}@10000", 0}, {"PAPI_TOT_CYC@1000000", 0}, {"task-clock@10000", 0},
		{"page-faults", -ERANGE}, {"page-faults@", -ERANGE}, {"page-faults@0", -ERANGE},
		{"page-faults@1x", -ERANGE}, {"page-faults@-1", -ERANGE}, {"page-faults@99999999999999999999", -ERANGE},
		{"nothing@1", -ENOENT}, {"@1", -ENOENT}, {"x{@1", -EINVAL}, {"context-switches@1", -ENOTSUP},
		{"cpu-migrations@1", -ENOTSUP}, {"x{1:3}@1", -ENOTSUP}, {"x{4:1+4:2}@10000", -ENOTSUP},
		{"task-clock@9999", -EDOM}, {"x{4:3c}@1", -EDOM}};
	struct heddle_counter counter;
	uint64_t period = 0;
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int error = heddle__sample_event_parse(cases[i].text, &counter, &period);
		if (error != cases[i].error)
			fail_msg("%s: %d", cases[i].text, error);
	}
	assert_int_equal(heddle__sample_event_parse("page-faults@123", &counter, &period), 0);
	assert_int_equal(period, 123);
}

static void kernel_versions_are_compared_by_number(void **state)
{
	static const char *const since[] = {"5.19.0-41-generic", "5.19", "5.20-rc1", "6.0", "6.18.44-fc-v657", "10.1.2",
		"5.100.0", "99999999999999999999.1"};
	static const char *const not_since[] = {"5.18.19", "5.13.0-52-generic", "5.1.9", "5.2", "4.20.17", "2.6.60",
		"5", "5.", "6", "", ".", "-6.1", " 6.1", "six.one", "6-1", "6.x"};
	(void)state;
	for (size_t i = 0; i < sizeof(since) / sizeof(*since); i++)
		if (!heddle__kernel_is_at_least(since[i], 5, 19))
			fail_msg("'%s' is not recognized as 5.19 or later", since[i]);
	for (size_t i = 0; i < sizeof(not_since) / sizeof(*not_since); i++)
		if (heddle__kernel_is_at_least(not_since[i], 5, 19))
			fail_msg("'%s' is taken for 5.19 or later", not_since[i]);
}

static struct utsname told;

/* Replaces the C library's function: pretends the kernel version that the test sets. */
int uname(struct utsname *system)
{
	*system = told;
	return 0;
}

/* If this kernel permits sigtrap, it is still refused when the kernel claims to be older. */
static void old_kernels_do_not_trap(void **state)
{
	const struct heddle_perf_code clock = {.type = 1, .config = 1};
	(void)state;
	strcpy(told.release, "6.1.0");
	int new = heddle__perf_try_trap(&clock);
	if (new)
		print_message("[  note ] sigtrap is not available on this system: %s\n", strerror(-new));
	strcpy(told.release, "5.15.0-91-generic");
	assert_int_equal(heddle__perf_try_trap(&clock), -EOPNOTSUPP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes_come_through_unchanged),
		cmocka_unit_test(terms_have_their_factors),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(a_short_buffer_gets_what_fits),
		cmocka_unit_test(sample_events_have_a_period),
		cmocka_unit_test(kernel_versions_are_compared_by_number),
		cmocka_unit_test(old_kernels_do_not_trap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
