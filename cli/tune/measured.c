/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are compared by their last name: the program may have been compiled in another folder. */
#include "cli/tune/measured.h"

#include "cli/exit_status.h"
#include "cli/session.h"
#include "profile/accesses.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define WORTH 0.01 /* of the time in remote accesses: of all loops, of all variables of a loop */

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool is_remote(const struct profile_access *row)
{
	for (int side = 0; side < HEDDLE_SIDES; side++)
		if (side != HEDDLE_SIDE_LOCAL && row->count[side])
			return true;
	return false;
}

static void take_rows(struct tune_work *work, const struct profile_accesses *accesses, const char *path,
	struct tune_measurement *measurement)
{
	measurement->rows = heddle__tune_take(work, sizeof(*measurement->rows) * (accesses->row_count + 1));
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		/* Of "strips[].now", the variable. */
		const char *name = row->object ? row->object->name : "";
		if (!is_remote(row) || strcmp(last_name(row->file), last_name(path)) != 0)
			continue;
		measurement->rows[measurement->count++] =
			(struct tune_measured){.variable = heddle__tune_copy(work, name, strcspn(name, ".[")),
				.line = (int)row->line,
				.seconds = (double)(row->time_ns + row->flight_ns) / 1e9};
	}
}

int heddle__tune_read_measurement(
	struct tune_work *work, const char *directory, const char *path, struct tune_measurement *measurement)
{
	struct heddle_session_options how = {0};
	struct heddle_session session;
	struct profile_accesses accesses;
	jmp_buf refused;
	int status = heddle__session_open(&session, directory, &how);
	if (status)
		return status;
	if (profile_accesses_make(&accesses, &session.measurement) != 0) {
		heddle__session_close(&session);
		return heddle__complain_file(directory, -ENOMEM);
	}
	work->refused = &refused;
	if (setjmp(refused))
		status = work->status;
	else
		take_rows(work, &accesses, path, measurement);
	profile_accesses_free(&accesses);
	heddle__session_close(&session);
	if (!status && !measurement->count) {
		fprintf(stderr, "heddle: tune: %s has no remote accesses of %s: measure with heddle run --accesses\n",
			directory, last_name(path));
		status = HEDDLE_EXIT_NO_VALUES;
	}
	return status;
}

static double seconds_between(const struct tune_measurement *measurement, int first, int last)
{
	double sum = 0;
	for (size_t i = 0; i < measurement->count; i++)
		if (measurement->rows[i].line >= first && measurement->rows[i].line <= last)
			sum += measurement->rows[i].seconds;
	return sum;
}

static double seconds_of_loop(const struct tune_source *source, const struct tune_measurement *measurement, int token)
{
	if (!heddle__tune_is(source, token, "upc_forall"))
		return 0;
	return seconds_between(measurement, source->tokens[token].line, heddle__tune_last_line(source, token));
}

const struct tune_position *heddle__tune_choose_loops(
	const struct tune_file *file, const struct tune_measurement *measurement)
{
	const struct tune_source *source = &file->source;
	double all = 0;
	size_t room = 1, count = 0;
	for (int i = 0; i < source->count; i++) {
		double seconds = seconds_of_loop(source, measurement, i);
		all += seconds;
		room += seconds > 0;
	}
	struct tune_position *loops = heddle__tune_take(file->work, sizeof(*loops) * room);
	for (int i = 0; i < source->count; i++) {
		double seconds = seconds_of_loop(source, measurement, i);
		if (seconds > 0 && seconds >= WORTH * all)
			loops[count++] = (struct tune_position){source->tokens[i].line, source->tokens[i].column};
	}
	if (!count)
		heddle__tune_stop(file->work, HEDDLE_EXIT_REFUSED, source->path, 1,
			"no remote accesses were measured in a upc_forall of this file");
	return loops;
}

static double seconds_of(const struct tune_measurement *measurement, const char *name, int first, int last)
{
	double sum = 0;
	for (size_t i = 0; i < measurement->count; i++) {
		const struct tune_measured *row = &measurement->rows[i];
		if (row->line >= first && row->line <= last && strcmp(row->variable, name) == 0)
			sum += row->seconds;
	}
	return sum;
}

void heddle__tune_choose_measured(struct tune_loop *loop, const struct tune_measurement *measurement)
{
	const struct tune_source *source = &loop->file->source;
	int first = source->tokens[loop->node->first].line, last = source->tokens[loop->node->last].line;
	double all = seconds_between(measurement, first, last);
	bool any = false;
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_facts *facts = loop->facts[i];
		if (!facts->used || facts->inside || !facts->symbol->type || facts->symbol->type->kind == TUNE_BASE ||
			seconds_of(measurement, facts->symbol->name, first, last) < WORTH * all || all <= 0)
			continue;
		heddle__tune_choose(loop, facts->symbol->name);
		any = true;
	}
	if (!any)
		heddle__tune_refuse_node(loop, loop->node,
			"none of the loop's variables has a name that was measured: name some with --variable");
}
