/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer sort, in UPC.
 *
 *     is [-n UPC-THREADS] [KEYS [ROUNDS]]
 *
 * Each thread groups its keys by destination thread (one range of keys each), reserves space in that thread's part with
 * upc_all_exchange, puts each group there as one run, and counts the keys it received. After each round the keys must
 * ascend, within a thread and from one to the next, and their number, sum and hash must be those of the generated keys.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

#define KEY_END (1 << 19) /* keys are smaller */
#define MOST_THREADS 1024

struct digest {
	uint64_t keys, sum, hash;
};

struct range {
	int least, greatest; /* inverted if there are no keys */
};

static long keys;                           /* of all threads */
static shared [] int *shared part[THREADS]; /* the sorted keys of each thread */
static shared long room[THREADS];           /* capacity of these parts */
static shared struct digest made[THREADS], sorted[THREADS];
static shared struct range ranges[THREADS];

/* In each thread's block: the number of keys it has for each thread, and receives from each. */
static shared [MOST_THREADS] long counts[MOST_THREADS * THREADS], arriving[MOST_THREADS * THREADS];

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* The mean of four numbers: keys in the middle are more frequent, so some threads receive more than others. */
static int key_of(long index, int round)
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		sum += (int)(mix((uint64_t)(index * 4 + i) * UINT64_C(0x9e3779b97f4a7c15) + round) % KEY_END);
	return sum / 4;
}

static int thread_of(int key)
{
	return (int)((long)key * THREADS / KEY_END);
}

static void add(struct digest *digest, int key)
{
	digest->keys++;
	digest->sum += key;
	digest->hash += mix(key + 1);
}

static long first_of(int thread)
{
	return keys * thread / THREADS;
}

/* Generates this thread's share of the keys; `groups` gets the number of keys for each thread. */
static void make(int *mine, long *groups, int round)
{
	struct digest digest = {0};
	long first = first_of(MYTHREAD), count = first_of(MYTHREAD + 1) - first;

	memset(groups, 0, sizeof *groups * THREADS);
	for (long i = 0; i < count; i++) {
		mine[i] = key_of(first + i, round);
		groups[thread_of(mine[i])]++;
		add(&digest, mine[i]);
	}
	made[MYTHREAD] = digest;
}

/* Groups `mine` by the destination thread of the keys. */
static void group(const int *mine, int *grouped, const long *groups, long count)
{
	long *next = malloc(sizeof *next * THREADS);
	long start = 0;

	for (int thread = 0; thread < THREADS; thread++) {
		next[thread] = start;
		start += groups[thread];
	}
	for (long i = 0; i < count; i++)
		grouped[next[thread_of(mine[i])]++] = mine[i];
	free(next);
}

/*
 * Reserves space for what arrives, then puts each group behind those of lower threads; returns the number of keys
 * received.
 */
static long send(const int *grouped, const long *groups)
{
	long total = 0;

	upc_memput(&counts[MYTHREAD * MOST_THREADS], groups, sizeof *groups * THREADS);
	upc_all_exchange(arriving, counts, sizeof(long), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	for (int from = 0; from < THREADS; from++)
		total += arriving[MYTHREAD * MOST_THREADS + from];
	if (total > room[MYTHREAD]) {
		upc_free(part[MYTHREAD]);
		part[MYTHREAD] = upc_alloc(sizeof(int) * total);
		room[MYTHREAD] = total;
	}
	upc_barrier;
	for (int to = 0; to < THREADS; to++) {
		long behind = 0;

		for (int from = 0; from < MYTHREAD; from++)
			behind += arriving[to * MOST_THREADS + from];
		if (groups[to] > 0)
			upc_memput(part[to] + behind, grouped, sizeof(int) * groups[to]);
		grouped += groups[to];
	}
	upc_barrier;
	return total;
}

/* Sorts a part by counting: there are few different keys. */
static void count_keys(int *part_keys, long total)
{
	int least = (int)((long)MYTHREAD * KEY_END / THREADS);
	int end = (int)((long)(MYTHREAD + 1) * KEY_END / THREADS) + 1;
	long *times = calloc(end - least, sizeof *times);

	for (long i = 0; i < total; i++)
		times[part_keys[i] - least]++;
	for (int key = least; key < end; key++) {
		for (long i = times[key - least]; i > 0; i--)
			*part_keys++ = key;
	}
	free(times);
}

/* Returns true if this part ascends; stores what thread 0 needs to check the whole. */
static int look(const int *part_keys, long total)
{
	struct digest digest = {0};
	int ascends = 1;

	for (long i = 0; i < total; i++) {
		add(&digest, part_keys[i]);
		ascends &= i == 0 || part_keys[i - 1] <= part_keys[i];
	}
	sorted[MYTHREAD] = digest;
	ranges[MYTHREAD].least = total > 0 ? part_keys[0] : INT_MAX;
	ranges[MYTHREAD].greatest = total > 0 ? part_keys[total - 1] : INT_MIN;
	return ascends;
}

static int whole_is_sorted(void)
{
	struct digest before = {0}, after = {0};
	int last = INT_MIN, good = 1;

	for (int thread = 0; thread < THREADS; thread++) {
		before.keys += made[thread].keys;
		before.sum += made[thread].sum;
		before.hash += made[thread].hash;
		after.keys += sorted[thread].keys;
		after.sum += sorted[thread].sum;
		after.hash += sorted[thread].hash;
		good &= ranges[thread].least >= last;
		last = ranges[thread].greatest > last ? ranges[thread].greatest : last;
	}
	return good && before.keys == (uint64_t)keys && memcmp(&before, &after, sizeof before) == 0;
}

int main(int argc, char **argv)
{
	static shared int wrong;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	int *mine, *grouped;
	long *groups, count;

	keys = argc > 1 ? atol(argv[1]) : 4000000;
	if (keys < 1 || rounds < 1) {
		if (MYTHREAD == 0)
			fputs("usage: is [KEYS [ROUNDS]]\n", stderr);
		return 2;
	}
	count = first_of(MYTHREAD + 1) - first_of(MYTHREAD);
	mine = malloc(sizeof *mine * (count + 1));
	grouped = malloc(sizeof *grouped * (count + 1));
	groups = malloc(sizeof *groups * THREADS);
	for (int round = 0; round < rounds; round++) {
		long total;

		make(mine, groups, round);
		group(mine, grouped, groups, count);
		total = send(grouped, groups);
		count_keys((int *)part[MYTHREAD], total);
		if (!look((int *)part[MYTHREAD], total))
			wrong = 1;
		upc_barrier;
		if (MYTHREAD == 0 && !whole_is_sorted())
			wrong = 1;
		upc_barrier;
	}
	if (MYTHREAD == 0)
		printf("is: %d UPC threads, %d rounds of %ld keys: %s\n", THREADS, rounds, keys,
			wrong ? "WRONG" : "verified");
	return wrong;
}
