/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats numbers and names for reports. */
#ifndef HEDDLE_ANALYSIS_TEXT_H
#define HEDDLE_ANALYSIS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the share of a total in percent, "12.5"; "-" for none. Returns `text`. */
char *heddle__format_percent(char *text, size_t size, uint64_t value, uint64_t total);

/* Write "4.02 s", "12.3 ms", "8 us"; "8,012"; "512 B", "1.50 KiB". Return `text`. */
char *heddle__format_time(char *text, size_t size, uint64_t ns);
char *heddle__format_count(char *text, size_t size, uint64_t count);
char *heddle__format_bytes(char *text, size_t size, uint64_t bytes);

/* Writes a value in a metric's unit, by one of the functions above. */
char *heddle__format_value(char *text, size_t size, uint64_t value, const char *unit);

/* Writes any number: "5,050", "50.5", "1.2e-09", "nan". Returns `text`. */
char *heddle__format_number(char *text, size_t size, double number);

/* Return the number of columns that a UTF-8 text takes, without escape sequences of colours. */
size_t heddle__columns(const char *text);
size_t heddle__columns_of(const char *text, size_t length);

/*
 * A text cut to a number of columns: its first `head` bytes, a mark, and the tail. A name loses its end, but keeps the
 * source position that it may have (" @main.c:10"); a path, of a file or of calls, loses its beginning.
 */
struct heddle_cut {
	size_t head;
	const char *mark, *tail;
	size_t columns;
};
struct heddle_cut heddle__cut(const char *text, size_t room, bool utf8);

/* Writes a text, cut in this way to `room` columns (at least 4), to `fitted`. Returns the columns that it takes. */
size_t heddle__fit(char *fitted, size_t size, const char *text, size_t room, bool utf8);

#endif
