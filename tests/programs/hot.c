/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library with hot code, built several times, each with a different HOT (the name of its burning function). All have
 * the same layout, so one may be loaded where another one was. modules.c and storm.c look up hot_entry, which all of
 * them have; it calls HOT_call, which calls HOT.
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
