/* SPDX-License-Identifier: BSD-3-Clause */
/* A row's key is the function or region in which its paths end; that of a region includes its function and line. */
#include "analysis/comparison_rows.h"

#include <errno.h>
#include <stdlib.h>

/* Returns the function of a region: regions of different functions are different rows. */
static uint32_t function_of(const struct heddle_comparison *all, uint32_t path)
{
	for (uint32_t at = all->paths[path].parent; at != 0; at = all->paths[at].parent)
		if (all->paths[at].kind == HEDDLE_NODE_FRAME || all->paths[at].kind == HEDDLE_NODE_FUNCTION)
			return all->paths[at].key;
	return HEDDLE_INTERN_NONE;
}

static int add_path(struct heddle_common_rows *rows, const struct heddle_comparison *all, uint32_t path)
{
	const struct heddle_common_path *of = &all->paths[path];
	bool has_line = of->line != HEDDLE_NO_LINE;
	const uint64_t key[] = {of->key, has_line ? function_of(all, path) : 0, (uint64_t)of->line};
	uint32_t row = profile_intern_bytes(&rows->keys, key, sizeof(key));
	size_t runs = all->run_count;
	if (row == HEDDLE_INTERN_NONE ||
		profile_reserve(&rows->values, &rows->value_capacity, (row + 1) * runs, sizeof(*rows->values)) != 0 ||
		profile_reserve(&rows->path, &rows->path_capacity, (size_t)row + 1, sizeof(*rows->path)) != 0)
		return -ENOMEM;
	rows->path[row] = path;
	rows->row_of[path] = row;
	for (size_t r = 0; r < runs; r++)
		rows->values[row * runs + r] += (double)heddle__run_own(&all->runs[r], path);
	return 0;
}

int heddle__common_rows_make(struct heddle_common_rows *rows, const struct heddle_comparison *comparison)
{
	*rows = (struct heddle_common_rows){.row_of = calloc(comparison->count + 1, sizeof(*rows->row_of))};
	int error = rows->row_of ? 0 : -ENOMEM;
	for (uint32_t i = 0; !error && i < comparison->count; i++)
		error = add_path(rows, comparison, i);
	return error;
}

void heddle__common_rows_free(struct heddle_common_rows *rows)
{
	free(rows->values);
	free(rows->path);
	free(rows->row_of);
	profile_intern_free(&rows->keys);
	*rows = (struct heddle_common_rows){0};
}
