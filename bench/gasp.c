/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasp on|off [COUNT]: nanoseconds of a START and its END, the minimum of many rounds: for an event with visits and
 * time (fence), for one with sizes, too (get), for a user event with two arguments; while measured, or while
 * gasp_control has switched the thread off. Also for two reads of the processor's clock, the lower bound.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "heddle/gasp_upc.h"

#define ROUNDS 2000

static gasp_context_t context;
static unsigned int user;
static char buffer[8];

static void fences(long count)
{
	for (long i = 0; i < count; i++) {
		gasp_event_notify(context, GASP_UPC_FENCE, GASP_START, "cg.upc", 41, 0);
		gasp_event_notify(context, GASP_UPC_FENCE, GASP_END, "cg.upc", 41, 0);
	}
}

static void gets(long count)
{
	for (long i = 0; i < count; i++) {
		gasp_event_notify(context, GASP_UPC_GET, GASP_START, "cg.upc", 57, 0, 1, buffer, &context, (size_t)8);
		gasp_event_notify(context, GASP_UPC_GET, GASP_END, "cg.upc", 57, 0, 1, buffer, &context, (size_t)8);
	}
}

static void user_events(long count)
{
	for (long i = 0; i < count; i++) {
		gasp_event_notify(context, user, GASP_START, "cg.upc", 60, 0, (int)i, 0.5);
		gasp_event_notify(context, user, GASP_END, "cg.upc", 62, 0, (int)i, 0.5);
	}
}

static void clocks(long count)
{
	for (long i = 0; i < 2 * count; i++)
		__builtin_ia32_rdtsc();
}

static double per_pair(void (*events)(long), long count)
{
	double least = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		double start = wall_seconds();
		events(count);
		double each = (wall_seconds() - start) / (double)count * 1e9;
		least = each < least ? each : least;
	}
	return least;
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 500;
	context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	user = gasp_create_event(context, "step", "step=%d residual=%g");
	if (argc > 1 && strcmp(argv[1], "off") == 0)
		gasp_control(context, 0);
	printf("fence %.3f\n", per_pair(fences, count));
	printf("get %.3f\n", per_pair(gets, count));
	printf("user %.3f\n", per_pair(user_events, count));
	printf("clocks %.3f\n", per_pair(clocks, count));
	return 0;
}
