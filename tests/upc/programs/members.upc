/* SPDX-License-Identifier: BSD-3-Clause */
/* Many addresses of members in one line, as macros leave them, and in one call: each is an indefinitely blocked pointer. */
#include "check.h"
struct point {
	int x, y, z;
	int more[3];
};
shared struct point points[2 * THREADS];

static int sum(shared [] int *a, shared [] int *b, shared [] int *c, shared [] int *d, shared [] int *e,
	shared [] int *f, shared [] int *g, shared [] int *h, shared [] int *i, shared [] int *j)
{
	return *a + *b + *c + *d + *e + *f + *g + *h + *i + *j;
}

/* clang-format off */
#define BOTH(p) \
	do { \
		shared [] int *q; \
		q = &(p)->x; *q = 1; \
		q = &(p)->y; *q = 2; \
		q = &(p)->z; *q = 3; \
		q = (p)->more; q[1] = 4; \
		q = &(p)->more[2]; *q = 5; \
		q = (p)->more + 1; CHECK(*q == 4); \
		CHECK(q == (p)->more + 1 && (p)->more == q - 1); \
		CHECK(q == &(p)->more[1] && &(p)->more[1] == q); \
		CHECK(q + 1 == &(p)->more[2] && q > &(p)->z); \
	} while (0)
/* clang-format on */

int main(void)
{
	shared struct point *p = &points[MYTHREAD + THREADS];
	BOTH(p);
	BOTH(&points[MYTHREAD]);
	CHECK(sum(&p->x, &p->y, &p->z, &p->more[0], &p->more[1], &p->more[2], p->more, p->more + 1, &p->x, &p->z) == 23);
	return failures;
}
