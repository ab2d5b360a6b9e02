/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, descriptions, files and functions of 1 MB, of zero bytes, and of bytes that are not text. */
#include "client.h"

#define SIZE (1 << 20)

static char *filled(const char *with)
{
	char *text = malloc(SIZE + 1);
	for (size_t i = 0, length = strlen(with); i < SIZE; i++)
		text[i] = with[i % length];
	text[SIZE] = '\0';
	return text;
}

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int events[6];
	events[0] = gasp_create_event(context, filled("x"), filled("long "));
	events[1] = gasp_create_event(context, "many arguments", filled("%d "));
	events[2] = gasp_create_event(context, "many percents", filled("%%"));
	events[3] = gasp_create_event(context, "", NULL);
	events[4] = gasp_create_event(context, NULL, NULL);
	events[5] = gasp_create_event(context, "\xff\xc0\x80", "\xff %d");
	for (int i = 0; i < 6; i++) {
		START(context, events[i], "a.upc", 1, 0, 1, 2, 3);
		END(context, events[i], "a.upc", 1, 0, 1, 2, 3);
	}
	START(context, GASP_C_FUNC, "a.upc", 1, 0, filled("void f(int);"));
	fence(context, filled("dir/"), 7);
	fence(context, "\xff\xc0.upc", 8);
	END(context, GASP_C_FUNC, "a.upc", 1, 0, filled("void f(int);"));
	fence(context, "a.upc", 9);
	EXPECT("visits", "many arguments", 1);
	EXPECT("visits", "many percents", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:9", 1);
	EXPECT("visits", "*", 10);
	EXPECT_SAID("many arguments", 1);
	return 0;
}
