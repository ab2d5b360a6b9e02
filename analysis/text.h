/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and names as text for people. */
#ifndef HEDDLE_ANALYSIS_TEXT_H
#define HEDDLE_ANALYSIS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A share of a total in percent, "12.5"; "-" for none. Returns `text`. */
char *heddle__format_percent(char *text, size_t size, uint64_t value, uint64_t total);

/* "4.02 s", "12.3 ms", "8 us"; "8,012"; "512 B", "1.50 KiB". Return `text`. */
char *heddle__format_time(char *text, size_t size, uint64_t ns);
char *heddle__format_count(char *text, size_t size, uint64_t count);
char *heddle__format_bytes(char *text, size_t size, uint64_t bytes);

/* A value of a metric's unit, as one of those above. */
char *heddle__format_value(char *text, size_t size, uint64_t value, const char *unit);

/* Any number: "5,050", "50.5", "1.2e-09", "nan". Returns `text`. */
char *heddle__format_number(char *text, size_t size, double number);

/* Columns that a UTF-8 text takes, colours left out. */
size_t heddle__columns(const char *text);
size_t heddle__columns_of(const char *text, size_t length);

/*
 * Text cut to `room` columns: its first `head` bytes, a mark, and the tail; they take that many columns. A name loses
 * its end, before the place that it may have (" @main.c:10"); a path, of a file or of calls, loses its beginning.
 */
struct heddle_cut {
	size_t head;
	const char *mark, *tail;
	size_t columns;
};
struct heddle_cut heddle__cut(const char *text, size_t room, bool utf8);

/* Text cut so into `fitted` (`size` bytes), to `room` columns, at least 4. Returns the columns it takes. */
size_t heddle__fit(char *fitted, size_t size, const char *text, size_t room, bool utf8);

#endif
