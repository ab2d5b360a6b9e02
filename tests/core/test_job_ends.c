/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank ends the job: the launcher has read the rank's output before it learns of the end and stops reading. */
#include "tests/support/unit.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/process_info.h"
#include "core/writer/outcome.h"
#include "format/job_marks.h"

static char directory[] = "/tmp/heddle-job-XXXXXX";

/* Starts late, reads to the end, and succeeds if both lines are there. In real time: the limit is two seconds. */
static void read_late(int end)
{
	char text[4096] = "";
	struct pollfd one = {.fd = end, .events = POLLIN};
	size_t length = 0;
	poll(&one, 1, -1);
	usleep(50000);
	for (ssize_t got; (got = read(end, text + length, sizeof(text) - 1 - length)) > 0;)
		length += (size_t)got;
	_exit(strstr(text, "measured ") && strstr(text, "rank 1 of 3 ends the job") ? 0 : 1);
}

static void make_mark(void)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/" HEDDLE_JOB_PREFIX "7", mkdtemp(directory));
	close(open(path, O_WRONLY | O_CREAT, 0600));
	setenv("HEDDLE_JOB", "7", 1);
	snprintf(heddle__process.output, sizeof(heddle__process.output), "%s", directory);
	atomic_store(&heddle__process.rank, 2);
	atomic_store(&heddle__process.ranks, 3);
}

static void the_launcher_reads_it_before(void **state)
{
	int ends[2], unread = -1, status = -1, terminal = dup(STDERR_FILENO);
	(void)state;
	make_mark();
	assert_int_equal(pipe(ends), 0);
	pid_t reader = fork();
	if (reader == 0) {
		close(ends[1]);
		read_late(ends[0]);
	}
	dup2(ends[1], STDERR_FILENO);
	heddle__log_init();
	heddle__outcome_job_ends();
	ioctl(ends[1], FIONREAD, &unread);
	dup2(terminal, STDERR_FILENO);
	close(ends[1]);
	waitpid(reader, &status, 0);
	assert_int_equal(unread, 0);
	assert_int_equal(status, 0);
	assert_int_equal(rmdir(directory), 0); /* the mark has been removed */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_launcher_reads_it_before)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
