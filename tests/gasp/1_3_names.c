/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of 1.3-pre2 that 1.5 changed: types and constants of languages, exits, reductions, pointers, the range of user
 * events in gasp.h. In C; 1_3_names_cxx.cpp tests the same in C++.
 */
#include "client.h"

int main(void)
{
	gasp_lang_t language = GASP_LANG_UPC;
	gasp_context_t context = gasp_init(language, NULL, NULL);
	gasp_upc_reduc_t type = GASP_UPC_REDUCE_LD;
	gasp_upc_pts_t *shared_pointer = &language;
	REQUIRE(GASP_LANG_UPC == 0 && GASP_LANG_TITANIUM == 1 && GASP_LANG_CAF == 2 && GASP_LANG_MPI == 3);
	REQUIRE(GASP_LANG_SHMEM == 4);
	REQUIRE(GASP_UPC_REDUCE_C == 0 && GASP_UPC_REDUCE_UC == 1 && GASP_UPC_REDUCE_S == 2 && GASP_UPC_REDUCE_US == 3);
	REQUIRE(GASP_UPC_REDUCE_I == 4 && GASP_UPC_REDUCE_UI == 5 && GASP_UPC_REDUCE_L == 6 && GASP_UPC_REDUCE_UL == 7);
	REQUIRE(GASP_UPC_REDUCE_F == 8 && GASP_UPC_REDUCE_D == 9 && type == 10 && shared_pointer);
	unsigned int event = gasp_create_event(context, "user", NULL);
	REQUIRE(event >= GASP_USEREVT_START && event <= GASP_USEREVT_END);
	START(context, GASP_COLLECTIVE_EXIT, "a.upc", 1, 0);
	END(context, GASP_COLLECTIVE_EXIT, "a.upc", 1, 0, 0);
	ATOMIC(context, GASP_NONCOLLECTIVE_EXIT, "a.upc", 2, 0, 0);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_NONCOLLECTIVE_EXIT @a.upc:2", 1);
	return 0;
}
