/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file. Unknown names are kept, but never looked up. */
#include "cli/base/network_costs.h"

#include "cli/base/exit_status.h"
#include "profile/base/intern.h"
#include "profile/base/regular_file.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool add_value(struct heddle_network *network, const char *name, const char *text)
{
	struct heddle_network_value value;
	size_t capacity = network->count;
	char *end;
	value.value = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(value.value) || value.value < 0 ||
		strlen(name) >= sizeof value.name)
		return false;
	memcpy(value.name, name, strlen(name) + 1);
	if (profile_reserve(&network->values, &capacity, network->count + 1, sizeof value) != 0)
		return false;
	network->values[network->count++] = value;
	return true;
}

static bool set_text(char **text, const char *value)
{
	free(*text);
	*text = strdup(value);
	return *text;
}

/* Adds a line, which is printed later. Returns false if it has other characters than printable ASCII. */
static bool add_listening(struct heddle_network *network, const char *line)
{
	char *text = NULL;
	for (const char *c = line; *c; c++) {
		if (*c < ' ' || *c > '~')
			return false;
	}
	if (asprintf(&text, "%s%s\n", network->listening, line) < 0)
		return false;
	free(network->listening);
	network->listening = text;
	return true;
}

/* Parses a line, without its end. Returns false if the line is not valid in such a file. */
static bool take_line(struct heddle_network *network, char *line)
{
	char *value = strchr(line, ' ');
	if (*line == '#' || *line == '\0')
		return true;
	if (!value)
		return false;
	*value++ = '\0';
	if (strcmp(line, "host") == 0)
		return set_text(&network->host, value);
	if (strcmp(line, "date") == 0)
		return set_text(&network->date, value);
	if (strcmp(line, "settings") == 0)
		return set_text(&network->settings, value);
	if (strcmp(line, "listens") == 0)
		return add_listening(network, value);
	return add_value(network, line, value);
}

static int complain(const char *path, size_t number, const char *what)
{
	if (number)
		fprintf(stderr, "heddle: %s:%zu: %s; write a new one with heddle doctor --network -o FILE\n", path,
			number, what);
	else
		fprintf(stderr, "heddle: %s: %s\n", path, what);
	return number ? HEDDLE_EXIT_BROKEN : HEDDLE_EXIT_NOT_FOUND;
}

static int read_lines(struct heddle_network *network, const char *path, FILE *file)
{
	char *line = NULL;
	size_t room = 0, number = 0;
	int status = 0;
	while (!status && getline(&line, &room, file) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (++number == 1 && strcmp(line, HEDDLE_NETWORK_FIRST_LINE) != 0)
			status = complain(path, number, "not a file written by heddle doctor --network");
		else if (number > 1 && !take_line(network, line))
			status = complain(path, number, "not understood");
	}
	free(line);
	if (!status && isnan(heddle__network_value(network, "threads")))
		status = complain(path, number + 1, "the number of threads is missing");
	return status;
}

int heddle__network_read(struct heddle_network *network, const char *path)
{
	FILE *file = profile_open_stream(path);
	int status;
	*network = (struct heddle_network){
		.host = strdup(""), .date = strdup(""), .settings = strdup(""), .listening = strdup("")};
	status = file ? read_lines(network, path, file) : complain(path, 0, strerror(errno));
	if (file)
		fclose(file);
	if (status)
		heddle__network_free(network);
	return status;
}

void heddle__network_free(struct heddle_network *network)
{
	free(network->host);
	free(network->date);
	free(network->settings);
	free(network->listening);
	free(network->values);
	*network = (struct heddle_network){0};
}

double heddle__network_value(const struct heddle_network *network, const char *name)
{
	for (size_t i = 0; i < network->count; i++)
		if (strcmp(network->values[i].name, name) == 0)
			return network->values[i].value;
	return NAN;
}

/* Makes "get.remote.all.", the common beginning of the names for all sizes. */
static void name_sizes(char *name, size_t size, const char *operation, enum heddle_network_memory memory,
	enum heddle_network_load load)
{
	snprintf(name, size, "%s.%s.%s.", operation, memory == HEDDLE_MEMORY_REMOTE ? "remote" : "same-node",
		load == HEDDLE_LOAD_ALL ? "all" : "one");
}

double heddle__network_access(const struct heddle_network *network, const char *operation,
	enum heddle_network_memory memory, enum heddle_network_load load, size_t bytes)
{
	char name[64];
	size_t length;
	name_sizes(name, sizeof name, operation, memory, load);
	length = strlen(name);
	snprintf(name + length, sizeof name - length, "%zu", bytes);
	return heddle__network_value(network, name);
}

bool heddle__network_has_size(const struct heddle_network *network, const char *operation, size_t bytes)
{
	return !isnan(heddle__network_access(network, operation, HEDDLE_MEMORY_SAME_NODE, HEDDLE_LOAD_ONE, bytes)) ||
	       !isnan(heddle__network_access(network, operation, HEDDLE_MEMORY_REMOTE, HEDDLE_LOAD_ONE, bytes));
}

/* A measured size in bytes, and its time in microseconds. */
struct point {
	double bytes, time;
};

/* Returns the time on the line through two points, at least 0. */
static double on_line(struct point a, struct point b, double bytes)
{
	double time = a.time + (b.time - a.time) * (bytes - a.bytes) / (b.bytes - a.bytes);
	return time > 0 ? time : 0;
}

double heddle__network_transfer(const struct heddle_network *network, const char *operation,
	enum heddle_network_memory memory, enum heddle_network_load load, double bytes)
{
	struct point before = {0}, last = {0};
	char name[64];
	size_t points = 0;
	name_sizes(name, sizeof name, operation, memory, load);
	for (size_t i = 0; i < network->count; i++) { /* sizes ascend */
		const struct heddle_network_value *value = &network->values[i];
		if (strncmp(value->name, name, strlen(name)) != 0)
			continue;
		before = last;
		last = (struct point){atof(value->name + strlen(name)), value->value};
		if (points++ == 0 && bytes <= last.bytes)
			return last.time;
		if (bytes <= last.bytes)
			break;
	}
	if (points == 0)
		return NAN;
	return points == 1 ? last.time : on_line(before, last, bytes);
}

static bool has_suffix(const char *name)
{
	size_t length = strlen(name), suffix = strlen(HEDDLE_NETWORK_SUFFIX);
	return length > suffix && *name != '.' && strcmp(name + length - suffix, HEDDLE_NETWORK_SUFFIX) == 0;
}

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

const char *heddle__newest_network(void)
{
	static char newest[NAME_MAX + 1];
	struct timespec latest = {0};
	DIR *entries = opendir(".");
	struct dirent *entry;
	struct stat status;
	newest[0] = '\0';
	while (entries && (entry = readdir(entries)) != NULL) {
		if (!has_suffix(entry->d_name) || stat(entry->d_name, &status) != 0 || !S_ISREG(status.st_mode) ||
			(newest[0] && !is_later(status.st_mtim, latest)))
			continue;
		latest = status.st_mtim;
		snprintf(newest, sizeof newest, "%s", entry->d_name);
	}
	if (entries)
		closedir(entries);
	return newest[0] ? newest : NULL;
}
