/* SPDX-License-Identifier: BSD-3-Clause */
/* Any punctuation may stand behind a backslash. */
#include "cli/base/markdown.h"

#include <stdio.h>
#include <string.h>

void heddle__print_markdown(const char *text)
{
	for (; *text; text++)
		printf(strchr("\\`*_{}[]<>|#&~$", *text) ? "\\%c" : "%c", *text);
}
