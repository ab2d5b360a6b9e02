/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a source file: their text, if it can be read, their costs and their accesses. */
#ifndef HEDDLE_CLI_BROWSE_LINES_H
#define HEDDLE_CLI_BROWSE_LINES_H

#include "analysis/line_accesses.h"
#include "cli/browse/browse_data.h"

struct heddle_browse_lines {
	char *text;             /* NULL: it cannot be read, and only lines with costs are rows */
	size_t *starts;         /* start of each row's text in `text`, and the end of the last */
	uint32_t *listed;       /* without text: the line of each row */
	size_t count;           /* of rows */
	uint32_t last;          /* the highest line number */
	uint64_t *self, *total; /* by line, [0] is unused */
	struct heddle_line_accesses accesses;
};

/* Returns 0, or -ENOMEM; then there is nothing to free. */
int heddle__browse_lines_make(struct heddle_browse_lines *lines, struct heddle_browse_data *data, const char *file);
void heddle__browse_lines_free(struct heddle_browse_lines *lines);

/*
 * Return a row's line number; its text; the row of a line, or of the next line that has one; the row with the largest
 * cost.
 */
uint32_t heddle__browse_lines_number(const struct heddle_browse_lines *lines, size_t row);
const char *heddle__browse_lines_text(const struct heddle_browse_lines *lines, size_t row, size_t *length);
size_t heddle__browse_lines_row(const struct heddle_browse_lines *lines, uint32_t line);
size_t heddle__browse_lines_hottest(const struct heddle_browse_lines *lines);

#endif
