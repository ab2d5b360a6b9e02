/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 1, GASP_C_FUNC with const char *funcsig: functions are in call paths by their names; "it is also permitted for
 * different funcsig pointers ... to indicate the same function signature".
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	char *one = strdup("double solve(int)"), *other = strdup("double solve(int)");
	START(context, GASP_C_FUNC, "a.upc", 1, 0, "int user_main(void)");
	START(context, GASP_C_FUNC, "a.upc", 10, 0, one);
	START(context, GASP_C_FUNC, "a.upc", 10, 0, other); /* recursion */
	fence(context, "a.upc", 11);
	END(context, GASP_C_FUNC, "a.upc", 12, 0, one);
	END(context, GASP_C_FUNC, "a.upc", 12, 0, other);
	START(context, GASP_C_FUNC, "a.upc", 10, 0, other);
	END(context, GASP_C_FUNC, "a.upc", 12, 0, other);
	END(context, GASP_C_FUNC, "a.upc", 5, 0, "int user_main(void)");
	EXPECT("visits", "int user_main(void)", 1);
	EXPECT("visits", "int user_main(void);double solve(int)", 2);
	EXPECT("visits", "int user_main(void);double solve(int);double solve(int)", 1);
	EXPECT("visits", "int user_main(void);double solve(int);double solve(int);GASP_UPC_FENCE @a.upc:11", 1);
	EXPECT("visits", "*", 5);
	return 0;
}
