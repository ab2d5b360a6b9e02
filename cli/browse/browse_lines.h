/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a source file: their text, if it can be read, their costs and their accesses. */
#ifndef HEDDLE_CLI_BROWSE_LINES_H
#define HEDDLE_CLI_BROWSE_LINES_H

#include "analysis/line_accesses.h"
#include "cli/browse/browse_data.h"

struct heddle_browse_lines {
	char *text;             /* NULL: it cannot be read, and only lines with costs are rows */
	size_t *starts;         /* of each row's text in `text`, and its end */
	uint32_t *listed;       /* without text: the line of each row */
	size_t count;           /* of rows */
	uint32_t last;          /* the highest number of a line */
	uint64_t *self, *total; /* by line, [0] is unused */
	struct heddle_line_accesses accesses;
};

/* 0 or -ENOMEM, and then there is nothing to free. */
int heddle__browse_lines_make(struct heddle_browse_lines *lines, struct heddle_browse_data *data, const char *file);
void heddle__browse_lines_free(struct heddle_browse_lines *lines);

/* The number of a row's line, its text, the row of a line (the next one that there is), that of most cost. */
uint32_t heddle__browse_lines_number(const struct heddle_browse_lines *lines, size_t row);
const char *heddle__browse_lines_text(const struct heddle_browse_lines *lines, size_t row, size_t *length);
size_t heddle__browse_lines_row(const struct heddle_browse_lines *lines, uint32_t line);
size_t heddle__browse_lines_hottest(const struct heddle_browse_lines *lines);

#endif
