/* SPDX-License-Identifier: BSD-3-Clause */
/* The filter of printed text: what it passes, as a whole and in pieces of every size. */
#include "cli/base/output_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_printed(bool terminal, bool utf8, const char *text, const char *wanted)
{
	size_t length = strlen(text);
	for (size_t piece = 1; piece <= length; piece++) {
		struct heddle_output_filter printed = {.terminal = terminal, .utf8 = utf8};
		char out[HEDDLE_OUTPUT_FILTER_ROOM(512)];
		size_t used = 0;
		for (size_t at = 0; at < length; at += piece) {
			size_t size = length - at < piece ? length - at : piece;
			used += heddle__output_filter_apply(&printed, out + used, text + at, size);
		}
		out[used] = '\0';
		assert_string_equal(out, wanted);
	}
}

static void text_passes(void **state)
{
	(void)state;
	assert_printed(
		true, true, "a line\n\tand \xc3\xa9\xf0\x9f\x98\x80.\n", "a line\n\tand \xc3\xa9\xf0\x9f\x98\x80.\n");
	assert_printed(false, false, "\xc3\xa9.", "\xc3\xa9.");
	assert_printed(true, false, "\xc3\xa9.", "?.");
	assert_printed(true, false, "std::sort<\xe2\x80\xa6>", "std::sort<..>"); /* the mark of a shortened name */
}

static void controls_do_not(void **state)
{
	(void)state;
	for (int terminal = 0; terminal < 2; terminal++) {
		assert_printed(terminal, true, "\033]0;x\a\033[2J\033[5m.\r.\n", "?]0;x??[2J?[5m.?.\n");
		assert_printed(terminal, true, "\x7f\xc2\x9b\xe2\x80\xae\xff\xc3.\x9b.",
			"?"
			"?"
			"?"
			"?"
			"?.?.");
	}
}

static void own_sequences_pass_on_terminals(void **state)
{
	(void)state;
	assert_printed(true, true, "\033[1;31mhot\033[0m\r\033[K.", "\033[1;31mhot\033[0m\r\033[K.");
	assert_printed(false, true, "\033[1;31mhot\033[0m.", "?[1;31mhot?[0m.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_passes),
		cmocka_unit_test(controls_do_not),
		cmocka_unit_test(own_sequences_pass_on_terminals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
