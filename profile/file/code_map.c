/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing in a map is trusted: anyone can write to /tmp, and a program may have ended while it wrote a line. */
#include "profile/file/code_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "profile/base/intern.h"
#include "profile/base/printable.h"
#include "profile/base/regular_file.h"

#define NAME_LIMIT 1000
#define SIZE_LIMIT ((off_t)512 << 20)
#define SCAN 64 /* functions before an address that are tried: later functions may be inside earlier ones */

struct entry {
	uint64_t start, size;
	size_t order; /* number of the line: the later of two lines is valid */
	char *name;
	uint32_t string; /* number in the tree + 1; 0: not yet */
};

struct map {
	struct entry *entries;
	size_t count, capacity;
};

/* ---- reading ---- */

static int add_entry(struct map *map, uint64_t start, uint64_t size, const char *name)
{
	int error = profile_reserve(&map->entries, &map->capacity, map->count + 1, sizeof(*map->entries));
	char *copy = error ? NULL : strndup(name, NAME_LIMIT);
	if (!copy)
		return -ENOMEM;
	profile_make_printable(copy);
	map->entries[map->count] = (struct entry){start, size, map->count, copy, 0};
	map->count++;
	return 0;
}

/* Ignores lines of any other form. */
static int read_line(struct map *map, char *line)
{
	char *end;
	uint64_t start = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return 0;
	char *at = end;
	uint64_t size = strtoull(at, &end, 16);
	if (end == at || *end != ' ' || !size || start + size < start)
		return 0;
	end[strcspn(end, "\n")] = '\0';
	return end[1] ? add_entry(map, start, size, end + 1) : 0;
}

static int by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static int read_map(struct map *map, FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	int error = 0;
	while (!error && getline(&line, &room, file) > 0)
		error = read_line(map, line);
	free(line);
	if (map->count)
		qsort(map->entries, map->count, sizeof(*map->entries), by_start);
	return error;
}

static void free_map(struct map *map)
{
	for (size_t i = 0; i < map->count; i++)
		free(map->entries[i].name);
	free(map->entries);
}

/* ---- finding the file ---- */

char *profile_code_map_path(const char *profile_path)
{
	const char *suffix = NULL;
	char *path;
	for (const char *at = profile_path; (at = strstr(at, HEDDLE_FILE_SUFFIX)) != NULL; at++)
		suffix = at;
	if (!suffix || asprintf(&path, "%.*s.map", (int)(suffix - profile_path), profile_path) < 0)
		return NULL;
	return path;
}

static FILE *open_beside(const char *profile_path)
{
	char *path = profile_code_map_path(profile_path);
	FILE *file = path ? profile_open_stream(path) : NULL;
	free(path);
	return file;
}

/* Opens the map of the process itself, not that of an earlier or later process with its pid. */
static FILE *open_in_tmp(const Heddle__Profile__Process *process)
{
	char path[64];
	struct utsname system;
	struct stat status;
	if (uname(&system) != 0 || strcmp(system.nodename, process->host) != 0)
		return NULL;
	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu64 ".map", (uint64_t)process->pid);
	FILE *file = profile_open_stream(path);
	uint64_t start_s = process->start_unix_ns / 1000000000, end_s = start_s + process->duration_ns / 1000000000 + 2;
	if (!file || fstat(fileno(file), &status) != 0)
		return file;
	if (status.st_size <= SIZE_LIMIT && (uint64_t)status.st_mtime >= start_s && (uint64_t)status.st_mtime <= end_s)
		return file;
	fclose(file);
	return NULL;
}

/* ---- naming ---- */

static struct entry *find_entry(struct map *map, uint64_t address)
{
	size_t low = 0, high = map->count;
	struct entry *best = NULL;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (map->entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i > 0 && low - i < SCAN; i--) {
		struct entry *entry = &map->entries[i - 1];
		if (address - entry->start < entry->size && (!best || entry->order > best->order))
			best = entry;
	}
	return best;
}

/* The process's message owns the texts of its tree. */
static int add_string(struct profile_decoded *decoded, struct entry *entry)
{
	Heddle__Profile__Process *process = decoded->process;
	struct profile_call_tree *tree = &decoded->tree;
	char **strings = realloc(process->strings, (process->n_strings + 1) * sizeof(*strings));
	if (!strings)
		return -ENOMEM;
	process->strings = strings;
	if (profile_reserve(&tree->strings, &tree->string_capacity, tree->string_count + 1, sizeof(*tree->strings)))
		return -ENOMEM;
	process->strings[process->n_strings++] = entry->name;
	tree->strings[tree->string_count++] = entry->name;
	entry->name = NULL;
	entry->string = (uint32_t)tree->string_count;
	return 0;
}

static bool is_unnamed(const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_FRAME && HEDDLE_PLACE_MODULE(node->place) == 0;
}

static int name_node(struct profile_decoded *decoded, struct profile_node *node, struct map *map)
{
	struct entry *entry = find_entry(map, HEDDLE_PLACE_OFFSET(node->place));
	int error = entry && !entry->string ? add_string(decoded, entry) : 0;
	if (error || !entry)
		return error;
	node->kind = HEDDLE_NODE_FUNCTION;
	node->place = entry->string - 1;
	return 0;
}

int profile_code_map_apply(struct profile_decoded *decoded, const char *profile_path)
{
	struct profile_call_tree *tree = &decoded->tree;
	struct map map = {0};
	size_t first = 1;
	int error = 0;
	while (first < tree->node_count && !is_unnamed(&tree->nodes[first]))
		first++;
	FILE *file = first < tree->node_count && !decoded->merged ? open_beside(profile_path) : NULL;
	if (!file && first < tree->node_count && !decoded->merged)
		file = open_in_tmp(decoded->process);
	if (!file)
		return 0;
	error = read_map(&map, file);
	fclose(file);
	for (size_t i = first; !error && i < tree->node_count; i++)
		if (is_unnamed(&tree->nodes[i]))
			error = name_node(decoded, &tree->nodes[i], &map);
	free_map(&map);
	return error;
}
