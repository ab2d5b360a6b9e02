/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the run-time options of a UPC program. Runs before constructors: calls no function of the C library that needs
 * one.
 */
#include "upc/runtime/start/options.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/environment.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/start/units.h"

#define SMALLEST (UINT64_C(1) << 16)

/* Parses digits at the start of a text; `end` points to the character after them. Saturates. */
static uint64_t digits(const char *text, const char **end)
{
	uint64_t number = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		number = number > UINT64_MAX / 10 - 1 ? UINT64_MAX / 10 : number * 10 + (uint64_t)(*text - '0');
	*end = text;
	return number;
}

static uint64_t parse_size(const char *text)
{
	static const char units[] = "kKmMgGtT";
	const char *end;
	uint64_t size = digits(text, &end);
	const char *unit = *end ? strchr(units, *end) : NULL;
	if (end == text)
		return 0;
	if (unit) {
		unsigned int shift = 10 * (unsigned int)((unit - units) / 2 + 1);
		size = size > UINT64_MAX >> shift ? UINT64_MAX : size << shift;
		end++;
	}
	if (*end == 'B' || *end == 'b')
		end++;
	return *end ? 0 : size;
}

static bool read_threads(struct hupc__options *options, const char *text, const char *source)
{
	const char *end;
	uint64_t number = digits(text, &end);
	if (end == text || *end || number < 1 || number > UPCRT_MAX_THREADS) {
		hupc__say("%s wants a number of threads from 1 to %d, not '%s'", source, UPCRT_MAX_THREADS, text);
		return false;
	}
	options->threads = (int)number;
	return true;
}

static bool read_node_size(struct hupc__options *options, const char *text)
{
	const char *end;
	uint64_t number = digits(text, &end);
	if (end == text || *end || number < 1 || number > UPCRT_MAX_THREADS) {
		hupc__say("UPC_NODE_SIZE wants a number of threads from 1 to %d, not '%s'; leave it out for one node",
			UPCRT_MAX_THREADS, text);
		return false;
	}
	options->node_size = (int)number;
	return true;
}

static bool read_size(struct hupc__options *options, const char *text, const char *source)
{
	uint64_t size = parse_size(text);
	if (size < SMALLEST || size > HUPC__STRIDE) {
		hupc__say("%s wants a size of each thread's shared memory from 64K to 16G, as in 512M, not '%s'",
			source, text);
		return false;
	}
	options->segment_size = (size + HUPC__PAGE - 1) & ~(HUPC__PAGE - 1);
	return true;
}

/* Limits SIZE to half of what a limit of the process allows for all threads together. */
static uint64_t within_limit(int resource, uint64_t size, int threads)
{
	struct rlimit limit;
	if (hupc__system(prlimit64, 0, resource, NULL, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
		size <= limit.rlim_cur / 2 / (uint64_t)threads)
		return size;
	return limit.rlim_cur / 2 / (uint64_t)threads;
}

/* Each thread gets the size of the machine's memory: untouched pages cost nothing. */
static uint64_t default_size(int threads)
{
	struct sysinfo machine;
	uint64_t size = HUPC__STRIDE;
	if (hupc__system(sysinfo, &machine) == 0 && (uint64_t)machine.totalram * machine.mem_unit < size)
		size = (uint64_t)machine.totalram * machine.mem_unit;
	size = size < UINT64_C(1) << 26 ? UINT64_C(1) << 26 : size;
	size = within_limit(RLIMIT_FSIZE, size, threads); /* a memory file counts as a file */
	size = within_limit(RLIMIT_AS, size, threads);
	size = size < SMALLEST ? SMALLEST : size;
	return (size + HUPC__PAGE - 1) & ~(HUPC__PAGE - 1);
}

static bool read_environment(struct hupc__options *options, char **environment)
{
	const char *threads = hupc__environment_value(environment, "UPC_THREADS");
	const char *size = hupc__environment_value(environment, "UPC_SHARED_HEAP_SIZE");
	const char *node = hupc__environment_value(environment, "UPC_NODE_SIZE");
	const char *bind = hupc__environment_value(environment, "UPC_BIND_THREADS");
	if (threads && *threads && !read_threads(options, threads, "UPC_THREADS"))
		return false;
	if (size && *size && !read_size(options, size, "UPC_SHARED_HEAP_SIZE"))
		return false;
	if (node && *node && !read_node_size(options, node))
		return false;
	options->bind = bind && *bind && strcmp(bind, "0") != 0 && strcmp(bind, "no") != 0;
	return true;
}

/* Reads -nN, and options of GNU UPC's programs: -fupc-threads-N, -fupc-heap-SIZE, and others, which are ignored. */
static bool read_joined(struct hupc__options *options, const char *argument, bool *taken)
{
	static const char threads[] = "-fupc-threads", heap[] = "-fupc-heap";
	size_t t = sizeof(threads) - 1, h = sizeof(heap) - 1;
	*taken = true;
	if (strncmp(argument, "-n", 2) == 0 && argument[2] >= '0' && argument[2] <= '9')
		return read_threads(options, argument + 2, "-n");
	if (strncmp(argument, threads, t) == 0 && (argument[t] == '-' || argument[t] == '='))
		return read_threads(options, argument + t + 1, threads);
	if (strncmp(argument, heap, h) == 0 && (argument[h] == '-' || argument[h] == '='))
		return read_size(options, argument + h + 1, heap);
	*taken = strncmp(argument, "-fupc-", 6) == 0;
	return true;
}

static bool read_arguments(struct hupc__options *options, int argc, char **argv)
{
	int at = 1;
	for (; at < argc; at++) {
		bool joined;
		if (!read_joined(options, argv[at], &joined))
			return false;
		if (joined)
			continue;
		bool threads = strcmp(argv[at], "-n") == 0, size = strcmp(argv[at], "-shared-heap") == 0;
		if (strcmp(argv[at], "-bind-threads") == 0) {
			options->bind = true;
			continue;
		}
		if (!threads && !size)
			break;
		const char *value = at + 1 < argc ? argv[at + 1] : "";
		if (!(threads ? read_threads(options, value, "-n") : read_size(options, value, "-shared-heap")))
			return false;
		at++;
	}
	options->arguments = argc > 0 ? at - 1 : 0;
	return true;
}

bool hupc__options_fit(const struct hupc__options *options, int ranks)
{
	if (ranks > UPCRT_MAX_THREADS)
		hupc__say("the launcher started %d processes, but a program has at most %d threads", ranks,
			UPCRT_MAX_THREADS);
	else if (options->given && options->given != ranks)
		hupc__say("the launcher started %d process%s and -n or UPC_THREADS requests %d threads; each process "
			  "is one thread: give the number to the launcher only",
			ranks, ranks == 1 ? "" : "es", options->given);
	else if (options->compiled && options->compiled != ranks)
		hupc__say("this program was compiled for %d threads and the launcher started %d process%s; start one "
			  "process for each thread",
			options->compiled, ranks, ranks == 1 ? "" : "es");
	else
		return true;
	return false;
}

bool hupc__options_read(struct hupc__options *options, int ranks, int argc, char **argv, char **environment)
{
	int compiled = hupc__units_static_threads();
	*options = (struct hupc__options){0};
	if (compiled < 0 || !read_environment(options, environment) || !read_arguments(options, argc, argv))
		return false;
	if (compiled && options->threads && options->threads != compiled) {
		hupc__say("this program was compiled for %d threads and cannot run with %d; compile it again, or leave "
			  "the number out",
			compiled, options->threads);
		return false;
	}
	options->given = options->threads;
	options->compiled = compiled;
	if (ranks > 0 && !hupc__options_fit(options, ranks))
		return false;
	if (ranks != HUPC__NO_RANKS)
		options->threads = ranks;
	else if (!options->threads)
		options->threads = compiled ? compiled : 1;
	if (!options->segment_size)
		options->segment_size = default_size(options->threads ? options->threads : 1);
	return true;
}
