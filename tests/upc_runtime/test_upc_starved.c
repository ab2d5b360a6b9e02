/* SPDX-License-Identifier: BSD-3-Clause */
/* upc/runtime/base/starved.c: a process that can run but had no processor, and others. */
#include "upc/runtime/base/starved.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define LONG_STEP_MS 2000000 /* no child uses half of this */

static pid_t spinning(void)
{
	pid_t child = fork();
	if (child == 0)
		for (;;)
			continue;
	return child;
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_process_that_can_run_is_starved_if_it_had_too_little(void **state)
{
	uint64_t cpu_ns = 0;
	pid_t child = spinning();
	(void)state;
	assert_true(hupc__is_starved(child, LONG_STEP_MS, &cpu_ns));
	assert_false(hupc__is_starved(child, 0, &cpu_ns));
	end(child);
}

/* However little it has used in each step. */
static void a_process_that_never_ends_uses_up_its_steps(void **state)
{
	uint64_t cpu_ns = 0, before = 0;
	pid_t child = spinning();
	(void)state;
	for (int counted = 0; counted < 3; counted++, before = cpu_ns) {
		while (hupc__is_starved(child, 20, &cpu_ns))
			assert_int_equal(cpu_ns, before);
		assert_true(cpu_ns - before >= 10000000);
	}
	end(child);
}

static void a_stopped_process_is_not_starved(void **state)
{
	uint64_t cpu_ns = 0;
	int status;
	pid_t child = spinning();
	(void)state;
	kill(child, SIGSTOP);
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_false(hupc__is_starved(child, LONG_STEP_MS, &cpu_ns));
	end(child);
	assert_false(hupc__is_starved(child, LONG_STEP_MS, &cpu_ns)); /* nor one that has ended */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_can_run_is_starved_if_it_had_too_little),
		cmocka_unit_test(a_process_that_never_ends_uses_up_its_steps),
		cmocka_unit_test(a_stopped_process_is_not_starved),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
