/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Tool code may modify the contents of the argc and argv pointers to support the processing of command-line
 * arguments." Heddle's options are removed in any position; the rest stays in order, and argv still ends with NULL.
 */
#include "client.h"

int main(void)
{
	char *words[] = {(char *)"client", (char *)"one", (char *)"--heddle-verbose", (char *)"--heddle", (char *)"-x",
		(char *)"--heddle-flush-seconds=0", (char *)"two", NULL};
	const char *left[] = {"client", "one", "--heddle", "-x", "two"};
	int argc = 7;
	char **argv = words;
	gasp_context_t context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	REQUIRE(argc == 5);
	for (int i = 0; i < 5 && i < argc; i++)
		REQUIRE(strcmp(argv[i], left[i]) == 0);
	REQUIRE(argv[argc] == NULL);
	fence(context, "a.upc", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 1);
	return 0;
}
