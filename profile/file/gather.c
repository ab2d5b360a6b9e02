/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins chunks in order, so the result is the same for any number of workers. */
#include "profile/file/gather.h"

#include "profile/base/errors.h"
#include "profile/base/parallel.h"

#include <pthread.h>
#include <stdlib.h>

#define CHUNK_BYTES ((uint64_t)8 << 20)  /* least size of a chunk, because each begins with an empty tree */
#define READ_BYTES ((uint64_t)256 << 20) /* size of all chunks whose trees exist, if that makes them larger */
#define CHUNKS_AT_ONCE 2                 /* chunks per worker, including the one being joined */
#define CHUNKS_A_WORKER 4                /* chunks per worker, at least, if all have the largest size */
#define SMALLEST_CHUNK 4                 /* the smallest chunk is this part of the largest */

struct chunk {
	size_t first, end; /* files */
	struct profile_call_tree tree;
	bool ready;
};

struct gathering {
	const struct profile_gather *gather;
	struct profile_call_tree *tree;
	struct chunk *chunks;
	size_t count, next; /* number of chunks; the one to join next */
	bool joining;
	int error;
	pthread_mutex_t lock;
	pthread_cond_t moved; /* `next` or `error` has changed */
};

/* Returns the most files of a chunk. Chunks become smaller towards the end, so that workers end at about one time. */
static size_t most_files(const struct profile_gather *gather, size_t first)
{
	size_t most = gather->count / (CHUNKS_A_WORKER * gather->workers), least = most / SMALLEST_CHUNK;
	size_t half = (gather->count - first) / (2 * gather->workers);
	return half > most ? most : half < least ? least : half;
}

static void cut(struct gathering *all)
{
	const struct profile_gather *gather = all->gather;
	size_t most = 0;
	uint64_t share = READ_BYTES / (CHUNKS_AT_ONCE * gather->workers);
	uint64_t limit = share > CHUNK_BYTES ? share : CHUNK_BYTES, bytes = 0;
	for (size_t file = 0; file < gather->count; file++) {
		struct chunk *last = all->count ? &all->chunks[all->count - 1] : NULL;
		if (!last || last->end - last->first >= most || bytes + gather->sizes[file] > limit) {
			last = &all->chunks[all->count++];
			last->first = file;
			most = most_files(gather, file);
			bytes = 0;
		}
		last->end = file + 1;
		bytes += gather->sizes[file];
	}
}

/* Limits how far workers are ahead, because fast ones would accumulate trees. */
static int wait_for_turn(struct gathering *all, size_t number)
{
	pthread_mutex_lock(&all->lock);
	while (!all->error && number >= all->next + CHUNKS_AT_ONCE * all->gather->workers)
		pthread_cond_wait(&all->moved, &all->lock);
	int error = all->error;
	pthread_mutex_unlock(&all->lock);
	return error;
}

static int read_chunk(struct gathering *all, struct chunk *chunk)
{
	int error = profile_call_tree_start(&chunk->tree);
	for (size_t file = chunk->first; !error && file < chunk->end; file++)
		error = all->gather->read(all->gather->context, file, &chunk->tree);
	return error;
}

static int join(struct gathering *all, struct chunk *chunk)
{
	const struct profile_gather *gather = all->gather;
	uint32_t *map = calloc(chunk->tree.node_count, sizeof(*map));
	int error = map ? profile_call_tree_merge(all->tree, &chunk->tree, map) : -ENOMEM;
	profile_call_tree_free(&chunk->tree);
	for (size_t file = chunk->first; !error && file < chunk->end; file++)
		gather->joined(gather->context, file, map);
	free(map);
	return error;
}

/* The first chunk's tree becomes the result, and keeps its node numbers. */
static int join_next(struct gathering *all)
{
	struct chunk *chunk = &all->chunks[all->next];
	if (all->next > 0)
		return join(all, chunk);
	profile_call_tree_free(all->tree);
	*all->tree = chunk->tree;
	chunk->tree = (struct profile_call_tree){0};
	return 0;
}

/* The worker that finishes the next chunk in order joins it, and all later chunks that are ready. */
static void finish(struct gathering *all, struct chunk *chunk, int error)
{
	pthread_mutex_lock(&all->lock);
	chunk->ready = true;
	all->error = all->error ? all->error : error;
	while (!all->error && !all->joining && all->next < all->count && all->chunks[all->next].ready) {
		all->joining = true;
		pthread_mutex_unlock(&all->lock);
		error = join_next(all);
		pthread_mutex_lock(&all->lock);
		all->joining = false;
		all->error = all->error ? all->error : error;
		all->next++;
		pthread_cond_broadcast(&all->moved);
	}
	if (all->error)
		pthread_cond_broadcast(&all->moved);
	pthread_mutex_unlock(&all->lock);
}

static int work_chunk(void *context, size_t worker, size_t number)
{
	(void)worker;
	struct gathering *all = context;
	int error = wait_for_turn(all, number);
	if (!error)
		error = read_chunk(all, &all->chunks[number]);
	finish(all, &all->chunks[number], error);
	return error;
}

int profile_gather(struct profile_call_tree *tree, const struct profile_gather *gather)
{
	struct gathering all = {.gather = gather,
		.tree = tree,
		.chunks = calloc(gather->count + 1, sizeof(*all.chunks)),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER};
	int error = profile_call_tree_start(tree);
	if (!error && !all.chunks)
		error = -ENOMEM;
	if (!error) {
		cut(&all);
		error = profile_parallel(gather->workers, all.count, work_chunk, &all);
	}
	error = error ? error : all.error;
	for (size_t i = 0; all.chunks && i < all.count; i++)
		profile_call_tree_free(&all.chunks[i].tree);
	free(all.chunks);
	return error;
}
