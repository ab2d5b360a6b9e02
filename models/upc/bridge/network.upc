/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What accesses to shared memory cost, for `heddle doctor --network`, which compiles and runs this program. It writes
 * "NAME MICROSECONDS" lines to the file that its first argument names. Names have up to four words: what was done; with
 * memory of the same node or remote; by one thread, while the others wait in a barrier, or by all at once; bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>
#include <upc_castable.h>
#include <heddle/upc_cache.h>

#define LARGEST (1 << 20)
#define WORDS 1024
#define THREADS_MAX 1024
#define ROUNDS 5
#define ROUND_US 15000.0

struct store {
	char bytes[LARGEST];
	long words[WORDS];
};
static shared struct store store[THREADS];
static shared double times[THREADS];
static char *private;
static FILE *output;

/* Of the software cache: elements that each thread accesses at random. */
#define ACCESSED 8192
#define PART 65536
static shared long elements[PART * THREADS];
static size_t chosen[ACCESSED];

/* Microseconds of the phases of a tile, on this thread. */
struct tile {
	double hint, hint_again, download, get, put, upload;
};
static int partners[THREADS_MAX], partner_count;
static volatile long kept;

enum kind { NEAR, REMOTE };
static const char *const kinds[] = {"same-node", "remote"};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/* Other threads of the same node, or of others, beginning with the next. */
static void find_partners(enum kind kind)
{
	partner_count = 0;
	for (int i = 1; i < THREADS && partner_count < THREADS_MAX; i++) {
		int thread = (MYTHREAD + i) % THREADS;

		if ((upc_thread_info(thread).guaranteedCastable != 0) == (kind == NEAR))
			partners[partner_count++] = thread;
	}
}

/* Each does it many times and returns the number of operations. */
static long gets(size_t unused)
{
	(void)unused;
	for (int i = 0; i < 64; i++)
		kept = store[partners[i % partner_count]].words[i * 37 % WORDS];
	return 64;
}

static long puts_and_fence(size_t unused)
{
	(void)unused;
	for (int i = 0; i < WORDS; i++)
		store[partners[i % partner_count]].words[i] = i;
	upc_fence;
	return WORDS;
}

static long put_and_fence(size_t unused)
{
	(void)unused;
	store[partners[0]].words[0] = 1;
	upc_fence;
	return 1;
}

static long memgets(size_t size)
{
	for (int i = 0; i < 4; i++)
		upc_memget(private, store[partners[i % partner_count]].bytes, size);
	return 4;
}

static long memputs(size_t size)
{
	for (int i = 0; i < 4; i++)
		upc_memput(store[partners[i % partner_count]].bytes, private, size);
	upc_fence;
	return 4;
}

/* Microseconds of an operation, in one round. */
static double round_of(long (*operation)(size_t), size_t size)
{
	double start = now(), elapsed;
	long count = 0;

	do {
		count += operation(size);
		elapsed = now() - start;
	} while (elapsed < ROUND_US);
	return elapsed / (double)count;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof *values, by_size);
	return values[count / 2];
}

/* The mean over the threads that took part, for thread 0. */
static double mean_of_threads(void)
{
	double sum = 0;
	int count = 0;

	for (int i = 0; i < THREADS; i++) {
		sum += times[i];
		count += times[i] > 0;
	}
	return count ? sum / count : 0;
}

/* Collective. 0: no thread has a partner. */
static double measured(int all, long (*operation)(size_t), size_t size)
{
	double rounds[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		upc_barrier;
		times[MYTHREAD] = (all || MYTHREAD == 0) && partner_count > 0 ? round_of(operation, size) : 0;
		upc_barrier;
		rounds[i] = MYTHREAD == 0 ? mean_of_threads() : 0;
	}
	return median(rounds, ROUNDS);
}

static void measure(const char *name, enum kind kind, long (*operation)(size_t), size_t size)
{
	for (int all = 0; all < 2; all++) {
		double time = measured(all, operation, size);

		if (output != NULL && time > 0)
			fprintf(output, "%s.%s.%s.%zu %.5f\n", name, kinds[kind], all ? "all" : "one", size, time);
	}
}

static void measure_kind(enum kind kind)
{
	find_partners(kind);
	measure("get", kind, gets, sizeof(long));
	measure("put", kind, puts_and_fence, sizeof(long));
	measure("put-fence", kind, put_and_fence, sizeof(long));
	for (size_t size = 64; size <= LARGEST; size *= 8)
		measure("memget", kind, memgets, size);
	for (size_t size = 64; size <= LARGEST; size *= 8)
		measure("memput", kind, memputs, size);
}

static void measure_barrier(void)
{
	double rounds[ROUNDS];
	int count = 20;

	for (int i = 0; i < ROUNDS; i++) {
		double start = now();

		for (int j = 0; j < count; j++)
			upc_barrier;
		rounds[i] = (now() - start) / count;
	}
	if (output != NULL)
		fprintf(output, "barrier %.5f\n", median(rounds, ROUNDS));
}

/* One tile of a loop that gets and puts the first `count` chosen elements. */
static struct tile run_tile(heddle_cache_t *cache, size_t count)
{
	struct tile tile;
	double before, after;

	upc_barrier;
	before = now();
	for (size_t i = 0; i < count; i++)
		heddle_cache_hint(cache, chosen[i]);
	after = now();
	tile.hint = after - before;
	for (size_t i = 0; i < count; i++)
		heddle_cache_hint(cache, chosen[i]);
	before = now();
	tile.hint_again = before - after;
	heddle_cache_start_download(cache);
	heddle_cache_finish_download(cache);
	after = now();
	tile.download = after - before;
	for (size_t i = 0; i < count; i++)
		kept = heddle_cache_at(cache, chosen[i], long);
	before = now();
	tile.get = before - after;
	for (size_t i = 0; i < count; i++)
		heddle_cache_set(cache, chosen[i], long, kept);
	after = now();
	tile.put = after - before;
	heddle_cache_start_upload(cache);
	heddle_cache_finish_upload(cache);
	tile.upload = now() - after;
	return tile;
}

static double mean_over_threads(double mine)
{
	double sum = 0;

	times[MYTHREAD] = mine;
	upc_barrier;
	for (int i = 0; MYTHREAD == 0 && i < THREADS; i++)
		sum += times[i];
	upc_barrier;
	return sum / THREADS;
}

/* Medians of the rounds, and the least; means over the threads. */
static struct tile measure_tile(heddle_cache_t *cache, size_t count, struct tile *least)
{
	double phases[sizeof(struct tile) / sizeof(double)][ROUNDS];
	struct tile tile;

	for (int i = 0; i < ROUNDS; i++) {
		tile = run_tile(cache, count);
		for (size_t j = 0; j < sizeof tile / sizeof(double); j++)
			phases[j][i] = mean_over_threads(((double *)&tile)[j]);
	}
	for (size_t j = 0; j < sizeof tile / sizeof(double); j++) {
		((double *)&tile)[j] = median(phases[j], ROUNDS);
		((double *)least)[j] = phases[j][0];
	}
	return tile;
}

/* Opening a cache and closing it without an access. */
static double measure_open(void)
{
	double rounds[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		double before;

		upc_barrier;
		before = now();
		heddle_cache_close(heddle_cache_open(elements, PART * THREADS, HEDDLE_CACHE_ARBITRARY));
		rounds[i] = mean_over_threads(now() - before);
	}
	return median(rounds, ROUNDS);
}

static double at_least_nothing(double time)
{
	return time > 0 ? time : 0;
}

/* The first tile of a program, which makes connections and buffers. */
static double measure_first(void)
{
	double before;
	heddle_cache_t *cache;

	upc_barrier;
	before = now();
	cache = heddle_cache_open(elements, PART * THREADS, HEDDLE_CACHE_ARBITRARY);
	run_tile(cache, ACCESSED);
	heddle_cache_close(cache);
	return mean_over_threads(now() - before);
}

/* The parts of a loop that heddle/upc_cache.h speeds up: for each tile, and for each access or element. */
static void measure_cache(void)
{
	heddle_cache_t *cache;
	struct tile few, many, least, unused;
	unsigned long random = MYTHREAD + 1;
	double open, first;

	for (size_t i = 0; i < ACCESSED; i++) {
		random = random * 6364136223846793005UL + 1442695040888963407UL;
		chosen[i] = (random >> 33) % (PART * (size_t)THREADS);
		if (upc_threadof(&elements[chosen[i]]) == MYTHREAD) /* those of others only */
			chosen[i] = (chosen[i] + 1) % (PART * (size_t)THREADS);
	}
	first = measure_first();
	cache = heddle_cache_open(elements, PART * THREADS, HEDDLE_CACHE_ARBITRARY);
	few = measure_tile(cache, THREADS, &least);
	many = measure_tile(cache, ACCESSED, &unused);
	heddle_cache_close(cache);
	open = measure_open();
	if (output == NULL)
		return;
	fprintf(output, "cache.first %.5f\ncache.open %.5f\n",
		at_least_nothing(first - many.hint - many.download - many.get - many.put - many.upload), open);
	fprintf(output, "cache.download %.5f\ncache.upload %.5f\n", few.download, few.upload);
	fprintf(output, "cache.hint %.5f\ncache.hint-again %.5f\n", many.hint / ACCESSED, many.hint_again / ACCESSED);
	fprintf(output, "cache.get %.5f\ncache.put %.5f\n", many.get / ACCESSED, many.put / ACCESSED);
	fprintf(output, "cache.element-got %.5f\ncache.element-put %.5f\n",
		at_least_nothing(many.download - least.download) / ACCESSED,
		at_least_nothing(many.upload - least.upload) / ACCESSED);
}

/* Nodes are runs of threads that reach each other's memory. */
static int count_nodes(void)
{
	int nodes = 0;

	for (int i = 0; i < THREADS; i++) {
		int first = 1;

		for (int j = 0; j < i; j++)
			first &= times[j] != times[i];
		nodes += first;
	}
	return nodes;
}

/* Each node is named by its first thread. */
static void print_places(void)
{
	int first = 0;

	while (first != MYTHREAD && !upc_thread_info(first).guaranteedCastable)
		first++;
	times[MYTHREAD] = first;
	upc_barrier;
	if (output != NULL)
		fprintf(output, "threads %d\nnodes %d\n", THREADS, count_nodes());
	upc_barrier;
}

int main(int argc, char **argv)
{
	int bad = 0;

	private = calloc(1, LARGEST);
	if (MYTHREAD == 0 && argc > 1) {
		output = fopen(argv[1], "w");
		bad = output == NULL;
	}
	if (private == NULL || bad) {
		perror(private == NULL ? "heddle: doctor" : argv[1]);
		upc_global_exit(1);
	}
	upc_memset(&store[MYTHREAD], 1, sizeof(struct store));
	upc_barrier;
	print_places();
	measure_kind(NEAR);
	measure_kind(REMOTE);
	measure_barrier();
	find_partners(REMOTE);
	if (partner_count > 0) /* on all threads, as there are several nodes */
		measure_cache();
	if (output != NULL)
		bad = fclose(output) != 0;
	return bad;
}
