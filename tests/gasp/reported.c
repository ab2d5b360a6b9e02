/* SPDX-License-Identifier: BSD-3-Clause */
/* For reported.sh: a few events of each kind that `heddle report`, `export` and `info` show. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int step = gasp_create_event(context, "time step", "step=%d residual=%g by %s");
	void *any = &context;
	START(context, GASP_C_FUNC, "cg.upc", 40, 0, "solve");
	for (int i = 1; i <= 4; i++) {
		START(context, step, "cg.upc", 50, 0, i, 10. / i, i == 1 ? "cg" : "gmres");
		get(context, "cg.upc", 57, 8);
		START(context, GASP_UPC_MEMPUT, "cg.upc", 58, 0, any, any, (size_t)4096);
		END(context, GASP_UPC_MEMPUT, "cg.upc", 58, 0, any, any, (size_t)4096);
		START(context, GASP_UPC_BARRIER, "cg.upc", 60, 0, 0, 0);
		spend(2000000);
		END(context, GASP_UPC_BARRIER, "cg.upc", 60, 0, 0, 0);
		END(context, step, "cg.upc", 61, 0, i, 1. / i, i == 1 ? "cg" : "gmres");
	}
	START(context, 4711, "cg.upc", 70, 0);
	END(context, 4711, "cg.upc", 70, 0);
	END(context, GASP_C_FUNC, "cg.upc", 71, 0, "solve");
	/* Berkeley UPC's run-time system passes names of phases in place of a file. */
	START(context, GASP_UPC_NOTIFY, "_STARTUP", 0, 0, 0, 0);
	END(context, GASP_UPC_NOTIFY, "_STARTUP", 0, 0, 0, 0);
	START(context, GASP_UPC_BARRIER, "_FINAL_BARRIER", 0, 0, 0, 0);
	END(context, GASP_UPC_BARRIER, "_FINAL_BARRIER", 0, 0, 0, 0);
	EXPECT("visits", "*", 20);
	return 0;
}
