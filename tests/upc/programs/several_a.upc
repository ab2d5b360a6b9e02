/* SPDX-License-Identifier: BSD-3-Clause */
/* For driver.sh: the main part of a program of several files. */
#include "check.h"
#include "several.h"

shared [BLOCK] int common[BLOCK * THREADS];
shared int mine[THREADS];

int main(int argc, char **argv)
{
	fill();
	upc_barrier;
	for (int i = 0; i < BLOCK * THREADS; i++)
		CHECK(common[i] == i);
	CHECK(their[THREADS - 1] == 5 && *pointer == 2 && plain_c(4) == 16 && argc == 2 && argv[1][0] == 'x');
	return failures != 0;
}
