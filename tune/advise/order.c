/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes how far accesses are from each other: runs and strides, from the sketch of a loop and variable. */
#include "tune/advise/print.h"

#include <stdio.h>
#include <string.h>

/* Smaller parts of the accesses are not mentioned. */
#define NAMED 0.05

/* Adds ", 12 % 2 to 7" if PART is large enough; the first part has no comma. */
static size_t add_part(char *text, size_t size, size_t used, double part, const char *what)
{
	bool first = text[used - 1] == ':';
	if (part < NAMED || used >= size)
		return used;
	int length = snprintf(text + used, size - used, "%s %.0f %% %s", first ? "" : ",", 100 * part, what);
	return used + (length > 0 && (size_t)length < size - used ? (size_t)length : 0);
}

const char *heddle__advice_describe_order(char *text, size_t size, const struct heddle_advice *one)
{
	static const char head[] = " By distance from the one before, in elements:";
	double all = one->sketched, rest = one->runs - one->near - one->far - one->farther;
	size_t used = sizeof head - 1;
	text[0] = '\0';
	if (all <= 0 || size <= used)
		return text;
	memcpy(text, head, sizeof head);
	used = add_part(text, size, used, 1 - one->runs / all, "beside it");
	used = add_part(text, size, used, one->near / all, "2 to 7");
	used = add_part(text, size, used, one->far / all, "8 to 63");
	used = add_part(text, size, used, one->farther / all, "64 to 511");
	used = add_part(text, size, used, rest / all, "more");
	used = add_part(text, size, used, one->regular / all, "in the same stride");
	snprintf(text + used, size - used, "%s", one->runs < 0.1 * all ? "; upc_memget could bring them, too." : ".");
	return text;
}
