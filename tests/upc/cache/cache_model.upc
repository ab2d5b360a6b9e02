/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random use of heddle/upc_cache.h, compared with a model: all threads derive the same script of hints, gets and puts
 * from a seed, execute it through caches, and know from the model what each get may return and what each element is
 * after an upload. Arguments: number of seeds, first seed. Prints one line if all results are right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <heddle/upc_cache.h>

#define LARGEST 600 /* bytes of an element */
#define LONGEST 700 /* elements of an array */
#define MOST 400    /* operations of a thread in a tile */

struct three {
	char bytes[3];
};
struct mixed {
	double number;
	int count;
	char tag;
};
struct large {
	char bytes[LARGEST];
};

/* An array type: functions to open a cache of it, to compute elements' addresses, and for typed access. */
struct kind {
	const char *name;
	size_t size, length; /* length: 0: any */
	void (*allocate)(size_t length, size_t skip);
	void (*release)(void);
	heddle_cache_t *(*open)(size_t chunk, enum heddle_cache_policy policy);
	shared void *(*address)(size_t index);
	void (*get)(heddle_cache_t *cache, size_t index, void *value);
	void (*put)(heddle_cache_t *cache, size_t index, const void *value);
};

#define ACCESS(NAME, TYPE)                                                          \
	static void NAME##_get(heddle_cache_t *cache, size_t index, void *value)    \
	{                                                                           \
		TYPE typed;                                                         \
                                                                                    \
		if (index & 1)                                                      \
			heddle_cache_get(cache, index, &typed);                     \
		else                                                                \
			typed = heddle_cache_at(cache, index, TYPE);                \
		memcpy(value, &typed, sizeof(typed));                               \
	}                                                                           \
	static void NAME##_put(heddle_cache_t *cache, size_t index, const void *value) \
	{                                                                           \
		TYPE typed;                                                         \
                                                                                    \
		memcpy(&typed, value, sizeof(typed));                               \
		if (index & 1)                                                      \
			heddle_cache_put(cache, index, &typed);                     \
		else                                                                \
			heddle_cache_set(cache, index, TYPE, typed);                \
	}

/* How many elements before the array this thread's cache begins: threads may open caches of different pointers. */
static size_t back;

/* An array of blocks from upc_all_alloc, used from the element `skip` on. */
#define DYNAMIC(NAME, TYPE, BLOCK)                                                                        \
	static shared[BLOCK] TYPE *NAME##_all, *NAME##_array;                                             \
	static void NAME##_allocate(size_t length, size_t skip)                                           \
	{                                                                                                 \
		NAME##_all = (shared[BLOCK] TYPE *)upc_all_alloc(                                         \
			(length + skip) / (BLOCK) + 1, sizeof(TYPE) * (BLOCK));                           \
		NAME##_array = NAME##_all + skip;                                                         \
	}                                                                                                 \
	static void NAME##_release(void)                                                                  \
	{                                                                                                 \
		upc_barrier;                                                                              \
		if (MYTHREAD == 0)                                                                        \
			upc_free(NAME##_all);                                                             \
	}                                                                                                 \
	static heddle_cache_t *NAME##_open(size_t chunk, enum heddle_cache_policy policy)                 \
	{                                                                                                 \
		return heddle_cache_open(NAME##_array - back, chunk, policy);                             \
	}                                                                                                 \
	static shared void *NAME##_address(size_t index)                                                  \
	{                                                                                                 \
		return &NAME##_array[index];                                                              \
	}                                                                                                 \
	ACCESS(NAME, TYPE)

/* An array with indefinite block size, on the last thread. */
#define INDEFINITE(NAME, TYPE)                                                                            \
	static shared[] TYPE *NAME##_all, *NAME##_array;                                                  \
	static shared[] TYPE *shared NAME##_known;                                                        \
	static void NAME##_allocate(size_t length, size_t skip)                                           \
	{                                                                                                 \
		if (MYTHREAD == THREADS - 1)                                                              \
			NAME##_known = (shared[] TYPE *)upc_alloc((length + skip) * sizeof(TYPE));        \
		upc_barrier;                                                                              \
		NAME##_all = NAME##_known;                                                                \
		NAME##_array = NAME##_all + skip;                                                         \
	}                                                                                                 \
	static void NAME##_release(void)                                                                  \
	{                                                                                                 \
		upc_barrier;                                                                              \
		if (MYTHREAD == 0)                                                                        \
			upc_free(NAME##_all);                                                             \
	}                                                                                                 \
	static heddle_cache_t *NAME##_open(size_t chunk, enum heddle_cache_policy policy)                 \
	{                                                                                                 \
		return heddle_cache_open(NAME##_array - back, chunk, policy);                             \
	}                                                                                                 \
	static shared void *NAME##_address(size_t index)                                                  \
	{                                                                                                 \
		return &NAME##_array[index];                                                              \
	}                                                                                                 \
	ACCESS(NAME, TYPE)

/* A static array. */
#define STATIC(NAME, TYPE, BLOCK, ARRAY, FIRST)                                                           \
	static void NAME##_allocate(size_t length, size_t skip)                                           \
	{                                                                                                 \
		(void)length, (void)skip;                                                                 \
	}                                                                                                 \
	static void NAME##_release(void)                                                                  \
	{                                                                                                 \
		upc_barrier;                                                                              \
	}                                                                                                 \
	static heddle_cache_t *NAME##_open(size_t chunk, enum heddle_cache_policy policy)                 \
	{                                                                                                 \
		return heddle_cache_open(ARRAY, chunk, policy);                                           \
	}                                                                                                 \
	static shared void *NAME##_address(size_t index)                                                  \
	{                                                                                                 \
		return FIRST + index;                                                                     \
	}                                                                                                 \
	ACCESS(NAME, TYPE)

static shared[5] int fives[40 * THREADS];
static shared[*] short thirds[30 * THREADS];
static shared[] float alone[90];
static shared[7] double grid[4 * THREADS][14];

DYNAMIC(bytes, char, 1)
DYNAMIC(ints, int, 1)
DYNAMIC(doubles, double, 1)
DYNAMIC(int_blocks, int, 3)
DYNAMIC(double_blocks, double, 64)
DYNAMIC(mixed, struct mixed, 1)
DYNAMIC(mixed_blocks, struct mixed, 10)
DYNAMIC(threes, struct three, 7)
DYNAMIC(larges, struct large, 2)
INDEFINITE(alone_ints, int)
INDEFINITE(alone_mixed, struct mixed)
STATIC(static_fives, int, 5, fives, fives)
STATIC(static_thirds, short, *, thirds, thirds)
STATIC(static_alone, float, , alone, alone)
STATIC(static_grid, double, 7, &grid[0][0], &grid[0][0])

#define KIND(NAME, TYPE, LENGTH)                                                                                      \
	{#NAME, sizeof(TYPE), LENGTH, NAME##_allocate, NAME##_release, NAME##_open, NAME##_address, NAME##_get, NAME##_put}

static uint64_t state;

/* Returns the same random numbers on all threads. */
static size_t below(size_t limit)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (size_t)((z ^ z >> 31) % limit);
}

/* Fills in what a put writes: bytes that depend on the element and the put. */
static void fill(char *value, size_t size, unsigned int what)
{
	for (size_t i = 0; i < size; i++)
		value[i] = (char)((what * 2654435761u + (unsigned int)i * 40503u) >> 13);
}

/* The model of one element. */
struct element {
	char value[LARGEST];    /* before the tile */
	unsigned int *last;     /* the last put of each thread in this tile; 0: none */
	unsigned int *order;    /* the number of each thread's first put */
	unsigned int *earlier;  /* puts of the previous tile, which a get may not see yet if downloads overlap */
	char before[LARGEST];   /* value before the previous tile */
};

static struct element *model;
static const struct kind *kind;
static enum heddle_cache_policy policy;
static unsigned long seed;
static size_t length;
static unsigned int *puts_of; /* number of each thread's puts since the last upload */

static void fail(const char *what, size_t index)
{
	fprintf(stderr, "thread %d of %d, seed %lu, %s, policy %d: %s of element %lu\n", MYTHREAD, THREADS, seed,
		kind->name, (int)policy, what, (unsigned long)index);
	upc_global_exit(1);
}

static int is(const char *value, unsigned int what)
{
	char expected[LARGEST];

	fill(expected, kind->size, what);
	return memcmp(value, expected, kind->size) == 0;
}

static int others_put(const unsigned int *puts)
{
	int others = 0;

	for (int thread = 0; thread < THREADS; thread++)
		others += thread != MYTHREAD && puts[thread] != 0;
	return others > 0;
}

/* Returns true if a get of this thread may return VALUE. */
static int may_be(const struct element *element, const char *value, int overlapped)
{
	/* Owners write directly: any put of the tile may be visible, not only the last ones. */
	if (policy == HEDDLE_CACHE_ARBITRARY && others_put(element->last))
		return 1;
	if (element->last[MYTHREAD] != 0)
		return is(value, element->last[MYTHREAD]);
	if (memcmp(value, element->value, kind->size) == 0)
		return 1;
	if (!overlapped)
		return 0;
	if (policy == HEDDLE_CACHE_ARBITRARY && others_put(element->earlier))
		return 1;
	for (int thread = 0; thread < THREADS; thread++) {
		if (element->earlier[thread] != 0 && is(value, element->earlier[thread]))
			return 1;
	}
	/* A thread's own puts, however, are always visible to it. */
	return element->earlier[MYTHREAD] == 0 && memcmp(value, element->before, kind->size) == 0;
}

/* Returns the thread whose put wins, or -1: any thread that put. */
static int winner(const struct element *element)
{
	int best = -1;

	if (policy == HEDDLE_CACHE_ARBITRARY)
		return -1;
	for (int thread = 0; thread < THREADS; thread++) {
		if (element->last[thread] == 0)
			continue;
		if (best < 0 || (policy == HEDDLE_CACHE_FIRST && element->order[thread] < element->order[best]))
			best = thread;
	}
	return best;
}

static int is_right(const struct element *element, const char *value)
{
	int best = winner(element), any = 0;

	/* Threads write large elements directly, at the same time: the result may mix bytes of both. */
	if (policy == HEDDLE_CACHE_ARBITRARY && kind->size > sizeof(double) && others_put(element->last))
		return 1;
	for (int thread = 0; thread < THREADS; thread++) {
		any |= element->last[thread] != 0;
		if (element->last[thread] != 0 && (best < 0 || best == thread) && is(value, element->last[thread]))
			return 1;
	}
	return !any && memcmp(value, element->value, kind->size) == 0;
}

/* After an upload and a barrier: compares all elements with the model, and stores them in it. */
static void compare(void)
{
	char value[LARGEST];

	for (size_t i = 0; i < length; i++) {
		upc_memget(value, kind->address(i), kind->size);
		if (!is_right(&model[i], value))
			fail("wrong value after an upload", i);
		memcpy(model[i].before, model[i].value, kind->size);
		memcpy(model[i].value, value, kind->size);
		memcpy(model[i].earlier, model[i].last, THREADS * sizeof(*model[i].last));
		memset(model[i].last, 0, THREADS * sizeof(*model[i].last));
		memset(model[i].order, 0, THREADS * sizeof(*model[i].order));
	}
	memset(puts_of, 0, THREADS * sizeof(*puts_of));
	upc_barrier;
}

/* One operation of a tile. */
struct operation {
	size_t index;
	unsigned int what; /* 0: get */
	int hinted;
};
struct tile {
	size_t *count; /* number of each thread's operations */
	struct operation **operations;
};

static void make_tile(struct tile *tile, int reads, int writes)
{
	static unsigned int what;
	size_t most = below(4) == 0 ? MOST : 30, near = below(length), spread = 1 + below(length);

	for (int thread = 0; thread < THREADS; thread++) {
		tile->count[thread] = below(3) == 0 ? 0 : below(most);
		for (size_t i = 0; i < tile->count[thread]; i++) {
			struct operation *operation = &tile->operations[thread][i];

			operation->index = (near + (below(2) ? i : below(spread))) % length;
			operation->what = writes && (!reads || below(3) == 0) ? ++what : 0;
			operation->hinted = below(4) != 0;
		}
	}
}

static void hint(heddle_cache_t *cache, const struct tile *tile)
{
	for (size_t i = 0; i < tile->count[MYTHREAD]; i++) {
		if (tile->operations[MYTHREAD][i].hinted)
			heddle_cache_hint(cache, tile->operations[MYTHREAD][i].index + back);
	}
}

/* Records all threads' puts before this thread gets anything, as other threads may be ahead. */
static void expect_puts(const struct tile *tile)
{
	for (int thread = 0; thread < THREADS; thread++) {
		for (size_t i = 0; i < tile->count[thread]; i++) {
			const struct operation *operation = &tile->operations[thread][i];
			struct element *element = &model[operation->index];

			if (operation->what == 0)
				continue;
			puts_of[thread]++;
			if (element->order[thread] == 0)
				element->order[thread] = puts_of[thread];
			if (thread != MYTHREAD)
				element->last[thread] = operation->what;
		}
	}
}

static void work(heddle_cache_t *cache, const struct tile *tile, int overlapped)
{
	char value[LARGEST];

	expect_puts(tile);
	for (size_t i = 0; i < tile->count[MYTHREAD]; i++) {
		const struct operation *operation = &tile->operations[MYTHREAD][i];
		struct element *element = &model[operation->index];

		if (operation->what != 0) {
			fill(value, kind->size, operation->what);
			kind->put(cache, operation->index + back, value);
			element->last[MYTHREAD] = operation->what;
		} else {
			kind->get(cache, operation->index + back, value);
			if (!may_be(element, value, overlapped))
				fail("wrong value of a get", operation->index);
		}
	}
}

static void run(heddle_cache_t *cache, struct tile *tiles, int count, int overlapped)
{
	int reads = below(4) != 0, writes = !reads || below(3) != 0;

	make_tile(&tiles[0], reads, writes);
	if (overlapped) {
		hint(cache, &tiles[0]);
		heddle_cache_start_download(cache);
	}
	for (int i = 0; i < count; i++) {
		struct tile *this = &tiles[i & 1], *next = &tiles[(i + 1) & 1];

		if (!overlapped) {
			hint(cache, this);
			heddle_cache_start_download(cache);
		}
		heddle_cache_finish_download(cache);
		make_tile(next, reads, writes);
		if (overlapped && i + 1 < count) {
			hint(cache, next);
			heddle_cache_start_download(cache);
		}
		work(cache, this, overlapped);
		/*
		 * Without an upload, the next tile continues with this one's puts. Direct puts of the next tile must
		 * wait for the gets of this one, but there is no barrier while a download is in progress.
		 */
		if (below(4) == 0 && i + 1 < count && (!overlapped || policy != HEDDLE_CACHE_ARBITRARY)) {
			if (!overlapped)
				upc_barrier;
			continue;
		}
		heddle_cache_start_upload(cache);
		heddle_cache_finish_upload(cache);
		upc_barrier;
		compare();
	}
}

static void prepare(struct tile *tiles)
{
	model = calloc(LONGEST, sizeof(*model));
	puts_of = calloc(THREADS, sizeof(*puts_of));
	for (size_t i = 0; i < LONGEST; i++) {
		model[i].last = calloc(THREADS, sizeof(*model[i].last));
		model[i].order = calloc(THREADS, sizeof(*model[i].order));
		model[i].earlier = calloc(THREADS, sizeof(*model[i].earlier));
	}
	for (int i = 0; i < 2; i++) {
		tiles[i].count = calloc(THREADS, sizeof(*tiles[i].count));
		tiles[i].operations = calloc(THREADS, sizeof(*tiles[i].operations));
		for (int thread = 0; thread < THREADS; thread++)
			tiles[i].operations[thread] = calloc(MOST, sizeof(struct operation));
	}
}

/* Writes the array's first contents. */
static void start(void)
{
	for (size_t i = 0; i < length; i++) {
		fill(model[i].value, kind->size, (unsigned int)i);
		memcpy(model[i].before, model[i].value, kind->size);
		memset(model[i].last, 0, THREADS * sizeof(*model[i].last));
		memset(model[i].order, 0, THREADS * sizeof(*model[i].order));
		memset(model[i].earlier, 0, THREADS * sizeof(*model[i].earlier));
		if (i % THREADS == (size_t)MYTHREAD)
			upc_memput(kind->address(i), model[i].value, kind->size);
	}
	upc_barrier;
}

int main(int argc, char **argv)
{
	const struct kind kinds[] = {KIND(bytes, char, 0), KIND(ints, int, 0), KIND(doubles, double, 0),
		KIND(int_blocks, int, 0), KIND(double_blocks, double, 0), KIND(mixed, struct mixed, 0),
		KIND(mixed_blocks, struct mixed, 0), KIND(threes, struct three, 0), KIND(larges, struct large, 0),
		KIND(alone_ints, int, 0), KIND(alone_mixed, struct mixed, 0),
		KIND(static_fives, int, 40 * THREADS), KIND(static_thirds, short, 30 * THREADS),
		KIND(static_alone, float, 90), KIND(static_grid, double, 56 * THREADS)};
	unsigned long seeds = argc > 1 ? strtoul(argv[1], NULL, 10) : 30;
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	struct tile tiles[2];

	prepare(tiles);
	for (seed = first; seed < first + seeds; seed++) {
		heddle_cache_t *cache;
		size_t skip;

		state = seed;
		kind = &kinds[(seed - first) % (sizeof(kinds) / sizeof(*kinds))];
		policy = (enum heddle_cache_policy)below(3);
		length = 1 + below(LONGEST);
		if (kind->length != 0)
			length = kind->length < LONGEST ? kind->length : LONGEST;
		skip = below(9);
		kind->allocate(length, skip);
		back = kind->length == 0 && below(2) ? (size_t)MYTHREAD % (skip + 1) : 0;
		start();
		cache = kind->open(below(3) == 0 ? 1 : below(2000), policy);
		if (below(2))
			heddle_cache_length(cache, length + back);
		run(cache, tiles, 1 + (int)below(6), (int)below(2));
		heddle_cache_close(cache);
		kind->release();
	}
	if (MYTHREAD == 0)
		printf("%lu seeds: right\n", seeds);
	return 0;
}
