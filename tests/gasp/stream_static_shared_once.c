/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every UPC thread of Berkeley's run-time system, and of the bundled one, reports each static shared array with its
 * whole size: the memory is counted once, on the thread with MYTHREAD 0.
 */
#define BRIDGE_EVENTS                                              \
	{"GASP_BUPC_STATIC_SHARED", 1140},                         \
	{                                                          \
		"GASP_HUPC_STATIC_SHARED", GASP_HUPC_STATIC_SHARED \
	}
#define BRIDGE_USER 100, 999
#define BRIDGE_TRIVIAL 0, 0
#include "bridge.h"

#include <sys/wait.h>
#include <unistd.h>

static void play(void)
{
	gasp_context_t context = init_upc();
	void *symbol = &context;
	ATOMIC(context, 1140, "_STARTUP", 0, 0, (size_t)4, (size_t)1000, (void *)SHARED_POINTER(0), symbol, (size_t)8,
		"table", "A4_i");
	ATOMIC(context, 1140, "_STARTUP", 0, 0, (size_t)1, (size_t)8, (void *)SHARED_POINTER(0), symbol, (size_t)8,
		"one", "i");
	ATOMIC(context, GASP_HUPC_STATIC_SHARED, "a.upc", 3, 0, (size_t)8, (size_t)16, (void *)SHARED_POINTER(0),
		(size_t)8, "own", "int");
}

int main(void)
{
	EXPECT("visits", "GASP_BUPC_STATIC_SHARED*", 2 * BRIDGE_THREADS);
	EXPECT("shared-bytes", "GASP_BUPC_STATIC_SHARED*", 4008);
	EXPECT("shared-bytes", "GASP_HUPC_STATIC_SHARED @a.upc:3", 128);
	EXPECT_OF_RANK(0, "shared-bytes", "*", 4136);
	EXPECT_OF_RANK(1, "shared-bytes", "*", 0);
	for (int i = 1; i < BRIDGE_THREADS && bridge_mythread == 0; i++)
		bridge_mythread = fork() == 0 ? i : 0;
	play();
	while (bridge_mythread == 0 && wait(NULL) > 0)
		;
	return 0;
}
