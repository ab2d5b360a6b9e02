/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A SQLite database with a measurement as tables, for queries. Paths are numbered in preorder, so the paths below a
 * path are a range of numbers. Without libsqlite3 the format is listed, but can't be written.
 */
#include "export/sqlite.h"

#include "export/formats.h"

#ifndef HEDDLE_HAVE_SQLITE

const struct export_format export_sqlite = {
	.name = "sqlite",
	.summary = "a SQLite database of all metrics by path and thread; not in this build",
	.missing = "SQLite (package libsqlite3-dev)",
	.output = EXPORT_FILE,
};

#else

#include "analysis/exchange_table.h"
#include "analysis/file_table.h"
#include "export/costs.h"
#include "export/sqlite_efficiency.h"
#include "export/sqlite_rows.h"

#include "profile/view/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A cell is a node of the view and a source line: values are stored by cell. */
struct cell {
	uint32_t node, source; /* source 0: unknown */
};

struct writer {
	const struct export_request *request;
	struct export_rows rows;
	struct profile_sites sites;
	struct profile_sites cells; /* items of `sites`, by cell; of_node and inside are cells */
	struct profile_intern cell_keys, source_keys;
	uint32_t *order, *numbers; /* nodes of the view in preorder, and the number of each in that order */
	size_t process;            /* of the last thread */
	const struct profile_process *last;
};

/* ---- small tables ---- */

static void write_about(struct writer *writer)
{
	export_rows_begin(&writer->rows, "about", 2);
	export_rows_put_text(&writer->rows, "version");
	export_rows_put_number(&writer->rows, EXPORT_SQLITE_VERSION);
	export_rows_next(&writer->rows);
	export_rows_put_text(&writer->rows, "writer");
	export_rows_put_text(&writer->rows, writer->request->version);
	export_rows_next(&writer->rows);
	export_rows_put_text(&writer->rows, "merged");
	export_rows_put_number(&writer->rows, writer->request->measurement->merged ? 1 : 0);
	export_rows_next(&writer->rows);
	export_rows_end(&writer->rows);
}

static void write_metrics(struct writer *writer)
{
	export_rows_begin(&writer->rows, "metric", 5);
	for (size_t m = 0; m < writer->request->metric_count; m++) {
		enum heddle_metric metric = writer->request->metrics[m];
		export_rows_put_number(&writer->rows, m);
		export_rows_put_text(&writer->rows, profile_metric_name(metric));
		export_rows_put_text(&writer->rows, profile_metric_unit(metric));
		export_rows_put_text(&writer->rows, profile_metric_meaning(metric));
		export_rows_put_number(&writer->rows, profile_metric_is_of_threads(metric));
		export_rows_next(&writer->rows);
	}
	export_rows_end(&writer->rows);
}

/* Writes arguments as one text, separated by blanks. */
static void put_arguments(struct writer *writer, const Heddle__Profile__Process *info)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	for (size_t i = 0; stream && i < info->n_arguments; i++)
		fprintf(stream, i ? " %s" : "%s", info->arguments[i]);
	if (!stream || fclose(stream) != 0)
		export_rows_note(&writer->rows, SQLITE_NOMEM);
	else
		export_rows_put_text(&writer->rows, text);
	free(text);
}

static void write_processes(struct writer *writer)
{
	const struct profile_measurement *measurement = writer->request->measurement;
	size_t number = 0;
	export_rows_begin(&writer->rows, "process", 9);
	for (size_t p = 0; p < measurement->process_count; p++) {
		const Heddle__Profile__Process *info = measurement->processes[p].info;
		if (measurement->processes[p].error)
			continue;
		export_rows_put_number(&writer->rows, number++);
		export_rows_put_number(&writer->rows, info->pid);
		export_rows_put_text(&writer->rows, info->program);
		put_arguments(writer, info);
		export_rows_put_text(&writer->rows, info->host);
		export_rows_put_number(&writer->rows, info->start_unix_ns);
		export_rows_put_number(&writer->rows, info->duration_ns);
		export_rows_put_number(&writer->rows, info->cpu_ns);
		export_rows_put_text_or_null(&writer->rows, info->ended_by);
		export_rows_next(&writer->rows);
	}
	export_rows_end(&writer->rows);
}

static int write_thread(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct writer *writer = context;
	char name[256];
	writer->process += writer->last && writer->last != process;
	writer->last = process;
	export_row_name(writer->request, thread, name, sizeof(name));
	export_rows_put_number(&writer->rows, number);
	export_rows_put_number(&writer->rows, writer->process);
	export_rows_put_number(&writer->rows, thread->id);
	export_rows_put_number(&writer->rows, thread->tid);
	export_rows_put_text(&writer->rows, name);
	export_rows_put_text_or_null(&writer->rows, thread->role);
	export_rows_put_text_or_null(&writer->rows, thread->name);
	export_rows_put_text_or_null(&writer->rows, thread->model);
	export_rows_put_number_or_null(&writer->rows, thread->rank, thread->rank - (uint64_t)1);
	export_rows_put_text_or_null(&writer->rows, thread->rank_model);
	export_rows_put_number_or_null(&writer->rows, thread->number >= 0, (uint64_t)thread->number);
	export_rows_put_number(&writer->rows, profile_thread_number(thread));
	export_rows_put_number(&writer->rows, thread->start_ns);
	export_rows_put_number(&writer->rows, thread->end_ns);
	export_rows_put_number(&writer->rows, thread->wall_ns);
	export_rows_put_number(&writer->rows, thread->cpu_ns);
	export_rows_next(&writer->rows);
	return 0;
}

static int write_states_of(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct writer *writer = context;
	(void)process;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		for (size_t m = 0; m < writer->request->metric_count; m++) {
			uint64_t value = profile_thread_value(thread, writer->request->metrics[m], s);
			if (!value)
				continue;
			export_rows_put_number(&writer->rows, number);
			export_rows_put_number(&writer->rows, (uint64_t)s);
			export_rows_put_number(&writer->rows, m);
			export_rows_put_number(&writer->rows, value);
			export_rows_next(&writer->rows);
		}
	}
	return 0;
}

static int write_threads(struct writer *writer)
{
	export_rows_begin(&writer->rows, "thread", 16);
	int error = export_threads_each(writer->request, write_thread, writer);
	export_rows_end(&writer->rows);
	export_rows_begin(&writer->rows, "state", 3);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		export_rows_put_number(&writer->rows, (uint64_t)s);
		export_rows_put_text(&writer->rows, profile_state_label(s));
		export_rows_put_number(&writer->rows, profile_state_waits(s));
		export_rows_next(&writer->rows);
	}
	export_rows_end(&writer->rows);
	export_rows_begin(&writer->rows, "state_sum", 4);
	if (!error)
		error = export_threads_each(writer->request, write_states_of, writer);
	export_rows_end(&writer->rows);
	return error;
}

static void write_functions(struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	export_rows_begin(&writer->rows, "function", 6);
	for (size_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		export_rows_put_number(&writer->rows, i);
		export_rows_put_text(&writer->rows, label->text);
		export_rows_put_text(&writer->rows, export_kind_name(label->kind));
		export_rows_put_text_or_null(&writer->rows, label->file);
		export_rows_put_number_or_null(&writer->rows, label->line, label->line);
		export_rows_put_text_or_null(&writer->rows, label->module);
		export_rows_next(&writer->rows);
	}
	export_rows_end(&writer->rows);
}

/* ---- paths ---- */

static int number_paths(struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	struct profile_view_children children;
	int error = profile_view_children_make(&children, view, NULL);
	if (error)
		return error;
	writer->order = profile_view_depth_first(view, &children);
	writer->numbers = malloc(view->node_count * sizeof(*writer->numbers));
	profile_view_children_free(&children);
	if (!writer->order || !writer->numbers)
		return -ENOMEM;
	for (uint32_t i = 0; i < view->node_count; i++)
		writer->numbers[writer->order[i]] = i;
	return 0;
}

/* Finds the number of the last path below each node of the view. Parents come before children. */
static void find_last(const struct writer *writer, uint32_t *last)
{
	const struct profile_view *view = writer->request->view;
	for (size_t i = 0; i < view->node_count; i++)
		last[i] = writer->numbers[i];
	for (size_t i = view->node_count; i-- > 1;)
		if (last[i] > last[view->parents[i]])
			last[view->parents[i]] = last[i];
}

static void write_path_rows(struct writer *writer, const uint32_t *last, const uint32_t *depths, const bool *outermost)
{
	const struct profile_view *view = writer->request->view;
	export_rows_begin(&writer->rows, "path", 6);
	for (size_t i = 0; i < view->node_count; i++) {
		uint32_t node = writer->order[i];
		export_rows_put_number(&writer->rows, i);
		export_rows_put_number_or_null(&writer->rows, node, writer->numbers[view->parents[node]]);
		export_rows_put_number(&writer->rows, last[node]);
		export_rows_put_number(&writer->rows, depths[node]);
		export_rows_put_number(&writer->rows, outermost[node]);
		export_rows_put_number(&writer->rows, view->label_of[node]);
		export_rows_next(&writer->rows);
	}
	export_rows_end(&writer->rows);
}

static int write_paths(struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	uint32_t *last = malloc(view->node_count * sizeof(*last)), *depths = profile_view_depths(view);
	bool *outermost = profile_view_outermost(view);
	int error = last && depths && outermost ? 0 : -ENOMEM;
	if (!error) {
		find_last(writer, last);
		write_path_rows(writer, last, depths, outermost);
	}
	free(last);
	free(depths);
	free(outermost);
	return error;
}

static int write_sums(struct writer *writer)
{
	const struct export_request *request = writer->request;
	int error = 0;
	export_rows_begin(&writer->rows, "path_sum", 4);
	for (size_t m = 0; m < request->metric_count && !error; m++) {
		const uint64_t *self = request->view->values[request->metrics[m]];
		uint64_t *total = profile_view_inclusive(request->view, request->metrics[m]);
		error = total ? 0 : -ENOMEM;
		for (size_t i = 0; total && i < request->view->node_count; i++) {
			uint32_t node = writer->order[i];
			if (!total[node])
				continue;
			export_rows_put_number(&writer->rows, i);
			export_rows_put_number(&writer->rows, m);
			export_rows_put_number(&writer->rows, self[node]);
			export_rows_put_number(&writer->rows, total[node]);
			export_rows_next(&writer->rows);
		}
		free(total);
	}
	export_rows_end(&writer->rows);
	return error;
}

/* ---- values ---- */

/* Returns the number of a site's line, which becomes a row if it is new; 0: unknown. */
static uint32_t source_of(struct writer *writer, const struct profile_site *site)
{
	char *key;
	if (!site->line)
		return 0;
	int length = asprintf(&key, "%" PRIu32 ":%s", site->line, site->file);
	if (length < 0) {
		export_rows_note(&writer->rows, SQLITE_NOMEM);
		return 0;
	}
	size_t known = writer->source_keys.count;
	uint32_t number = profile_intern_bytes(&writer->source_keys, key, (size_t)length);
	free(key);
	if (number == HEDDLE_INTERN_NONE)
		export_rows_note(&writer->rows, SQLITE_NOMEM);
	if (number != known)
		return number + 1;
	export_rows_put_number(&writer->rows, (uint64_t)number + 1);
	export_rows_put_text(&writer->rows, site->file);
	export_rows_put_number(&writer->rows, site->line);
	export_rows_next(&writer->rows);
	return number + 1;
}

static int make_cell(struct writer *writer, uint32_t number, uint32_t *cell)
{
	const struct profile_site *site = &writer->sites.items[number];
	struct cell key = {site->node, source_of(writer, site)};
	size_t known = writer->cell_keys.count;
	*cell = profile_intern_bytes(&writer->cell_keys, &key, sizeof(key));
	if (*cell == HEDDLE_INTERN_NONE)
		return -ENOMEM;
	if (*cell == known)
		writer->cells.count = known + 1;
	return 0;
}

/* Replaces sites by cells while values are collected: a node and line have one cell, for all callers. */
static int make_cells(struct writer *writer)
{
	size_t nodes = writer->request->measurement->tree.node_count;
	uint32_t *cell_of = malloc(writer->sites.count * sizeof(*cell_of));
	int error = cell_of ? 0 : -ENOMEM;
	export_rows_begin(&writer->rows, "source", 3);
	for (uint32_t s = 0; !error && s < writer->sites.count; s++)
		error = make_cell(writer, s, &cell_of[s]);
	export_rows_end(&writer->rows);
	writer->cells.of_node = malloc((nodes + 1) * sizeof(uint32_t));
	writer->cells.inside = malloc((nodes + 1) * sizeof(uint32_t));
	if (!writer->cells.of_node || !writer->cells.inside)
		error = -ENOMEM;
	for (size_t n = 0; !error && n < nodes; n++) {
		writer->cells.of_node[n] = cell_of[writer->sites.of_node[n]];
		writer->cells.inside[n] = cell_of[writer->sites.inside[n]];
	}
	free(cell_of);
	return error;
}

static int write_values_of(void *context, const struct export_thread_costs *costs)
{
	struct writer *writer = context;
	size_t width = writer->request->metric_count;
	for (size_t i = 0; i < costs->count && writer->rows.status == SQLITE_OK; i++) {
		struct cell cell;
		memcpy(&cell, writer->cell_keys.texts[costs->sites[i]], sizeof(cell));
		for (size_t m = 0; m < width; m++) {
			uint64_t value = costs->values[costs->sites[i] * width + m];
			if (!value)
				continue;
			export_rows_put_number(&writer->rows, writer->numbers[cell.node]);
			export_rows_put_number_or_null(&writer->rows, cell.source, cell.source);
			export_rows_put_number_or_null(&writer->rows, costs->thread, costs->number);
			export_rows_put_number(&writer->rows, m);
			export_rows_put_number(&writer->rows, value);
			export_rows_next(&writer->rows);
		}
	}
	return 0;
}

static int write_values(struct writer *writer)
{
	int error = make_cells(writer);
	if (error)
		return error;
	export_rows_begin(&writer->rows, "value", 5);
	error = export_costs_each(writer->request, &writer->cells, write_values_of, writer);
	export_rows_end(&writer->rows);
	return error;
}

/* ---- exchanges ---- */

static void write_exchange(struct export_rows *rows, uint32_t rank, const struct profile_exchange *row)
{
	bool sized = row->bucket + 1 < HEDDLE_SIZE_BUCKETS;
	export_rows_put_number_or_null(rows, rank != HEDDLE_NO_PARTNER, rank);
	export_rows_put_number_or_null(rows, row->partner != HEDDLE_NO_PARTNER, row->partner);
	export_rows_put_text(rows, heddle__exchange_kind_name(row->kind));
	export_rows_put_text_or_null(rows, row->communicator);
	export_rows_put_number_or_null(rows, sized, (uint64_t)1 << row->bucket);
	export_rows_put_number(rows, row->messages);
	export_rows_put_number(rows, row->bytes);
	export_rows_put_number(rows, row->time_ns);
	export_rows_next(rows);
}

static void write_exchanges(struct writer *writer)
{
	const struct profile_measurement *measurement = writer->request->measurement;
	export_rows_begin(&writer->rows, "exchange", 8);
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		uint32_t rank = heddle__exchange_rank(process);
		for (size_t t = 0; t < process->thread_count; t++)
			for (size_t i = 0; i < process->threads[t].exchanges.count; i++)
				if (!HEDDLE_EXCHANGE_IS_OF_FILE(process->threads[t].exchanges.rows[i].kind))
					write_exchange(&writer->rows, rank, &process->threads[t].exchanges.rows[i]);
	}
	export_rows_end(&writer->rows);
}

static int write_files(struct writer *writer)
{
	struct heddle_file_table table;
	int error = heddle__file_table_make(&table, writer->request->measurement);
	if (error)
		return error;
	export_rows_begin(&writer->rows, "file", 12);
	for (size_t i = 0; i < table.count; i++) {
		const struct heddle_file *file = &table.files[i];
		const uint64_t numbers[] = {file->ranks, file->opens, file->reads, file->writes, file->bytes_read,
			file->bytes_written, file->read_ns, file->write_ns, file->open_ns, file->other_ns,
			file->slowest_ns};
		export_rows_put_text(&writer->rows, file->name);
		for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
			export_rows_put_number(&writer->rows, numbers[n]);
		export_rows_next(&writer->rows);
	}
	export_rows_end(&writer->rows);
	heddle__file_table_free(&table);
	return 0;
}

/* ---- the database ---- */

static int write_tables(struct writer *writer)
{
	export_rows_run(&writer->rows,
		"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA encoding = 'UTF-8'; BEGIN;");
	export_rows_run(&writer->rows, export_sqlite_tables);
	write_about(writer);
	write_metrics(writer);
	write_processes(writer);
	int error = write_threads(writer);
	write_exchanges(writer);
	if (!error)
		error = write_files(writer);
	write_functions(writer);
	if (!error)
		error = export_sqlite_efficiency(&writer->rows, writer->request);
	if (!error)
		error = number_paths(writer);
	if (!error)
		error = write_paths(writer);
	if (!error)
		error = write_sums(writer);
	if (!error)
		error = write_values(writer);
	export_rows_run(&writer->rows, export_sqlite_indices);
	export_rows_run(&writer->rows, export_sqlite_views);
	export_rows_run(&writer->rows, "COMMIT;");
	return error;
}

/* Returns an errno for SQLite's status. */
static int errno_of(struct writer *writer)
{
	int system = writer->rows.database ? sqlite3_system_errno(writer->rows.database) : 0;
	switch (writer->rows.status & 0xff) {
	case SQLITE_OK:
		return 0;
	case SQLITE_NOMEM:
		return ENOMEM;
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_TOOBIG:
		return EFBIG;
	default:
		return system ? system : EIO;
	}
}

static void free_writer(struct writer *writer)
{
	profile_sites_free(&writer->sites);
	free(writer->cells.of_node);
	free(writer->cells.inside);
	profile_intern_free(&writer->cell_keys);
	profile_intern_free(&writer->source_keys);
	free(writer->order);
	free(writer->numbers);
}

/* An incomplete database is useless, so it is removed. */
static int write_sqlite(const struct export_request *request)
{
	struct writer writer = {.request = request};
	export_rows_note(&writer.rows, sqlite3_open_v2(request->path, &writer.rows.database,
					       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
	bool opened = writer.rows.status == SQLITE_OK;
	int error =
		profile_sites_make(&writer.sites, request->view, &request->measurement->tree, request->naming, false);
	if (!error && opened)
		error = write_tables(&writer);
	if (!error)
		error = errno_of(&writer);
	sqlite3_close(writer.rows.database);
	if (error && opened)
		unlink(request->path);
	free_writer(&writer);
	return error;
}

const struct export_format export_sqlite = {
	.name = "sqlite",
	.summary = "a SQLite database of all metrics by path and thread, for questions in SQL",
	.next = "sqlite3 opens it; docs/sqlite-export.md has questions",
	.uses_threads = true,
	.uses_trace = true,
	.several_metrics = true,
	.output = EXPORT_FILE,
	.write = write_sqlite,
};

#endif
