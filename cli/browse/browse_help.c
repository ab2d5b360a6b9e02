/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of all keys, from their table. */
#include "cli/browse/browse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE 160

struct line {
	char text[TEXT_SIZE];
	bool heading;
};

struct page {
	struct line *lines;
	size_t count;
};

static struct page *page_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_help].own;
}

static void release(void *own)
{
	free(((struct page *)own)->lines);
}

static void write_keys(char *text, const struct heddle_browse_binding *binding)
{
	char keys[TEXT_SIZE] = "", name[16];
	for (size_t i = 0; i < sizeof(binding->keys) / sizeof(*binding->keys) && binding->keys[i]; i++) {
		const char *key = heddle__browse_key_name(name, sizeof(name), binding->keys[i]);
		size_t used = strlen(keys);
		if (*key)
			snprintf(keys + used, sizeof(keys) - used, "%s%s", used ? "  " : "", key);
	}
	snprintf(text, TEXT_SIZE, "  %-20s %s", keys, binding->help);
}

/* Each group has an empty line and a heading in front of it. */
static void write_page(struct page *page)
{
	for (const struct heddle_browse_binding *binding = heddle__browse_bindings; binding->help; binding++) {
		if (binding->group) {
			page->count += page->count > 0;
			page->lines[page->count].heading = true;
			snprintf(page->lines[page->count++].text, TEXT_SIZE, "%s", binding->group);
		}
		write_keys(page->lines[page->count++].text, binding);
	}
	page->count++;
	snprintf(page->lines[page->count++].text, TEXT_SIZE, "%s",
		"The mouse: a click selects, a double click opens, the wheel scrolls.");
}

static int make(struct heddle_browse *browse)
{
	struct page *page = page_of(browse);
	size_t count = 0;
	while (heddle__browse_bindings[count].help)
		count++;
	page->lines = calloc(3 * count + 2, sizeof(*page->lines));
	if (!page->lines)
		return -ENOMEM;
	write_page(page);
	return 0;
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
	row->is_source = true; /* prose: its end is cut, not its middle */
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
