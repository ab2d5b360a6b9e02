/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses and formats the figures for the width of the terminal. Prints nothing. */
#include "cli/run/live_text.h"

#include "cli/base/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PART_SIZE 64
#define NAME_COLUMNS 16 /* columns for a longer name before other figures are added */
#define CUT_COLUMNS 4   /* the least for heddle__fit */
#define NAME_SIZE 1024

enum part { ELAPSED, USE, PROCESSES, SAMPLES, CPU, PARTS };

/* Sets of parts, the most informative first. */
static const unsigned int sets[] = {
	1u << ELAPSED | 1u << CPU | 1u << USE | 1u << PROCESSES | 1u << SAMPLES,
	1u << ELAPSED | 1u << CPU | 1u << USE | 1u << SAMPLES,
	1u << ELAPSED | 1u << USE | 1u << SAMPLES,
	1u << ELAPSED | 1u << USE,
	1u << ELAPSED,
};

#define SETS (sizeof(sets) / sizeof(*sets))

static void write_time(char *text, const char *prefix, uint64_t ns)
{
	uint64_t seconds = ns / 1000000000u;
	if (seconds < 3600)
		snprintf(text, PART_SIZE, "%s%" PRIu64 ":%02" PRIu64, prefix, seconds / 60, seconds % 60);
	else
		snprintf(text, PART_SIZE, "%s%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, prefix, seconds / 3600,
			seconds / 60 % 60, seconds % 60);
}

static void write_parts(char parts[PARTS][PART_SIZE], const struct heddle_live_figures *figures)
{
	char count[32];
	write_time(parts[ELAPSED], "heddle ", figures->elapsed_ns);
	write_time(parts[CPU], "CPU ", figures->cpu_ns);
	snprintf(parts[USE], PART_SIZE, "%.2f of %u CPUs", figures->busy, figures->processors);
	if (figures->processes > 1)
		snprintf(parts[PROCESSES], PART_SIZE, "%u processes", figures->processes);
	else
		parts[PROCESSES][0] = '\0';
	snprintf(parts[SAMPLES], PART_SIZE, "%s samples", heddle__format_count(count, sizeof(count), figures->samples));
}

/* Joins the parts of the set in this order, separated by dots. */
static void join(char *line, size_t size, char parts[PARTS][PART_SIZE], unsigned int set, bool utf8)
{
	static const enum part order[] = {ELAPSED, CPU, USE, PROCESSES, SAMPLES};
	size_t used = 0;
	line[0] = '\0';
	for (size_t i = 0; i < PARTS; i++) {
		const char *part = parts[order[i]];
		if ((set & 1u << order[i]) && *part != '\0' && used < size)
			used += (size_t)snprintf(line + used, size - used, "%s%s",
				used == 0 ? ""
				: utf8    ? " · "
					  : ", ",
				part);
	}
}

/* Returns the bytes of a character that a UTF-8 terminal shows; 0: it is not shown, or controls the terminal. */
static size_t shown_bytes(const unsigned char *text, bool utf8)
{
	if (text[0] < 0x80)
		return text[0] >= 0x20 && text[0] != 0x7f;
	size_t bytes = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	if (!utf8 || text[0] < 0xc2 || text[0] > 0xf4 || (text[0] == 0xc2 && text[1] < 0xa0))
		return 0;
	for (size_t i = 1; i < bytes; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return bytes;
}

static void copy_shown(char *to, size_t size, const char *from, bool utf8)
{
	size_t used = 0;
	while (*from != '\0' && used + 5 < size) {
		size_t bytes = shown_bytes((const unsigned char *)from, utf8);
		if (bytes == 0)
			to[used++] = '?';
		memcpy(to + used, from, bytes);
		used += bytes;
		from += bytes != 0 ? bytes : 1;
	}
	to[used] = '\0';
}

char *heddle__live_text(char *text, size_t size, const struct heddle_live_figures *figures, size_t columns, bool utf8)
{
	char parts[PARTS][PART_SIZE], share[PART_SIZE] = "", name[NAME_SIZE] = "", fitted[NAME_SIZE] = "", line[512];
	size_t wanted = 0, least = 0;
	write_parts(parts, figures);
	if (figures->function) {
		snprintf(share, sizeof(share), "%s%.0f %% ", utf8 ? " · " : ", ", 100 * figures->share);
		copy_shown(name, sizeof(name), figures->function, utf8);
		wanted = heddle__columns(name);
		least = wanted < CUT_COLUMNS ? wanted : CUT_COLUMNS;
		wanted = heddle__columns(share) + (wanted < NAME_COLUMNS ? wanted : NAME_COLUMNS);
	}
	size_t set = 0;
	do
		join(line, sizeof(line), parts, sets[set], utf8);
	while (heddle__columns(line) + wanted > columns && ++set < SETS);
	size_t used = heddle__columns(line) + heddle__columns(share);
	if (used + least <= columns)
		heddle__fit(fitted, sizeof(fitted), name, columns - used, utf8);
	snprintf(text, size, "%s%s%s", line, fitted[0] != '\0' ? share : "", fitted);
	return text;
}
