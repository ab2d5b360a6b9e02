/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the clients of this folder: each is one program that plays a GASP client and says on its standard output, line by
 * line, what its profile must hold. judge.c runs it and holds the profile, standard error and the outcome against that.
 * What is not spoken of must not happen: a line of Heddle on standard error, or another outcome than exit status 0,
 * fails.
 *
 * A PATH is a pattern of fnmatch(3) for all of a call path, from below the root: components separated by ';', a region
 * as "GASP_UPC_GET @cg.upc:57" (without @ when the place is not known), functions and user events by their names,
 * states as "<barrier wait>", frames as "frame". All values are exclusive; with "PATH*" they become inclusive.
 */
#ifndef HEDDLE_TESTS_GASP_CLIENT_H
#define HEDDLE_TESTS_GASP_CLIENT_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <heddle/gasp_upc.h>

/* dprintf: nothing is lost by _exit and signals. */
#define TELL(format, ...) dprintf(STDOUT_FILENO, "%s:%d\t" format "\n", __FILE__, __LINE__, __VA_ARGS__)

/* The sum of a metric over the paths that match, of all threads and processes; of the thread of that rank alone. */
#define EXPECT(metric, path, value) EXPECT_BETWEEN(metric, path, value, value)
#define EXPECT_BETWEEN(metric, path, low, high) \
	TELL("value\t%s\t*\t%s\t%" PRIu64 "\t%" PRIu64, metric, path, (uint64_t)(low), (uint64_t)(high))
#define EXPECT_OF_RANK(rank, metric, path, value) \
	TELL("value\t%s\t%d\t%s\t%" PRIu64 "\t%" PRIu64, metric, rank, path, (uint64_t)(value), (uint64_t)(value))

/* How many different paths match. */
#define EXPECT_PATHS(path, count) TELL("paths\t%s\t%d", path, count)

/* Statistics of an argument (1, 2, ...; 0: sizes) at the paths that match. */
#define EXPECT_VALUES(path, argument, count, minimum, maximum, sum)                                                    \
	TELL("values\t%s\t%d\t%" PRIu64 "\t%.17g\t%.17g\t%.17g", path, argument, (uint64_t)(count), (double)(minimum), \
		(double)(maximum), (double)(sum))

/* How often an argument was that string; "<others>": one of those that are not told apart. */
#define EXPECT_STRING(path, argument, text, count) \
	TELL("string\t%s\t%d\t%s\t%" PRIu64, path, argument, text, (uint64_t)(count))

/* The number of an argument of END. */
#define OF_END(argument) (64 + (argument))

/* For how long threads were measured, together: nanoseconds. */
#define EXPECT_MEASURED(low, high) TELL("measured\t%" PRIu64 "\t%" PRIu64, (uint64_t)(low), (uint64_t)(high))

/*
 * The elapsed time of all accesses whose owner is known, by pair of threads, is no less than that of the paths that
 * match the first pattern, and no more than that of the second.
 */
#define EXPECT_PAIRS(low, high) TELL("pairs\t%s\t%s", low, high)

/* So many profile files; so many ended so ("exit", "signal 9", ...). */
#define EXPECT_FILES(count) TELL("files\t%d", count)
#define EXPECT_ENDED(how, count) TELL("ended\t%s\t%d", how, count)

/* So many lines of Heddle on standard error, or notes in the profile, hold the text. */
#define EXPECT_SAID(text, count) TELL("said\t%s\t%d", text, count)
#define EXPECT_NOTE(text, count) TELL("note\t%s\t%d", text, count)

/* So many event kinds of that name (a pattern) are marked as made up for an unknown number. */
#define EXPECT_GENERATED(name, count) TELL("generated\t%s\t%d", name, count)

/* "exit 3", "signal 9" */
#define EXPECT_OUTCOME(text) TELL("outcome\t%s", text)

/* Something that must hold in the client itself. */
#define REQUIRE(condition)                              \
	do {                                            \
		if (!(condition))                       \
			TELL("failed\t%s", #condition); \
		else                                    \
			TELL("held\t%s", #condition);   \
	} while (0)

/* Elapsed time in ns. */
static inline uint64_t now(void)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static inline void spend(uint64_t ns)
{
	uint64_t end = now() + ns;
	while (now() < end)
		;
}

static inline gasp_context_t init_upc(void)
{
	int argc = 1;
	char name[] = "client", *words[] = {name, NULL}, **argv = words;
	return gasp_init(GASP_MODEL_UPC, &argc, &argv);
}

#define START(context, event, ...) gasp_event_notify(context, event, GASP_START, ##__VA_ARGS__)
#define END(context, event, ...) gasp_event_notify(context, event, GASP_END, ##__VA_ARGS__)
#define ATOMIC(context, event, ...) gasp_event_notify(context, event, GASP_ATOMIC, ##__VA_ARGS__)

/* An event without arguments that every compiler has. */
static inline void fence(gasp_context_t context, const char *file, int line)
{
	START(context, GASP_UPC_FENCE, file, line, 0);
	END(context, GASP_UPC_FENCE, file, line, 0);
}

static inline void get(gasp_context_t context, const char *file, int line, size_t n)
{
	static long long shared_pointer[2];
	long long private_memory = 0;
	START(context, GASP_UPC_GET, file, line, 0, 1, (void *)&private_memory, (void *)shared_pointer, n);
	END(context, GASP_UPC_GET, file, line, 0, 1, (void *)&private_memory, (void *)shared_pointer, n);
}

#endif
