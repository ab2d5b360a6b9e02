/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Burns known parts of the CPU time in known functions. A program defines FUNCTIONS(X), an X(name, percent) for each,
 * and includes this file, which defines burn_name(ms), PART(name, pieces) of total_ms, and print_shares().
 */
#ifndef SHARES_H
#define SHARES_H

#include <stdatomic.h>
#include <stdio.h>

#include "burn.h"

#define X(name, percent)                                   \
	static _Atomic uint64_t ns_##name;                 \
	static NOINLINE void burn_##name(double ms)        \
	{                                                  \
		atomic_fetch_add(&ns_##name, burn_ms(ms)); \
	}                                                  \
	enum { percent_##name = percent };
FUNCTIONS(X)
#undef X

static double total_ms;

#define PART(name, pieces) (total_ms * percent_##name / 100 / (pieces))

/* Prints "burn_name share ns" lines. */
static void print_shares(void)
{
	double all = 0;
#define X(name, percent) all += (double)ns_##name;
	FUNCTIONS(X)
#undef X
#define X(name, percent) print_share("burn_" #name, (double)ns_##name, all);
	FUNCTIONS(X)
#undef X
}

#endif
