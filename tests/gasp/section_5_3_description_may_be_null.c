/* SPDX-License-Identifier: BSD-3-Clause */
/* "the desc argument may contain either NULL or a printf-style format string": NULL and "" carry no arguments. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int none = gasp_create_event(context, "none", NULL), empty = gasp_create_event(context, "empty", "");
	unsigned int words = gasp_create_event(context, "words", "100%% of it");
	ATOMIC(context, none, "a.upc", 1, 0);
	ATOMIC(context, empty, "a.upc", 2, 0);
	ATOMIC(context, words, "a.upc", 3, 0);
	EXPECT("visits", "none", 1);
	EXPECT("visits", "empty", 1);
	EXPECT("visits", "words", 1);
	EXPECT_VALUES("*", 1, 0, 0, 0, 0);
	return 0;
}
