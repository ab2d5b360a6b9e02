/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes known numbers of calls: each PE writes the values that a measurement must have, as lines FUNCTION METRIC VALUE,
 * to the file expected.PE, and lines FROM TO ACCESSES to pairs.PE. All PEs are on one node.
 */
#include <complex.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	char name[60], metric[24];
	long long value;
} expected[4000];
static int expectations;
static int me, size;
static long long to[64];
static int wrong;

static void expect(const char *name, const char *metric, long long value)
{
	int i = 0;
	while (i < expectations && (strcmp(expected[i].name, name) != 0 || strcmp(expected[i].metric, metric) != 0))
		i++;
	if (i == expectations) {
		snprintf(expected[i].name, sizeof(expected[i].name), "%s", name);
		snprintf(expected[i].metric, sizeof(expected[i].metric), "%s", metric);
		expectations++;
	}
	expected[i].value += value;
}

static void call(const char *name, long long got, long long put)
{
	expect(name, "visits", 1);
	expect(name, "bytes-got", got);
	expect(name, "bytes-put", put);
}

static void access_of(const char *name, int pe, long long got, long long put)
{
	call(name, got, put);
	expect(name, pe == me ? "local-accesses" : "same-node-accesses", 1);
	if (pe != me)
		expect(name, "same-node-bytes", got > put ? got : put);
	to[pe]++;
}

/* Checks a value that arrived or that a function returned: wrappers must not change it. */
static void check(const char *what, int holds)
{
	if (!holds) {
		printf("%d: wrong: %s\n", me, what);
		wrong = 1;
	}
}

static int next(void)
{
	return (me + 1) % size;
}

static int before(void)
{
	return (me + size - 1) % size;
}

static char *heap; /* equal on all PEs */

#define BLOCK 4096

/* Puts to the next PE, and gets the values from there. */
#define ELEMENTS(name, type)                                                                              \
	static void elements_##name(void)                                                                 \
	{                                                                                                 \
		type *there = (type *)heap, one = (type)(me + 1), some[6], got[6];                        \
		for (int i = 0; i < 6; i++)                                                               \
			some[i] = (type)(i + 1);                                                          \
		shmem_##name##_p(there, one, next());                                                     \
		access_of("shmem_" #name "_p", next(), 0, sizeof(type));                                  \
		shmem_fence();                                                                            \
		call("shmem_fence", 0, 0);                                                                \
		check(#name "_g", shmem_##name##_g(there, next()) == one);                                \
		access_of("shmem_" #name "_g", next(), sizeof(type), 0);                                  \
		shmem_##name##_put(there + 8, some, 5, me);                                               \
		access_of("shmem_" #name "_put", me, 0, 5 * sizeof(type));                                \
		shmem_##name##_get(got, there + 8, 3, me);                                                \
		access_of("shmem_" #name "_get", me, 3 * sizeof(type), 0);                                \
		check(#name "_get", got[0] == some[0] && got[2] == some[2]);                              \
		shmem_##name##_iput(there + 16, some, 2, 1, 4, next());                                   \
		access_of("shmem_" #name "_iput", next(), 0, 4 * sizeof(type));                           \
		shmem_quiet();                                                                            \
		call("shmem_quiet", 0, 0);                                                                \
		shmem_##name##_iget(got, there + 16, 1, 2, 4, next());                                    \
		access_of("shmem_" #name "_iget", next(), 4 * sizeof(type), 0);                           \
		check(#name "_iget", got[3] == some[3]);                                                  \
		shmem_##name##_put_nbi(there + 32, some, 6, next());                                      \
		access_of("shmem_" #name "_put_nbi", next(), 0, 6 * sizeof(type));                        \
		shmem_quiet();                                                                            \
		call("shmem_quiet", 0, 0);                                                                \
		shmem_##name##_get_nbi(got, there + 32, 6, next());                                       \
		access_of("shmem_" #name "_get_nbi", next(), 6 * sizeof(type), 0);                        \
		shmem_quiet();                                                                            \
		call("shmem_quiet", 0, 0);                                                                \
		check(#name "_get_nbi", got[5] == some[5]);                                               \
		shmem_ctx_##name##_p(SHMEM_CTX_DEFAULT, there + 64, one, me);                             \
		access_of("shmem_ctx_" #name "_p", me, 0, sizeof(type));                                  \
		check("ctx_" #name "_g", shmem_ctx_##name##_g(SHMEM_CTX_DEFAULT, there + 64, me) == one); \
		access_of("shmem_ctx_" #name "_g", me, sizeof(type), 0);                                  \
		shmem_barrier_all();                                                                      \
		call("shmem_barrier_all", 0, 0);                                                          \
	}

#define TYPES(X)                   \
	X(char, char)              \
	X(short, short)            \
	X(int, int)                \
	X(long, long)              \
	X(longlong, long long)     \
	X(float, float)            \
	X(double, double)          \
	X(longdouble, long double) \
	X(uchar, unsigned char)    \
	X(uint64, uint64_t)        \
	X(size, size_t)            \
	X(ptrdiff, ptrdiff_t)
TYPES(ELEMENTS)

static void sized(void)
{
	char block[160] = "block", got[160];
	shmem_put8(heap, block, 10, next());
	access_of("shmem_put8", next(), 0, 10);
	shmem_put128(heap, block, 10, me);
	access_of("shmem_put128", me, 0, 160);
	shmem_get128(got, heap, 10, me);
	access_of("shmem_get128", me, 160, 0);
	check("get128", memcmp(got, block, 160) == 0);
	shmem_putmem(heap, block, 33, next());
	access_of("shmem_putmem", next(), 0, 33);
	shmem_getmem(got, heap, 17, before());
	access_of("shmem_getmem", before(), 17, 0);
	shmem_ctx_getmem(SHMEM_CTX_DEFAULT, got, heap, 0, me);
	access_of("shmem_ctx_getmem", me, 0, 0);
	shmem_iget32(got, heap, 1, 1, 3, me);
	access_of("shmem_iget32", me, 12, 0);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
}

static void atomics(void)
{
	long *word = (long *)(heap + BLOCK);
	double *real = (double *)(heap + BLOCK + 64);
	unsigned int *bits = (unsigned int *)(heap + BLOCK + 128);
	*word = 10;
	*real = 1.5;
	*bits = 6;
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	check("fetch_add", shmem_long_atomic_fetch_add(word, 5, next()) == 10);
	access_of("shmem_long_atomic_fetch_add", next(), 8, 8);
	check("fetch_inc", shmem_long_atomic_fetch_inc(word, next()) == 15);
	access_of("shmem_long_atomic_fetch_inc", next(), 8, 8);
	shmem_long_atomic_add(word, 1, next());
	access_of("shmem_long_atomic_add", next(), 0, 8);
	shmem_long_atomic_inc(word, next());
	access_of("shmem_long_atomic_inc", next(), 0, 8);
	check("fetch", shmem_long_atomic_fetch(word, next()) == 18);
	access_of("shmem_long_atomic_fetch", next(), 8, 0);
	check("compare_swap", shmem_long_atomic_compare_swap(word, 18, 3, next()) == 18);
	access_of("shmem_long_atomic_compare_swap", next(), 8, 8);
	check("swap", shmem_double_atomic_swap(real, 2.5, next()) == 1.5);
	access_of("shmem_double_atomic_swap", next(), 8, 8);
	shmem_double_atomic_set(real, 3.5, next());
	access_of("shmem_double_atomic_set", next(), 0, 8);
	check("double fetch", shmem_double_atomic_fetch(real, next()) == 3.5);
	access_of("shmem_double_atomic_fetch", next(), 8, 0);
	check("fetch_xor", shmem_uint_atomic_fetch_xor(bits, 3, next()) == 6);
	access_of("shmem_uint_atomic_fetch_xor", next(), 4, 4);
	shmem_uint_atomic_and(bits, 4, next());
	access_of("shmem_uint_atomic_and", next(), 0, 4);
	check("old fadd", shmem_int_fadd((int *)(heap + BLOCK + 256), 0, me) == *(int *)(heap + BLOCK + 256));
	access_of("shmem_int_fadd", me, 4, 4);
	check("old swap", (shmem_float_swap((float *)(heap + BLOCK + 320), 2.5f, me), 1) &&
				  shmem_float_fetch((float *)(heap + BLOCK + 320), me) == 2.5f);
	access_of("shmem_float_swap", me, 4, 4);
	access_of("shmem_float_fetch", me, 4, 0);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
}

static long psync[SHMEM_SYNC_SIZE], psync2[SHMEM_SYNC_SIZE], lock;
static double work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 16];
static long flag;

static void synchronization(void)
{
	shmem_long_p(&flag, 7, next());
	access_of("shmem_long_p", next(), 0, 8);
	shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 7);
	call("shmem_long_wait_until", 0, 0);
	check("test", shmem_long_test(&flag, SHMEM_CMP_EQ, 7) == 1);
	call("shmem_long_test", 0, 0);
	shmem_set_lock(&lock);
	call("shmem_set_lock", 0, 0);
	shmem_clear_lock(&lock);
	call("shmem_clear_lock", 0, 0);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	if (me == 0) {
		check("test_lock", shmem_test_lock(&lock) == 0);
		call("shmem_test_lock", 0, 0);
		shmem_clear_lock(&lock);
		call("shmem_clear_lock", 0, 0);
	}
	shmem_sync_all();
	call("shmem_sync_all", 0, 0);
	shmem_barrier(0, 0, size, psync);
	call("shmem_barrier", 0, 0);
	if (me % 2 == 0) {
		shmem_sync(0, 1, (size + 1) / 2, psync2);
		call("shmem_sync", 0, 0);
	}
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
}

static void collectives(void)
{
	double *from = (double *)(heap + 2 * BLOCK), *all = (double *)(heap + 3 * BLOCK);
	for (int i = 0; i < 64; i++)
		from[i] = me + i;
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	shmem_broadcast64(all, from, 3, size - 1, 0, 0, size, psync);
	call("shmem_broadcast64", me == size - 1 ? 0 : 24, me == size - 1 ? 24 : 0);
	check("broadcast", me == size - 1 || all[1] == size);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	shmem_fcollect64(all, from, 2, 0, 0, size, psync2);
	call("shmem_fcollect64", 16LL * size, 16);
	check("fcollect", all[2 * size - 1] == size);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	shmem_collect32(all, from, 3, 0, 0, size, psync);
	call("shmem_collect32", 0, 12);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	shmem_alltoall64(all, from, 2, 0, 0, size, psync2);
	call("shmem_alltoall64", 16LL * size, 16LL * size);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	shmem_double_sum_to_all(all, from, 4, 0, 0, size, work, psync);
	call("shmem_double_sum_to_all", 32, 32);
	check("sum", all[0] == size * (size - 1) / 2);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
	shmem_complexd_sum_to_all(
		(double complex *)all, (double complex *)from, 2, 0, 0, size, (double complex *)work, psync2);
	call("shmem_complexd_sum_to_all", 32, 32);
	shmem_barrier_all();
	call("shmem_barrier_all", 0, 0);
}

static void contexts(void)
{
	shmem_ctx_t context;
	long value = me;
	if (shmem_ctx_create(0, &context) != 0)
		return;
	call("shmem_ctx_create", 0, 0);
	shmem_ctx_int_put_nbi(SHMEM_CTX_DEFAULT, (int *)heap, &me, 1, next());
	access_of("shmem_ctx_int_put_nbi", next(), 0, 4);
	shmem_quiet();
	call("shmem_quiet", 0, 0);
	shmem_ctx_long_put_nbi(context, (long *)heap, &value, 1, next());
	access_of("shmem_ctx_long_put_nbi", next(), 0, 8);
	shmem_ctx_fence(context);
	call("shmem_ctx_fence", 0, 0);
	shmem_ctx_quiet(context);
	call("shmem_ctx_quiet", 0, 0);
	shmem_ctx_destroy(context);
	call("shmem_ctx_destroy", 0, 0);
}

static void write_expected(void)
{
	char path[32];
	snprintf(path, sizeof(path), "expected.%d", me);
	FILE *file = fopen(path, "w");
	for (int i = 0; i < expectations; i++)
		fprintf(file, "%s %s %lld\n", expected[i].name, expected[i].metric, expected[i].value);
	fclose(file);
	snprintf(path, sizeof(path), "pairs.%d", me);
	file = fopen(path, "w");
	for (int i = 0; i < size; i++)
		if (to[i])
			fprintf(file, "PE %d -> PE %d %lld\n", me, i, to[i]);
	fclose(file);
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	size = shmem_n_pes();
	for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
		psync[i] = psync2[i] = SHMEM_SYNC_VALUE;
	heap = shmem_malloc(4 * BLOCK);
	expect("shmem_malloc", "visits", 1);
	expect("shmem_malloc", "shared-bytes", 4 * BLOCK);
	char *more = shmem_calloc(10, 8);
	expect("shmem_calloc", "visits", 1);
	expect("shmem_calloc", "shared-bytes", 80);
	check("calloc", more && more[79] == 0);
	shmem_free(more);
	expect("shmem_free", "visits", 1);
#define X(name, type) elements_##name();
	TYPES(X)
#undef X
	sized();
	atomics();
	synchronization();
	collectives();
	contexts();
	write_expected();
	shmem_finalize();
	return wrong;
}
