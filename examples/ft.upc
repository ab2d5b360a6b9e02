/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Fourier transform in three dimensions, in UPC.
 *
 *     ft [-n UPC-THREADS] [ROUNDS]
 *
 * A cube of SIDE^3 complex numbers, in planes that are distributed cyclically. A thread transforms its planes along two
 * dimensions, puts their rows where they form planes along the third (the transposition: every thread sends to all),
 * and transforms those. The cube starts as a few waves, so that its transform is known; then it is transformed back.
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

#define SIDE 64 /* a power of two */
#define PLANE (SIDE * SIDE)

struct wave {
	int k[3]; /* along z, y, x */
	double amplitude;
};
static const struct wave waves[] = {
	{{0, 0, 0}, 0.5}, {{1, 2, 3}, 2.0}, {{SIDE - 1, 5, 0}, -1.5}, {{7, 0, SIDE / 2}, 1.0}};
#define WAVES ((int)(sizeof waves / sizeof *waves))

/* [z][y][x], and the transform as [y][z][x]. A complex number is two doubles, so that a block is a plane. */
static shared [2 * PLANE] double *cube, *turned;

static double complex *plane_of(shared [2 * PLANE] double *of, int plane)
{
	return (double complex *)&of[(size_t)plane * 2 * PLANE];
}

/* In place; sign -1: forward, 1: backward. Elements are `stride` apart. */
static void transform(double complex *line, int stride, int sign)
{
	double complex v[SIDE];

	for (int i = 0, j = 0; i < SIDE; i++) {
		int bit = SIDE >> 1;

		v[j] = line[i * stride];
		for (; j & bit; bit >>= 1) /* j counts in bit-reversed order */
			j ^= bit;
		j ^= bit;
	}
	for (int half = 1; half < SIDE; half *= 2) {
		double complex turn = cexp(sign * I * M_PI / half), factor = 1;

		for (int k = 0; k < half; k++, factor *= turn) {
			for (int i = k; i < SIDE; i += 2 * half) {
				double complex odd = v[i + half] * factor;

				v[i + half] = v[i] - odd;
				v[i] += odd;
			}
		}
	}
	for (int i = 0; i < SIDE; i++)
		line[i * stride] = v[i];
}

/* Along the rows, the columns, or both, of each plane of this thread. */
static void transform_planes(shared [2 * PLANE] double *of, int rows, int columns, int sign)
{
	upc_forall (int plane = 0; plane < SIDE; plane++; &of[(size_t)plane * 2 * PLANE]) {
		for (int i = 0; rows && i < SIDE; i++)
			transform(plane_of(of, plane) + i * SIDE, 1, sign);
		for (int i = 0; columns && i < SIDE; i++)
			transform(plane_of(of, plane) + i, SIDE, sign);
	}
}

/* to[j][i][.] = from[i][j][.] */
static void transpose(shared [2 * PLANE] double *to, shared [2 * PLANE] double *from)
{
	upc_forall (int i = 0; i < SIDE; i++; &from[(size_t)i * 2 * PLANE]) {
		for (int j = 0; j < SIDE; j++)
			upc_memput(&to[2 * ((size_t)j * PLANE + i * SIDE)], plane_of(from, i) + j * SIDE,
				SIDE * sizeof(double complex));
	}
	upc_barrier;
}

static double complex value(int z, int y, int x)
{
	double complex sum = 0;

	for (int i = 0; i < WAVES; i++) {
		int turns = waves[i].k[0] * z + waves[i].k[1] * y + waves[i].k[2] * x;

		sum += waves[i].amplitude * cexp(2 * M_PI * I * (turns % SIDE) / SIDE);
	}
	return sum;
}

/* The known transform: the waves' amplitudes, at their positions. */
static double complex expected(int z, int y, int x)
{
	for (int i = 0; i < WAVES; i++) {
		if (waves[i].k[0] == z && waves[i].k[1] == y && waves[i].k[2] == x)
			return waves[i].amplitude * SIDE * PLANE;
	}
	return 0;
}

static double largest_of_all(double mine)
{
	static shared double parts[THREADS], largest;

	parts[MYTHREAD] = mine;
	upc_all_reduceD(&largest, parts, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return largest;
}

static void fill(void)
{
	upc_forall (int z = 0; z < SIDE; z++; &cube[(size_t)z * 2 * PLANE]) {
		for (int i = 0; i < PLANE; i++)
			plane_of(cube, z)[i] = value(z, i / SIDE, i % SIDE);
	}
}

static double error_of_transform(void)
{
	double error = 0;

	upc_forall (int y = 0; y < SIDE; y++; &turned[(size_t)y * 2 * PLANE]) {
		for (int i = 0; i < PLANE; i++)
			error = fmax(error, cabs(plane_of(turned, y)[i] - expected(i / SIDE, y, i % SIDE)));
	}
	return largest_of_all(error) / (SIDE * PLANE);
}

static double error_of_return(void)
{
	double error = 0;

	upc_forall (int z = 0; z < SIDE; z++; &cube[(size_t)z * 2 * PLANE]) {
		for (int i = 0; i < PLANE; i++)
			error = fmax(error, cabs(plane_of(cube, z)[i] / (SIDE * PLANE) - value(z, i / SIDE, i % SIDE)));
	}
	return largest_of_all(error);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;
	double forth = 0, back = 0;

	cube = upc_all_alloc(SIDE, sizeof(double complex) * PLANE);
	turned = upc_all_alloc(SIDE, sizeof(double complex) * PLANE);
	for (int round = 0; round < rounds; round++) {
		fill();
		transform_planes(cube, 1, 1, -1);
		transpose(turned, cube);
		transform_planes(turned, 0, 1, -1);
		forth = fmax(forth, error_of_transform());
		transform_planes(turned, 0, 1, 1);
		transpose(cube, turned);
		transform_planes(cube, 1, 1, 1);
		back = fmax(back, error_of_return());
	}
	if (MYTHREAD == 0)
		printf("ft: %d UPC threads, %d rounds of %d^3, largest errors %.2g forth, %.2g back: %s\n", THREADS,
			rounds, SIDE, forth, back, forth < 1e-12 && back < 1e-12 ? "verified" : "WRONG");
	return forth < 1e-12 && back < 1e-12 ? 0 : 1;
}
