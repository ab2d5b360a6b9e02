/* SPDX-License-Identifier: BSD-3-Clause */
/* The only file that knows escape sequences and box-drawing characters. */
#include "cli/terminal.h"

#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_COLUMNS 24 /* of a name that is cut */

static size_t terminal_width(void)
{
	struct winsize size;
	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

struct heddle_look heddle__look(bool no_color)
{
	const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
	bool color = !no_color && !(none && *none) && isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
	size_t width = terminal_width();
	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return (struct heddle_look){color, true, width, " · ", "├─ ", "└─ ", "│  ", "   "};
	return (struct heddle_look){color, false, width, ", ", "|- ", "`- ", "|  ", "   "};
}

/* Is this byte inside a character that began before it? */
static bool continues(const char *text, size_t at)
{
	return ((unsigned char)text[at] & 0xc0) == 0x80;
}

size_t heddle__print_fitting(const struct heddle_look *look, const char *text, size_t used)
{
	size_t length = strlen(text), room = look->width > used + LEAST_COLUMNS ? look->width - used : LEAST_COLUMNS;
	if (look->width == 0 || length <= room) {
		fputs(text, stdout);
		return length;
	}
	const char *mark = look->utf8 ? "…" : "..";
	size_t tail = (room - 2) / 2, head = room - 2 - tail, from = length - tail;
	while (head > 0 && continues(text, head))
		head--;
	while (text[from] && continues(text, from))
		from++;
	printf("%.*s%s%s", (int)head, text, mark, text + from);
	return room;
}

void heddle__style(const struct heddle_look *look, enum heddle_style style)
{
	static const char *const codes[] = {
		[HEDDLE_STYLE_PLAIN] = "\033[0m",
		[HEDDLE_STYLE_DIM] = "\033[2m",
		[HEDDLE_STYLE_BOLD] = "\033[1m",
		[HEDDLE_STYLE_WARM] = "\033[33m",
		[HEDDLE_STYLE_HOT] = "\033[1;31m",
		[HEDDLE_STYLE_REGION] = "\033[36m",
		[HEDDLE_STYLE_STATE] = "\033[35m",
	};
	if (look->color)
		fputs(codes[style], stdout);
}

char *heddle__format_time(char *text, size_t size, uint64_t ns)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	size_t u = 0;
	while (u < 3 && (double)ns < units[u].unit * 0.9995)
		u++;
	double value = (double)ns / units[u].unit;
	int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	snprintf(text, size, "%.*f %s", u == 3 ? 0 : digits, value, units[u].name);
	return text;
}

char *heddle__format_count(char *text, size_t size, uint64_t count)
{
	char digits[32];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count), used = 0;
	for (size_t i = 0; i < length && used + 2 < size; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	return text;
}

char *heddle__format_value(char *text, size_t size, uint64_t value, const char *unit)
{
	return strcmp(unit, "ns") == 0 ? heddle__format_time(text, size, value)
				       : heddle__format_count(text, size, value);
}

void heddle__print_safely(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
}
