/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps facts with separators, and words, to lines of every width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/base/wrap.h"

#define WIDTH_LIMIT 60

static const char *const texts[] = {
	"2 processes, 3 threads, 8.02 s CPU, 5,000 samples at 1000 Hz of CPU time (perf task-clock)",
	"one word, another, third",
	"a, bc, def, ghij, klmno, pqrstu",
};

static char *wrapped(const char *text, size_t width, const char *glue)
{
	char *result = NULL;
	size_t size;
	struct heddle_wrap how = {.out = open_memstream(&result, &size), .width = width, .indent = 2, .glue = glue};
	assert_non_null(how.out);
	heddle__print_wrapped(&how, text);
	fclose(how.out);
	return result;
}

/* Returns the width of the longest word, with the separator after it, and the indentation. */
static size_t least_width(const char *text)
{
	size_t most = 0;
	for (size_t length; *text; text += length + (text[length] == ' ')) {
		length = strcspn(text, " ");
		most = length > most ? length : most;
	}
	return most + 2;
}

static void no_line_is_wider_than_asked_for(void **state)
{
	(void)state;
	for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++) {
		for (size_t width = least_width(texts[t]); width < WIDTH_LIMIT; width++) {
			char *all = wrapped(texts[t], width, ", "), *rest = NULL;
			for (char *line = strtok_r(all, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
				if (strlen(line) > width)
					fail_msg("width %zu: '%s'", width, line);
			}
			free(all);
		}
	}
}

static void a_number_stays_with_its_unit(void **state)
{
	(void)state;
	char *text = wrapped("51 % of the time (3.01 s) waits, 49 % of it there", 19, NULL);
	assert_string_equal(text, "51 % of the time\n  (3.01 s) waits,\n  49 % of it there");
	free(text);
	text = wrapped("at 1000 Hzs of 3 seconds", 10, NULL);
	assert_string_equal(text, "at 1000\n  Hzs of 3\n  seconds");
	free(text);
}

static void facts_are_not_broken_while_they_fit(void **state)
{
	(void)state;
	char *text = wrapped("2 threads, 4 s CPU, no", 10, ", ");
	assert_string_equal(text, "2 threads,\n  4 s CPU,\n  no");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_line_is_wider_than_asked_for),
		cmocka_unit_test(a_number_stays_with_its_unit),
		cmocka_unit_test(facts_are_not_broken_while_they_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
