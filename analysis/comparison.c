/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs regions by dynamic programming over two lists of lines; matches all others by name, in a hash table. */
#include "analysis/comparison.h"

#include "profile/base/base_name.h"
#include "profile/view/view_walk.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Longer lists are paired by order alone. */
#define PAIR_LIMIT ((size_t)1 << 24)

/* ---- pairing ---- */

struct pairing {
	const int64_t *few, *many; /* the shorter and the longer list */
	size_t few_count, many_count;
	uint64_t *least; /* [few][many]: least sum with these two paired, and all of the shorter list up to there */
	uint32_t *from;  /* likewise: the line of the longer list that was paired before it */
};

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Adds the change of shift since the pair before; for the first pair, the shift itself. */
static void pair_one(struct pairing *pairing, size_t i, size_t j)
{
	size_t at = i * pairing->many_count + j;
	int64_t shift = pairing->many[j] - pairing->few[i];
	pairing->least[at] = i == 0 ? distance(shift, 0) : UINT64_MAX;
	for (size_t k = i == 0 ? j : i - 1; k < j; k++) {
		uint64_t before = pairing->least[(i - 1) * pairing->many_count + k];
		uint64_t sum = before + distance(shift, pairing->many[k] - pairing->few[i - 1]);
		if (sum >= pairing->least[at])
			continue;
		pairing->least[at] = sum;
		pairing->from[at] = (uint32_t)k;
	}
}

/* Returns the line of the longer list that is paired with the last line of the shorter list. */
static size_t best_end(const struct pairing *pairing)
{
	const uint64_t *row = pairing->least + (pairing->few_count - 1) * pairing->many_count;
	size_t best = pairing->few_count - 1;
	for (size_t j = best + 1; j < pairing->many_count; j++)
		if (row[j] < row[best])
			best = j;
	return best;
}

static int pair_uneven(struct pairing *pairing, bool fresh_is_few, size_t *pair)
{
	size_t count = pairing->few_count * pairing->many_count;
	pairing->least = calloc(count, sizeof(*pairing->least));
	pairing->from = calloc(count, sizeof(*pairing->from));
	int error = pairing->least && pairing->from ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < pairing->few_count; i++)
		for (size_t j = i; j < pairing->many_count; j++)
			pair_one(pairing, i, j);
	if (!error) {
		size_t j = best_end(pairing);
		for (size_t i = pairing->few_count; i-- > 0; j = pairing->from[i * pairing->many_count + j])
			pair[fresh_is_few ? i : j] = fresh_is_few ? j : i;
	}
	free(pairing->least);
	free(pairing->from);
	return error;
}

int heddle__pair_lines(const int64_t *old, size_t old_count, const int64_t *fresh, size_t fresh_count, size_t *pair)
{
	bool fresh_is_few = fresh_count < old_count;
	struct pairing pairing = {.few = fresh_is_few ? fresh : old,
		.many = fresh_is_few ? old : fresh,
		.few_count = fresh_is_few ? fresh_count : old_count,
		.many_count = fresh_is_few ? old_count : fresh_count};
	bool in_order = old_count == fresh_count || pairing.few_count == 0 ||
			pairing.few_count > PAIR_LIMIT / pairing.many_count / pairing.many_count;
	for (size_t f = 0; f < fresh_count; f++)
		pair[f] = in_order && f < old_count ? f : old_count;
	return in_order ? 0 : pair_uneven(&pairing, fresh_is_few, pair);
}

/* ---- paths ---- */

struct wanted {
	uint32_t parent, key;
};

static uint64_t hash_of(const void *owner, uint32_t number)
{
	const struct heddle_comparison *all = owner;
	return profile_hash_pair(all->paths[number].parent, all->paths[number].key);
}

static bool is_path(const void *owner, uint32_t number, const void *key)
{
	const struct heddle_common_path *path = &((const struct heddle_comparison *)owner)->paths[number];
	const struct wanted *wanted = key;
	return path->parent == wanted->parent && path->key == wanted->key;
}

/* The index has only the newest path of each chain of paths with equal parent and key. */
static const struct profile_index_kind path_kind = {hash_of, is_path, 1024};

/* Returns 0 if there is none. */
static uint32_t find_path(const struct heddle_comparison *all, uint32_t parent, uint32_t key)
{
	struct wanted wanted = {parent, key};
	uint32_t found = profile_index_find(&all->index, &path_kind, all, &wanted, profile_hash_pair(parent, key));
	return found == UINT32_MAX ? 0 : found;
}

static int append(struct heddle_comparison *all, uint32_t parent, uint32_t key, int64_t line, uint32_t *number)
{
	struct wanted wanted = {parent, key};
	uint32_t *bucket = profile_index_bucket(&all->index, &path_kind, all, &wanted, profile_hash_pair(parent, key));
	if (!bucket)
		return -ENOMEM;
	int error = profile_reserve(&all->paths, &all->capacity, all->count + 1, sizeof(*all->paths));
	if (error)
		return error;
	uint32_t next = *bucket ? *bucket - 1 : 0;
	all->paths[all->count] = (struct heddle_common_path){parent, key, next, line, "", 0};
	*number = (uint32_t)all->count++;
	if (*number != 0) /* the root is never looked up */
		profile_index_put(&all->index, bucket, *number);
	return 0;
}

/* ---- what must be equal ---- */

/* Returns the function that a node is in: the nearest frame at or above it. */
static const struct profile_label *function_of(const struct profile_view *view, uint32_t node)
{
	for (; node != 0; node = view->parents[node])
		if (view->labels[view->label_of[node]].kind == HEDDLE_NODE_FRAME)
			return &view->labels[view->label_of[node]];
	return NULL;
}

/* Removes ":52" or "+0x1f" from the end of a region's name. Returns the number, or HEDDLE_NO_LINE. */
static int64_t cut_number(char *text)
{
	char *end = text + strlen(text), *at = end;
	while (at > text && isxdigit((unsigned char)at[-1]))
		at--;
	if (at < end && at - text >= 3 && memcmp(at - 3, "+0x", 3) == 0) {
		int64_t number = strtoll(at, NULL, 16);
		at[-3] = '\0';
		return number;
	}
	for (at = end; at > text && isdigit((unsigned char)at[-1]);)
		at--;
	if (at == end || at == text || at[-1] != ':')
		return HEDDLE_NO_LINE;
	int64_t number = strtoll(at, NULL, 10);
	at[-1] = '\0';
	return number;
}

/* Removes the file name: source files may be renamed between builds. */
static void cut_file(char *text)
{
	char *at = strrchr(text, '@');
	if (at)
		*at = '\0';
}

static int make_key(
	struct heddle_comparison *all, const struct profile_view *view, uint32_t node, uint32_t *key, int64_t *line)
{
	const struct profile_label *label = &view->labels[view->label_of[node]], *function;
	char *text;
	/* A function reported by events and one found by samples are equal. */
	int kind = label->kind == HEDDLE_NODE_FUNCTION ? HEDDLE_NODE_FRAME : label->kind;
	if (asprintf(&text, "%c%s", 'a' + kind, label->text) < 0)
		return -ENOMEM;
	*line = label->kind == HEDDLE_NODE_REGION ? cut_number(text) : HEDDLE_NO_LINE;
	if (*line != HEDDLE_NO_LINE && label->line)
		cut_file(text);
	function = *line != HEDDLE_NO_LINE && label->line ? function_of(view, view->parents[node]) : NULL;
	if (function && function->line &&
		strcmp(profile_base_name(function->file), profile_base_name(label->file)) == 0)
		*line -= function->line;
	*key = profile_intern(&all->keys, text);
	free(text);
	return *key == HEDDLE_INTERN_NONE ? -ENOMEM : 0;
}

/* ---- adding a view ---- */

struct child {
	uint32_t node, key;
	int64_t line;
};

struct adding {
	struct heddle_comparison *all;
	const struct profile_view *view;
	uint32_t *map; /* from nodes of the view to paths */
	struct child *children;
	int64_t *lines, *old_lines;
	uint32_t *old;
	size_t *pair;
	size_t line_capacity, old_line_capacity, old_capacity, pair_capacity;
};

static int by_key_and_line(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static int give_text(struct adding *add, uint32_t node, uint32_t number)
{
	const struct profile_label *label = &add->view->labels[add->view->label_of[node]];
	struct heddle_common_path *path = &add->all->paths[number];
	path->text = profile_intern_text(&add->all->texts, label->text);
	path->kind = label->kind;
	add->map[node] = number;
	return path->text ? 0 : -ENOMEM;
}

static int by_line(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Lists the existing paths of a parent and key, ascending by line. */
static int list_old(struct adding *add, uint32_t parent, uint32_t key, size_t *count)
{
	*count = 0;
	for (uint32_t at = find_path(add->all, parent, key); at != 0; at = add->all->paths[at].next) {
		if (profile_reserve(&add->old_lines, &add->old_line_capacity, *count + 1, sizeof(*add->old_lines)) ||
			profile_reserve(&add->old, &add->old_capacity, *count + 1, sizeof(*add->old)))
			return -ENOMEM;
		size_t i = (*count)++;
		for (; i > 0 && by_line(&add->old_lines[i - 1], &add->all->paths[at].line) > 0; i--) {
			add->old_lines[i] = add->old_lines[i - 1];
			add->old[i] = add->old[i - 1];
		}
		add->old_lines[i] = add->all->paths[at].line;
		add->old[i] = at;
	}
	return 0;
}

/* Adds children with one key. Nodes at the same line, or without a line, are one path. */
static int add_group(struct adding *add, uint32_t parent, const struct child *group, size_t count)
{
	size_t old_count, fresh = 0;
	int error = list_old(add, parent, group->key, &old_count);
	if (!error)
		error = profile_reserve(&add->lines, &add->line_capacity, count, sizeof(*add->lines));
	if (!error)
		error = profile_reserve(&add->pair, &add->pair_capacity, count, sizeof(*add->pair));
	for (size_t i = 0; !error && i < count; i++)
		if (i == 0 || group[i].line != group[i - 1].line)
			add->lines[fresh++] = group[i].line;
	if (!error)
		error = heddle__pair_lines(add->old_lines, old_count, add->lines, fresh, add->pair);
	uint32_t number = 0;
	for (size_t i = 0, row = 0; !error && i < count; i++) {
		if (i == 0 || group[i].line != group[i - 1].line) {
			size_t pair = add->pair[row++];
			if (pair < old_count)
				number = add->old[pair];
			else
				error = append(add->all, parent, group->key, group[i].line, &number);
		}
		if (!error)
			error = give_text(add, group[i].node, number);
	}
	return error;
}

static int add_children(struct adding *add, uint32_t node, const uint32_t *list, size_t count)
{
	int error = 0;
	for (size_t i = 0; !error && i < count; i++) {
		add->children[i].node = list[i];
		error = make_key(add->all, add->view, list[i], &add->children[i].key, &add->children[i].line);
	}
	if (!error)
		qsort(add->children, count, sizeof(*add->children), by_key_and_line);
	for (size_t first = 0, end; !error && first < count; first = end) {
		for (end = first + 1; end < count && add->children[end].key == add->children[first].key;)
			end++;
		error = add_group(add, add->map[node], &add->children[first], end - first);
	}
	return error;
}

static int add_paths(struct adding *add)
{
	const struct profile_view *view = add->view;
	struct profile_view_children children = {0};
	uint32_t root = 0;
	int error = profile_view_children_make(&children, view, NULL);
	if (!error && add->all->count == 0)
		error = append(add->all, 0, HEDDLE_INTERN_NONE, HEDDLE_NO_LINE, &root);
	if (!error)
		error = give_text(add, 0, 0);
	for (uint32_t node = 0; !error && node < view->node_count; node++)
		error = add_children(add, node, children.list + children.first[node],
			children.first[node + 1] - children.first[node]);
	profile_view_children_free(&children);
	return error;
}

static void add_up(uint64_t *sums, const uint64_t *values, const struct adding *add)
{
	for (size_t i = 0; values && i < add->view->node_count; i++)
		sums[add->map[i]] += values[i];
}

static int add_run(struct adding *add, const struct heddle_path_times *times)
{
	struct heddle_comparison *all = add->all;
	if (profile_reserve(&all->runs, &all->run_capacity, all->run_count + 1, sizeof(*all->runs)) != 0)
		return -ENOMEM;
	struct heddle_compared_run *run = &all->runs[all->run_count++];
	*run = (struct heddle_compared_run){.own = calloc(all->count, sizeof(uint64_t)),
		.total = calloc(all->count, sizeof(uint64_t)),
		.most_total = times->most_total ? calloc(all->count, sizeof(uint64_t)) : NULL,
		.count = all->count};
	if (!run->own || !run->total || (times->most_total && !run->most_total))
		return -ENOMEM;
	add_up(run->own, times->own, add);
	add_up(run->total, times->total, add);
	add_up(run->most_total, times->most_total, add);
	return 0;
}

int heddle__comparison_add_times(
	struct heddle_comparison *comparison, const struct profile_view *view, const struct heddle_path_times *times)
{
	struct adding add = {
		.all = comparison,
		.view = view,
		.map = calloc(view->node_count + 1, sizeof(*add.map)),
		.children = calloc(view->node_count + 1, sizeof(*add.children)),
	};
	int error = add.map && add.children ? add_paths(&add) : -ENOMEM;
	if (!error)
		error = add_run(&add, times);
	free(add.map);
	free(add.children);
	free(add.lines);
	free(add.old_lines);
	free(add.old);
	free(add.pair);
	return error;
}

int heddle__comparison_add(
	struct heddle_comparison *comparison, const struct profile_view *view, enum heddle_metric metric)
{
	struct heddle_path_times times = {.own = view->values[metric]};
	if (times.own)
		times.total = profile_view_inclusive(view, metric);
	int error = times.own && !times.total ? -ENOMEM : 0;
	if (!error)
		error = heddle__comparison_add_times(comparison, view, &times);
	free(times.total);
	return error;
}

void heddle__comparison_free(struct heddle_comparison *comparison)
{
	for (size_t i = 0; i < comparison->run_count; i++) {
		free(comparison->runs[i].own);
		free(comparison->runs[i].total);
		free(comparison->runs[i].most_total);
	}
	free(comparison->runs);
	free(comparison->paths);
	profile_index_free(&comparison->index);
	profile_intern_free(&comparison->keys);
	profile_intern_free(&comparison->texts);
	*comparison = (struct heddle_comparison){0};
}

uint64_t heddle__run_total(const struct heddle_compared_run *run, uint32_t path)
{
	return path < run->count ? run->total[path] : 0;
}

uint64_t heddle__run_own(const struct heddle_compared_run *run, uint32_t path)
{
	return path < run->count ? run->own[path] : 0;
}

uint64_t heddle__run_most_total(const struct heddle_compared_run *run, uint32_t path)
{
	return run->most_total && path < run->count ? run->most_total[path] : 0;
}
