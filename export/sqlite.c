/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A SQLite database: a measurement as tables, to be asked by SQL. Paths are numbered in preorder, so those below a path
 * are a range of numbers. Without libsqlite3 this file only says so.
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

#include "export/costs.h"
#include "export/utf8_text.h"

#include "profile/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Values are kept by node of the view and line: a cell. */
struct cell {
	uint32_t node, source; /* source 0: unknown */
};

struct writer {
	const struct export_request *request;
	sqlite3 *database;
	sqlite3_stmt *statement; /* of the rows being written */
	int column;              /* of the next value of a row */
	struct profile_sites sites;
	struct profile_sites cells; /* items of `sites` by cell, with of_node and inside to match */
	struct profile_intern cell_keys, source_keys;
	uint32_t *order, *numbers; /* nodes of the view in preorder, and where each stands there */
	size_t process;            /* of the last thread */
	const struct profile_process *last;
	int status; /* the first of SQLite's that is not SQLITE_OK */
};

/* ---- rows ---- */

static void note(struct writer *writer, int status)
{
	if (writer->status == SQLITE_OK && status != SQLITE_OK && status != SQLITE_DONE)
		writer->status = status;
}

static void run(struct writer *writer, const char *sql)
{
	if (writer->status == SQLITE_OK)
		note(writer, sqlite3_exec(writer->database, sql, NULL, NULL, NULL));
}

/* Rows of a table follow, with that many columns. */
static void begin(struct writer *writer, const char *table, int columns)
{
	char sql[128];
	int used = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", table);
	for (int i = 1; i < columns; i++)
		used += snprintf(sql + used, sizeof(sql) - (size_t)used, ",?");
	snprintf(sql + used, sizeof(sql) - (size_t)used, ")");
	writer->column = 1;
	if (writer->status == SQLITE_OK)
		note(writer, sqlite3_prepare_v2(writer->database, sql, -1, &writer->statement, NULL));
}

static void end(struct writer *writer)
{
	sqlite3_finalize(writer->statement);
	writer->statement = NULL;
}

static void put_null(struct writer *writer)
{
	if (writer->status == SQLITE_OK)
		note(writer, sqlite3_bind_null(writer->statement, writer->column++));
}

/* SQLite's integers are signed. */
static void put_number(struct writer *writer, uint64_t number)
{
	int64_t value = number > INT64_MAX ? INT64_MAX : (int64_t)number;
	if (writer->status == SQLITE_OK)
		note(writer, sqlite3_bind_int64(writer->statement, writer->column++, value));
}

static void put_number_or_null(struct writer *writer, bool known, uint64_t number)
{
	if (known)
		put_number(writer, number);
	else
		put_null(writer);
}

static void put_text(struct writer *writer, const char *text)
{
	char *copy = export_utf8_copy(text, '\0');
	if (!copy)
		note(writer, SQLITE_NOMEM);
	else if (writer->status == SQLITE_OK)
		note(writer, sqlite3_bind_text64(writer->statement, writer->column++, copy, strlen(copy),
				     SQLITE_TRANSIENT, SQLITE_UTF8));
	free(copy);
}

static void put_text_or_null(struct writer *writer, const char *text)
{
	if (*text)
		put_text(writer, text);
	else
		put_null(writer);
}

static void end_row(struct writer *writer)
{
	if (writer->status != SQLITE_OK)
		return;
	note(writer, sqlite3_step(writer->statement));
	note(writer, sqlite3_reset(writer->statement));
	writer->column = 1;
}

/* ---- small tables ---- */

static void write_about(struct writer *writer)
{
	begin(writer, "about", 2);
	put_text(writer, "version");
	put_number(writer, EXPORT_SQLITE_VERSION);
	end_row(writer);
	put_text(writer, "writer");
	put_text(writer, writer->request->version);
	end_row(writer);
	put_text(writer, "merged");
	put_number(writer, writer->request->measurement->merged ? 1 : 0);
	end_row(writer);
	end(writer);
}

static void write_metrics(struct writer *writer)
{
	begin(writer, "metric", 5);
	for (size_t m = 0; m < writer->request->metric_count; m++) {
		enum heddle_metric metric = writer->request->metrics[m];
		put_number(writer, m);
		put_text(writer, profile_metric_name(metric));
		put_text(writer, profile_metric_unit(metric));
		put_text(writer, profile_metric_meaning(metric));
		put_number(writer, profile_metric_is_of_threads(metric));
		end_row(writer);
	}
	end(writer);
}

/* Arguments as one text, separated by blanks. */
static void put_arguments(struct writer *writer, const Heddle__Profile__Process *info)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	for (size_t i = 0; stream && i < info->n_arguments; i++)
		fprintf(stream, i ? " %s" : "%s", info->arguments[i]);
	if (!stream || fclose(stream) != 0)
		note(writer, SQLITE_NOMEM);
	else
		put_text(writer, text);
	free(text);
}

static void write_processes(struct writer *writer)
{
	const struct profile_measurement *measurement = writer->request->measurement;
	size_t number = 0;
	begin(writer, "process", 9);
	for (size_t p = 0; p < measurement->process_count; p++) {
		const Heddle__Profile__Process *info = measurement->processes[p].info;
		if (measurement->processes[p].error)
			continue;
		put_number(writer, number++);
		put_number(writer, info->pid);
		put_text(writer, info->program);
		put_arguments(writer, info);
		put_text(writer, info->host);
		put_number(writer, info->start_unix_ns);
		put_number(writer, info->duration_ns);
		put_number(writer, info->cpu_ns);
		put_text_or_null(writer, info->ended_by);
		end_row(writer);
	}
	end(writer);
}

static int write_thread(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct writer *writer = context;
	char name[256];
	writer->process += writer->last && writer->last != process;
	writer->last = process;
	export_row_name(writer->request, thread, name, sizeof(name));
	put_number(writer, number);
	put_number(writer, writer->process);
	put_number(writer, thread->id);
	put_number(writer, thread->tid);
	put_text(writer, name);
	put_text_or_null(writer, thread->role);
	put_text_or_null(writer, thread->name);
	put_text_or_null(writer, thread->model);
	put_number_or_null(writer, thread->rank, thread->rank - (uint64_t)1);
	put_text_or_null(writer, thread->rank_model);
	put_number_or_null(writer, thread->number >= 0, (uint64_t)thread->number);
	put_number(writer, profile_thread_number(thread));
	put_number(writer, thread->start_ns);
	put_number(writer, thread->end_ns);
	put_number(writer, thread->wall_ns);
	put_number(writer, thread->cpu_ns);
	end_row(writer);
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
			put_number(writer, number);
			put_number(writer, (uint64_t)s);
			put_number(writer, m);
			put_number(writer, value);
			end_row(writer);
		}
	}
	return 0;
}

static int write_threads(struct writer *writer)
{
	begin(writer, "thread", 16);
	int error = export_threads_each(writer->request, write_thread, writer);
	end(writer);
	begin(writer, "state", 3);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		put_number(writer, (uint64_t)s);
		put_text(writer, profile_state_label(s));
		put_number(writer, profile_state_waits(s));
		end_row(writer);
	}
	end(writer);
	begin(writer, "state_sum", 4);
	if (!error)
		error = export_threads_each(writer->request, write_states_of, writer);
	end(writer);
	return error;
}

static void write_functions(struct writer *writer)
{
	const struct profile_view *view = writer->request->view;
	begin(writer, "function", 6);
	for (size_t i = 0; i < view->label_count; i++) {
		const struct profile_label *label = &view->labels[i];
		put_number(writer, i);
		put_text(writer, label->text);
		put_text(writer, export_kind_name(label->kind));
		put_text_or_null(writer, label->file);
		put_number_or_null(writer, label->line, label->line);
		put_text_or_null(writer, label->module);
		end_row(writer);
	}
	end(writer);
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

/* Of each node of the view, the number of the last path below it: `last` is by node, parents come before children. */
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
	begin(writer, "path", 6);
	for (size_t i = 0; i < view->node_count; i++) {
		uint32_t node = writer->order[i];
		put_number(writer, i);
		put_number_or_null(writer, node, writer->numbers[view->parents[node]]);
		put_number(writer, last[node]);
		put_number(writer, depths[node]);
		put_number(writer, outermost[node]);
		put_number(writer, view->label_of[node]);
		end_row(writer);
	}
	end(writer);
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
	begin(writer, "path_sum", 4);
	for (size_t m = 0; m < request->metric_count && !error; m++) {
		const uint64_t *self = request->view->values[request->metrics[m]];
		uint64_t *total = profile_view_inclusive(request->view, request->metrics[m]);
		error = total ? 0 : -ENOMEM;
		for (size_t i = 0; total && i < request->view->node_count; i++) {
			uint32_t node = writer->order[i];
			if (!total[node])
				continue;
			put_number(writer, i);
			put_number(writer, m);
			put_number(writer, self[node]);
			put_number(writer, total[node]);
			end_row(writer);
		}
		free(total);
	}
	end(writer);
	return error;
}

/* ---- values ---- */

/* The number of a site's line; 0: unknown. A line that is new becomes a row. */
static uint32_t source_of(struct writer *writer, const struct profile_site *site)
{
	char *key;
	if (!site->line)
		return 0;
	int length = asprintf(&key, "%" PRIu32 ":%s", site->line, site->file);
	if (length < 0) {
		note(writer, SQLITE_NOMEM);
		return 0;
	}
	size_t known = writer->source_keys.count;
	uint32_t number = profile_intern_bytes(&writer->source_keys, key, (size_t)length);
	free(key);
	if (number == HEDDLE_INTERN_NONE)
		note(writer, SQLITE_NOMEM);
	if (number != known)
		return number + 1;
	put_number(writer, (uint64_t)number + 1);
	put_text(writer, site->file);
	put_number(writer, site->line);
	end_row(writer);
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

/* Cells stand for sites where values are collected: of a node and line there is one, whatever called it. */
static int make_cells(struct writer *writer)
{
	size_t nodes = writer->request->measurement->tree.node_count;
	uint32_t *cell_of = malloc(writer->sites.count * sizeof(*cell_of));
	int error = cell_of ? 0 : -ENOMEM;
	begin(writer, "source", 3);
	for (uint32_t s = 0; !error && s < writer->sites.count; s++)
		error = make_cell(writer, s, &cell_of[s]);
	end(writer);
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
	for (size_t i = 0; i < costs->count && writer->status == SQLITE_OK; i++) {
		struct cell cell;
		memcpy(&cell, writer->cell_keys.texts[costs->sites[i]], sizeof(cell));
		for (size_t m = 0; m < width; m++) {
			uint64_t value = costs->values[costs->sites[i] * width + m];
			if (!value)
				continue;
			put_number(writer, writer->numbers[cell.node]);
			put_number_or_null(writer, cell.source, cell.source);
			put_number_or_null(writer, costs->thread, costs->number);
			put_number(writer, m);
			put_number(writer, value);
			end_row(writer);
		}
	}
	return 0;
}

static int write_values(struct writer *writer)
{
	int error = make_cells(writer);
	if (error)
		return error;
	begin(writer, "value", 5);
	error = export_costs_each(writer->request, &writer->cells, write_values_of, writer);
	end(writer);
	return error;
}

/* ---- the whole ---- */

static int write_tables(struct writer *writer)
{
	run(writer, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA encoding = 'UTF-8'; BEGIN;");
	run(writer, export_sqlite_tables);
	write_about(writer);
	write_metrics(writer);
	write_processes(writer);
	int error = write_threads(writer);
	write_functions(writer);
	if (!error)
		error = number_paths(writer);
	if (!error)
		error = write_paths(writer);
	if (!error)
		error = write_sums(writer);
	if (!error)
		error = write_values(writer);
	run(writer, export_sqlite_indices);
	run(writer, export_sqlite_views);
	run(writer, "COMMIT;");
	return error;
}

/* An errno for what SQLite says. */
static int errno_of(struct writer *writer)
{
	int system = writer->database ? sqlite3_system_errno(writer->database) : 0;
	switch (writer->status & 0xff) {
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

/* A part of a database is of no use: it is removed. */
static int write_sqlite(const struct export_request *request)
{
	struct writer writer = {.request = request};
	note(&writer, sqlite3_open_v2(request->path, &writer.database,
			      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
	bool opened = writer.status == SQLITE_OK;
	int error =
		profile_sites_make(&writer.sites, request->view, &request->measurement->tree, request->naming, false);
	if (!error && opened)
		error = write_tables(&writer);
	if (!error)
		error = errno_of(&writer);
	sqlite3_close(writer.database);
	if (error && opened)
		unlink(request->path);
	free_writer(&writer);
	return error;
}

const struct export_format export_sqlite = {
	.name = "sqlite",
	.summary = "a SQLite database of all metrics by path and thread, for questions in SQL",
	.uses_threads = true,
	.several_metrics = true,
	.output = EXPORT_FILE,
	.write = write_sqlite,
};

#endif
