/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A software cache for shared arrays in upc_forall loops. Remote elements are fetched in batches before a part of the
 * loop, a tile, and written elements are sent back to their owners in batches after it. Messages are coalesced: one
 * each way, for each tile and pair of threads with data for each other.
 *
 * This is UPC source for any UPC 1.2 or 1.3 compiler. A program needs this header and the library's one source file,
 * upc_cache.upc, which is installed beside it; `heddle upcc` finds both by itself:
 *
 *     heddle upcc -O2 -o program program.upc
 *     upcc -O -I PREFIX/include -o program program.upc PREFIX/include/heddle/upc_cache.upc
 *
 * A complete example. x[i] *= y[2 * i], in tiles of 1024 iterations:
 *
 *     #include <heddle/upc_cache.h>
 *
 *     void scale(size_t n, shared double *x, shared double *y)
 *     {
 *             heddle_cache_t *y_cache = heddle_cache_open(y, 1024, HEDDLE_CACHE_ARBITRARY);
 *
 *             for (size_t tile = 0; tile < n; tile += 1024) {
 *                     size_t end = heddle_cache_tile_end(tile, 1024, n);
 *
 *                     if (heddle_cache_wants_hints(y_cache)) {
 *                             upc_forall (size_t i = tile; i < end; i++; &x[i])
 *                                     heddle_cache_hint(y_cache, 2 * i);
 *                     }
 *                     heddle_cache_start_download(y_cache);
 *                     heddle_cache_finish_download(y_cache);
 *                     upc_forall (size_t i = tile; i < end; i++; &x[i])
 *                             x[i] = x[i] * heddle_cache_at(y_cache, 2 * i, double);
 *             }
 *             heddle_cache_close(y_cache);
 *     }
 *
 * A tile that writes elements with heddle_cache_put ends with heddle_cache_start_upload and heddle_cache_finish_upload.
 * If no tile puts, as above, all threads may leave out both. A tile that gets elements begins with a download, even
 * without hints. If no tile gets, all threads may leave out downloads.
 *
 * To fetch the next tile's elements during the work on the current one:
 *
 *     hints of tile 0; start_download;
 *     for each tile:
 *             finish_download;
 *             if there is a next tile: hints of the next tile; start_download;
 *             work on this tile: get, at, put;
 *             start_upload; finish_upload;                          (if the loop puts)
 *
 * The elements of a tile may then lack puts of other threads in the tile before. A thread always sees its own puts.
 *
 * In shared memory, gets and puts through the cache cost a few nanoseconds. A loop that does little else may be up to a
 * quarter slower than without the cache, so it should keep its original form for that case:
 *
 *     if (heddle_cache_is_direct(y_cache)) {
 *             upc_forall (size_t i = 0; i < n; i++; &x[i])
 *                     x[i] = x[i] * y[2 * i];
 *     } else {
 *             for (size_t tile = 0; tile < n; tile += 1024) {          (as above)
 *
 * Visibility. Inside a tile, a thread sees its own puts. Other threads' puts may become visible at any time, as in the
 * loop without a cache. After finish_upload and a barrier, all puts are in the array. Before that, the array itself may
 * lack even this thread's puts. No function of this library replaces a barrier. While the cache is open, a loop may
 * access its thread's own elements of the array without the cache if the policy is HEDDLE_CACHE_ARBITRARY.
 *
 * Indices are in elements of the array, as in array[index], and not negative. An array with several dimensions is
 * opened by a pointer to its first element, &grid[0][0], and its indices are row * columns + column. Elements are
 * written whole, so two threads must not put different members of one structure in the same tile;
 * heddle_cache_set_member writes the other members unchanged.
 *
 * All threads call collective functions in the same order. Between start and finish, a program must not call a barrier
 * or another collective function, except those of this library. Several caches may be open at the same time, and all of
 * them may be between start and finish. Two caches of the same array do not see each other's puts. A thread without
 * work in a tile makes the collective calls without hints, gets and puts.
 *
 * OpenMP threads of one UPC thread must not call these functions at the same time.
 *
 * A program compiled with `heddle upcc --inst` reports gets of elements that it cannot address directly as events of
 * GASP 1.5, table 9: CACHE_HIT and CACHE_MISS. It reports CACHE_INVALIDATE when the cache is emptied.
 *
 * Errors, such as a finish without a start or exhausted memory, end the program with one line on standard error.
 */
#ifndef HEDDLE_UPC_CACHE_H
#define HEDDLE_UPC_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <upc.h>

/* Which put wins if several threads put the same element in the same tile. */
enum heddle_cache_policy {
	HEDDLE_CACHE_ARBITRARY, /* any one of them; the fastest */
	HEDDLE_CACHE_PRIORITY,  /* that of the lowest thread number */
	/*
	 * That of the thread that wrote the element first: the puts of a tile are numbered 1, 2, 3 ... on each thread,
	 * and a thread's first put of the element counts; if equal, the lower thread number wins. So the result does
	 * not depend on the speed of threads.
	 */
	HEDDLE_CACHE_FIRST
};
/* Under every policy, the last of one thread's puts of an element prevails. */

/* Private to the thread that opened it. */
typedef struct heddle_cache heddle_cache_t;

/*
 * heddle_cache_t *heddle_cache_open(ARRAY, size_t chunk, enum heddle_cache_policy policy);
 *
 * Collective. ARRAY is a shared array or a pointer-to-shared, of any complete element type and block size, also [] and
 * [*]. Threads may pass different arrays of the same type. `chunk` is the number of iterations of a tile, those of all
 * threads together: it sizes the buffers, which grow if a tile touches more elements. Never returns NULL.
 *
 * Memory of each thread: 300 bytes and eight times the element's size, at most, for each different element that is not
 * the thread's own and that it hints or puts in a tile; 16 bytes and four times the element's size for each iteration
 * of `chunk`, at most 256 KiB for each thread of the program; and 4 MiB for what misses bring.
 */
#define heddle_cache_open(array, chunk, policy) \
	heddle_cache_open_shared(               \
		(shared void *)(array), sizeof(*(array)), upc_blocksizeof(*(array)), (chunk), (policy), sizeof(array))

/*
 * Optional: states that array[0] to array[count - 1] exist. A get that misses fetches only neighbours that are known to
 * exist: up to this count, the bounds of ARRAY (if it is an array, not a pointer), or the greatest index seen so far.
 */
static inline void heddle_cache_length(heddle_cache_t *cache, size_t count);

/*
 * Returns whether hints have an effect: 0 if this thread addresses all memory directly, as in a program on one machine.
 * It may then leave out the loop of hints. The result may differ between threads; all threads must still make the
 * collective calls.
 */
static inline int heddle_cache_wants_hints(const heddle_cache_t *cache);

/*
 * Returns whether the cache has no effect on any thread: all threads address all memory directly, and any put may win.
 * All functions then access the array itself, and the loop may do so, too.
 */
static inline int heddle_cache_is_direct(const heddle_cache_t *cache);

/* This thread will get array[index] in the tile that the next start_download begins. May be repeated. */
static inline void heddle_cache_hint(heddle_cache_t *cache, size_t index);

/* Collective. Fetch the hinted elements: start sends messages and does not wait for the elements, finish does. */
void heddle_cache_start_download(heddle_cache_t *cache);
void heddle_cache_finish_download(heddle_cache_t *cache);

/*
 * void heddle_cache_get(heddle_cache_t *cache, size_t index, TYPE *value);
 *
 * *value = array[index]. An element that was not hinted is fetched now, with its neighbours.
 */
#define heddle_cache_get(cache, index, value) \
	((void)memcpy(                        \
		(value), heddle_cache_find((cache), (index), sizeof(*(value)), __FILE__, __LINE__), sizeof(*(value))))

/*
 * TYPE heddle_cache_at(heddle_cache_t *cache, size_t index, TYPE);
 *
 * array[index], as an expression that can't be assigned to; if it is a structure, a member may follow. TYPE is that of
 * the array's elements, without `shared`. An expression may contain two of them.
 */
#define heddle_cache_at(cache, index, type) \
	(*(const type *)heddle_cache_find((cache), (index), sizeof(type), __FILE__, __LINE__))

/*
 * void heddle_cache_put(heddle_cache_t *cache, size_t index, const TYPE *value);
 *
 * array[index] = *value, written to the owner's memory by the next upload or earlier.
 */
#define heddle_cache_put(cache, index, value) heddle_cache_store((cache), (index), (value), sizeof(*(value)))

/*
 * void heddle_cache_set(heddle_cache_t *cache, size_t index, TYPE, value);
 *
 * array[index] = value, a statement. `value` may contain heddle_cache_at, also of this element: x[i] += v is
 * heddle_cache_set(x, i, double, heddle_cache_at(x, i, double) + v).
 */
#define heddle_cache_set(cache, index, type, value)                      \
	do {                                                             \
		const type heddle_cache_value = (value);                 \
		heddle_cache_put((cache), (index), &heddle_cache_value); \
	} while (0)

/*
 * heddle_cache_set_member(heddle_cache_t *cache, size_t index, TYPE, MEMBER, value);
 *
 * array[index].MEMBER = value, a statement; the other members are written, too, with the values that a get returns.
 * MEMBER may be a path, as in position.x or corner[2]. It and `index` must have no side effects.
 */
#define heddle_cache_set_member(cache, index, type, member, value)              \
	do {                                                                    \
		type heddle_cache_new, heddle_cache_element;                    \
		heddle_cache_new.member = (value);                              \
		heddle_cache_element = heddle_cache_at((cache), (index), type); \
		heddle_cache_element.member = heddle_cache_new.member;          \
		heddle_cache_put((cache), (index), &heddle_cache_element);      \
	} while (0)

/*
 * Collective. Sends the elements that were put in this tile to their owners, which write them; only bytes of elements
 * that were put are written. Afterwards the cache is empty, except for a download that was started before.
 */
void heddle_cache_start_upload(heddle_cache_t *cache);
void heddle_cache_finish_upload(heddle_cache_t *cache);

/* Collective. Frees the cache. All puts must have been uploaded. */
void heddle_cache_close(heddle_cache_t *cache);

/* Returns the end of the tile that begins at `start`, in a loop of `count` iterations from 0. */
static inline size_t heddle_cache_tile_end(size_t start, size_t chunk, size_t count)
{
	return count - start < chunk ? count : start + chunk;
}

/* What the functions have done on this thread since the cache was opened. */
struct heddle_cache_counts {
	uint64_t hints;    /* different remote elements hinted, in each tile */
	uint64_t misses;   /* gets that waited for a message */
	uint64_t puts;     /* different remote elements put, in each tile */
	uint64_t messages; /* that this thread sent or requested, other than barriers */
	uint64_t bytes;    /* in them */
};
struct heddle_cache_counts heddle_cache_count(const heddle_cache_t *cache);

/*
 * The names of G. Cong, H. Wen, H. Murata, Y. Negishi: Tool-assisted performance measurement and tuning of UPC
 * applications. There, opening has no policy.
 */
typedef heddle_cache_t *hpcstpf_handle_t;
#define hpcstpf_open(array, chunk) heddle_cache_open(array, chunk, HEDDLE_CACHE_ARBITRARY)
#define hpcstpf_hint(cache, index) heddle_cache_hint(cache, index)
#define hpcstpf_start_download(cache) heddle_cache_start_download(cache)
#define hpcstpf_finish_download(cache) heddle_cache_finish_download(cache)
#define hpcstpf_get(cache, index, value) heddle_cache_get(cache, index, value)
#define hpcstpf_put(cache, index, value) heddle_cache_put(cache, index, value)
#define hpcstpf_start_upload(cache) heddle_cache_start_upload(cache)
#define hpcstpf_finish_upload(cache) heddle_cache_finish_upload(cache)
#define hpcstpf_close(cache) heddle_cache_close(cache)

/* From here on: the implementation of the functions and macros above. Not to be used directly. */

#ifdef __GNUC__
#define HEDDLE_CACHE_LIKELY(condition) __builtin_expect((condition), 1)
#define HEDDLE_CACHE_SELDOM __attribute__((cold))
#else
#define HEDDLE_CACHE_LIKELY(condition) (condition)
#define HEDDLE_CACHE_SELDOM
#endif

/* The place of an element. */
struct heddle_cache_place {
	size_t owner, local; /* the thread, and the element's number in that thread's part of the array */
};

/* Neighbours whose values are directly addressable, one after the other. */
struct heddle_cache_span {
	size_t from, count; /* indices */
	const char *values;
	size_t unused; /* a power of two in all */
};

#define HEDDLE_CACHE_SPANS 4

struct heddle_cache {
	size_t size;    /* of an element, in bytes */
	size_t block;   /* in elements; 0: all on one thread */
	size_t first;   /* place of index 0, as if the array began on thread 0; block 0: the owner */
	size_t limit;   /* indices below exist */
	size_t threads; /* THREADS */
	uint64_t threads_inverse, block_inverse; /* 2^64 / n, rounded up */
	char *const *get_from; /* for each thread, its part of the array, if gets are direct; else NULL */
	char *const *put_to;   /* the same for puts */
	int wants_hints, is_direct;
	int span_shift; /* 2^span_shift is at most `block` */
	/* Blocks accessed recently: the last new one, and by index / 2^span_shift; none of one element. */
	struct heddle_cache_span last, spans[HEDDLE_CACHE_SPANS];
};

heddle_cache_t *heddle_cache_open_shared(
	shared void *array, size_t size, size_t block, size_t chunk, enum heddle_cache_policy policy, size_t bytes);
void heddle_cache_hint_remote(heddle_cache_t *cache, size_t index, struct heddle_cache_place place);
const void *heddle_cache_find_at(heddle_cache_t *cache, size_t index, size_t size, const char *file, int line);
void heddle_cache_store_remote(
	heddle_cache_t *cache, size_t index, struct heddle_cache_place place, const void *value, size_t size);

/* Returns number / divisor, exactly; the divisor is not 1. */
static inline size_t heddle_cache_quotient(size_t number, size_t divisor, uint64_t inverse)
{
#if defined(__SIZEOF_INT128__) && !defined(__BERKELEY_UPC__)
	if (HEDDLE_CACHE_LIKELY(number <= UINT32_MAX))
		return (size_t)((unsigned __int128)number * inverse >> 64);
#else
	(void)inverse;
#endif
	return number / divisor;
}

static inline struct heddle_cache_place heddle_cache_locate(const heddle_cache_t *cache, size_t index)
{
	struct heddle_cache_place place = {cache->first, index};

	if (cache->block != 0) {
		size_t number = cache->first + index, block = number, phase = 0, row;

		if (cache->block != 1) {
			block = heddle_cache_quotient(number, cache->block, cache->block_inverse);
			phase = number - block * cache->block;
		}
		row = heddle_cache_quotient(block, cache->threads, cache->threads_inverse);
		place.owner = block - row * cache->threads;
		place.local = row * cache->block + phase;
	}
	return place;
}

static inline void heddle_cache_length(heddle_cache_t *cache, size_t count)
{
	if (count > cache->limit)
		cache->limit = count;
}

static inline int heddle_cache_wants_hints(const heddle_cache_t *cache)
{
	return cache->wants_hints;
}

static inline int heddle_cache_is_direct(const heddle_cache_t *cache)
{
	return cache->is_direct;
}

static inline void heddle_cache_hint(heddle_cache_t *cache, size_t index)
{
	if (cache->wants_hints)
		heddle_cache_hint_remote(cache, index, heddle_cache_locate(cache, index));
}

/* `file` and `line`: of the get, for events. */
static inline const void *heddle_cache_find(
	heddle_cache_t *cache, size_t index, size_t size, const char *file, int line)
{
	const struct heddle_cache_span *span;

	if (cache->block == 1) {
		struct heddle_cache_place place = heddle_cache_locate(cache, index);
		const char *part = cache->get_from[place.owner];

		if (HEDDLE_CACHE_LIKELY(part != NULL && size == cache->size))
			return part + place.local * size;
		return heddle_cache_find_at(cache, index, size, file, line);
	}
	if (HEDDLE_CACHE_LIKELY(index - cache->last.from < cache->last.count))
		return cache->last.values + (index - cache->last.from) * size;
	span = &cache->spans[index >> cache->span_shift & (HEDDLE_CACHE_SPANS - 1)];
	if (index - span->from < span->count)
		return span->values + (index - span->from) * size;
	return heddle_cache_find_at(cache, index, size, file, line);
}

static inline void heddle_cache_store(heddle_cache_t *cache, size_t index, const void *value, size_t size)
{
	struct heddle_cache_place place = heddle_cache_locate(cache, index);
	char *part = cache->put_to[place.owner];

	if (part == NULL || size != cache->size)
		heddle_cache_store_remote(cache, index, place, value, size);
	else
		memcpy(part + place.local * size, value, size);
}

#endif
