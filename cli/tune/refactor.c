/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a change, in their order. Each of them may refuse. */
#include <errno.h>
#include <string.h>

#include "cli/exit_status.h"
#include "cli/tune/plan.h"
#include "cli/tune/tune.h"

static void load(struct tune_file *file, const struct tune_request *request)
{
	int error = heddle__tune_load(file->work, request->path, &file->source);
	if (error)
		heddle__tune_stop(file->work, HEDDLE_EXIT_NOT_FOUND, NULL, 0, "%s cannot be read: %s", request->path,
			strerror(-error));
	if (file->source.unbalanced)
		heddle__tune_stop(file->work, HEDDLE_EXIT_REFUSED, request->path, 1,
			"brackets have no partners: they may be in #if and #else, or in macros");
	heddle__tune_read_file(file);
}

static const char *policy_constant(struct tune_work *work, const char *policy)
{
	static const char *const names[] = {"arbitrary", "priority", "first"};
	static const char *const constants[] = {
		"HEDDLE_CACHE_ARBITRARY", "HEDDLE_CACHE_PRIORITY", "HEDDLE_CACHE_FIRST"};
	for (size_t i = 0; i < 3; i++)
		if (!policy || strcmp(policy, names[i]) == 0)
			return constants[i];
	heddle__tune_stop(
		work, HEDDLE_EXIT_USAGE, NULL, 0, "--policy: '%s' is not arbitrary, priority or first", policy);
}

static const char *name_choice(const struct tune_loop *loop)
{
	const struct tune_source *source = &loop->file->source;
	struct tune_text text = {.work = source->work};
	const char *separator = ": ";
	heddle__tune_add_format(&text, "%s:%d", source->path, source->tokens[loop->node->first].line);
	for (int i = 0; i < loop->fact_count; i++)
		if (loop->facts[i]->cached) {
			heddle__tune_add_format(&text, "%s%s", separator, loop->facts[i]->symbol->name);
			separator = ", ";
		}
	return text.at;
}

static void refactor(struct tune_work *work, const struct tune_request *request, struct tune_result *result)
{
	struct tune_file *file = heddle__tune_take(work, sizeof(*file));
	struct tune_macros *macros = heddle__tune_take(work, sizeof(*macros));
	struct tune_loop *loop = heddle__tune_take(work, sizeof(*loop));
	struct tune_plan *plan = heddle__tune_take(work, sizeof(*plan));
	struct tune_promises promises = {.no_alias = request->no_alias, .any_order = request->policy};
	file->work = work;
	plan->loop = loop;
	plan->policy = policy_constant(work, request->policy);
	plan->chunk = request->chunk ? heddle__tune_format(work, "%u", request->chunk) : "16384 * THREADS";
	load(file, request);
	heddle__tune_read_macros(file, request->definitions, macros);
	int line = request->line, column = request->column;
	if (!line)
		heddle__tune_choose_loop(file, request->measurement, &line, &column);
	heddle__tune_find_loop(file, macros, line, column, loop);
	heddle__tune_read_header(loop);
	heddle__tune_read_body(loop);
	for (const char *const *name = request->variables; name && *name; name++)
		heddle__tune_choose(loop, *name);
	if (!request->variables)
		heddle__tune_choose_measured(loop, request->measurement);
	heddle__tune_find_local(loop);
	heddle__tune_check_variables(loop, &promises);
	heddle__tune_check_assignments(loop);
	heddle__tune_rewrite(plan);
	result->text = heddle__tune_apply(plan, &result->length);
	result->unified = heddle__tune_unified(plan, request->output);
	result->chosen = name_choice(loop);
	result->races = request->policy;
}

int heddle__tune(struct tune_work *work, const struct tune_request *request, struct tune_result *result)
{
	jmp_buf refused;
	work->refused = &refused;
	work->status = HEDDLE_EXIT_OK;
	if (!setjmp(refused))
		refactor(work, request, result);
	return work->status;
}
