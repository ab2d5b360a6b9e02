/* SPDX-License-Identifier: BSD-3-Clause */
/* make_profile FILE: writes the profile that standard input describes (profile_text.h) to FILE. For script tests. */
#include "tests/profile/profile_text.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static char text[1 << 20];
	size_t size = fread(text, 1, sizeof(text) - 1, stdin);
	text[size] = '\0';
	if (argc != 2 || write_profile_from_text(text, argv[1]) != 0) {
		fputs("usage: make_profile FILE <DESCRIPTION\n", stderr);
		return 1;
	}
	return 0;
}
