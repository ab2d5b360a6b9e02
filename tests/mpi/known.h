/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs that know how they must be measured: each rank writes lines FUNCTION METRIC VALUE to the file
 * expected.RANK, and lines KIND PARTNER MESSAGES BYTES of its pairs to pairs.RANK. Each thread counts separately.
 */
#ifndef HEDDLE_TESTS_MPI_KNOWN_H
#define HEDDLE_TESTS_MPI_KNOWN_H

#include <stdio.h>
#include <string.h>

#define KNOWN_LINES 1000
#define KNOWN_RANKS 16

enum known_kind { KNOWN_SENT, KNOWN_RECEIVED, KNOWN_PUT, KNOWN_GOT, KNOWN_KINDS };

struct known {
	struct {
		char name[40], metric[24];
		long long value;
	} line[KNOWN_LINES];
	int lines;
	struct {
		long long messages, bytes;
	} pair[KNOWN_KINDS][KNOWN_RANKS];
};

_Thread_local struct known known __attribute__((weak)); /* one for all source files */

static void known_add(struct known *to, const char *name, const char *metric, long long value)
{
	int i = 0;
	while (i < to->lines && (strcmp(to->line[i].name, name) != 0 || strcmp(to->line[i].metric, metric) != 0))
		i++;
	if (i == KNOWN_LINES)
		return;
	if (i == to->lines) {
		snprintf(to->line[i].name, sizeof(to->line[i].name), "%s", name);
		snprintf(to->line[i].metric, sizeof(to->line[i].metric), "%s", metric);
		to->lines++;
	}
	to->line[i].value += value;
}

/* Counts a call of that function, and what it transfers. */
static inline void call(
	const char *name, long long sent, long long bytes_sent, long long received, long long bytes_received)
{
	known_add(&known, name, "visits", 1);
	known_add(&known, name, "messages-sent", sent);
	known_add(&known, name, "bytes-sent", bytes_sent);
	known_add(&known, name, "messages-received", received);
	known_add(&known, name, "bytes-received", bytes_received);
}

/* Counts an exchange with a rank of MPI_COMM_WORLD. */
static inline void pair(enum known_kind kind, int partner, long long bytes)
{
	known.pair[kind][partner].messages++;
	known.pair[kind][partner].bytes += bytes;
}

/* Adds the counts of another thread. */
static inline void known_join(struct known *to, const struct known *from)
{
	for (int i = 0; i < from->lines; i++)
		known_add(to, from->line[i].name, from->line[i].metric, from->line[i].value);
	for (int kind = 0; kind < KNOWN_KINDS; kind++)
		for (int rank = 0; rank < KNOWN_RANKS; rank++) {
			to->pair[kind][rank].messages += from->pair[kind][rank].messages;
			to->pair[kind][rank].bytes += from->pair[kind][rank].bytes;
		}
}

static inline void known_write(int rank)
{
	static const char *const kinds[] = {"sent", "received", "put", "got"};
	char name[32];
	snprintf(name, sizeof(name), "expected.%d", rank);
	FILE *to = fopen(name, "w");
	for (int i = 0; to && i < known.lines; i++)
		fprintf(to, "%s %s %lld\n", known.line[i].name, known.line[i].metric, known.line[i].value);
	if (to)
		fclose(to);
	snprintf(name, sizeof(name), "pairs.%d", rank);
	to = fopen(name, "w");
	for (int kind = 0; to && kind < KNOWN_KINDS; kind++)
		for (int partner = 0; partner < KNOWN_RANKS; partner++)
			if (known.pair[kind][partner].messages)
				fprintf(to, "%s %d %lld %lld\n", kinds[kind], partner,
					known.pair[kind][partner].messages, known.pair[kind][partner].bytes);
	if (to)
		fclose(to);
}

#endif
