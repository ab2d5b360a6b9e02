/* SPDX-License-Identifier: BSD-3-Clause */
/* Known accesses to members of shared structures, by each thread to the next one's (tests/upc/accesses.sh). */
#include <upc_relaxed.h>

typedef struct {
	int x;
	double row[10];
	struct {
		short a, b;
	} in;
	union {
		long l;
		double d;
	} u;
} body_t;

struct cell {
	shared [] int *next;
	int key;
	char text[16];
};

static shared body_t bodies[4 * THREADS];
static shared [2] struct cell cells[2 * THREADS];

int main(void)
{
	int n = (MYTHREAD + 1) % THREADS;
	double sum = 0;

	for (int i = 0; i < 3; i++)
		sum += bodies[n].row[i];
	sum += bodies[n + THREADS].x;
	sum += bodies[n].in.b;
	sum += bodies[n].u.l;
	cells[2 * n + 1].key = 4;
	cells[2 * n].text[3] = 4;
	struct cell cell = cells[2 * n];
	body_t body = bodies[n];
	upc_barrier;
	return sum + body.x == 1234 || cell.key == 123456;
}
