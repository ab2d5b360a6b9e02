/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bodies that attract each other, by a tree of cells that is built anew in every step (Barnes and Hut), in one plane.
 * Usage: nbody [BODIES [STEPS]]
 *
 *     gcc -O2 -g -fno-omit-frame-pointer -finstrument-functions -o nbody nbody.c -lm
 *     heddle run --memory -- ./nbody
 *
 * Its profile shows how often each function was called and for how long, how many cells each step allocates, and where
 * memory is in use at the end: remember() keeps the energy of every step, without a limit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct body {
	double x, y, vx, vy, ax, ay;
};

struct cell {
	double x, y, half; /* a square */
	double mass, cx, cy;
	const struct body *body; /* the only one in it, or NULL */
	struct cell *part[4];
};

struct energy {
	struct energy *before;
	double value;
};

static struct cell *new_cell(double x, double y, double half)
{
	struct cell *cell = calloc(1, sizeof(*cell));
	if (!cell)
		exit(1);
	cell->x = x;
	cell->y = y;
	cell->half = half;
	return cell;
}

static void insert(struct cell *cell, const struct body *body)
{
	const struct body *both[2] = {body, cell->body};
	int count = cell->body ? 2 : cell->mass > 0;
	cell->cx = (cell->cx * cell->mass + body->x) / (cell->mass + 1);
	cell->cy = (cell->cy * cell->mass + body->y) / (cell->mass + 1);
	cell->mass += 1;
	cell->body = count ? NULL : body;
	for (int i = 0; i < count; i++) {
		int right = both[i]->x > cell->x, up = both[i]->y > cell->y;
		struct cell **part = &cell->part[right + 2 * up];
		if (!*part)
			*part = new_cell(cell->x + (right ? .5 : -.5) * cell->half,
				cell->y + (up ? .5 : -.5) * cell->half, cell->half / 2);
		insert(*part, both[i]);
	}
}

/* The attraction by all bodies in a cell, with far cells taken as one body; returns its energy. */
static double attract(struct body *body, const struct cell *cell)
{
	double dx = cell->cx - body->x, dy = cell->cy - body->y, r2 = dx * dx + dy * dy + 1e-4, energy = 0;
	if (cell->body == body)
		return 0;
	if (!cell->body && 4 * cell->half * cell->half > .25 * r2) {
		for (int i = 0; i < 4; i++)
			energy += cell->part[i] ? attract(body, cell->part[i]) : 0;
		return energy;
	}
	body->ax += cell->mass * dx / (r2 * sqrt(r2));
	body->ay += cell->mass * dy / (r2 * sqrt(r2));
	return -cell->mass / sqrt(r2) / 2;
}

static void free_cells(struct cell *cell)
{
	for (int i = 0; i < 4; i++)
		if (cell->part[i])
			free_cells(cell->part[i]);
	free(cell);
}

static double step(struct body *bodies, int count, double dt)
{
	double energy = 0;
	struct cell *root = new_cell(0, 0, 64);
	for (int i = 0; i < count; i++)
		insert(root, &bodies[i]);
	for (int i = 0; i < count; i++) {
		struct body *body = &bodies[i];
		body->ax = body->ay = 0;
		energy += attract(body, root) + (body->vx * body->vx + body->vy * body->vy) / 2;
	}
	for (int i = 0; i < count; i++) {
		struct body *body = &bodies[i];
		body->x += dt * (body->vx += dt * body->ax);
		body->y += dt * (body->vy += dt * body->ay);
	}
	free_cells(root);
	return energy;
}

static struct energy *remember(struct energy *before, double value)
{
	struct energy *now = malloc(sizeof(*now));
	if (!now)
		exit(1);
	*now = (struct energy){before, value};
	return now;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 500, steps = argc > 2 ? atoi(argv[2]) : 50;
	struct energy *energies = NULL;
	if (count < 2 || steps < 1 || count > 100000) {
		fputs("usage: nbody [BODIES [STEPS]], 2 to 100000 bodies\n", stderr);
		return 2;
	}
	struct body *bodies = calloc((size_t)count, sizeof(*bodies));
	if (!bodies)
		return 1;
	for (int i = 0; i < count; i++) {
		double angle = 2.4 * i, radius = 1 + sqrt((double)i / 4); /* a sunflower, turning */
		bodies[i] = (struct body){.x = radius * cos(angle), .y = radius * sin(angle)};
		bodies[i].vx = -sin(angle) * sqrt((i + 1) / radius);
		bodies[i].vy = cos(angle) * sqrt((i + 1) / radius);
	}
	for (int i = 0; i < steps; i++)
		energies = remember(energies, step(bodies, count, 1e-4));
	double first = energies->value, last = energies->value;
	for (const struct energy *at = energies; at; at = at->before)
		first = at->value;
	free(bodies);
	int right = fabs(last / first - 1) < .02;
	printf("nbody: %d bodies, %d steps: %s\n", count, steps, right ? "verified" : "WRONG");
	return !right;
}
