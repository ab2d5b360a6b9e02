/* SPDX-License-Identifier: BSD-3-Clause */
/* cli/base/progress.c on a pseudo-terminal: the line appears, is erased, and is left out if nobody would read it. */
#include "cli/base/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_MS 60000

struct terminal {
	int keyboard, screen; /* the ends of the user and of the program */
};

static void open_terminal(struct terminal *terminal, unsigned short columns)
{
	const struct winsize size = {.ws_row = 24, .ws_col = columns};
	terminal->keyboard = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(terminal->keyboard >= 0);
	assert_int_equal(grantpt(terminal->keyboard), 0);
	assert_int_equal(unlockpt(terminal->keyboard), 0);
	terminal->screen = open(ptsname(terminal->keyboard), O_RDWR | O_NOCTTY);
	assert_true(terminal->screen >= 0);
	assert_int_equal(ioctl(terminal->screen, TIOCSWINSZ, &size), 0);
}

static void close_terminal(const struct terminal *terminal)
{
	close(terminal->screen);
	close(terminal->keyboard);
}

/* Reads until the text contains `end`. */
static void read_until(const struct terminal *terminal, const char *end, char *text, size_t size)
{
	struct pollfd ready = {.fd = terminal->keyboard, .events = POLLIN};
	size_t used = strlen(text);
	while (!strstr(text, end)) {
		assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
		ssize_t got = read(terminal->keyboard, text + used, size - used - 1);
		assert_true(got > 0);
		used += (size_t)got;
		text[used] = '\0';
	}
}

static void test_shown_and_erased(void **state)
{
	struct terminal terminal;
	struct heddle_progress progress;
	char text[4096] = "";
	(void)state;
	open_terminal(&terminal, 80);
	heddle__progress_begin(&progress, terminal.screen, 0);
	profile_progress_step(&progress.steps, "reading files", 3, 4000);
	read_until(&terminal, "\rheddle: reading files: 3 of 4000\033[K", text, sizeof(text));
	profile_progress_step(&progress.steps, "reading files", 7, 4000);
	read_until(&terminal, "\rheddle: reading files: 7 of 4000\033[K", text, sizeof(text));
	text[0] = '\0';
	heddle__progress_end(&progress);
	assert_int_equal(write(terminal.screen, "end", 3), 3);
	read_until(&terminal, "end", text, sizeof(text));
	assert_string_equal(text + strlen(text) - 7, "\r\033[Kend");
	close_terminal(&terminal);
}

static void test_cut(void **state)
{
	struct terminal terminal;
	struct heddle_progress progress;
	char text[4096] = "";
	(void)state;
	open_terminal(&terminal, 20);
	heddle__progress_begin(&progress, terminal.screen, 0);
	profile_progress_step(&progress.steps, "reading files", 3, 4000);
	read_until(&terminal, "\033[K", text, sizeof(text));
	heddle__progress_end(&progress);
	assert_memory_equal(text, "\rheddle: reading fil\033[K", 23);
	close_terminal(&terminal);
}

/* Work that ends before the delay, or that reports no progress, writes no byte. */
static void test_short_work(void **state)
{
	struct terminal terminal;
	struct heddle_progress progress;
	char text[4096] = "";
	(void)state;
	open_terminal(&terminal, 80);
	heddle__progress_begin(&progress, terminal.screen, 10 * PATIENCE_MS);
	profile_progress_step(&progress.steps, "reading files", 1, 2);
	heddle__progress_end(&progress);
	heddle__progress_begin(&progress, terminal.screen, 0);
	heddle__progress_end(&progress);
	assert_int_equal(write(terminal.screen, "end", 3), 3);
	read_until(&terminal, "end", text, sizeof(text));
	assert_string_equal(text, "end");
	close_terminal(&terminal);
}

static void test_no_terminal(void **state)
{
	struct heddle_progress progress;
	int ends[2];
	char byte;
	(void)state;
	assert_int_equal(pipe(ends), 0);
	heddle__progress_begin(&progress, ends[1], 0);
	profile_progress_step(&progress.steps, "reading files", 1, 2);
	assert_false(progress.has_thread);
	heddle__progress_end(&progress);
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shown_and_erased),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_short_work),
		cmocka_unit_test(test_no_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
