/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are compared by their last name, because the program may have been compiled in another folder. */
#include "tune/measured.h"

#include "cli/base/exit_status.h"
#include "cli/base/session.h"
#include "cli/base/terminal.h"
#include "profile/view/accesses.h"
#include "tune/advise/advice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* ---- reading ---- */

static struct tune_measured make_row(struct tune_work *work, const struct heddle_advice *advice)
{
	const char **objects = heddle__tune_take(work, sizeof(*objects) * (advice->object_count + 1));
	for (unsigned i = 0; i < advice->object_count; i++)
		objects[i] = heddle__tune_copy(work, advice->objects[i], strlen(advice->objects[i]));
	return (struct tune_measured){.variable = heddle__tune_copy(work, advice->variable, strlen(advice->variable)),
		.objects = objects,
		.line = (int)advice->line,
		.gets = advice->gets,
		.puts = advice->puts,
		.pays = heddle__advice_is_advised(advice),
		.before_us = advice->got_us + advice->put_us,
		.after_us = advice->after_us[HEDDLE_TYPICAL]};
}

void heddle__tune_take_advices(struct tune_work *work, const struct heddle_advices *advices, const char *path,
	struct tune_measurement *measurement)
{
	measurement->rows = heddle__tune_take(work, sizeof(*measurement->rows) * (advices->count + 1));
	for (size_t i = 0; i < advices->count; i++) {
		const struct heddle_advice *advice = &advices->items[i];
		if (advice->in_loop && advice->gets + advice->puts > 0 &&
			strcmp(last_name(advice->file), last_name(path)) == 0)
			measurement->rows[measurement->count++] = make_row(work, advice);
	}
}

/* Everything that is opened for reading. */
struct reading {
	struct heddle_session session;
	struct profile_accesses accesses;
	struct heddle_advices advices;
	struct heddle_network network;
};

static int open_network(struct reading *reading, const char *path, const struct heddle_network **network)
{
	const char *found = path ? path : heddle__newest_network();
	*network = found ? &reading->network : NULL;
	return found ? heddle__network_read(&reading->network, found) : 0;
}

static int open_all(struct reading *reading, const char *directory, const char *network_path, const char *const *flags)
{
	struct heddle_session_options how = {0};
	struct heddle_cache_costs costs;
	const struct heddle_network *network;
	const char *problem;
	int status = open_network(reading, network_path, &network);
	if (!status)
		status = heddle__session_open(&reading->session, directory, &how);
	if (status)
		return status;
	const struct profile_measurement *measurement = &reading->session.measurement;
	if (profile_accesses_make(&reading->accesses, measurement) != 0 ||
		heddle__advices_find(
			&reading->advices, &costs, measurement, &reading->accesses, network, flags, &problem) != 0)
		status = heddle__complain_file(directory, -ENOMEM);
	return status;
}

static void close_all(struct reading *reading)
{
	heddle__advices_free(&reading->advices);
	profile_accesses_free(&reading->accesses);
	heddle__session_close(&reading->session);
	heddle__network_free(&reading->network);
}

int heddle__tune_read_measurement(struct tune_work *work, const char *directory, const char *path, const char *network,
	const char *const *flags, struct tune_measurement *measurement)
{
	struct reading reading = {0};
	jmp_buf refused;
	volatile int status = open_all(&reading, directory, network, flags);
	work->refused = &refused;
	if (setjmp(refused))
		status = work->status;
	else if (!status)
		heddle__tune_take_advices(work, &reading.advices, path, measurement);
	close_all(&reading);
	if (!status && !measurement->count) {
		fprintf(stderr,
			"heddle: tune: %s has no remote accesses of loops of %s: "
			"measure on several nodes, with heddle run --accesses\n",
			directory, last_name(path));
		status = HEDDLE_EXIT_NO_VALUES;
	}
	return status;
}

/* ---- loops ---- */

static int by_line(const void *a, const void *b)
{
	const struct tune_position *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

const struct tune_position *heddle__tune_choose_loops(
	const struct tune_file *file, const struct tune_measurement *measurement)
{
	struct tune_position *loops = heddle__tune_take(file->work, sizeof(*loops) * (measurement->count + 1));
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < measurement->count; i++)
		if (measurement->rows[i].pays)
			loops[count++] = (struct tune_position){.line = measurement->rows[i].line};
	qsort(loops, count, sizeof(*loops), by_line);
	for (size_t i = 0; i < count; i++)
		if (!kept || loops[kept - 1].line != loops[i].line)
			loops[kept++] = loops[i];
	loops[kept] = (struct tune_position){0};
	if (!kept)
		heddle__tune_stop(file->work, HEDDLE_EXIT_REFUSED, file->source.path, measurement->rows[0].line,
			"no loop of this file is predicted to be faster with a cache (heddle advise shows why); to "
			"change one anyway, use --loop and --variable");
	return loops;
}

/* ---- variables ---- */

static bool is_of(const struct tune_loop *loop, const struct tune_measured *row)
{
	return loop->file->source.tokens[loop->node->first].line == row->line;
}

/* Returns true if the loop has accesses by that symbol of the measured kind. */
static bool accesses_so(const struct tune_loop *loop, const struct tune_symbol *symbol, const struct tune_measured *row)
{
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->root == symbol && ((access->read && row->gets) || (access->write && row->puts)))
			return true;
	return false;
}

/* Returns the array of an object's name: "strips" for "strips[].now"; other names are those of variables themselves. */
static const char *array_of(struct tune_work *work, const char *object)
{
	return heddle__tune_copy(work, object, strcspn(object, "["));
}

/* An object has the name of the variable, or the text of the member, that its allocation was assigned to. */
static bool may_point_to(const struct tune_loop *loop, const struct tune_symbol *pointer, const char *object)
{
	const struct tune_symbol *known = heddle__tune_find_name(loop->file, array_of(loop->file->work, object));
	const char *member = heddle__tune_last_member(object);
	return (pointer->structure.symbol && member != object &&
		       strcmp(heddle__tune_last_member(pointer->name), member) == 0) ||
	       (known && heddle__tune_may_share_origin(loop->file, pointer, known)) ||
	       heddle__tune_may_be(loop->file, pointer, object);
}

/* Chooses the pointers that may point to an object. */
static bool choose_pointers(struct tune_loop *loop, const struct tune_measured *row, const char *object)
{
	bool any = false;
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_facts *facts = loop->facts[i];
		if (facts->symbol->type && facts->symbol->type->kind == TUNE_POINTER && !facts->cached &&
			heddle__tune_is_used(loop, facts->symbol->name) && accesses_so(loop, facts->symbol, row) &&
			may_point_to(loop, facts->symbol, object)) {
			heddle__tune_choose(loop, facts->symbol->name);
			any = true;
		}
	}
	return any;
}

static bool choose_row(struct tune_loop *loop, const struct tune_measured *row)
{
	bool any = false;
	const char *array = array_of(loop->file->work, row->variable);
	if (heddle__tune_is_used(loop, array)) {
		heddle__tune_choose(loop, array);
		return true;
	}
	for (const char *const *object = row->objects; *object; object++)
		any |= choose_pointers(loop, row, *object);
	return any;
}

/* ": rank, next", the names of a loop's rows of which none was chosen; "": none. */
static const char *names_of(const struct tune_loop *loop, const struct tune_measurement *measurement, bool pays)
{
	struct tune_text text = {.work = loop->file->work};
	for (size_t i = 0; i < measurement->count; i++) {
		const struct tune_measured *row = &measurement->rows[i];
		if (is_of(loop, row) && row->pays == pays)
			heddle__tune_add_format(&text, "%s%s", text.length ? ", " : "", row->variable);
	}
	return text.at ? text.at : "";
}

void heddle__tune_choose_measured(
	struct tune_loop *loop, const struct tune_measurement *measurement, enum tune_choice *choices)
{
	bool any = false;
	for (size_t i = 0; i < measurement->count; i++)
		if (is_of(loop, &measurement->rows[i]) && measurement->rows[i].pays && choices[i] != TUNE_LEFT_OUT)
			choices[i] = TUNE_CHOSEN;
	for (size_t i = 0; i < measurement->count; i++)
		if (choices[i] == TUNE_CHOSEN && choose_row(loop, &measurement->rows[i]))
			any = true;
		else if (choices[i] == TUNE_CHOSEN)
			heddle__tune_refuse_member(loop,
				heddle__tune_last_member(array_of(loop->file->work, measurement->rows[i].variable)));
	if (any)
		return;
	const char *paying = names_of(loop, measurement, true), *others = names_of(loop, measurement, false);
	if (*paying)
		heddle__tune_refuse_node(loop, loop->node,
			"the loop has no name for the measured variable (%s): name the variables with --variable",
			paying);
	if (*others)
		heddle__tune_refuse_node(loop, loop->node,
			"a cache of %s is not predicted to be faster: to change the loop anyway, use --variable %s",
			others, others);
	heddle__tune_refuse_node(
		loop, loop->node, "no remote accesses of this loop were measured: name its variables with --variable");
}

/* Returns true if a row's variable has a cache, by its own name or by that of a pointer to it. */
static bool is_cached(const struct tune_loop *loop, const struct tune_measured *row)
{
	for (int i = 0; i < loop->fact_count; i++) {
		const struct tune_symbol *symbol = loop->facts[i]->symbol;
		if (!loop->facts[i]->cached)
			continue;
		if (strcmp(symbol->name, array_of(loop->file->work, row->variable)) == 0)
			return true;
		for (const char *const *object = row->objects; *object; object++)
			if (may_point_to(loop, symbol, *object))
				return true;
	}
	return false;
}

const char *heddle__tune_prediction(const struct tune_loop *loop, const struct tune_measurement *measurement)
{
	double before = 0, after = 0;
	char from[32], to[32];
	for (size_t i = 0; measurement && i < measurement->count; i++) {
		const struct tune_measured *row = &measurement->rows[i];
		if (is_of(loop, row) && row->pays && is_cached(loop, row)) {
			before += row->before_us;
			after += row->after_us;
		}
	}
	if (before <= 0)
		return NULL;
	return heddle__tune_format(loop->file->work, "%s of remote accesses would become about %s",
		heddle__format_time(from, sizeof(from), (uint64_t)(before * 1000)),
		heddle__format_time(to, sizeof(to), (uint64_t)(after * 1000)));
}
