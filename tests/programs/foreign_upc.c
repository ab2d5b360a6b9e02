/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * foreign_upc processes|threads: a UPC program as other compilers build it, with the frames that their run-time systems
 * have above the program's main and between its code and its events. -DBERKELEY: Berkeley UPC's names and numbers;
 * otherwise Clang UPC's. Two UPC threads; each enters solve() 5 times.
 */
#include "foreign_upc.h"

static KEEP void compute(void)
{
	burn_ms(6);
	STAY;
}

static KEEP int solve(int value)
{
	int got;
	ENTER("solve");
	BEGIN(step, value);
	got = READ(); /* line: read */
	HAPPEN(step, value);
	compute();
	FINISH(step, value);
	compute();
	LEAVE("solve");
	return got;
}

KEEP int USER_MAIN(int argc, char **argv)
{
	int sum = 0;
	(void)argv;
#ifdef BERKELEY
	ENTER("user_main");
#else
	ENTER("main");
#endif
	step = CREATE("step", "value %d");
	for (int i = 0; i < 5; i++)
		sum += solve(i + argc);
	burn_ms(10);
#ifdef BERKELEY
	LEAVE("user_main");
#else
	LEAVE("main");
#endif
	return sum == 12345;
}

int main(int argc, char **argv)
{
	bupc_init_reentrant(&argc, &argv);
	STAY;
	return 0;
}
