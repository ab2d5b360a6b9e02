/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of the network plug-in between two processes of one host: prints a line "NAME MEDIAN LEAST P99 UNIT" for
 * each case, or for those whose names contain the argument. HEDDLE_UPC_NETWORK names the plug-in, UCX_TLS and
 * UCX_NET_DEVICES the transport. The target is idle, or it computes.
 */
#include "tests/upc/network/world.h"
#include <string.h>

#define SAMPLES 4000
#define WORDS 1000
#define BIG (4 << 20)

static const char *chosen = "";
static char *memory;
static atomic_bool ended;

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

/* Measures times in ns, and prints them in units of `scale` ns; if `bytes` is not 0, as GB/s. */
static void measure(const char *name, void (*run)(void), int samples, double scale, double bytes)
{
	static double times[SAMPLES];
	if (!strstr(name, chosen))
		return;
	for (int i = -samples / 10 - 1; i < samples; i++) {
		int64_t begin = world_now();
		run();
		if (i >= 0)
			times[i] = (double)(world_now() - begin);
	}
	qsort(times, (size_t)samples, sizeof *times, compare);
	printf("%-28s %9.2f %9.2f %9.2f us", name, times[samples / 2] / scale, times[0] / scale,
		times[samples * 99 / 100] / scale);
	if (bytes > 0)
		printf("  %.2f GB/s median, %.2f best", bytes / times[samples / 2], bytes / times[0]);
	printf("\n");
	fflush(stdout);
}

static void get_word(void)
{
	world.net->get(1, 4096, memory, 8);
}

static void get_words(void)
{
	for (int i = 0; i < WORDS; i++)
		world.net->get(1, 4096 + (uint64_t)i * 8, memory, 8);
}

static void begin_words(void)
{
	static hupc__transfer transfers[WORDS];
	for (int i = 0; i < WORDS; i++)
		transfers[i] = world.net->get_begin(1, 4096 + (uint64_t)i * 8, memory + (size_t)i * 8, 8);
	for (int i = 0; i < WORDS; i++)
		world.net->wait(transfers[i]);
}

static void put_words(void)
{
	for (int i = 0; i < WORDS; i++)
		world.net->put(1, 4096 + (uint64_t)i * 8, memory + (size_t)i * 8, 8);
	world.net->fence();
}

static void put_word(void)
{
	world.net->put(1, 4096, memory, 8);
	world.net->fence();
}

static void ask(void)
{
	uint64_t one = 1;
	world.net->ask(1, &one, sizeof one, memory, 8);
}

static void get_block(void)
{
	world.net->get(1, 4096, memory, 65536);
}

static void get_big(void)
{
	world.net->get(1, 4096, memory, BIG);
}

static void put_big(void)
{
	world.net->put(1, 4096, memory, BIG);
	world.net->fence();
}

static void handle(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	uint64_t old = 0;
	(void)from;
	(void)message;
	(void)size;
	if (ticket) {
		world.net->answer(ticket, &old, sizeof old);
	} else {
		atomic_store(&ended, true);
		world.net->wake();
	}
}

static bool has_ended(void *unused)
{
	(void)unused;
	return atomic_load(&ended);
}

static void measure_all(const char *target, int samples)
{
	char name[64];
#define MEASURE(what, run, count, scale, bytes)             \
	snprintf(name, sizeof name, "%s_%s", what, target); \
	measure(name, run, count, scale, bytes)
	MEASURE("get_8", get_word, samples, 1e3, 0);
	MEASURE("ask_8", ask, samples, 1e3, 0);
	MEASURE("put_8_fence", put_word, samples, 1e3, 0);
	MEASURE("1000_gets", get_words, 20, 1e3, 0);
	MEASURE("1000_gets_nonblocking", begin_words, 50, 1e3, 0);
	MEASURE("1000_puts_fence", put_words, 100, 1e3, 0);
	MEASURE("get_64K", get_block, samples / 10, 1e3, 65536);
	MEASURE("get_4M", get_big, 40, 1e3, BIG);
	MEASURE("put_4M", put_big, 40, 1e3, BIG);
#undef MEASURE
}

/* Executes the target's part until rank 0 reports that it has measured. */
static void serve(bool computes)
{
	int64_t cpu = world_cpu(), begin = world_now();
	atomic_store(&ended, false);
	world_barrier();
	if (computes) {
		while (!atomic_load_explicit(&ended, memory_order_relaxed))
			;
	} else {
		world.net->wait_until(has_ended, NULL);
	}
	cpu = world_cpu() - cpu;
	printf("target %s: %.0f %% of a processor\n", computes ? "computing" : "idle",
		100.0 * (double)cpu / (double)(world_now() - begin));
}

static void body(void)
{
	static const char *const targets[] = {"idle", "computing"};
	memory = calloc(1, BIG);
	for (int i = 0; i < 2; i++) {
		if (world.rank) {
			serve(i);
		} else {
			world_barrier();
			measure_all(targets[i], SAMPLES);
			world.net->send(1, "", 1);
		}
		fflush(stdout);
		world_barrier();
	}
	int64_t cpu = world_cpu();
	if (!chosen[0])
		sleep(5);
	if (!chosen[0])
		printf("rank %d: %.3f ms of CPU in 5 idle seconds\n", world.rank, (double)(world_cpu() - cpu) / 1e6);
	fflush(stdout);
	world_barrier();
	world.net->close();
}

int main(int count, char **arguments)
{
	if (count > 1)
		chosen = arguments[1];
	world.handle = handle;
	return world_run(2, -1, body);
}
