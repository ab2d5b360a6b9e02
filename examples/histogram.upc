/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A histogram of random keys, in UPC, and for each key how many keys are equal.
 *
 *     histogram [-n UPC-THREADS] [KEYS]
 *
 * Each thread counts its own keys. Then the thread of each bin adds up what all threads counted, and the thread of each
 * key reads its bin: both read elements of other threads one by one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

#define BINS 1024

static int keys;
static shared int *key, *equal;
static shared[BINS] int *part; /* what each thread counted */
static shared int *bin;

/* Depends on `index` only; low keys are more frequent. */
static int random_key(uint64_t index)
{
	uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return (int)(z % (1 + (z >> 32) % BINS));
}

static void count(void)
{
	upc_forall (int i = 0; i < keys; i++; &key[i])
		part[MYTHREAD * BINS + key[i]]++;
}

static void add(void)
{
	upc_forall (int i = 0; i < BINS; i++; &bin[i]) {
		for (int thread = 0; thread < THREADS; thread++)
			bin[i] += part[thread * BINS + i];
	}
}

static void look_up(void)
{
	upc_forall (int i = 0; i < keys; i++; &equal[i])
		equal[i] = bin[key[i]];
}

static void start(void)
{
	key = (shared int *)upc_all_alloc(keys, sizeof(int));
	equal = (shared int *)upc_all_alloc(keys, sizeof(int));
	part = (shared[BINS] int *)upc_all_alloc(THREADS, BINS * sizeof(int));
	bin = (shared int *)upc_all_alloc(BINS, sizeof(int));
	upc_forall (int i = 0; i < keys; i++; &key[i])
		key[i] = random_key(i);
	for (int i = 0; i < BINS; i++)
		part[MYTHREAD * BINS + i] = 0;
	upc_forall (int i = 0; i < BINS; i++; &bin[i])
		bin[i] = 0;
	upc_barrier;
}

static int is_right(void)
{
	static int serial[BINS];
	int right = 1;

	for (int i = 0; i < keys; i++)
		serial[random_key(i)]++;
	upc_forall (int i = 0; i < keys; i++; &equal[i])
		right &= equal[i] == serial[key[i]];
	return right;
}

static int all(int mine)
{
	static shared int parts[THREADS], least;

	parts[MYTHREAD] = mine;
	upc_all_reduceI(&least, parts, UPC_MIN, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	return least;
}

int main(int argc, char **argv)
{
	int right;

	keys = argc > 1 ? atoi(argv[1]) : 1000000;
	if (keys < 1) {
		if (MYTHREAD == 0)
			fputs("usage: histogram [KEYS]\n", stderr);
		return 2;
	}
	start();
	count();
	upc_barrier;
	add();
	upc_barrier;
	look_up();
	right = all(is_right());
	if (MYTHREAD == 0)
		printf("histogram: %d UPC threads, %d keys in %d bins: %s\n", THREADS, keys, BINS,
			right ? "verified" : "WRONG");
	return right ? 0 : 1;
}
