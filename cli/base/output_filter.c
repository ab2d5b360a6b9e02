/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's streams are variables: this replaces them by streams with a function that filters and writes. */
#include "cli/base/output_filter.h"

#include "profile/base/printable.h"

#include <errno.h>
#include <langinfo.h>
#include <string.h>
#include <unistd.h>

struct filtered_stream {
	struct heddle_output_filter filter;
	int descriptor;
};

static FILE *behind;

/* ---- the text ---- */

/* Sequences that the command prints on a terminal: styles (cli/base/terminal.c), and clearing a line of progress. */
static const char *const sequences[] = {
	"\033[0m", "\033[1m", "\033[2m", "\033[33m", "\033[1;31m", "\033[36m", "\033[35m", "\r\033[K"};

static const char ellipsis[] = "…"; /* where a name was shortened */

/*
 * Returns the length of the command's own sequence that begins here; *whole is false if the text ends within it. 0:
 * none.
 */
static size_t own_sequence(const char *text, size_t length, bool *whole)
{
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++) {
		size_t size = strlen(sequences[i]);
		*whole = size <= length;
		if (memcmp(text, sequences[i], *whole ? size : length) == 0)
			return *whole ? size : length;
	}
	return 0;
}

/*
 * Returns the bytes of the next character or sequence; 0: the text ends within it. *shown: it may be printed unchanged.
 */
static size_t next_piece(const struct heddle_output_filter *state, const char *text, size_t length, bool *shown)
{
	bool whole;
	size_t bytes = state->terminal ? own_sequence(text, length, &whole) : 0;
	*shown = true;
	if (bytes)
		return whole ? bytes : 0;
	if (*text == '\n' || *text == '\t')
		return 1;
	enum profile_character kind = profile_character_at(text, length, &bytes);
	if (kind == HEDDLE_CHARACTER_PART)
		return 0;
	*shown = kind == HEDDLE_CHARACTER_PRINTABLE && (bytes == 1 || state->utf8 || !state->terminal);
	return bytes;
}

/* Filters all complete characters and sequences; returns how many bytes of text these were. */
static size_t filter(const struct heddle_output_filter *state, char **out, const char *text, size_t length)
{
	size_t at = 0, bytes;
	bool shown;
	while (at < length && (bytes = next_piece(state, text + at, length - at, &shown)) != 0) {
		if (shown)
			*out = mempcpy(*out, text + at, bytes);
		else if (bytes == sizeof(ellipsis) - 1 && memcmp(text + at, ellipsis, bytes) == 0)
			*out = mempcpy(*out, "..", 2);
		else
			*(*out)++ = '?';
		at += bytes;
	}
	return at;
}

size_t heddle__output_filter_apply(struct heddle_output_filter *state, char *out, const char *text, size_t length)
{
	char *end = out;
	while (length) {
		/*
		 * Filter the text directly, unless a character or sequence began before it: complete that one byte by
		 * byte.
		 */
		bool begun = state->part_length != 0;
		if (begun) {
			state->part[state->part_length++] = *text++;
			length--;
		}
		const char *from = begun ? state->part : text;
		size_t size = begun ? state->part_length : length;
		size_t used = filter(state, &end, from, size);
		if (!begun)
			length = 0;
		state->part_length = size - used;
		memmove(state->part, from + used, size - used);
	}
	return (size_t)(end - out);
}

/* ---- the streams ---- */

static bool write_all(int descriptor, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(descriptor, text, length);
		if (written < 0 && errno != EINTR)
			return false;
		text += written > 0 ? written : 0;
		length -= written > 0 ? (size_t)written : 0;
	}
	return true;
}

static ssize_t pass(void *cookie, const char *text, size_t length)
{
	struct filtered_stream *filtered = cookie;
	char piece[HEDDLE_OUTPUT_FILTER_ROOM(4096)];
	for (size_t at = 0; at < length;) {
		size_t size = length - at < 4096 ? length - at : 4096;
		size_t shown = heddle__output_filter_apply(&filtered->filter, piece, text + at, size);
		if (!write_all(filtered->descriptor, piece, shown))
			return 0;
		at += size;
	}
	return (ssize_t)length;
}

static FILE *open_filtered(struct filtered_stream *filtered, int descriptor, int buffering)
{
	const cookie_io_functions_t functions = {.write = pass};
	bool terminal = isatty(descriptor);
	*filtered = (struct filtered_stream){.descriptor = descriptor,
		.filter = {.terminal = terminal, .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0}};
	FILE *stream = fopencookie(filtered, "w", functions);
	if (stream)
		setvbuf(stream, NULL, buffering == _IOFBF && terminal ? _IOLBF : buffering, BUFSIZ);
	return stream;
}

static struct filtered_stream streams[2];

void heddle__output_filter_styles(void)
{
	streams[0].filter.terminal = true;
}

void heddle__output_filter_begin(void)
{
	FILE *out = open_filtered(&streams[0], STDOUT_FILENO, _IOFBF),
	     *errors = open_filtered(&streams[1], STDERR_FILENO, _IONBF);
	behind = stdout;
	stdout = out ? out : stdout;
	stderr = errors ? errors : stderr;
}

FILE *heddle__output_filter_raw(void)
{
	fflush(stdout);
	return behind ? behind : stdout;
}
