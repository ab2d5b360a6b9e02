/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a measurement again while its program writes it. Since nodes then get other numbers, expanded, selected and
 * zoomed nodes are found again by the labels along their paths.
 */
#include "cli/browse/browse_follow.h"
#include "cli/browse/browse_tree.h"

#include "profile/base/intern.h"
#include "profile/view/view_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- has it changed ---- */

/* The sum does not depend on the order of the files. */
static uint64_t file_fingerprint(int directory, const char *name)
{
	struct stat status;
	if (fstatat(directory, name, &status, 0) != 0 || !S_ISREG(status.st_mode))
		return 0;
	uint64_t hash = profile_hash_bytes(name, strlen(name));
	hash = profile_hash_mix(hash, (uint64_t)status.st_mtim.tv_sec);
	hash = profile_hash_mix(hash, (uint64_t)status.st_mtim.tv_nsec);
	hash = profile_hash_mix(hash, (uint64_t)status.st_ino);
	return profile_hash_mix(hash, (uint64_t)status.st_size) | 1;
}

uint64_t heddle__browse_fingerprint(const char *path)
{
	DIR *entries = opendir(path);
	struct dirent *entry;
	uint64_t sum = 0;
	if (!entries)
		return file_fingerprint(AT_FDCWD, path);
	while ((entry = readdir(entries)) != NULL)
		if (profile_is_name(entry->d_name))
			sum += file_fingerprint(dirfd(entries), entry->d_name);
	closedir(entries);
	return sum;
}

/* ---- nodes by labels ---- */

/* The children of all nodes, to be searched by (parent, label). */
struct edge {
	uint32_t parent, label, node;
};

struct mapping {
	uint32_t *labels; /* for each label of the old view, that of the new view, or HEDDLE_NO_NODE */
	uint32_t *nodes;
	struct edge *edges;
};

static uint64_t label_hash(const struct profile_label *label)
{
	uint64_t hash = profile_hash_bytes(label->text, strlen(label->text));
	hash = profile_hash_mix(hash, profile_hash_bytes(label->file, strlen(label->file)));
	hash = profile_hash_mix(hash, profile_hash_bytes(label->module, strlen(label->module)));
	return profile_hash_mix(hash, label->line * 16u + label->kind);
}

struct hashed {
	uint64_t hash;
	uint32_t label;
};

static int by_hash(const void *a, const void *b)
{
	const struct hashed *x = a, *y = b;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

static int by_edge(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

static bool map_labels(struct mapping *map, const struct profile_view *old, const struct profile_view *new)
{
	struct hashed *known = calloc(new->label_count + 1, sizeof(*known));
	map->labels = calloc(old->label_count + 1, sizeof(*map->labels));
	if (!known || !map->labels) {
		free(known);
		return false;
	}
	for (uint32_t i = 0; i < new->label_count; i++)
		known[i] = (struct hashed){label_hash(&new->labels[i]), i};
	qsort(known, new->label_count, sizeof(*known), by_hash);
	for (uint32_t i = 0; i < old->label_count; i++) {
		struct hashed wanted = {label_hash(&old->labels[i]), 0};
		const struct hashed *found = bsearch(&wanted, known, new->label_count, sizeof(*known), by_hash);
		map->labels[i] = found ? found->label : HEDDLE_NO_NODE;
	}
	free(known);
	return true;
}

static bool map_nodes(struct mapping *map, const struct profile_view *old, const struct profile_view *new)
{
	map->nodes = calloc(old->node_count + 1, sizeof(*map->nodes));
	map->edges = calloc(new->node_count + 1, sizeof(*map->edges));
	if (!map->nodes || !map->edges)
		return false;
	for (uint32_t i = 1; i < new->node_count; i++)
		map->edges[i - 1] = (struct edge){new->parents[i], new->label_of[i], i};
	qsort(map->edges, new->node_count - 1, sizeof(*map->edges), by_edge);
	for (uint32_t i = 1; i < old->node_count; i++) {
		struct edge wanted = {map->nodes[old->parents[i]], map->labels[old->label_of[i]], 0};
		const struct edge *found = NULL;
		if (wanted.parent != HEDDLE_NO_NODE && wanted.label != HEDDLE_NO_NODE)
			found = bsearch(&wanted, map->edges, new->node_count - 1, sizeof(*map->edges), by_edge);
		map->nodes[i] = found ? found->node : HEDDLE_NO_NODE;
	}
	return true;
}

static void free_mapping(struct mapping *map)
{
	free(map->labels);
	free(map->nodes);
	free(map->edges);
}

/* ---- choices that are kept ---- */

/* Returns the thread of the same process and number; NULL: it no longer exists. */
static const struct profile_thread *same_thread(const struct profile_measurement *new,
	const struct profile_measurement *old, const struct profile_thread *thread,
	const struct profile_process **process)
{
	size_t p = 0;
	while (thread && p < old->process_count &&
		(old->processes[p].error || thread < old->processes[p].threads ||
			thread >= old->processes[p].threads + old->processes[p].thread_count))
		p++;
	for (size_t i = 0; thread && p < old->process_count && i < new->process_count; i++) {
		*process = &new->processes[i];
		if ((*process)->error || (*process)->info->pid != old->processes[p].info->pid)
			continue;
		for (size_t t = 0; t < (*process)->thread_count; t++)
			if ((*process)->threads[t].id == thread->id)
				return &(*process)->threads[t];
	}
	*process = NULL;
	return NULL;
}

/* If a zoomed node no longer exists, the whole program is shown. */
static void keep_zooms(struct heddle_browse *browse, struct heddle_browse_data *new, const struct mapping *map)
{
	size_t kept = 0;
	for (size_t i = 0; i < browse->zoom_count; i++)
		if (map->nodes[browse->zooms[i]] != HEDDLE_NO_NODE)
			browse->zooms[kept++] = map->nodes[browse->zooms[i]];
	uint32_t zoom = map->nodes[browse->data.zoom];
	browse->zoom_count = zoom == HEDDLE_NO_NODE ? 0 : kept;
	new->zoom = zoom == HEDDLE_NO_NODE ? 0 : zoom;
}

/* Maps the selections of all views. Names of files belong to the old measurement, except in a view that owns copies. */
static void keep_places(struct heddle_browse *browse, const struct mapping *map, const struct heddle_browse_data *new)
{
	for (size_t i = 0; i < HEDDLE_BROWSE_COUNT; i++) {
		struct heddle_browse_place *place = &browse->states[i].kept;
		const struct profile_process *process;
		if (!browse->states[i].has_kept)
			continue;
		if (!heddle__browse_views[i]->lasting)
			place->file = "";
		place->node = place->node == HEDDLE_NO_NODE ? HEDDLE_NO_NODE : map->nodes[place->node];
		place->label = place->label == HEDDLE_NO_NODE ? HEDDLE_NO_NODE : map->labels[place->label];
		place->thread = same_thread(
			&new->session.measurement, &browse->data.session.measurement, place->thread, &process);
	}
}

/* Returns which nodes of the new view are expanded; NULL: the tree was not shown. */
static bool *keep_open(struct heddle_browse *browse, const struct mapping *map, const struct heddle_browse_data *new)
{
	const bool *open = heddle__browse_tree_open(browse);
	bool *kept = open ? calloc(new->session.view.node_count + 1, sizeof(*kept)) : NULL;
	for (size_t i = 0; kept && i < browse->data.session.view.node_count; i++)
		if (open[i] && map->nodes[i] != HEDDLE_NO_NODE)
			kept[map->nodes[i]] = true;
	return kept;
}

/* ---- replacing ---- */

/* Replaces the old measurement by the new one; afterwards no view refers to the old one. */
static void replace(struct heddle_browse *browse, struct heddle_browse_data *new, bool *open)
{
	heddle__browse_forget_all(browse, false);
	heddle__browse_data_close(&browse->data);
	browse->data = *new;
	heddle__browse_tree_take(browse, open);
	heddle__browse_prepare(browse);
}

static void keep_all(struct heddle_browse *browse, struct heddle_browse_data *new, const struct mapping *map)
{
	bool *open = keep_open(browse, map, new);
	heddle__browse_changed(browse);
	keep_places(browse, map, new);
	new->thread = same_thread(
		&new->session.measurement, &browse->data.session.measurement, browse->data.thread, &new->process);
	keep_zooms(browse, new, map);
	if (browse->callers_of != HEDDLE_NO_NODE)
		browse->callers_of = map->labels[browse->callers_of];
	if ((new->thread || new->zoom) && heddle__browse_data_compute(new) != 0) {
		new->thread = NULL;
		heddle__browse_data_compute(new);
	}
	replace(browse, new, open);
}

bool heddle__browse_reread(struct heddle_browse *browse)
{
	struct heddle_session session;
	struct heddle_browse_data new;
	struct mapping map = {0};
	int metric = browse->data.loaded ? (int)browse->data.metric : -1;
	if (heddle__session_reopen(&session, browse->path, &heddle__browse_session_options) != 0)
		return false;
	if (heddle__browse_data_take(&new, &session, metric) != 0)
		return false;
	if (!browse->data.loaded) {
		heddle__browse_changed(browse);
		replace(browse, &new, NULL);
		return true;
	}
	bool mapped = map_labels(&map, &browse->data.session.view, &new.session.view) &&
		      map_nodes(&map, &browse->data.session.view, &new.session.view);
	if (mapped)
		keep_all(browse, &new, &map);
	else
		heddle__browse_data_close(&new);
	free_mapping(&map);
	return mapped;
}
