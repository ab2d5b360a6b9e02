/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strict accesses are sequentially consistent, in whatever way they are declared strict: litmus tests, repeated over
 * arrays with a cache line for each variable of each round. Between relaxed accesses, upc_fence provides the order. If
 * other programs use the processors, and synchronizing two threads takes milliseconds, a test ends after fewer rounds.
 */
#include "check.h"

#include <sched.h>
#include <time.h>

#define ROUNDS 2000
#define FEWEST 20   /* rounds */
#define SECONDS 0.3 /* after which a test of more rounds ends */
#define LINE 8 /* longs in a cache line */

typedef struct {
	long value;
	int low : 7, high : 9;
	double real;
	short small;
} cell;

strict shared [] long strict_x[ROUNDS * LINE], strict_y[ROUNDS * LINE];
shared [] long plain_x[ROUNDS * LINE], plain_y[ROUNDS * LINE];
relaxed shared [] long relaxed_x[ROUNDS * LINE], relaxed_y[ROUNDS * LINE];
strict shared [] cell cells_x[ROUNDS * 2], cells_y[ROUNDS * 2];
shared [ROUNDS] char saw[ROUNDS * THREADS]; /* what each thread read: bit 0 the first read, bit 1 the second */
strict shared [LINE] int progress[LINE * THREADS];
strict shared int rounds; /* of this test: thread 0 may reduce it before it synchronizes with the others */
static char own[ROUNDS];
static double began;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Before round I: synchronizes the first N threads; one continues a little later. False for all: no more rounds. */
static int meet(int i, int n)
{
	if (MYTHREAD == 0 && i >= FEWEST && now() - began > SECONDS)
		rounds = i;
	progress[LINE * MYTHREAD] = i + 1;
	for (int t = 0; t < n && t < THREADS; t++)
		for (int spins = 0; progress[LINE * t] < i + 1; spins++)
			if (spins > 100)
				sched_yield();
	for (volatile int delay = MYTHREAD == i / 16 % n ? i % 16 : 0; delay > 0; delay--)
		;
	return i < rounds;
}

static void publish(void)
{
	for (int i = 0; i < ROUNDS; i++)
		saw[MYTHREAD * ROUNDS + i] = own[i];
	upc_barrier;
}

static void clear(void)
{
	upc_barrier;
	for (int i = MYTHREAD; i < ROUNDS; i += THREADS) {
		strict_x[i * LINE] = strict_y[i * LINE] = 0;
		plain_x[i * LINE] = plain_y[i * LINE] = relaxed_x[i * LINE] = relaxed_y[i * LINE] = 0;
		upc_memset(&cells_x[2 * i], 0, sizeof(cell));
		upc_memset(&cells_y[2 * i], 0, sizeof(cell));
	}
	for (int i = 0; i < ROUNDS; i++)
		own[i] = 0;
	progress[LINE * MYTHREAD] = 0;
	if (MYTHREAD == 0)
		rounds = ROUNDS;
	upc_barrier;
	began = now();
}

/* Two threads write one variable and read the other: at least one reads the new value, so no store is delayed. */
#define STORE_BUFFERING(write_x, read_y, write_y, read_x)                                                              \
	do {                                                                                                           \
		clear();                                                                                               \
		for (int i = 0; MYTHREAD == 0 && i < ROUNDS && meet(i, 2); i++) {                                     \
			write_x;                                                                                       \
			own[i] = (read_y) != 0;                                                                        \
		}                                                                                                      \
		for (int i = 0; MYTHREAD == 1 && i < ROUNDS && meet(i, 2); i++) {                                     \
			write_y;                                                                                       \
			own[i] = (read_x) != 0;                                                                        \
		}                                                                                                      \
		publish();                                                                                             \
		int bad = 0;                                                                                           \
		for (int i = 0; THREADS > 1 && MYTHREAD == 0 && i < rounds; i++)                                       \
			bad += !saw[i] && !saw[ROUNDS + i];                                                            \
		CHECK(bad == 0);                                                                                       \
	} while (0)

static void by_fences(void)
{
	STORE_BUFFERING(
		relaxed_x[i * LINE] = 1; upc_fence, relaxed_y[i * LINE], relaxed_y[i * LINE] = 1; upc_fence, relaxed_x[i * LINE]);
}

static void by_pointers(void)
{
	strict shared [] long *x = plain_x, *y = plain_y;
	STORE_BUFFERING(x[i * LINE] = 1, *(y + i * LINE), y[i * LINE]++, *(x + i * LINE));
}

static void by_block(void)
{
#pragma upc strict
	STORE_BUFFERING(plain_x[i * LINE] = 1, plain_y[i * LINE], plain_y[i * LINE] = 1, plain_x[i * LINE]);
}

static void by_casts(void)
{
	STORE_BUFFERING(*(strict shared [] long *)&plain_x[i * LINE] = 1, *(strict shared [] long *)&plain_y[i * LINE],
		*(strict shared [] long *)&plain_y[i * LINE] = 1, *(strict shared [] long *)&plain_x[i * LINE]);
}

#pragma upc strict
static void by_file(void)
{
	STORE_BUFFERING(plain_x[i * LINE] += 1, plain_y[i * LINE], plain_y[i * LINE] |= 1, plain_x[i * LINE]);
}
#pragma upc relaxed

/* Members of every kind, and whole structures, are strict when the structure is. */
static void of_members(void)
{
	cell set = {.real = 1};
	STORE_BUFFERING(cells_x[2 * i].high = 1, cells_y[2 * i].high, cells_y[2 * i].high = 1, cells_x[2 * i].high);
	STORE_BUFFERING(cells_x[2 * i].real = 1, cells_y[2 * i].real, cells_y[2 * i].real = 1, cells_x[2 * i].real);
	STORE_BUFFERING(cells_x[2 * i] = set, ({ cell c = cells_y[2 * i]; c.real; }), cells_y[2 * i] = set,
		({ cell c = cells_x[2 * i]; c.real; }));
	/* A strict access also orders relaxed accesses around it. */
	STORE_BUFFERING(relaxed_x[i * LINE] = 1; cells_x[2 * i].small = 1, ((void)cells_y[2 * i].small, relaxed_y[i * LINE]),
		relaxed_y[i * LINE] = 1; cells_y[2 * i].small = 1, ((void)cells_x[2 * i].small, relaxed_x[i * LINE]));
}

/* Relaxed data written before a strict flag is visible to a thread that has read the flag. */
static void message_passing(void)
{
	clear();
	int seen = 0, bad = 0;
	for (int i = 0; MYTHREAD == 0 && i < ROUNDS && meet(i, 2); i++) {
		plain_x[i * LINE] = i + 1;
		relaxed_x[i * LINE + 1] = i + 1;
		strict_y[i * LINE] = 1;
	}
	for (int i = 0; MYTHREAD == 1 && i < ROUNDS && meet(i, 2); i++) {
		for (int spins = 0; i % 100 == 0 && !strict_y[i * LINE]; spins++)
			if (spins > 100)
				sched_yield();
		if (strict_y[i * LINE]) {
			seen++;
			bad += plain_x[i * LINE] != i + 1 || relaxed_x[i * LINE + 1] != i + 1;
		}
	}
	CHECK(bad == 0 && (MYTHREAD != 1 || seen >= (rounds + 99) / 100));
}

/* If each thread reads before it writes, they cannot both have read the other's write. */
static void load_buffering(void)
{
	clear();
	for (int i = 0; MYTHREAD == 0 && i < ROUNDS && meet(i, 2); i++) {
		own[i] = (char)strict_x[i * LINE];
		strict_y[i * LINE] = 1;
	}
	for (int i = 0; MYTHREAD == 1 && i < ROUNDS && meet(i, 2); i++) {
		own[i] = (char)strict_y[i * LINE];
		strict_x[i * LINE] = 1;
	}
	publish();
	int bad = 0;
	for (int i = 0; THREADS > 1 && MYTHREAD == 0 && i < ROUNDS; i++)
		bad += saw[i] && saw[ROUNDS + i];
	CHECK(bad == 0);
}

/* A variable's values never go back, and a thread reads its own writes. */
static void coherence(void)
{
	clear();
	for (int i = 1; MYTHREAD == 0 && i <= ROUNDS; i++) {
		strict_x[0] = i;
		CHECK(strict_x[0] == i);
	}
	long before = 0, bad = 0;
	for (int i = 0; MYTHREAD != 0 && i < ROUNDS / THREADS; i++) {
		long first = strict_x[0], second = strict_x[0];
		bad += first < before || second < first;
		before = second;
	}
	CHECK(bad == 0);
}

/* Two readers of two writers' variables agree on which one was written first. */
static void independent_reads(void)
{
	clear();
	for (int i = 0; MYTHREAD < 4 && i < ROUNDS && meet(i, 4); i++) {
		switch (MYTHREAD) {
		case 0:
			strict_x[i * LINE] = 1;
			break;
		case 1:
			strict_y[i * LINE] = 1;
			break;
		case 2:
			own[i] = (char)strict_x[i * LINE];
			own[i] |= (char)(strict_y[i * LINE] << 1);
			break;
		case 3:
			own[i] = (char)strict_y[i * LINE];
			own[i] |= (char)(strict_x[i * LINE] << 1);
		}
	}
	publish();
	int bad = 0;
	for (int i = 0; MYTHREAD == 0 && i < ROUNDS; i++)
		bad += saw[2 * ROUNDS + i] == 1 && saw[3 * ROUNDS + i] == 1;
	CHECK(bad == 0);
}

int main(void)
{
	STORE_BUFFERING(strict_x[i * LINE] = 1, strict_y[i * LINE], strict_y[i * LINE] = 1, strict_x[i * LINE]);
	by_fences();
	by_pointers();
	by_block();
	by_casts();
	by_file();
	of_members();
	message_passing();
	load_buffering();
	coherence();
	if (THREADS >= 4)
		independent_reads();
#ifdef RELAXED /* what the tests above would show without the order */
	STORE_BUFFERING(relaxed_x[i * LINE] = 1, relaxed_y[i * LINE], relaxed_y[i * LINE] = 1, relaxed_x[i * LINE]);
#endif
	return failures != 0;
}
