/* SPDX-License-Identifier: BSD-3-Clause */
/* cli/run/survivors.c: a process that executes one program after the other is counted at any time. */
#include "cli/run/survivors.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define LOOKS 300

/* Starts a shell that executes itself forever, some thousand times per second. Returns when it has started. */
static pid_t start(const char *directory)
{
	static char output[PATH_MAX + sizeof "HEDDLE_OUTPUT="];
	snprintf(output, sizeof output, "HEDDLE_OUTPUT=%s", directory);
	char again[] = "exec \"$0\" -c \"$1\" \"$0\" \"$1\"";
	char *arguments[] = {"sh", "-c", again, "/bin/sh", again, NULL};
	char *environment[] = {output, "LD_PRELOAD=" PRELOADED_LIBRARY, NULL};
	int begun[2];
	char byte;
	assert_int_equal(pipe2(begun, O_CLOEXEC), 0);
	pid_t child = fork();
	if (child == 0) {
		execve("/bin/sh", arguments, environment);
		_exit(127);
	}
	close(begun[1]);
	assert_int_equal(read(begun[0], &byte, 1), 0);
	close(begun[0]);
	return child;
}

static void test_counted_while_it_executes_programs(void **state)
{
	char directory[] = "/tmp/heddle-survivors.XXXXXX";
	(void)state;
	assert_non_null(mkdtemp(directory));
	pid_t child = start(directory);
	int counted = 0, status;
	for (int i = 0; i < LOOKS; i++)
		counted += heddle__survivors(directory) == 1;
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	rmdir(directory);
	assert_int_equal(counted, LOOKS);
	assert_int_equal(heddle__survivors(directory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted_while_it_executes_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
