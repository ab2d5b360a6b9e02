/* SPDX-License-Identifier: BSD-3-Clause */
/* Models without command lines pass NULL, NULL; an empty line has argc 0. */
#include "client.h"

int main(void)
{
	int argc = 0;
	char *none[] = {NULL}, **argv = none;
	gasp_context_t context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	REQUIRE(context != NULL && argc == 0 && argv == none && argv[0] == NULL);
	REQUIRE(gasp_init(GASP_MODEL_SHMEM, NULL, NULL) != NULL);
	argv = NULL;
	REQUIRE(gasp_init(GASP_MODEL_CAF, &argc, &argv) != NULL);
	fence(context, "a.upc", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 1);
	return 0;
}
