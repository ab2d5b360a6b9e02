/* SPDX-License-Identifier: BSD-3-Clause */
/* Markdown allows a backslash before any punctuation character. */
#include "cli/base/markdown.h"

#include <stdio.h>
#include <string.h>

void heddle__print_markdown(const char *text)
{
	for (; *text; text++)
		printf(strchr("\\`*_{}[]<>|#&~$", *text) ? "\\%c" : "%c", *text);
}
