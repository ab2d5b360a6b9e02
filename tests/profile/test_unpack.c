/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of unpacked messages: printable in every field; only the parts of an object's string keep their separators. */
#include "heddle_profile.pb-c.h"
#include "profile/file/unpack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void text_is_printable(void **state)
{
	(void)state;
	Heddle__Profile__Process process = HEDDLE__PROFILE__PROCESS__INIT;
	Heddle__Profile__EventKind event = HEDDLE__PROFILE__EVENT_KIND__INIT;
	Heddle__Profile__EventKind *events[] = {&event};
	char *strings[] = {"a\t\tb\xc2\x9bz\t\xe2\x80\xae\033\t", "\t", "", "plain"};
	char *arguments[] = {"-x\t\n"};
	process.program = "/opt/\033[31mprog\t";
	process.strings = strings;
	process.n_strings = 4;
	process.arguments = arguments;
	process.n_arguments = 1;
	process.events = events;
	process.n_events = 1;
	event.label = "get\r";
	size_t size = heddle__profile__process__get_packed_size(&process);
	uint8_t *bytes = malloc(size);
	assert_non_null(bytes);
	heddle__profile__process__pack(&process, bytes);
	Heddle__Profile__Process *got = profile_unpack(&heddle__profile__process__descriptor, size, bytes);
	assert_non_null(got);
	assert_string_equal(got->program, "/opt/?[31mprog?");
	assert_string_equal(got->strings[0], "a\t\tb?z\t?"
					     "?\t");
	assert_string_equal(got->strings[1], "\t");
	assert_string_equal(got->strings[2], "");
	assert_string_equal(got->strings[3], "plain");
	assert_string_equal(got->arguments[0], "-x?"
					       "?");
	assert_string_equal(got->events[0]->label, "get?");
	heddle__profile__process__free_unpacked(got, NULL);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_printable)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
