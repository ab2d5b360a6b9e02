/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of all ranks are sorted by file, then by rank, so that rows of a file are adjacent. */
#include "analysis/file_table.h"

#include "profile/base/base_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_NAME "(no name)"

/* A row and its process. */
struct use {
	const struct profile_exchange *row;
	size_t process;
};

uint64_t heddle__file_ns(const struct heddle_file *file)
{
	return file->read_ns + file->write_ns + file->open_ns + file->other_ns;
}

uint64_t heddle__file_bandwidth(const struct heddle_file *file)
{
	double bytes = (double)file->bytes_read + (double)file->bytes_written;
	double rate = file->slowest_ns ? bytes * 1e9 / (double)file->slowest_ns : 0;
	return rate < 1e18 ? (uint64_t)(rate + 0.5) : 0;
}

/* ---- sums ---- */

static int by_file(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	const char *one = x->row->communicator, *other = y->row->communicator; /* equal texts have one address */
	int order = one == other ? 0 : strcmp(one, other);
	return order ? order : (x->process > y->process) - (x->process < y->process);
}

static uint64_t add_row(struct heddle_file *file, const struct profile_exchange *row)
{
	switch (row->kind) {
	case HEDDLE_EXCHANGE_FILE_READ:
		file->reads += row->messages;
		file->bytes_read += row->bytes;
		file->read_ns += row->time_ns;
		return row->time_ns;
	case HEDDLE_EXCHANGE_FILE_WRITTEN:
		file->writes += row->messages;
		file->bytes_written += row->bytes;
		file->write_ns += row->time_ns;
		return row->time_ns;
	case HEDDLE_EXCHANGE_FILE_READING:
		file->read_ns += row->time_ns;
		return row->time_ns;
	case HEDDLE_EXCHANGE_FILE_WRITING:
		file->write_ns += row->time_ns;
		return row->time_ns;
	case HEDDLE_EXCHANGE_FILE_OPENED:
		file->opens += row->messages;
		file->open_ns += row->time_ns;
		return 0;
	case HEDDLE_EXCHANGE_FILE_CLOSED:
		file->open_ns += row->time_ns;
		return 0;
	default:
		file->other_ns += row->time_ns;
		return 0;
	}
}

/* Adds the uses of one file, from `first` on. Returns the index of the next file's first use. */
static size_t add_uses(struct heddle_file *file, const struct use *uses, size_t first, size_t count)
{
	size_t i = first;
	while (i < count && uses[i].row->communicator == uses[first].row->communicator) {
		uint64_t moving = 0;
		size_t process = uses[i].process;
		for (; i < count && uses[i].process == process &&
			uses[i].row->communicator == uses[first].row->communicator;
			i++)
			moving += add_row(file, uses[i].row);
		file->ranks++;
		file->slowest_ns = moving > file->slowest_ns ? moving : file->slowest_ns;
	}
	return i;
}

/* Returns NULL if there is no memory. */
static struct use *find_uses(const struct profile_measurement *measurement, size_t *found)
{
	size_t rows = 0, count = 0;
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++)
			rows += measurement->processes[p].threads[t].exchanges.count;
	struct use *uses = calloc(rows + 1, sizeof(*uses));
	for (size_t p = 0; uses && p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++) {
			const struct profile_exchanges *exchanges = &measurement->processes[p].threads[t].exchanges;
			for (size_t i = 0; i < exchanges->count; i++)
				if (HEDDLE_EXCHANGE_IS_OF_FILE(exchanges->rows[i].kind))
					uses[count++] = (struct use){&exchanges->rows[i], p};
		}
	*found = count;
	return uses;
}

/* ---- names ---- */

/* Returns how many bytes the ends of two names have in common. */
static size_t common_end(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t length = 0;
	while (length < a_length && length < b_length && a[a_length - length - 1] == b[b_length - length - 1])
		length++;
	return length;
}

/* Sorts files whose names end alike together. */
static int by_end(const void *a, const void *b)
{
	const char *one = ((const struct heddle_file *)a)->name, *other = ((const struct heddle_file *)b)->name;
	size_t length = strlen(one), other_length = strlen(other);
	size_t same = common_end(one, length, other, other_length);
	if (same == length || same == other_length)
		return (length > other_length) - (length < other_length);
	return (unsigned char)one[length - same - 1] < (unsigned char)other[other_length - same - 1] ? -1 : 1;
}

/* Returns as many parts of the path as distinguish it from its two neighbours in that order. */
static const char *shorten(const struct heddle_file *files, size_t count, size_t i)
{
	const char *name = files[i].name;
	size_t length = strlen(name), same = 0;
	for (size_t other = i ? i - 1 : i + 1; other < count && other <= i + 1; other += 2) {
		size_t more = common_end(name, length, files[other].name, strlen(files[other].name));
		same = more > same ? more : same;
	}
	const char *base = profile_base_name(name), *shown = name + (length - same);
	while (shown > name && shown[-1] != '/')
		shown--;
	return same == length ? name : shown < base ? shown : base;
}

static int by_time(const void *a, const void *b)
{
	const struct heddle_file *x = a, *y = b;
	uint64_t one = heddle__file_ns(x), other = heddle__file_ns(y);
	return one != other ? (one < other ? 1 : -1) : strcmp(x->name, y->name);
}

/* ---- the table ---- */

int heddle__file_table_make(struct heddle_file_table *table, const struct profile_measurement *measurement)
{
	size_t uses_count, i = 0;
	*table = (struct heddle_file_table){0};
	struct use *uses = find_uses(measurement, &uses_count);
	table->files = uses ? calloc(uses_count + 1, sizeof(*table->files)) : NULL;
	if (!table->files) {
		free(uses);
		return -ENOMEM;
	}
	qsort(uses, uses_count, sizeof(*uses), by_file);
	while (i < uses_count) {
		struct heddle_file *file = &table->files[table->count++];
		file->name = *uses[i].row->communicator ? uses[i].row->communicator : NO_NAME;
		i = add_uses(file, uses, i, uses_count);
	}
	free(uses);
	qsort(table->files, table->count, sizeof(*table->files), by_end);
	for (i = 0; i < table->count; i++)
		table->files[i].shown = shorten(table->files, table->count, i);
	qsort(table->files, table->count, sizeof(*table->files), by_time);
	return 0;
}

void heddle__file_table_free(struct heddle_file_table *table)
{
	free(table->files);
	*table = (struct heddle_file_table){0};
}
