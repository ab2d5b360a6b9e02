/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures the costs of accesses to shared memory, for `heddle doctor --network`, which compiles and runs this program.
 * It writes "NAME MICROSECONDS" lines to the file that its first argument names. A name has up to four words: the
 * operation; same-node or remote memory; by one thread, while the others wait in a barrier, or by all at once; bytes.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_castable.h>
#include <heddle/upc_cache.h>

#define LARGEST (1 << 20)
#define WORDS 1024
#define THREADS_MAX 1024
#define ROUNDS 5
#define ROUND_US 15000.0
#define LOOP_ROUNDS 11
/*
 * Number of repeated accesses: so many that threads which share a processor wait for each other, as they do in a loop.
 */
#define AGAIN 8192
#define AGAIN_TIMES 20

struct store {
	char bytes[LARGEST];
	long words[WORDS];
};
static shared struct store store[THREADS];
static shared double times[THREADS];
static char *private;
static FILE *output;

/* For the software cache: elements of other threads, in no order. */
#define PART 65536
#define CHOSEN_MOST 32768
static shared long elements[PART * THREADS];
static size_t chosen[CHOSEN_MOST];
#define BLOCK 1024
#define LOCAL (BLOCK * 256)
static shared[BLOCK] long blocks[BLOCK * THREADS];
static shared size_t order[PART * THREADS];
static const size_t counts[] = {1, 64, 1024, 8192, CHOSEN_MOST};
#define MIDDLE 3
#define COUNTS (sizeof counts / sizeof *counts)

/* Where each thread listens, as the run-time system reports it. */
struct listening {
	char host[64], addresses[512];
};
static shared struct listening listening[THREADS];
extern const char *hupc_network_listening(void);

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

/* Finds the other threads of the same node, or those of other nodes, beginning with the next thread. */
static void find_partners(enum kind kind)
{
	partner_count = 0;
	for (int i = 1; i < THREADS && partner_count < THREADS_MAX; i++) {
		int thread = (MYTHREAD + i) % THREADS;

		if ((upc_thread_info(thread).guaranteedCastable != 0) == (kind == NEAR))
			partners[partner_count++] = thread;
	}
}

/* Operations. Each function executes its operation many times and returns how many times. */
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

/* Returns the microseconds of an operation, in one round. */
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

/* Returns the mean over the threads that measured, for thread 0. */
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

/* Collective. Returns 0 if no thread has a partner. */
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

/*
 * The times of a loop with a cache. The first tile of a loop opens the cache, whose table grows; for a further tile,
 * all memory is allocated already. `again` is an access to an element that was accessed before in the tile, including
 * its hint.
 */
enum phase { GOT_FIRST, GOT_FURTHER, PUT_FIRST, PUT_FURTHER, PHASES };
static const char *const phase_names[] = {"loop-got", "tile-got", "loop-put", "tile-put"};
static double phase_times[PHASES][COUNTS][LOOP_ROUNDS], again_times[4][LOOP_ROUNDS];

static heddle_cache_t *open_cache(void)
{
	return heddle_cache_open(elements, PART * THREADS, HEDDLE_CACHE_ARBITRARY);
}

static void hint_all(heddle_cache_t *cache, size_t count)
{
	for (size_t i = 0; i < count; i++)
		heddle_cache_hint(cache, chosen[i]);
}

static void get_tile(heddle_cache_t *cache, size_t count)
{
	hint_all(cache, count);
	heddle_cache_start_download(cache);
	heddle_cache_finish_download(cache);
	for (size_t i = 0; i < count; i++)
		kept = heddle_cache_at(cache, chosen[i], long);
}

static void put_tile(heddle_cache_t *cache, size_t count)
{
	for (size_t i = 0; i < count; i++)
		heddle_cache_set(cache, chosen[i], long, kept);
	heddle_cache_start_upload(cache);
	heddle_cache_finish_upload(cache);
}

/* Runs and times two tiles. Collective. */
static void run_loop(void (*tile)(heddle_cache_t *, size_t), size_t count, double spent[2])
{
	heddle_cache_t *cache;
	double before, middle, after;

	malloc_trim(0); /* new memory, as in a program */
	upc_barrier;
	before = now();
	cache = open_cache();
	tile(cache, count);
	middle = now();
	tile(cache, count);
	after = now();
	heddle_cache_close(cache);
	spent[0] = mean_over_threads(middle - before);
	spent[1] = mean_over_threads(after - middle);
}

/* Returns the time of a hint and a get of one of this thread's own elements, in blocks. */
static double local_time(void)
{
	heddle_cache_t *cache = heddle_cache_open(blocks, BLOCK * THREADS, HEDDLE_CACHE_ARBITRARY);
	double before, spent;

	upc_barrier;
	before = now();
	for (size_t i = 0; i < LOCAL; i++)
		heddle_cache_hint(cache, MYTHREAD * BLOCK + i % BLOCK);
	for (size_t i = 0; i < LOCAL; i++)
		kept = heddle_cache_at(cache, MYTHREAD * BLOCK + i % BLOCK, long);
	upc_barrier;
	spent = mean_over_threads(now() - before) / LOCAL;
	heddle_cache_close(cache);
	return spent;
}

/* Returns the time of an iteration except its accesses, in both loops: reading an index, writing a value. */
static double iteration_time(void)
{
	heddle_cache_t *cache = heddle_cache_open(blocks, BLOCK * THREADS, HEDDLE_CACHE_ARBITRARY);
	double before, spent;

	upc_barrier;
	before = now();
	upc_forall (int i = 0; i < PART * THREADS; i++; &elements[i])
		heddle_cache_hint(cache, order[i]);
	upc_forall (int i = 0; i < PART * THREADS; i++; &elements[i])
		elements[i] = heddle_cache_at(cache, order[i], long);
	upc_barrier;
	spent = mean_over_threads(now() - before) / PART;
	heddle_cache_close(cache);
	return spent;
}

/* Gets elements that are in the table, in another order than that in which they were added; or puts them. */
static void access_again(heddle_cache_t *cache, int puts)
{
	for (size_t i = 0; i < AGAIN_TIMES * AGAIN; i++) {
		size_t element = chosen[i * 1237 % AGAIN];

		if (puts)
			heddle_cache_set(cache, element, long, kept);
		else
			kept = heddle_cache_at(cache, element, long);
	}
	upc_barrier;
}

static void measure_again(int round)
{
	heddle_cache_t *cache;
	double before, middle, after;

	upc_barrier;
	cache = open_cache();
	get_tile(cache, AGAIN);
	upc_barrier;
	before = now();
	access_again(cache, 0);
	middle = now();
	access_again(cache, 1);
	after = now();
	heddle_cache_start_upload(cache);
	heddle_cache_finish_upload(cache);
	heddle_cache_close(cache);
	again_times[0][round] = mean_over_threads(middle - before) / (AGAIN_TIMES * AGAIN);
	again_times[1][round] = mean_over_threads(after - middle) / (AGAIN_TIMES * AGAIN);
	again_times[2][round] = local_time();
	again_times[3][round] = iteration_time();
}

/* Measures all counts in each round, so that a varying load of the machine disturbs all of them alike. */
static void measure_loops(int round)
{
	double spent[2];

	for (size_t i = 0; i < COUNTS; i++) {
		run_loop(get_tile, counts[i], spent);
		phase_times[GOT_FIRST][i][round] = spent[0];
		phase_times[GOT_FURTHER][i][round] = spent[1];
		run_loop(put_tile, counts[i], spent);
		phase_times[PUT_FIRST][i][round] = spent[0];
		phase_times[PUT_FURTHER][i][round] = spent[1];
	}
	measure_again(round);
}

/*
 * Returns the mean of sorted rounds without the greatest. Where threads occasionally wait for a processor, many loops
 * together take longer than the median suggests.
 */
static double usual(const double *rounds)
{
	double sum = 0;

	for (int i = 0; i < LOOP_ROUNDS - 1; i++)
		sum += rounds[i];
	return sum / (LOOP_ROUNDS - 1);
}

/* Writes the usual time of each loop, and its quartiles. */
static void write_loops(void)
{
	for (int phase = 0; phase < PHASES; phase++) {
		for (size_t i = 0; i < COUNTS; i++) {
			double *rounds = phase_times[phase][i];
			const char *name = phase_names[phase];

			qsort(rounds, LOOP_ROUNDS, sizeof *rounds, by_size);
			fprintf(output, "%s.remote.all.%zu %.5f\n", name, counts[i], usual(rounds));
			fprintf(output, "%s-low.remote.all.%zu %.5f\n", name, counts[i], rounds[LOOP_ROUNDS / 4]);
			fprintf(output, "%s-high.remote.all.%zu %.5f\n", name, counts[i], rounds[3 * LOOP_ROUNDS / 4]);
		}
	}
	fprintf(output, "cache.get-again %.5f\n", median(again_times[0], LOOP_ROUNDS));
	fprintf(output, "cache.local %.5f\n", median(again_times[2], LOOP_ROUNDS));
	fprintf(output, "cache.iteration %.5f\n", median(again_times[3], LOOP_ROUNDS));
	fprintf(output, "cache.put-again %.5f\n", median(again_times[1], LOOP_ROUNDS));
}

/* Chooses different elements of other nodes: 40,503 is odd, so all numbers below PART occur. */
static void choose_elements(void)
{
	for (size_t i = 0; i < CHOSEN_MOST; i++) {
		size_t owner = partners[i % partner_count], local = i * 40503 % PART;

		chosen[i] = local * THREADS + owner;
	}
}

/* Time of the program's first loop, which makes connections, buffers and memory. */
static double first_loop;

static void measure_first(void)
{
	double spent[2];

	find_partners(REMOTE);
	if (partner_count == 0)
		return;
	choose_elements();
	run_loop(get_tile, counts[MIDDLE], spent);
	first_loop = spent[0];
}

static void measure_cache(void)
{
	double later;

	choose_elements();
	for (size_t i = 0; i < PART; i++)
		order[i * THREADS + MYTHREAD] = MYTHREAD * BLOCK + i % BLOCK;
	for (int i = 0; i < LOOP_ROUNDS; i++)
		measure_loops(i);
	if (output == NULL)
		return;
	write_loops();
	later = phase_times[GOT_FIRST][MIDDLE][LOOP_ROUNDS / 2];
	fprintf(output, "cache.first %.5f\n", first_loop > later ? first_loop - later : 0);
}

/* Counts the nodes: sets of threads that access each other's memory directly. */
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

/* Prints the nodes. Each node is identified by its first thread. */
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

static void print_listening(void)
{
	struct listening it = {"", ""};

	gethostname(it.host, sizeof it.host - 1);
	snprintf(it.addresses, sizeof it.addresses, "%s", hupc_network_listening());
	upc_memput(&listening[MYTHREAD], &it, sizeof it);
	upc_barrier;
	for (int i = 0; output != NULL && i < THREADS; i++) {
		upc_memget(&it, &listening[i], sizeof it);
		if (it.addresses[0] != '\0')
			fprintf(output, "listens %d on %s at %s\n", i, it.host, it.addresses);
	}
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
	print_listening();
	measure_first();
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
