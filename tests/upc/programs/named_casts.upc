/* SPDX-License-Identifier: BSD-3-Clause */
/* A cast to a pointer to another type, or of another block size, sets the phase, also if typedefs name the type. */
#include <upc.h>
#include "check.h"

struct pair { int x, y; };
typedef shared [4] int blocked;
typedef blocked const constant;
typedef blocked *pointer, *other;
typedef shared [4] int *direct, *second;
typedef pointer alias;
typedef blocked (*rows)[2];
typedef shared [4] struct four { int *p; int q; } *fours, four;
shared [4] struct pair pairs[8 * THREADS];

/* The thread three elements further depends on the phase, too. */
static int place(shared [4] const int *p)
{
	return (int)upc_phaseof((shared void *)p) * 100 + (int)upc_threadof((shared void *)(p + 3));
}

int main(void)
{
	shared [4] struct pair *p = &pairs[5];
	int plain = place((shared [4] int *)&pairs[5]);
	CHECK(plain / 100 == 0);
	CHECK(place((blocked *)p) == plain && place((pointer)p) == plain);
	CHECK(place((blocked *)&pairs[5]) == plain && place((blocked *)(pairs + 5)) == plain);
	CHECK(place((blocked *const)(pairs + 5)) == plain && place((const blocked *)(pairs + 5)) == plain);
	CHECK(place((blocked const *)(pairs + 5)) == plain && place((constant *)(pairs + 5)) == plain);
	CHECK(place((shared blocked *)(pairs + 5)) == plain && place((shared [4] blocked *)(pairs + 5)) == plain);
	CHECK(place((shared shared [4] int *)(pairs + 5)) == plain);
	CHECK(place((pointer)(pairs + 5)) == plain && place((other)(pairs + 5)) == plain &&
		place((const pointer)(pairs + 5)) == plain);
	CHECK(place((direct)(pairs + 5)) == plain && place((second)(pairs + 5)) == plain &&
		place((alias)(pairs + 5)) == plain);
	CHECK(place(*(rows)(pairs + 5)) == plain && place(*(blocked(*)[2])(pairs + 5)) == plain);
	CHECK(place((blocked *)(pointer)(pairs + 5)) == plain);
	CHECK(upc_phaseof((fours)(pairs + 5)) == 0 && upc_phaseof((four *)(pairs + 5)) == 0);
	blocked *list[2] = {(blocked *)p, (pointer)p};
	CHECK(list[0] == list[1] && list[0] == (shared [4] int *)p);
	blocked *volatile *at = (blocked *volatile *)&list[1];
	CHECK(*at == list[0]);
	{
		volatile int blocked = 3, q = 4;
		CHECK((blocked * q) + 1 == 13 && (blocked * q) - q == 8);
	}
	return failures != 0;
}
