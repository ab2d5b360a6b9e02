/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library with hot code, built several times over with another HOT (the name of its burning function): the layout is
 * the same, so one may be loaded where another was. hot_entry, the same in all, is what modules.c and storm.c look up;
 * below it stand HOT_call and HOT.
 */
#include "burn.h"

#define JOIN(a, b) a##b
#define CALL_OF(name) JOIN(name, _call)
#define CALL CALL_OF(HOT)

void hot_entry(double ms);

NOINLINE void HOT(double ms);
NOINLINE void HOT(double ms)
{
	burn_ms(ms);
}

static NOINLINE void CALL(double ms)
{
	HOT(ms);
}

void hot_entry(double ms)
{
	CALL(ms);
}
