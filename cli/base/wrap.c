/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Breaks lines as they are printed. It counts columns by cli/base/terminal.h; the meaning of the text does not matter.
 */
#include "cli/base/wrap.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define OUTDENT 4 /* column of a word that is longer than the space beside the indentation */

struct writer {
	struct heddle_wrap how;
	bool fresh; /* at the beginning of a line: no separator is needed */
};

static void break_line(struct writer *writer, size_t indent)
{
	fprintf(writer->how.out, "\n%*s", (int)indent, "");
	writer->how.at = indent;
	writer->fresh = true;
}

static void put_text(struct writer *writer, const char *text, size_t length)
{
	fwrite(text, 1, length, writer->how.out);
	writer->how.at += heddle__columns_of(text, length);
	writer->fresh = false;
}

static bool fits(const struct writer *writer, size_t columns)
{
	return writer->how.width == 0 || writer->how.at + columns <= writer->how.width;
}

static size_t without_blanks(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] == ' ')
		length--;
	return length;
}

/* Puts a word and the blanks before it. `after`: columns of what must follow it on its line. */
static void put_word(struct writer *writer, const char *text, size_t blanks, size_t length, size_t after)
{
	size_t columns = heddle__columns_of(text + blanks, length), indent = writer->how.indent;
	if (fits(writer, blanks + columns + after)) {
		put_text(writer, text, blanks + length);
		return;
	}
	if (indent > OUTDENT && indent + columns + after > writer->how.width)
		indent = OUTDENT;
	if (!writer->fresh || indent < writer->how.at)
		break_line(writer, indent);
	put_text(writer, text + blanks, length);
}

/* Returns the end of the word at `at`, including the unit behind a number: "49 %", "(3.01 s)". */
static size_t end_of_word(const char *text, size_t at, size_t length)
{
	static const char *const units[] = {"%", "s", "ms", "us", "ns", "B", "KiB", "MiB", "GiB", "TiB", "Hz"};
	while (at < length && text[at] != ' ')
		at++;
	if (at == 0 || at + 1 >= length || !isdigit((unsigned char)text[at - 1]))
		return at;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t end = at + 1 + strlen(units[i]);
		if (end > length || strncmp(text + at + 1, units[i], strlen(units[i])) != 0)
			continue;
		end += strspn(text + end, ").,;:");
		if (end >= length || text[end] == ' ')
			return end < length ? end : length;
	}
	return at;
}

static void put_words(struct writer *writer, const char *text, size_t length, size_t after)
{
	while (length > 0) {
		size_t blanks = 0, end;
		while (blanks < length && text[blanks] == ' ')
			blanks++;
		end = end_of_word(text, blanks, length);
		if (end > blanks)
			put_word(writer, text, blanks, end - blanks, end == length ? after : 0);
		text += end;
		length -= end;
	}
}

/*
 * Puts a fact, on the next line if it does not fit. `glue`: bytes of the separator in front of the text; 0: none.
 * `after`: columns of the separator behind the text, which a line may end with.
 */
static void put_fact(struct writer *writer, const char *text, size_t length, size_t glue, size_t after)
{
	size_t columns = heddle__columns_of(text, length), joint = glue ? heddle__columns_of(text - glue, glue) : 0;
	bool whole = writer->how.width == 0 || writer->how.indent + columns + after <= writer->how.width;
	if (fits(writer, joint + columns + after)) {
		put_text(writer, text - glue, glue + length);
		return;
	}
	if (glue)
		put_text(writer, text - glue, without_blanks(text - glue, glue));
	if (whole && glue) {
		break_line(writer, writer->how.indent);
		put_text(writer, text, length);
		return;
	}
	if (glue && fits(writer, 1))
		put_text(writer, " ", 1);
	put_words(writer, text, length, after);
}

static void put_line(struct writer *writer, const char *text, size_t length)
{
	const char *glue = writer->how.glue;
	size_t size = glue ? strlen(glue) : 0, before = 0;
	size_t joint = glue ? heddle__columns_of(glue, without_blanks(glue, size)) : 0;
	for (;;) {
		const char *end = glue ? memmem(text, length, glue, size) : NULL;
		put_fact(writer, text, end ? (size_t)(end - text) : length, before, end ? joint : 0);
		if (!end)
			return;
		length -= (size_t)(end - text) + size;
		text = end + size;
		before = size;
	}
}

void heddle__print_wrapped(const struct heddle_wrap *how, const char *text)
{
	struct writer writer = {.how = *how, .fresh = how->at == how->indent};
	for (;;) {
		const char *end = strchr(text, '\n');
		size_t length = end ? (size_t)(end - text) : strlen(text);
		if (fits(&writer, heddle__columns_of(text, length)))
			put_text(&writer, text, length);
		else
			put_line(&writer, text, length);
		if (!end)
			return;
		fputc('\n', how->out);
		writer.how.at = 0;
		writer.fresh = true;
		text = end + 1;
	}
}

size_t heddle__help_width(void)
{
	size_t width = heddle__terminal_width();
	return width == 0 ? 80 : width < 60 ? 60 : width > 100 ? 100 : width;
}

struct heddle_wrap heddle__wrap_facts(const struct heddle_terminal *terminal)
{
	return (struct heddle_wrap){.width = terminal->width, .indent = 2, .glue = terminal->dot};
}

/* The C library's stdout is a variable: replacing it captures all that is printed to it. */
void heddle__capture_begin(struct heddle_capture *capture)
{
	*capture = (struct heddle_capture){.stdout_before = stdout};
	FILE *memory = open_memstream(&capture->text, &capture->size);
	if (memory)
		stdout = memory;
}

void heddle__capture_end(struct heddle_capture *capture, struct heddle_wrap how)
{
	if (stdout == capture->stdout_before)
		return;
	bool whole = fclose(stdout) == 0;
	stdout = capture->stdout_before;
	how.out = stdout;
	if (whole)
		heddle__print_wrapped(&how, capture->text);
	free(capture->text);
}
