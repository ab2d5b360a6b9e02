/* SPDX-License-Identifier: BSD-3-Clause */
/* A bridge linked by an older `heddle upcc`: one line says so, and the program is measured without it. */
#include "client.h"

#include <heddle/upc_bridge.h>

const struct heddle_upc_bridge *heddle_upc_bridge(void)
{
	static const struct heddle_upc_bridge bridge = {
		.version = HEDDLE_UPC_BRIDGE_VERSION + 1,
		.mythread = (int (*)(void))(uintptr_t)16, /* no part of it may be used */
	};
	return &bridge;
}

int main(void)
{
	get(init_upc(), "a.upc", 1, 8);
	EXPECT("bytes-got", "GASP_UPC_GET @a.upc:1", 8);
	EXPECT_SAID("version", 1);
	return 0;
}
