/* SPDX-License-Identifier: BSD-3-Clause */
/* make_trace FILE: writes a trace file from the text (trace_text.h) on standard input, for scripts. */
#include "tests/profile/trace_text.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static char text[1 << 22];
	size_t size = fread(text, 1, sizeof(text) - 1, stdin);
	text[size] = '\0';
	if (argc != 2) {
		fprintf(stderr, "usage: make_trace FILE\n");
		return 2;
	}
	return write_trace_from_text(text, argv[1]) == 0 ? 0 : 1;
}
