/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * malloc: nanoseconds of a malloc and its free, the minimum of many rounds: `pair` for one block that is freed at once,
 * `live` while a thousand blocks are in use and the oldest one is freed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"

enum { ROUNDS = 1000, PAIRS = 1000, LIVE = 1000 };

static void *volatile blocks[LIVE];

static double pair(void)
{
	double start = wall_seconds();
	for (int i = 0; i < PAIRS; i++) {
		blocks[0] = malloc(64);
		free(blocks[0]);
	}
	return (wall_seconds() - start) / PAIRS * 1e9;
}

static double live(void)
{
	double start = wall_seconds();
	for (int i = 0; i < LIVE; i++) {
		free(blocks[i]);
		blocks[i] = malloc(64);
	}
	return (wall_seconds() - start) / LIVE * 1e9;
}

static double least(double (*measure)(void))
{
	double found = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		double each = measure();
		found = each < found ? each : found;
	}
	return found;
}

int main(void)
{
	printf("pair %.3f\n", least(pair));
	blocks[0] = NULL;
	printf("live %.3f\n", least(live));
	return 0;
}
