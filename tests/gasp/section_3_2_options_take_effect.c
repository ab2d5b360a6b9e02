/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "to support the processing of command-line arguments": run as `client one --heddle-events=FILE two -- --heddle-x`,
 * with a FILE that names only GASP_UPC_GET. Arguments after "--" belong to the program.
 */
#include "client.h"

int main(int argc, char **argv)
{
	gasp_context_t context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	REQUIRE(argc == 5);
	REQUIRE(argc == 5 && strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two") == 0);
	REQUIRE(argc == 5 && strcmp(argv[3], "--") == 0 && strcmp(argv[4], "--heddle-x") == 0 && !argv[5]);
	fence(context, "a.upc", 1);
	get(context, "a.upc", 2, 8);
	EXPECT("visits", "GASP_UPC_GET @a.upc:2", 1);
	EXPECT("visits", "*", 1);
	return 0;
}
