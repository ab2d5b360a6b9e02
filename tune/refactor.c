/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a change, in their order. Each of them may refuse. */
#include <errno.h>
#include <string.h>

#include "cli/base/exit_status.h"
#include "tune/plan.h"
#include "tune/tune.h"

static void load(struct tune_file *file, const struct tune_request *request)
{
	int error = heddle__tune_load(file->work, request->path, &file->source);
	if (error)
		heddle__tune_stop(file->work, HEDDLE_EXIT_NOT_FOUND, NULL, 0, "%s cannot be read: %s", request->path,
			strerror(-error));
	heddle__tune_read_file(file, request->flags, request->quiet);
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

static void name_choice(const struct tune_loop *loop, struct tune_text *text)
{
	const struct tune_source *source = &loop->file->source;
	const char *separator = ": ";
	heddle__tune_add_format(text, "%s:%d", source->path, source->tokens[loop->node->first].line);
	for (int i = 0; i < loop->fact_count; i++)
		if (loop->facts[i]->cached) {
			heddle__tune_add_format(text, "%s%s", separator, loop->facts[i]->symbol->name);
			separator = ", ";
		}
	heddle__tune_add(text, "\n");
}

static void name_prediction(
	const struct tune_loop *loop, const struct tune_measurement *measurement, struct tune_text *text)
{
	const struct tune_source *source = &loop->file->source;
	const char *prediction = heddle__tune_prediction(loop, measurement);
	if (prediction)
		heddle__tune_add_format(
			text, "%s:%d: %s\n", source->path, source->tokens[loop->node->first].line, prediction);
}

/* Adds what the user should know of a change after which threads see other threads' writes later. */
static bool name_delays(const struct tune_loop *loop, struct tune_text *text)
{
	const struct tune_source *source = &loop->file->source;
	bool any = false;
	for (int i = 0; i < loop->fact_count; i++)
		if (loop->facts[i]->cached && loop->facts[i]->propagated) {
			heddle__tune_add_format(text,
				"%s:%d: iterations copy and compare values of %s, and see what others write later than "
				"before, as UPC allows\n",
				source->path, source->tokens[loop->node->first].line, loop->facts[i]->symbol->name);
			any = true;
		}
	return any;
}

/* The common state of the steps of all loops. */
struct refactoring {
	struct tune_work *work;
	const struct tune_request *request;
	struct tune_file file;
	struct tune_change change;
	struct tune_text chosen, predicted, refused;
	size_t count;   /* of loops that are requested */
	size_t choices; /* number of variables in the request, otherwise of rows in the measurement */
	int changed;
	bool delays;                   /* a loop sees other threads' writes later */
	const struct tune_node **done; /* loops, one for each position */
};

struct attempt {
	struct refactoring *all;
	const struct tune_position *at;
	struct tune_loop *loop;
	enum tune_choice *choices;
};

/* Chooses the variables; each of several loops has some of them. */
static void choose_variables(const struct attempt *attempt)
{
	const struct refactoring *all = attempt->all;
	struct tune_loop *loop = attempt->loop;
	const char *const *names = all->request->variables;
	bool any = false;
	for (size_t i = 0; names && i < all->choices; i++) {
		bool last = i + 1 == all->choices;
		if (attempt->choices[i] == TUNE_LEFT_OUT ||
			(all->count > 1 && !(last && !any) && !heddle__tune_is_used(loop, names[i])))
			continue;
		attempt->choices[i] = TUNE_CHOSEN;
		any = true;
	}
	for (size_t i = 0; names && i < all->choices; i++)
		if (attempt->choices[i] == TUNE_CHOSEN)
			heddle__tune_choose(loop, names[i]);
	if (!names)
		heddle__tune_choose_measured(loop, all->request->measurement, attempt->choices);
}

static void change_loop(void *context)
{
	const struct attempt *attempt = context;
	struct refactoring *all = attempt->all;
	const struct tune_position *at = attempt->at;
	struct tune_loop *loop = attempt->loop;
	const struct tune_request *request = all->request;
	struct tune_promises promises = {.no_alias = request->no_alias,
		.any_order = request->policy,
		.ordered = request->policy && strcmp(request->policy, "arbitrary") != 0};
	struct tune_plan *plan = heddle__tune_take(all->work, sizeof(*plan));
	plan->loop = loop;
	plan->change = &all->change;
	plan->policy = policy_constant(all->work, request->policy);
	plan->chunk = request->chunk ? heddle__tune_format(all->work, "%u", request->chunk) : "16384 * THREADS";
	heddle__tune_find_loop(&all->file, at->line, at->column, loop);
	for (int i = 0; i < all->changed; i++)
		if (all->done[i] == loop->node)
			return;
	heddle__tune_read_header(loop);
	heddle__tune_read_body(loop);
	choose_variables(attempt);
	heddle__tune_find_local(loop);
	heddle__tune_check_variables(loop, &promises);
	heddle__tune_check_functions(loop);
	heddle__tune_check_assignments(loop);
	heddle__tune_rewrite(plan);
	name_choice(loop, &all->chosen);
	name_prediction(loop, request->measurement, &all->predicted);
	all->delays |= name_delays(loop, &all->predicted);
	all->done[all->changed++] = loop->node;
}

static void cut(struct tune_text *text)
{
	if (text->at)
		text->at[text->length] = '\0';
}

/* Changes a loop, or only tries to. After a refusal, only its message remains. */
static bool attempt_loop(/* NOLINTNEXTLINE(readability-non-const-parameter): change_loop writes the choices */
	struct refactoring *all, const struct tune_position *at, enum tune_choice *choices, bool only_tried)
{
	struct tune_loop *loop = heddle__tune_take(all->work, sizeof(*loop));
	struct tune_change *before = heddle__tune_keep_change(&all->change);
	const struct refactoring kept = *all;
	struct attempt attempt = {all, at, loop, choices};
	bool good = heddle__tune_try(all->work, change_loop, &attempt);
	if (!good || only_tried) {
		*all = kept;
		all->change = *before;
		cut(&all->chosen);
		cut(&all->predicted);
	}
	for (int i = 0; i < loop->fact_count; i++)
		loop->facts[i]->symbol->facts = NULL;
	return good;
}

/*
 * Tries the variables of a loop one after the other, and keeps those that can be cached together with the previous
 * ones. The reasons for refusing others are added. Returns false if none can be cached.
 */
static bool find_choices(struct refactoring *all, const struct tune_position *at, enum tune_choice *choices)
{
	struct tune_text reasons = {.work = all->work};
	bool any = false;
	enum tune_choice *wanted = heddle__tune_take(all->work, sizeof(*wanted) * all->choices);
	memcpy(wanted, choices, sizeof(*wanted) * all->choices);
	for (size_t i = 0; i < all->choices; i++)
		choices[i] = TUNE_LEFT_OUT;
	for (size_t i = 0; i < all->choices; i++) {
		if (wanted[i] != TUNE_CHOSEN)
			continue;
		choices[i] = TUNE_CHOSEN;
		if (attempt_loop(all, at, choices, true)) {
			any = true;
		} else {
			choices[i] = TUNE_LEFT_OUT;
			heddle__tune_add_format(&reasons, "%s\n", all->work->message);
		}
	}
	if (any)
		heddle__tune_add(&all->refused, reasons.at ? reasons.at : "");
	return any;
}

/*
 * If a loop is refused, others can still be changed. If a variable is refused, so can others that were measured, or
 * that are for several loops.
 */
static void try_loop(struct refactoring *all, const struct tune_position *at)
{
	enum tune_choice *choices = heddle__tune_take(all->work, sizeof(*choices) * (all->choices + 1));
	bool all_or_none = all->count == 1 && all->request->variables;
	if (attempt_loop(all, at, choices, false))
		return;
	const char *reason = heddle__tune_format(all->work, "%s\n", all->work->message);
	if (!all_or_none && find_choices(all, at, choices))
		attempt_loop(all, at, choices, false);
	else
		heddle__tune_add(&all->refused, reason);
}

static void refactor(struct tune_work *work, const struct tune_request *request, struct tune_result *result)
{
	struct refactoring *all = heddle__tune_take(work, sizeof(*all));
	all->work = work;
	all->request = request;
	all->chosen.work = all->predicted.work = all->refused.work = all->file.work = work;
	load(&all->file, request);
	heddle__tune_start_change(&all->change, &all->file);
	const struct tune_position *loops = request->loops;
	if (!loops->line)
		loops = heddle__tune_choose_loops(&all->file, request->measurement);
	while (loops[all->count].line)
		all->count++;
	while (request->variables && request->variables[all->choices])
		all->choices++;
	if (!request->variables)
		all->choices = request->measurement->count;
	all->done = heddle__tune_take(work, sizeof(struct tune_node *) * all->count);
	for (size_t i = 0; i < all->count; i++)
		try_loop(all, &loops[i]);
	work->status = all->changed ? HEDDLE_EXIT_OK : HEDDLE_EXIT_REFUSED;
	result->refused = all->refused.at;
	if (!all->changed)
		return;
	heddle__tune_finish_change(&all->change);
	result->text = heddle__tune_apply(&all->change, &result->length);
	result->unified = heddle__tune_unified(&all->change, request->output);
	result->chosen = all->chosen.at;
	result->predicted = all->predicted.at;
	result->races = request->policy || all->delays;
}

int heddle__tune(struct tune_work *work, const struct tune_request *request, struct tune_result *result)
{
	jmp_buf refused, *outside = work->refused;
	work->refused = &refused;
	work->status = HEDDLE_EXIT_OK;
	*work->message = '\0';
	if (!setjmp(refused))
		refactor(work, request, result);
	work->refused = outside;
	return work->status;
}
