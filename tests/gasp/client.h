/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the clients in this folder: each is a program that simulates a GASP client and prints to standard output, line by
 * line, what its profile must contain. judge.c runs it and compares the profile, standard error and the outcome with
 * these lines. Anything else must not happen: a line of Heddle on standard error, or an outcome other than exit status
 * 0, is a failure.
 *
 * A PATH is an fnmatch(3) pattern for a whole call path, from below the root: components separated by ';', a region as
 * "GASP_UPC_GET @cg.upc:57" (without @ if the place is unknown), functions and user events by their names, states as
 * "<barrier wait>", frames as "frame". All values are exclusive; with "PATH*" they become inclusive.
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

/* Uses dprintf, so that nothing is lost by _exit and signals. */
#define TELL(format, ...) dprintf(STDOUT_FILENO, "%s:%d\t" format "\n", __FILE__, __LINE__, __VA_ARGS__)

/* The sum of a metric over all paths that match, of all threads and processes; or of the thread with that rank. */
#define EXPECT(metric, path, value) EXPECT_BETWEEN(metric, path, value, value)
#define EXPECT_BETWEEN(metric, path, low, high) \
	TELL("value\t%s\t*\t%s\t%" PRIu64 "\t%" PRIu64, metric, path, (uint64_t)(low), (uint64_t)(high))
#define EXPECT_OF_RANK(rank, metric, path, value) \
	TELL("value\t%s\t%d\t%s\t%" PRIu64 "\t%" PRIu64, metric, rank, path, (uint64_t)(value), (uint64_t)(value))

/* The number of different paths that match. */
#define EXPECT_PATHS(path, count) TELL("paths\t%s\t%d", path, count)

/* Statistics of an argument (1, 2, ...; 0: sizes) at the paths that match. */
#define EXPECT_VALUES(path, argument, count, minimum, maximum, sum)                                                    \
	TELL("values\t%s\t%d\t%" PRIu64 "\t%.17g\t%.17g\t%.17g", path, argument, (uint64_t)(count), (double)(minimum), \
		(double)(maximum), (double)(sum))

/* How often an argument was that string; "<others>": strings that are only counted together. */
#define EXPECT_STRING(path, argument, text, count) \
	TELL("string\t%s\t%d\t%s\t%" PRIu64, path, argument, text, (uint64_t)(count))

/* The number that denotes an argument of END. */
#define OF_END(argument) (64 + (argument))

/* How long threads were measured, in total, in ns. */
#define EXPECT_MEASURED(low, high) TELL("measured\t%" PRIu64 "\t%" PRIu64, (uint64_t)(low), (uint64_t)(high))

/*
 * The elapsed time of all accesses with a known owner, by pair of threads, is at least that of the paths that match the
 * first pattern, and at most that of the second.
 */
#define EXPECT_PAIRS(low, high) TELL("pairs\t%s\t%s", low, high)

/* The number of profile files, and of those that ended in that way ("exit", "signal 9", ...). */
#define EXPECT_FILES(count) TELL("files\t%d", count)
#define EXPECT_ENDED(how, count) TELL("ended\t%s\t%d", how, count)

/* The number of Heddle's lines on standard error, or of notes in the profile, that contain the text. */
#define EXPECT_SAID(text, count) TELL("said\t%s\t%d", text, count)
#define EXPECT_NOTE(text, count) TELL("note\t%s\t%d", text, count)

/* The number of event kinds with that name (a pattern) that are marked as generated for an unknown number. */
#define EXPECT_GENERATED(name, count) TELL("generated\t%s\t%d", name, count)

/* How the client ends: "exit 3", "signal 9". */
#define EXPECT_OUTCOME(text) TELL("outcome\t%s", text)

/* A condition that must hold in the client itself. */
#define REQUIRE(condition)                              \
	do {                                            \
		if (!(condition))                       \
			TELL("failed\t%s", #condition); \
		else                                    \
			TELL("held\t%s", #condition);   \
	} while (0)

/* Returns elapsed time in ns. */
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

/* Sends an event that has no arguments and exists in every compiler. */
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
