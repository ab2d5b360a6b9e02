/* SPDX-License-Identifier: BSD-3-Clause */
/* Escape sequences and box-drawing characters of reports; cli/run/live_screen.c has those of the last line. */
#include "cli/base/terminal.h"

#include "analysis/short_name.h"
#include "profile/base/intern.h"
#include "profile/base/printable.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_COLUMNS 16 /* of a name that is cut */

/* If the terminal does not report its size, uses COLUMNS. */
size_t heddle__terminal_width(void)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
		return size.ws_col;
	return columns ? strtoul(columns, NULL, 10) % 10000 : 0;
}

struct heddle_terminal heddle__terminal_describe(bool color)
{
	size_t width = heddle__terminal_width();
	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return (struct heddle_terminal){color, true, width, " · ", "├─ ", "└─ ", "│  ", "   "};
	return (struct heddle_terminal){color, false, width, ", ", "|- ", "`- ", "|  ", "   "};
}

size_t heddle__print_fitting(const struct heddle_terminal *terminal, const char *text, size_t used)
{
	size_t room = terminal->width > used + LEAST_COLUMNS ? terminal->width - used : LEAST_COLUMNS;
	room = terminal->width ? room : SIZE_MAX;
	char *shortened = heddle__short_name(text, room, terminal->utf8);
	if (shortened)
		text = shortened;
	struct heddle_cut cut = heddle__cut(text, room, terminal->utf8);
	printf("%.*s%s%s", (int)cut.head, text, cut.mark, cut.tail);
	free(shortened);
	return cut.columns;
}

void heddle__style(const struct heddle_terminal *terminal, enum heddle_style style)
{
	static const char *const codes[] = {
		[HEDDLE_STYLE_NORMAL] = "\033[0m",
		[HEDDLE_STYLE_DIM] = "\033[2m",
		[HEDDLE_STYLE_BOLD] = "\033[1m",
		[HEDDLE_STYLE_WARM] = "\033[33m",
		[HEDDLE_STYLE_HOT] = "\033[1;31m",
		[HEDDLE_STYLE_REGION] = "\033[36m",
		[HEDDLE_STYLE_STATE] = "\033[35m",
	};
	if (terminal->color)
		fputs(codes[style], stdout);
}

enum heddle_style heddle__share_style(uint64_t value, uint64_t total)
{
	double percent = total ? 100.0 * (double)value / (double)total : 0;
	return percent >= 25  ? HEDDLE_STYLE_HOT
	       : percent >= 5 ? HEDDLE_STYLE_WARM
	       : value == 0   ? HEDDLE_STYLE_DIM
			      : HEDDLE_STYLE_NORMAL;
}

void heddle__print_blocks(const struct heddle_terminal *terminal, const uint64_t *values, size_t count)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const letters[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
	uint64_t most = 1;
	for (size_t i = 0; i < count; i++)
		most = values[i] > most ? values[i] : most;
	for (size_t i = 0; i < count; i++) {
		size_t level = values[i] ? 1 + (size_t)(7.0 * (double)values[i] / (double)most) : 0;
		fputs((terminal->utf8 ? blocks : letters)[level], stdout);
	}
}

/* Copies are made only of the few names with control characters, and never freed: a message may contain several. */
const char *heddle__shown(const char *text)
{
	static char **kept;
	static size_t count, capacity;
	if (profile_is_printable(text))
		return text;
	bool room = profile_reserve(&kept, &capacity, count + 1, sizeof(*kept)) == 0;
	char *copy = room ? heddle__safe_copy(text) : NULL;
	if (!copy)
		return "?";
	kept[count++] = copy;
	return copy;
}

char *heddle__safe_copy(const char *text)
{
	char *copy = strdup(text);
	if (copy)
		profile_make_printable(copy);
	return copy;
}

void heddle__print_safely(FILE *out, const char *text)
{
	size_t left = strlen(text), bytes;
	for (; left; text += bytes, left -= bytes) {
		if (profile_character_at(text, left, &bytes) == HEDDLE_CHARACTER_PRINTABLE)
			fwrite(text, 1, bytes, out);
		else
			fputc('?', out);
	}
}
