/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a plate that MPI ranks share by columns: each step exchanges the columns at the borders.
 *
 *     halo [STEPS [ROWS [packed]]]
 *
 * main > exchange sends a border point by point, a message of 8 bytes each: most of the time is MPI's. With `packed` it
 * sends a border as one message. docs/guide.md shows how to find that. The interior starts as the solution, which a
 * step keeps, so the program can judge its own result.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 64 /* of a rank */

struct plate {
	int rows, rank, ranks, left, right;
	double *now, *next, *border; /* rows x (COLUMNS + 2); the last: two columns */
};

static double *at(double *values, int row, int column)
{
	return &values[(size_t)row * (COLUMNS + 2) + (size_t)column];
}

static double exact(const struct plate *plate, int row, int column)
{
	double x = (plate->rank * COLUMNS + column) / 100.0, y = row / 100.0;
	return x * x - y * y;
}

static void exchange_points(struct plate *plate)
{
	for (int row = 1; row < plate->rows - 1; row++) {
		MPI_Sendrecv(at(plate->now, row, COLUMNS), 1, MPI_DOUBLE, plate->right, 0, at(plate->now, row, 0), 1,
			MPI_DOUBLE, plate->left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Sendrecv(at(plate->now, row, 1), 1, MPI_DOUBLE, plate->left, 1, at(plate->now, row, COLUMNS + 1), 1,
			MPI_DOUBLE, plate->right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* Column `from` to a neighbour, and the other neighbour's to column `to`. */
static void exchange_column(struct plate *plate, int from, int receiver, int to, int sender)
{
	double *out = plate->border, *in = plate->border + plate->rows;
	for (int row = 0; row < plate->rows; row++) {
		out[row] = *at(plate->now, row, from);
		in[row] = *at(plate->now, row, to);
	}
	MPI_Sendrecv(out, plate->rows, MPI_DOUBLE, receiver, 0, in, plate->rows, MPI_DOUBLE, sender, 0, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	for (int row = 0; row < plate->rows; row++)
		*at(plate->now, row, to) = in[row];
}

__attribute__((noinline)) static void exchange(struct plate *plate, int packed)
{
	if (packed) {
		exchange_column(plate, COLUMNS, plate->right, 0, plate->left);
		exchange_column(plate, 1, plate->left, COLUMNS + 1, plate->right);
	} else
		exchange_points(plate);
}

__attribute__((noinline)) static void relax(struct plate *plate)
{
	for (int row = 1; row < plate->rows - 1; row++)
		for (int column = 1; column <= COLUMNS; column++)
			*at(plate->next, row, column) =
				0.25 * (*at(plate->now, row - 1, column) + *at(plate->now, row + 1, column) +
					       *at(plate->now, row, column - 1) + *at(plate->now, row, column + 1));
	for (int row = 1; row < plate->rows - 1; row++)
		memcpy(at(plate->now, row, 1), at(plate->next, row, 1), COLUMNS * sizeof(double));
}

static double worst_error(struct plate *plate)
{
	double worst = 0, all;
	for (int row = 1; row < plate->rows - 1; row++)
		for (int column = 1; column <= COLUMNS; column++)
			worst = fmax(worst, fabs(*at(plate->now, row, column) - exact(plate, row, column)));
	MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return all;
}

static void fill(struct plate *plate)
{
	for (int row = 0; row < plate->rows; row++)
		for (int column = 0; column <= COLUMNS + 1; column++)
			*at(plate->now, row, column) = exact(plate, row, column);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 300, packed = argc > 3 && strcmp(argv[3], "packed") == 0;
	struct plate plate = {.rows = argc > 2 ? atoi(argv[2]) : 1000};
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &plate.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &plate.ranks);
	plate.left = plate.rank > 0 ? plate.rank - 1 : MPI_PROC_NULL;
	plate.right = plate.rank < plate.ranks - 1 ? plate.rank + 1 : MPI_PROC_NULL;
	size_t size = (size_t)(plate.rows > 0 ? plate.rows : 1) * (COLUMNS + 2);
	plate.now = calloc(size, sizeof(double));
	plate.next = calloc(size, sizeof(double));
	plate.border = calloc(size, sizeof(double));
	if (steps < 1 || plate.rows < 3 || !plate.now || !plate.next || !plate.border) {
		fprintf(stderr, "usage: halo [STEPS [ROWS [packed]]], with 3 rows or more\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	fill(&plate);
	for (int step = 0; step < steps; step++) {
		exchange(&plate, packed);
		relax(&plate);
	}
	double error = worst_error(&plate);
	if (plate.rank == 0)
		printf("halo: %d steps of %d ranks, error %.1e: %s\n", steps, plate.ranks, error,
			error < 1e-9 ? "verified" : "WRONG");
	MPI_Finalize();
	free(plate.now);
	free(plate.next);
	free(plate.border);
	return error >= 1e-9;
}
