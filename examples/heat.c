/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a square plate, by Jacobi steps, in OpenMP C: what `./dev demo` measures.
 *
 *     heat [STEPS [SIZE]]
 *
 * main > solve > a parallel loop over rows > relax_row, with three things to find in the profile: rows near the warm
 * edge cost more (imbalance, so threads wait at the barrier), the largest change is combined under `critical`, and the
 * edges are set by one thread alone. The interior follows a known solution, so the program can judge its own result.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct plate {
	int size; /* points per side, edges included */
	double *now, *next;
};

static double exact(const struct plate *plate, int row, int column)
{
	double h = 1.0 / (plate->size - 1);

	/* Harmonic: a fixed point of the Jacobi step, up to rounding, since it is quadratic. */
	return (row * h) * (row * h) - (column * h) * (column * h) + 2.0;
}

/* Extra iterations for the first rows: models more expensive physics at a boundary. */
static int work_of_row(const struct plate *plate, int row)
{
	return row < plate->size / 4 ? 3 : 1;
}

__attribute__((noinline)) static double relax_row(const struct plate *plate, int row)
{
	const double *up = plate->now + (size_t)(row - 1) * plate->size;
	const double *here = up + plate->size, *down = here + plate->size;
	double *out = plate->next + (size_t)row * plate->size;
	double largest = 0;

	for (int pass = work_of_row(plate, row); pass > 0; pass--) {
		for (int column = 1; column < plate->size - 1; column++) {
			double value = 0.25 * (up[column] + down[column] + here[column - 1] + here[column + 1]);
			double change = fabs(value - here[column]);

			out[column] = value;
			largest = change > largest ? change : largest;
		}
	}
	return largest;
}

/* Done by one thread, between the parallel loops. */
__attribute__((noinline)) static void set_edges(struct plate *plate)
{
	int last = plate->size - 1;

	for (int i = 0; i <= last; i++) {
		plate->next[i] = exact(plate, 0, i);
		plate->next[(size_t)last * plate->size + i] = exact(plate, last, i);
		plate->next[(size_t)i * plate->size] = exact(plate, i, 0);
		plate->next[(size_t)i * plate->size + last] = exact(plate, i, last);
	}
}

__attribute__((noinline)) static double solve(struct plate *plate, int steps)
{
	double largest = 0;

	for (int step = 0; step < steps; step++) {
		double *swap;

		set_edges(plate);
		largest = 0;
#pragma omp parallel
		{
			double mine = 0;

#pragma omp for schedule(static)
			for (int row = 1; row < plate->size - 1; row++)
				mine = fmax(mine, relax_row(plate, row));
#pragma omp critical(largest_change)
			largest = fmax(largest, mine);
		}
		swap = plate->now;
		plate->now = plate->next;
		plate->next = swap;
	}
	return largest;
}

__attribute__((noinline)) static double error_of(const struct plate *plate)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int row = 0; row < plate->size; row++) {
		for (int column = 0; column < plate->size; column++)
			sum += fabs(plate->now[(size_t)row * plate->size + column] - exact(plate, row, column));
	}
	return sum / ((double)plate->size * plate->size);
}

/* The solution plus a perturbation that the steps must smooth out. */
static int start(struct plate *plate, int size)
{
	plate->size = size;
	plate->now = malloc(sizeof(double) * (size_t)size * (size_t)size);
	plate->next = malloc(sizeof(double) * (size_t)size * (size_t)size);
	if (plate->now == NULL || plate->next == NULL)
		return -1;
	for (int row = 0; row < size; row++) {
		for (int column = 0; column < size; column++) {
			double ripple = (row + column) % 4 < 2 ? 0.5 : -0.5;
			int edge = row == 0 || column == 0 || row == size - 1 || column == size - 1;

			plate->now[(size_t)row * size + column] = exact(plate, row, column) + (edge ? 0 : ripple);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 500;
	int size = argc > 2 ? atoi(argv[2]) : 1400;
	struct plate plate;
	double before, after, change;

	if (steps < 1 || size < 3 || size > 20000) {
		fputs("usage: heat [STEPS [SIZE]], STEPS >= 1, 3 <= SIZE <= 20000\n", stderr);
		return 2;
	}
	if (start(&plate, size) != 0) {
		fputs("heat: out of memory\n", stderr);
		return 1;
	}
	before = error_of(&plate);
	change = solve(&plate, steps);
	after = error_of(&plate);
	/* The steps never diverge from the solution, and damp ripples of this length within some tens of steps. */
	int good = after <= before && (steps < 100 || after < 0.1 * before);
	printf("heat: %d steps of %dx%d, last change %.3g, mean error %.3g -> %.3g: %s\n", steps, size, size, change,
		before, after, good ? "verified" : "WRONG");
	free(plate.now);
	free(plate.next);
	return good ? 0 : 1;
}
