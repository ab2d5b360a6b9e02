/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Different strings are counted separately: by the bytes that printf would print, at most 63 of them; 16 strings for an
 * argument, all others together. Unreadable pointers do no harm.
 */
#include "client.h"

#include <sys/mman.h>

static void cut(gasp_context_t context)
{
	unsigned int cut = gasp_create_event(context, "cut", "%.3s %.*s %ls");
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page + 4096, 4096, PROT_NONE);
	page[4094] = 'a'; /* no null byte before the end of the page */
	page[4095] = 'b';
	ATOMIC(context, cut, "a.upc", 1, 0, "abcdef", 2, page + 4094, L"wide");
	ATOMIC(context, cut, "a.upc", 1, 0, "", -1, "all", L"wide");
	ATOMIC(context, cut, "a.upc", 1, 0, "a\nb", 0, "none", L"wide");
	EXPECT_STRING("cut", 1, "abc", 1);
	EXPECT_STRING("cut", 1, "", 1);
	EXPECT_STRING("cut", 1, "a?b", 1);
	EXPECT_STRING("cut", 3, "ab", 1);
	EXPECT_STRING("cut", 3, "all", 1);
	EXPECT_STRING("cut", 3, "", 1);
	EXPECT_VALUES("cut", 4, 0, 0, 0, 0);
}

static void wrong(gasp_context_t context)
{
	unsigned int wrong = gasp_create_event(context, "wrong", "%s");
	ATOMIC(context, wrong, "a.upc", 2, 0, (char *)NULL);
	ATOMIC(context, wrong, "a.upc", 2, 0, (char *)8);
	ATOMIC(context, wrong, "a.upc", 2, 0, (char *)-8);
	EXPECT_STRING("wrong", 1, "(null)", 1);
	EXPECT_STRING("wrong", 1, "(not readable)", 2);
}

static void at_length(gasp_context_t context)
{
	unsigned int at_length = gasp_create_event(context, "long", "%s");
	char text[200], expected[80];
	memset(text, 'x', sizeof(text));
	text[199] = '\0';
	ATOMIC(context, at_length, "a.upc", 3, 0, text);
	snprintf(expected, sizeof(expected), "%.63s...", text);
	EXPECT_STRING("long", 1, expected, 1);
	memcpy(text + 61, "\u20ac", 3); /* three bytes, two of which are within the first 63 */
	ATOMIC(context, at_length, "a.upc", 3, 0, text);
	snprintf(expected, sizeof(expected), "%.61s...", text);
	EXPECT_STRING("long", 1, expected, 1);
}

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int event = gasp_create_event(context, "many", "case=%s of %d");
	for (int i = 0; i < 1000; i++) {
		char text[16];
		snprintf(text, sizeof(text), "text %d", i % 40);
		ATOMIC(context, event, "a.upc", 1, 0, text, i);
	}
	for (int i = 0; i < 16; i++) {
		char text[16];
		snprintf(text, sizeof(text), "text %d", i);
		EXPECT_STRING("many", 1, text, 25);
	}
	EXPECT_STRING("many", 1, "text 16", 0);
	EXPECT_STRING("many", 1, "<others>", 24 * 25);
	EXPECT_VALUES("many", 1, 1000, 0, 0, 0);
	EXPECT_VALUES("many", 2, 1000, 0, 999, 499500);
	cut(context);
	wrong(context);
	at_length(context);
	return 0;
}
