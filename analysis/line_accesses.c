/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of accesses by line. Prints nothing. */
#include "analysis/line_accesses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool heddle__is_same_file(const char *one, const char *other)
{
	while (strncmp(one, "./", 2) == 0)
		one += 2;
	while (strncmp(other, "./", 2) == 0)
		other += 2;
	size_t length = strlen(one), part = strlen(other);
	if (length < part)
		return heddle__is_same_file(other, one);
	return part && strcmp(one + length - part, other) == 0 && (part == length || one[length - part - 1] == '/');
}

static void add_rows(struct heddle_line_accesses *sums, const struct profile_accesses *accesses, const char *file)
{
	enum profile_side side = sums->remote ? HEDDLE_SIDE_REMOTE : HEDDLE_SIDE_SAME_NODE;
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		sums->total.time_ns += row->time_ns;
		sums->total.count += row->count[side];
		if (!row->line || row->line > sums->line_count || !heddle__is_same_file(row->file, file))
			continue;
		sums->lines[row->line].count += row->count[side];
		sums->lines[row->line].time_ns += row->time_ns;
	}
}

int heddle__line_accesses_make(struct heddle_line_accesses *sums, const struct profile_accesses *accesses,
	const char *file, uint32_t line_count)
{
	*sums = (struct heddle_line_accesses){.line_count = line_count};
	sums->lines = calloc((size_t)line_count + 1, sizeof(*sums->lines));
	if (!sums->lines)
		return -ENOMEM;
	for (size_t i = 0; i < accesses->row_count; i++)
		sums->remote |= accesses->rows[i].count[HEDDLE_SIDE_REMOTE] != 0;
	add_rows(sums, accesses, file);
	return 0;
}

void heddle__line_accesses_free(struct heddle_line_accesses *sums)
{
	free(sums->lines);
	*sums = (struct heddle_line_accesses){0};
}
