/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of source files, to choose the one that is shown. */
#include "cli/browse/browse_files.h"

#include "cli/base/cells.h"
#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_SELF, COLUMN_METRIC, COLUMNS };

struct files {
	struct heddle_browse_file *items;
	size_t count;
};

static int by_cost(const void *a, const void *b)
{
	const struct heddle_browse_file *x = a, *y = b;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return strcmp(x->name, y->name);
}

struct heddle_browse_file *heddle__browse_list_files(struct heddle_browse *browse, size_t *count)
{
	const struct heddle_browse_data *data = &browse->data;
	struct profile_intern names = {0};
	struct heddle_browse_file *files = NULL;
	int error = heddle__browse_data_sites(&browse->data);
	*count = 0;
	for (size_t i = 0; !error && i < data->sites.count; i++)
		if (data->sites.items[i].line &&
			profile_intern(&names, data->sites.items[i].file) == HEDDLE_INTERN_NONE)
			error = -ENOMEM;
	if (!error)
		files = calloc(names.count + 1, sizeof(*files));
	for (size_t i = 0; files && i < data->sites.count; i++) {
		const struct profile_site *site = &data->sites.items[i];
		if (!site->line)
			continue;
		struct heddle_browse_file *file = &files[profile_intern(&names, site->file)];
		file->name = site->file;
		file->self += data->site_self[i];
	}
	if (files) {
		*count = names.count;
		qsort(files, names.count, sizeof(*files), by_cost);
	}
	profile_intern_free(&names);
	return files;
}

static struct files *files_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_files].own;
}

static void release(void *own)
{
	free(((struct files *)own)->items);
}

static int make(struct heddle_browse *browse)
{
	struct files *files = files_of(browse);
	files->items = heddle__browse_list_files(browse, &files->count);
	return files->items ? 0 : -ENOMEM;
}

static size_t count(const struct heddle_browse *browse)
{
	return files_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	columns[COLUMN_SELF] = heddle__browse_share_column("self %", 0);
	columns[COLUMN_METRIC] = heddle__browse_metric_column(browse, 0);
	return COLUMNS;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct heddle_browse_file *file = &files_of(browse)->items[index];
	heddle__browse_share(&row->cells[COLUMN_SELF], file->self, browse->data.whole);
	heddle__browse_value(&row->cells[COLUMN_METRIC], file->self, browse->data.metric);
	row->text = file->name;
	row->length = strlen(file->name);
}

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.file = files_of(browse)->items[index].name;
	return place;
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, heddle__browse_open_source}, {0}};

const struct heddle_browse_view heddle__browse_view_files = {
	.name = "files",
	.names = "source file (Enter chooses)",
	.details = true,
	.zoomed = true,
	.own_size = sizeof(struct files),
	.subject = HEDDLE_BROWSE_FILES,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.acts = acts,
};
