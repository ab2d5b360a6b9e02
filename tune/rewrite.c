/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The new text of the loop: caches are opened, then tiles with hints and downloads, the body, and uploads, then caches
 * are closed. It has the layout of the text around it, and the rest of the file does not change.
 */
#include "tune/plan.h"

#include <stdio.h>
#include <string.h>

/* The most lines of a loop that is kept besides the changed one, and of one that calls functions with copies. */
#define LONGEST_KEPT 20
#define LONGEST_KEPT_CALLER 40

struct output {
	struct tune_plan *plan;
	struct tune_text *text;
	int depth;
};

/* ---- names ---- */

/* A name for the cache of facts[at] that differs from those before: a.b and a_b have the same identifier. */
static const char *cache_name(const struct tune_loop *loop, int at)
{
	const char *base = loop->facts[at]->symbol->name, *suffix = "cache", *name = NULL;
	for (int i = -1, n = 2; i < at; i++) {
		if (i >= 0 && !(loop->facts[i]->cache && strcmp(loop->facts[i]->cache, name) == 0))
			continue;
		name = heddle__tune_new_name(loop, loop->function, base, suffix);
		suffix = heddle__tune_format(loop->file->work, "cache%d", n++);
		i = -1;
	}
	return name;
}

static void choose_names(struct tune_plan *plan)
{
	struct tune_loop *loop = plan->loop;
	plan->tile = heddle__tune_new_name(loop, loop->function, loop->index->name, "tile");
	plan->end = heddle__tune_new_name(loop, loop->function, loop->index->name,
		strcmp(loop->compare, "<=") == 0 || strcmp(loop->compare, ">=") == 0 ? "last" : "end");
	plan->chunk_name = heddle__tune_new_name(loop, loop->function, loop->index->name, "chunk");
	for (int i = 0; i < loop->fact_count; i++)
		if (loop->facts[i]->cached)
			loop->facts[i]->cache = cache_name(loop, i);
}

/* ---- layout ---- */

static const char *indent_of(const struct tune_source *source, int token)
{
	const char *line = heddle__tune_line_start(source, heddle__tune_begin(source, token));
	return heddle__tune_copy(source->work, line, strspn(line, " \t"));
}

/* The file's unit of indentation, from the first line of the body, or else of the function. */
static const char *unit_of(const struct tune_loop *loop, const char *indent)
{
	const struct tune_source *source = &loop->file->source;
	int bodies[] = {loop->body->first, loop->function->body};
	for (size_t i = 0; i < 2; i++) {
		int inner = heddle__tune_is(source, bodies[i], "{") ? heddle__tune_next(source, bodies[i]) : bodies[i];
		const char *more = indent_of(source, inner), *outer = i == 0 ? indent : indent_of(source, bodies[i]);
		if (strlen(more) > strlen(outer) && strncmp(more, outer, strlen(outer)) == 0)
			return more + strlen(outer);
	}
	return "\t";
}

static void find_layout(struct tune_plan *plan)
{
	const struct tune_source *source = &plan->loop->file->source;
	plan->newline = plan->change->newline;
	plan->indent = indent_of(source, plan->loop->node->first);
	plan->unit = unit_of(plan->loop, plan->indent);
}

/* ---- lines ---- */

static void line(struct output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(struct output *output, const char *format, ...)
{
	va_list list;
	char text[4096];
	heddle__tune_add(output->text, output->plan->indent);
	for (int i = 0; i < output->depth; i++)
		heddle__tune_add(output->text, output->plan->unit);
	va_start(list, format);
	int length = vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	if (length >= (int)sizeof(text))
		heddle__tune_refuse(&output->plan->loop->file->source, output->plan->loop->node->first,
			"an expression in the loop's header is too long");
	heddle__tune_add(output->text, text);
	heddle__tune_add(output->text, output->plan->newline);
}

static const char *words(const struct tune_plan *plan, const struct tune_node *node)
{
	return heddle__tune_line(&plan->loop->file->source, node->first, node->last);
}

/* The text of an operand, in parentheses if an operator may be next to it. */
static const char *operand(const struct tune_plan *plan, const struct tune_node *node)
{
	const char *text = words(plan, node);
	return heddle__tune_is_simple(node) ? text : heddle__tune_format(plan->loop->file->work, "(%s)", text);
}

/* As operand, but without parentheses around arithmetic: only - or a comparison is to its right. */
static const char *left_operand(const struct tune_plan *plan, const struct tune_node *node)
{
	static const char *const arithmetic[] = {"+", "-", "*", "/", "%"};
	for (size_t i = 0; i < sizeof(arithmetic) / sizeof(*arithmetic); i++)
		if (node->kind == TUNE_BINARY && heddle__tune_op(plan->loop->file, node, arithmetic[i]))
			return words(plan, node);
	return operand(plan, node);
}

typedef void (*cache_line)(struct output *output, const struct tune_facts *facts);

/* Prints a line for each cache of a round; -2: of all rounds. */
static void for_caches(struct output *output, int round, cache_line print)
{
	const struct tune_loop *loop = output->plan->loop;
	for (int i = 0; i < loop->fact_count; i++)
		if (loop->facts[i]->cached && (round == -2 || loop->facts[i]->round == round))
			print(output, loop->facts[i]);
}

/* An array of arrays is opened by the address of its first element. */
static void print_open(struct output *output, const struct tune_facts *facts)
{
	const struct tune_symbol *symbol = facts->symbol;
	struct tune_text array = {.work = output->text->work};
	const struct tune_type *type = symbol->type->of;
	bool deep = type && type->kind == TUNE_ARRAY;
	heddle__tune_add_format(&array, deep ? "&%s[0]" : "%s", symbol->name);
	for (; type && type->kind == TUNE_ARRAY; type = type->of)
		heddle__tune_add(&array, "[0]");
	line(output, "heddle_cache_t *%s = heddle_cache_open(%s, %s, %s);", facts->cache, array.at,
		output->plan->chunk_name, output->plan->policy);
}

static void print_start_download(struct output *output, const struct tune_facts *facts)
{
	line(output, "heddle_cache_start_download(%s);", facts->cache);
}

static void print_finish_download(struct output *output, const struct tune_facts *facts)
{
	line(output, "heddle_cache_finish_download(%s);", facts->cache);
}

static bool is_put(const struct tune_loop *loop, const struct tune_facts *facts)
{
	for (const struct tune_access *access = loop->accesses; access; access = access->next)
		if (access->root == facts->symbol && access->write && heddle__tune_is_cached(access))
			return true;
	return false;
}

/* Without puts there is nothing to upload, but the next tile must bring elements again that others changed. */
static bool needs_upload(const struct tune_loop *loop, const struct tune_facts *facts)
{
	return is_put(loop, facts) || (facts->stored && facts->round < 0);
}

static void print_start_upload(struct output *output, const struct tune_facts *facts)
{
	if (needs_upload(output->plan->loop, facts))
		line(output, "heddle_cache_start_upload(%s);", facts->cache);
}

static void print_finish_upload(struct output *output, const struct tune_facts *facts)
{
	if (needs_upload(output->plan->loop, facts))
		line(output, "heddle_cache_finish_upload(%s);", facts->cache);
}

static void print_close(struct output *output, const struct tune_facts *facts)
{
	line(output, "heddle_cache_close(%s);", facts->cache);
}

/*
 * Where a barrier is needed: owners may apply uploads after this thread has continued, but a thread must see its own
 * writes. Downloads have a barrier.
 */
enum barrier { NO_BARRIER, BEHIND_TILE, BEHIND_LOOP };

static enum barrier place_of_barrier(const struct tune_plan *plan)
{
	const struct tune_loop *loop = plan->loop;
	const struct tune_node *next = loop->node->next;
	bool puts = false, reads = false;
	for (const struct tune_access *access = loop->accesses; access; access = access->next) {
		puts |= access->write && heddle__tune_is_cached(access);
		reads |= heddle__tune_gets(access) && heddle__tune_is_cached(access);
	}
	if (!puts)
		return NO_BARRIER;
	if (reads && plan->rounds == 0)
		return BEHIND_TILE;
	bool follows = loop->node->parent->kind == TUNE_BLOCK && next && next->kind == TUNE_SYNCHRONIZE &&
		       heddle__tune_op(loop->file, next, "upc_barrier");
	return follows ? NO_BARRIER : BEHIND_LOOP;
}

/* ---- parts of the loop ---- */

static const char *list_of_caches(const struct tune_plan *plan)
{
	const struct tune_loop *loop = plan->loop;
	struct tune_text list = {.work = loop->file->work};
	int count = 0, seen = 0;
	for (int i = 0; i < loop->fact_count; i++)
		count += loop->facts[i]->cached;
	for (int i = 0; i < loop->fact_count; i++)
		if (loop->facts[i]->cached) {
			seen++;
			heddle__tune_add_format(&list, "%s%s",
				seen == 1       ? ""
				: seen == count ? " and "
						: ", ",
				loop->facts[i]->symbol->name);
		}
	return heddle__tune_format(list.work, "%s %s", list.at, count == 1 ? "is" : "are");
}

static const char *amount(const struct tune_plan *plan)
{
	const struct tune_loop *loop = plan->loop;
	return loop->step
		       ? heddle__tune_format(loop->file->work, "%s * %s", plan->chunk_name, operand(plan, loop->step))
		       : plan->chunk_name;
}

/* Prints the start and end of a step through the tiles, for each of the comparisons. */
static void print_tile_end(struct output *output)
{
	const struct tune_plan *plan = output->plan;
	const struct tune_loop *loop = plan->loop;
	const char *bound = loop->down ? operand(plan, loop->bound) : left_operand(plan, loop->bound);
	const char *chunk = amount(plan), *tile = plan->tile, *end = plan->end;
	bool inclusive = loop->compare[1] == '=' && *loop->compare != '!';
	const char *less = heddle__tune_format(loop->file->work, inclusive ? "(%s - 1)" : "%s", chunk);
	const char *compare = inclusive ? ">=" : ">";
	if (!loop->down)
		line(output, "%s = %s - %s %s %s ? %s + %s : %s;", end, bound, tile, compare, chunk, tile, less, bound);
	else
		line(output, "%s = %s - %s %s %s ? %s - %s : %s;", end, tile, bound, compare, chunk, tile, less, bound);
}

static void print_tiles(struct output *output)
{
	const struct tune_plan *plan = output->plan;
	const struct tune_loop *loop = plan->loop;
	bool inclusive = loop->compare[1] == '=' && *loop->compare != '!';
	const char *type = loop->index->type->name, *next = !inclusive ? "" : loop->down ? " - 1" : " + 1";
	line(output, "for (%s %s = %s, %s; %s %s %s; %s = %s%s) {", type, plan->tile,
		loop->declares_index ? words(plan, loop->start) : loop->index->name, plan->end, plan->tile,
		loop->compare, left_operand(plan, loop->bound), plan->tile, plan->end, next);
	output->depth++;
	print_tile_end(output);
}

/* The header of a loop over one tile, up to its closing bracket. */
static const char *head(const struct tune_plan *plan)
{
	const struct tune_loop *loop = plan->loop;
	const struct tune_node *step = heddle__tune_child(loop->node, 2);
	const char *affinity = loop->affinity->kind == TUNE_EMPTY &&
					       !heddle__tune_is(&loop->file->source, loop->affinity->first, "continue")
				       ? ""
				       : words(plan, loop->affinity);
	const char *type = loop->declares_index ? loop->index->type->name : "";
	return heddle__tune_format(loop->file->work, "upc_forall (%s%s%s = %s; %s %s %s; %s; %s)", type,
		*type ? " " : "", loop->index->name, plan->tile, loop->index->name, loop->compare, plan->end,
		words(plan, step), affinity);
}

static void print_hints(struct output *output, int round)
{
	struct tune_plan *plan = output->plan;
	const char *guard = NULL;
	for (int i = 0; i < plan->loop->fact_count && !guard; i++)
		if (plan->loop->facts[i]->cached && plan->loop->facts[i]->round == round)
			guard = plan->loop->facts[i]->cache;
	if (!guard)
		return;
	line(output, "if (heddle_cache_wants_hints(%s)) {", guard);
	output->depth++;
	line(output, "%s {", head(plan));
	heddle__tune_add(output->text, heddle__tune_hints(plan, round, output->depth + 1));
	line(output, "}");
	output->depth--;
	line(output, "}");
}

/* Indents lines after the first one by `depth` more, except directives. */
static void add_deeper(struct output *output, const char *text)
{
	for (; *text; text++) {
		heddle__tune_add_bytes(output->text, text, 1);
		if (*text != '\n' || strchr("\n\r#", text[1]))
			continue;
		for (int i = 0; i < output->depth; i++)
			heddle__tune_add(output->text, output->plan->unit);
	}
}

/* Prints the body unchanged, including comments between it and the header. */
static void print_body(struct output *output)
{
	struct tune_plan *plan = output->plan;
	const struct tune_source *source = &plan->loop->file->source;
	struct tune_text body = {.work = output->text->work};
	const char *behind = heddle__tune_end(source, heddle__tune_before(source, plan->loop->body->first));
	heddle__tune_add_bytes(&body, behind, (size_t)(heddle__tune_begin(source, plan->loop->body->first) - behind));
	heddle__tune_render(plan, &body, plan->loop->body, true);
	heddle__tune_add(output->text, plan->indent);
	for (int i = 0; i < output->depth; i++)
		heddle__tune_add(output->text, plan->unit);
	heddle__tune_add(output->text, head(plan));
	add_deeper(output, body.at);
	heddle__tune_add(output->text, plan->newline);
}

/* Prints comments of the header that its expressions do not contain. */
static void print_comments(struct output *output)
{
	const struct tune_source *source = &output->plan->loop->file->source;
	const struct tune_node *node = output->plan->loop->node;
	int close = source->tokens[heddle__tune_next(source, node->first)].partner;
	for (int i = node->first; i < close; i++) {
		const char *at = heddle__tune_end(source, i), *end = heddle__tune_begin(source, i + 1);
		for (const char *begin; at < end && (begin = memchr(at, '/', (size_t)(end - at))) != NULL; at++) {
			bool whole = begin[1] == '*';
			at = whole ? strstr(begin + 2, "*/") + 2 : begin + strcspn(begin, "\r\n");
			line(output, "%.*s", (int)(at - begin), begin);
		}
	}
}

/*
 * Returns true if a short loop keeps its original form for shared memory, where a cache has nothing to bring and its
 * functions cost more than the loop itself. A loop that calls functions with copies then calls the originals. Only with
 * the policy `arbitrary` may all threads access elements directly.
 */
static bool keeps_original(const struct tune_plan *plan)
{
	const struct tune_source *source = &plan->loop->file->source;
	const struct tune_node *node = plan->loop->node;
	int lines = source->tokens[node->last].line - source->tokens[node->first].line + 1, most = LONGEST_KEPT;
	for (const struct tune_variant *variant = plan->loop->variants; variant; variant = variant->next)
		if (variant->changed)
			most = LONGEST_KEPT_CALLER;
	return strcmp(plan->policy, "HEDDLE_CACHE_ARBITRARY") == 0 && lines <= most;
}

static void print_original(struct output *output)
{
	const struct tune_plan *plan = output->plan;
	const struct tune_source *source = &plan->loop->file->source;
	const char *first = heddle__tune_begin(source, plan->loop->node->first),
		   *end = heddle__tune_end(source, plan->loop->node->last);
	const char *cache = "";
	for (int i = 0; i < plan->loop->fact_count && !*cache; i++)
		if (plan->loop->facts[i]->cached)
			cache = plan->loop->facts[i]->cache;
	line(output, "if (heddle_cache_is_direct(%s)) {", cache);
	output->depth++;
	heddle__tune_add(output->text, plan->indent);
	for (int i = 0; i < output->depth; i++)
		heddle__tune_add(output->text, plan->unit);
	add_deeper(output, heddle__tune_copy(source->work, first, (size_t)(end - first)));
	heddle__tune_add(output->text, plan->newline);
	output->depth--;
	line(output, "} else {");
	output->depth++;
}

static void print_tiled(struct output *output)
{
	struct tune_plan *plan = output->plan;
	const struct tune_loop *loop = plan->loop;
	if (!loop->declares_index)
		line(output, "%s = %s;", loop->index->name, words(plan, loop->start));
	print_tiles(output);
	for (int round = 0; round < plan->rounds; round++) {
		print_hints(output, round);
		for_caches(output, round, print_start_download);
		for_caches(output, round, print_finish_download);
	}
	print_body(output);
	for_caches(output, -2, print_start_upload);
	for_caches(output, -2, print_finish_upload);
	if (place_of_barrier(plan) == BEHIND_TILE)
		line(output, "upc_barrier;");
	output->depth--;
	line(output, "}");
	if (place_of_barrier(plan) == BEHIND_LOOP)
		line(output, "upc_barrier;");
}

/* Declares numbers for pointers that are declared outside of the loop. */
static void print_numbers(struct output *output)
{
	const struct tune_loop *loop = output->plan->loop;
	for (int i = 0; i < loop->fact_count; i++) {
		struct tune_symbol *symbol = loop->facts[i]->symbol;
		bool outside = symbol->token < loop->node->first || symbol->token > loop->node->last;
		if (heddle__tune_is_number(NULL, symbol) && outside &&
			heddle__tune_function_at(loop->file, symbol->token) == loop->function)
			line(output, "size_t %s;", loop->facts[i]->first);
	}
}

static void print_loop(struct output *output)
{
	struct tune_plan *plan = output->plan;
	bool keeps = keeps_original(plan);
	heddle__tune_add_format(output->text, "{ /* %s accessed through a cache, in tiles (heddle tune) */%s",
		list_of_caches(plan), plan->newline);
	output->depth++;
	if (!keeps)
		print_comments(output);
	line(output, "const %s %s = %s; /* iterations of a tile, on all threads */", plan->loop->index->type->name,
		plan->chunk_name, plan->chunk);
	for_caches(output, -2, print_open);
	print_numbers(output);
	heddle__tune_add(output->text, plan->newline);
	if (keeps)
		print_original(output);
	print_tiled(output);
	if (keeps) {
		output->depth--;
		line(output, "}");
	}
	for_caches(output, -2, print_close);
	output->depth--;
	heddle__tune_add_format(output->text, "%s}", plan->indent);
}

void heddle__tune_rewrite(struct tune_plan *plan)
{
	struct tune_loop *loop = plan->loop;
	const struct tune_source *source = &loop->file->source;
	struct tune_text text = {.work = loop->file->work};
	struct output output = {.plan = plan, .text = &text};
	choose_names(plan);
	heddle__tune_name_caches(plan);
	find_layout(plan);
	heddle__tune_open_expansions(loop);
	heddle__tune_find_known(plan);
	heddle__tune_copy_functions(plan);
	print_loop(&output);
	heddle__tune_edit(plan->change, heddle__tune_begin(source, loop->node->first),
		heddle__tune_end(source, loop->node->last), text.at, loop->function);
}
