/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the errors of a translation, and grows lists. */
#include "upc/translate/rewriter.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void upc__add_problem(struct upc_translation *translation, int token, const char *message)
{
	translation->problems =
		upc__grow(translation->problems, translation->problem_count, sizeof *translation->problems);
	translation->problems[translation->problem_count++] =
		(struct upc_problem){.token = token, .message = upc__format("%s", message)};
}

void upc__refuse(struct rewriter *rewriter, int i, const char *format, ...)
{
	char message[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	int last = rewriter->tokens->count - 1;
	upc__add_problem(rewriter->translation, i > last ? last : i > 0 ? i : 0, message);
}

void *upc__grow(void *list, int count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return list;
	list = realloc(list, (size_t)(count ? 2 * count : 1) * size);
	if (!list)
		exit(1);
	return list;
}
