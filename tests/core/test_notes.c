/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes: each text is kept once, in order of arrival, up to a limit. */
#include "tests/support/unit.h"

#include "core/base/notes.h"

static void a_text_is_kept_once(void **state)
{
	(void)state;
	char same[] = "first";
	assert_null(heddle__note_text(0));
	heddle__note("first");
	heddle__note("second");
	heddle__note(same);
	assert_string_equal(heddle__note_text(0), "first");
	assert_string_equal(heddle__note_text(1), "second");
	assert_null(heddle__note_text(2));
}

static void what_is_too_much_is_dropped(void **state)
{
	(void)state;
	static char texts[10][8];
	for (int i = 0; i < 10; i++) {
		snprintf(texts[i], sizeof(texts[i]), "note %d", i);
		heddle__note(texts[i]);
	}
	assert_string_equal(heddle__note_text(7), "note 5");
	assert_null(heddle__note_text(8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_kept_once),
		cmocka_unit_test(what_is_too_much_is_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
