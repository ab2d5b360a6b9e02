/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_memcpy, upc_memget, upc_memput and upc_memset (UPC library 7.2.5): every pair of threads, phases, lengths; no
 * byte beside the range is changed; the block size of the pointers' types does not matter.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../programs/check.h"

#define SIZE 4200
#define GUARD 16
#define ROOM (SIZE + 2 * GUARD)

static const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 31, 64, 255, 1000, 4096, SIZE};
#define LENGTHS (sizeof(lengths) / sizeof(*lengths))

/* An area for each pair of a working thread and a thread that has the memory. */
static shared [] unsigned char *from[64], *to[64];
static unsigned char wanted[ROOM], seen[ROOM];

static unsigned char pattern(int thread, size_t i)
{
	return (unsigned char)(i * 7 + thread * 31 + i / 256 + 1);
}

static void prepare(void)
{
	shared [ROOM] unsigned char *all = upc_global_alloc(2 * THREADS, ROOM);

	for (int t = 0; t < THREADS; t++) {
		from[t] = (shared [] unsigned char *)&all[t * ROOM];
		to[t] = (shared [] unsigned char *)&all[(t + THREADS) * ROOM];
		CHECK(upc_threadof(from[t]) == t && upc_threadof(to[t]) == t);
		for (size_t i = 0; i < ROOM; i++) {
			from[t][i] = pattern(t, i);
			to[t][i] = 0xee;
		}
	}
}

/* Returns true for bytes that are accessed singly: near the ends, and some between, as a network is slow at that. */
static bool is_single(size_t i, size_t offset, size_t length)
{
	size_t end = offset + length;
	return i % 61 == 0 || (i + 4 >= offset && i < offset + 4) || (i + 4 >= end && i < end + 4);
}

/* Checks that `to` on a thread has `length` bytes of `wanted` between unchanged ones, and restores it. */
static void expect(int thread, size_t offset, size_t length)
{
	upc_memget(seen, to[thread], ROOM);
	for (size_t i = 0; i < ROOM; i++) {
		bool inside = i >= offset && i < offset + length;
		unsigned char byte = inside ? wanted[i - offset] : 0xee;
		if (seen[i] != byte || (is_single(i, offset, length) && to[thread][i] != byte)) {
			CHECK(!"other bytes");
			break;
		}
	}
	memset(seen, 0xee, ROOM);
	upc_memput(to[thread], seen, ROOM);
}

static void copies(void)
{
	for (int source = 0; source < THREADS; source++) {
		for (int target = 0; target < THREADS; target++) {
			size_t which = (size_t)(source + 3 * target + MYTHREAD) % LENGTHS;
			for (size_t k = 0; k < LENGTHS; k += THREADS > 2 ? 5 : 1) {
				size_t length = lengths[(which + k) % LENGTHS], offset = (source + k) % GUARD, at = k % 5;
				for (size_t i = 0; i < length; i++)
					wanted[i] = pattern(source, i + at);
				upc_memcpy(to[target] + offset, from[source] + at, length);
				expect(target, offset, length);
			}
		}
	}
}

static void gets_and_puts(void)
{
	static unsigned char own[ROOM];

	for (int t = 0; t < THREADS; t++) {
		for (size_t k = 0; k < LENGTHS; k++) {
			size_t length = lengths[k], offset = k % GUARD;
			memset(own, 0xdd, ROOM);
			upc_memget(own + offset, from[t] + 3, length);
			for (size_t i = 0; i < ROOM; i++) {
				bool inside = i >= offset && i < offset + length;
				if (own[i] != (inside ? pattern(t, i - offset + 3) : 0xdd)) {
					CHECK(!"upc_memget: other bytes");
					break;
				}
			}
			for (size_t i = 0; i < length; i++)
				wanted[i] = (unsigned char)(i * 3 + k);
			upc_memput(to[t] + offset, wanted, length);
			expect(t, offset, length);
		}
	}
}

static void fills(void)
{
	static const int bytes[] = {0, 1, 255, -1, 0x1234, 'x'};

	for (int t = 0; t < THREADS; t++) {
		for (size_t k = 0; k < LENGTHS; k++) {
			int byte = bytes[k % 6];
			memset(wanted, byte, ROOM);
			upc_memset(to[t] + k % GUARD, byte, lengths[k]);
			expect(t, k % GUARD, lengths[k]);
		}
	}
}

shared [4] int blocked[12 * THREADS];
shared int cyclic[12 * THREADS];
shared [4] const int constants[4 * THREADS] = {1, 2, 3, 4};
struct record {
	char name[13];
	double value;
};
shared struct record records[THREADS];

/* One thread's elements are contiguous, whatever the block size; a pointer's phase does not matter. */
static void by_layout(void)
{
	int own[12];

	for (int i = 0; i < 12; i++)
		cyclic[i * THREADS + MYTHREAD] = 100 * MYTHREAD + i;
	upc_barrier;
	int next = (MYTHREAD + 1) % THREADS;
	upc_memget(own, &cyclic[next], sizeof(own));
	for (int i = 0; i < 12; i++)
		CHECK(own[i] == 100 * next + i);
	upc_memput(&blocked[4 * MYTHREAD], own, sizeof(own));
	for (int i = 0; i < 12; i++)
		CHECK(blocked[i / 4 * 4 * THREADS + 4 * MYTHREAD + i % 4] == 100 * next + i);
	upc_memget(own, &blocked[4 * MYTHREAD + 2], 10 * sizeof(int));
	for (int i = 0; i < 10; i++)
		CHECK(own[i] == 100 * next + i + 2);
	upc_memcpy(&blocked[4 * MYTHREAD + 3], &cyclic[next], 2 * sizeof(int));
	CHECK(blocked[4 * MYTHREAD + 3] == 100 * next);
	CHECK(blocked[4 * THREADS + 4 * MYTHREAD] == 100 * next + 1);
	upc_barrier;
	upc_memset(&cyclic[MYTHREAD], 0, 12 * sizeof(int));
	for (int i = 0; i < 12; i++)
		CHECK(cyclic[i * THREADS + MYTHREAD] == 0);
	upc_memget(own, constants, 4 * sizeof(int));
	CHECK(own[0] == 1 && own[3] == 4);

	struct record mine = {"some name", 1.5 + MYTHREAD}, got;
	upc_memput(&records[MYTHREAD], &mine, sizeof(mine));
	upc_barrier;
	upc_memget(&got, &records[next], sizeof(got));
	CHECK(strcmp(got.name, "some name") == 0 && got.value == 1.5 + next);
	upc_memget(&got.value, &records[MYTHREAD].value, sizeof(double));
	CHECK(got.value == mine.value);
	upc_barrier;
}

/* Size zero has no effect, whatever the pointers are (also null pointers). */
static void nothing(void)
{
	shared int *null = NULL;
	int word = 5;

	upc_memcpy(null, null, 0);
	upc_memput(null, &word, 0);
	upc_memget(&word, null, 0);
	upc_memset(null, 1, 0);
	CHECK(word == 5);
}

/* Both ends may be shared memory accessed by a private pointer. */
static void by_private_pointers(void)
{
	shared [] int *mine = upc_alloc(64 * sizeof(int));
	int *own = (int *)mine;

	for (int i = 0; i < 64; i++)
		own[i] = i;
	upc_memput(mine + 32, own, 32 * sizeof(int));
	upc_memget(own + 16, mine + 32, 16 * sizeof(int));
	for (int i = 0; i < 64; i++)
		CHECK(own[i] == i % 32 - (i / 16 == 1 ? 16 : 0));
	upc_free(mine);
}

static void large(void)
{
	size_t size = 3 << 20;
	shared [] unsigned char *mine = upc_alloc(size);
	unsigned char *own = malloc(size);

	for (size_t i = 0; i < size; i++)
		own[i] = (unsigned char)(i * 13 + i / 4096 + MYTHREAD);
	upc_memput(mine, own, size);
	memset(own, 0, size);
	upc_memget(own, mine, size);
	size_t wrong = 0;
	for (size_t i = 0; i < size; i++)
		wrong += own[i] != (unsigned char)(i * 13 + i / 4096 + MYTHREAD);
	CHECK(wrong == 0);
	free(own);
	upc_free(mine);
}

int main(void)
{
	prepare();
	copies();
	gets_and_puts();
	fills();
	by_layout();
	nothing();
	by_private_pointers();
	large();
	upc_barrier;
	return failures != 0;
}
