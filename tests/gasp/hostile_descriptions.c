/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "desc ... a printf-style format string" that must not be passed to printf: it is never interpreted, one line reports
 * unsupported conversions, and the events are still counted.
 */
#include "client.h"

static int bad, good;

static void play(gasp_context_t context, const char *description, int is_bad)
{
	char name[32];
	snprintf(name, sizeof(name), "event %d", bad + good);
	unsigned int event = gasp_create_event(context, name, description);
	for (int i = 0; i < 3; i++) {
		START(context, event, "a.upc", 1, 0, (void *)NULL, (void *)NULL, (void *)NULL, (void *)NULL);
		END(context, event, "a.upc", 1, 0, (void *)NULL, (void *)NULL, (void *)NULL, (void *)NULL);
	}
	EXPECT("visits", name, 3);
	if (is_bad) {
		char text[64];
		snprintf(text, sizeof(text), "description of user event \"%s\"", name);
		EXPECT_SAID(text, 1);
	}
	*(is_bad ? &bad : &good) += 1;
}

int main(void)
{
	static const char *const wrong[] = {"%n", "%d %n", "%hhn", "%1$d", "%2$s %1$d", "%", "100%", "%-", "%l", "%5.",
		"%*", "%.*", "%y", "%d %", "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"};
	static const char *const right[] = {"%s", "%s %s %s", "%*d", "%%", "%%n", "%%%%", "%-+ #0d", "%p", "%c", "",
		"\xff\xfe\x80 not UTF-8 %d", "tab\tand\nnewline %d", "\x1b[31m%d", "%99999999999999999999d"};
	gasp_context_t context = init_upc();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		play(context, wrong[i], 1);
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		play(context, right[i], 0);
	EXPECT("visits", "*", 3 * (bad + good));
	return 0;
}
