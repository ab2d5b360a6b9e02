/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of all keys, from their table. */
#include "cli/browse/browse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE 160
#define KEYS_SIZE 64
#define KEYS_WIDTH 23 /* columns for keys, in front of the explanation */

struct line {
	char text[TEXT_SIZE];
	bool heading;
};

struct page {
	struct line *lines;
	size_t count, capacity;
};

static struct page *page_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_help].own;
}

static void release(void *own)
{
	free(((struct page *)own)->lines);
}

static void name_keys(char *keys, const struct heddle_browse_binding *binding)
{
	char name[16];
	keys[0] = '\0';
	for (size_t i = 0; i < sizeof(binding->keys) / sizeof(*binding->keys) && binding->keys[i]; i++) {
		const char *key = heddle__browse_key_name(name, sizeof(name), binding->keys[i]);
		size_t used = strlen(keys);
		if (*key)
			snprintf(keys + used, KEYS_SIZE - used, "%s%s", used ? "  " : "", key);
	}
}

/* Adds a line; NULL: no memory. */
static struct line *add_line(struct page *page)
{
	if (profile_reserve(&page->lines, &page->capacity, page->count + 1, sizeof(*page->lines)) != 0)
		return NULL;
	page->lines[page->count] = (struct line){0};
	return &page->lines[page->count++];
}

/* Adds a text in as many lines as it needs; after `keys`, if there are any, in a separate column. */
static int add_text(struct page *page, size_t width, const char *keys, const char *text)
{
	size_t indent = *keys ? KEYS_WIDTH : 0, room = width > indent ? width - indent : 1;
	do {
		struct line *line = add_line(page);
		if (!line)
			return -ENOMEM;
		size_t length = heddle__browse_line_length(text, room);
		snprintf(line->text, sizeof(line->text), "%-*s%.*s", (int)indent, keys, (int)length, text);
		text += length + (text[length] == ' ');
		keys = "";
	} while (*text);
	return 0;
}

/* An empty line and a heading precede each group. */
static int add_heading(struct page *page, size_t width, const char *group)
{
	if (page->count > 0 && !add_line(page))
		return -ENOMEM;
	size_t first = page->count;
	int error = add_text(page, width, "", group);
	while (!error && first < page->count)
		page->lines[first++].heading = true;
	return error;
}

static int make(struct heddle_browse *browse)
{
	struct page *page = page_of(browse);
	char keys[2 + KEYS_SIZE] = "  ";
	int error = 0;
	for (const struct heddle_browse_binding *binding = heddle__browse_bindings; binding->help && !error;
		binding++) {
		if (binding->group)
			error = add_heading(page, browse->width, binding->group);
		name_keys(keys + 2, binding);
		error = error ? error : add_text(page, browse->width, keys, binding->help);
	}
	if (!error && !add_line(page))
		error = -ENOMEM;
	const char *mouse = "The mouse: a click selects, a double click opens, the wheel scrolls.";
	return error ? error : add_text(page, browse->width, "", mouse);
}

static size_t count(const struct heddle_browse *browse)
{
	return page_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	(void)browse;
	(void)columns;
	return 0;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct line *line = &page_of(browse)->lines[index];
	row->text = line->text;
	row->length = strlen(line->text);
	row->is_source = true; /* prose: cut without a mark */
	row->style = line->heading ? HEDDLE_STYLE_BOLD : HEDDLE_STYLE_NORMAL;
}

const struct heddle_browse_view heddle__browse_view_help = {
	.name = "help",
	.names = "keys (Esc goes back)",
	.own_size = sizeof(struct page),
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
};
