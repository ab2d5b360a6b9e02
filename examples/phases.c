/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random points in a square, sorted and then swept, in rounds; the parts of a round are user events (GASP 1.5, section
 * 5.3), with the round's number and results as arguments. Compile it with `heddle cc --inst`; otherwise the calls
 * expand to nothing.
 */
#include <heddle/pupc.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
	double x, y;
};

static unsigned int make_points, sort_points, sweep, close_pairs;

static double drawn(unsigned long long *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / (double)(1ull << 53);
}

static int by_x(const void *a, const void *b)
{
	double p = ((const struct point *)a)->x, q = ((const struct point *)b)->x;
	return (p > q) - (p < q);
}

/* Pairs closer than `near`, among points sorted by x. */
static long count_pairs(const struct point *points, long count, double near)
{
	long pairs = 0;
	for (long i = 0; i < count; i++) {
		for (long j = i + 1; j < count && points[j].x - points[i].x < near; j++) {
			double dx = points[j].x - points[i].x, dy = points[j].y - points[i].y;
			pairs += dx * dx + dy * dy < near * near;
		}
	}
	return pairs;
}

static long play_round(int number, struct point *points, long count)
{
	unsigned long long state = (unsigned long long)number + 1;
	pupc_event_start(make_points, number);
	for (long i = 0; i < count; i++)
		points[i] = (struct point){drawn(&state), drawn(&state)};
	pupc_event_end(make_points, number);

	pupc_event_start(sort_points, number);
	qsort(points, (size_t)count, sizeof(*points), by_x);
	pupc_event_end(sort_points, number);

	pupc_event_start(sweep, number);
	long pairs = count_pairs(points, count, 0.01);
	pupc_event_atomic(close_pairs, pairs, (double)pairs / (double)count);
	pupc_event_end(sweep, number);
	return pairs;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 20;
	long count = argc > 2 ? atol(argv[2]) : 30000, all = 0;
	struct point *points = rounds > 0 && count > 1 ? malloc((size_t)count * sizeof(*points)) : NULL;
	if (!points) {
		fprintf(stderr, "usage: phases [ROUNDS [POINTS]], both positive\n");
		return 1;
	}
	make_points = pupc_create_event("make points", "round %d");
	sort_points = pupc_create_event("sort", "round %d");
	sweep = pupc_create_event("sweep", "round %d");
	close_pairs = pupc_create_event("close pairs", "%ld in all, %g a point");
	for (int i = 0; i < rounds; i++)
		all += play_round(i, points, count);
	/* The probability of a close pair is pi / 10000, except near the edges. */
	double expected = 3.14159 / 10000 * (double)count * (double)(count - 1) / 2 * rounds;
	double ratio = (double)all / expected;
	printf("%ld close pairs, %.3f of what was expected: %s\n", all, ratio,
		ratio > 0.8 && ratio < 1.2 ? "verified" : "wrong");
	free(points);
	return 0;
}
