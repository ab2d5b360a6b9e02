/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of `heddle advise`, and sentences with the command to run next. */
#include "tune/advise/print.h"

#include "cli/base/columns.h"
#include "cli/base/words.h"
#include "cli/base/wrap.h"
#include "profile/base/base_name.h"
#include "profile/view/view.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMN_TIME, COLUMN_AFTER, COLUMN_SHARE, COLUMN_ACCESSES, COLUMN_ELEMENTS, COLUMN_ADVICE, COLUMNS };

static const char *const words[] = {[HEDDLE_ADVISE_NOTHING] = "-",
	[HEDDLE_ADVISE_CACHE] = "cache",
	[HEDDLE_ADVISE_COALESCE] = "coalesce",
	[HEDDLE_ADVISE_BLOCKS] = "by hand"};

void heddle__advice_say(const struct heddle_advice_page *page, const char *format, ...)
{
	struct heddle_wrap how = {.out = stdout, .width = page->terminal.width};
	va_list arguments;
	char *text;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) >= 0) {
		heddle__print_wrapped(&how, text);
		free(text);
	}
	va_end(arguments);
}

static char *format_us(char *text, size_t size, double us)
{
	return heddle__format_time(text, size, us > 0 ? (uint64_t)(us * 1000) : 0);
}

static double time_of(const struct heddle_advice *one)
{
	return one->got_us + one->put_us + one->others_us;
}

static uint64_t count_of(const struct heddle_advice *one)
{
	return one->gets + one->puts + one->others;
}

/* An estimate may be slightly more than the number of accesses. */
static double elements_of(const struct heddle_advice *one)
{
	double accesses = (double)(one->gets + one->puts);
	return one->elements < accesses ? one->elements : accesses;
}

void heddle__advice_print_costs(const struct heddle_advice_page *page)
{
	char latency[32];
	double threads = page->network ? heddle__network_value(page->network, "threads") : 0;
	format_us(latency, sizeof latency, page->costs->latency);
	if (page->network && !page->costs->estimated)
		heddle__advice_say(page, "Network: %s, %.0f threads%s; a remote get of 8 bytes takes %s.\n",
			page->network_path, threads,
			threads == page->advices->threads ? ", as many as the program's"
							  : ", not as many as the program's: measure with that number",
			latency);
	else
		heddle__advice_say(page,
			"Network: %s; estimated from the remote gets of this measurement, %s each. For better numbers, "
			"start heddle doctor --network as the program is started.\n",
			page->network ? "the file has no remote memory" : "there is no file of heddle doctor --network",
			latency);
}

/* ---- the table ---- */

static void print_text(const struct heddle_column *column, const char *text, bool first)
{
	if (heddle__column_shown(column))
		printf("%s%*s", first ? "" : " ", column->width, text);
}

static void print_row(
	const struct heddle_advice_page *page, const struct heddle_column *columns, const struct heddle_advice *one)
{
	char text[512];
	print_text(&columns[COLUMN_TIME], format_us(text, sizeof text, time_of(one)), true);
	print_text(&columns[COLUMN_AFTER],
		heddle__advice_is_advised(one)
			? format_us(text, sizeof text, one->after_us[HEDDLE_TYPICAL] + one->others_us)
			: "-",
		false);
	snprintf(text, sizeof text, "%.1f",
		page->advices->elapsed_us > 0 ? 100 * time_of(one) / page->advices->elapsed_us : 0);
	print_text(&columns[COLUMN_SHARE], text, false);
	print_text(&columns[COLUMN_ACCESSES], heddle__format_count(text, sizeof text, count_of(one)), false);
	print_text(&columns[COLUMN_ELEMENTS],
		one->sketched > 0 ? heddle__format_count(text, sizeof text, (uint64_t)elements_of(one)) : "-", false);
	print_text(&columns[COLUMN_ADVICE], words[one->kind], false);
	snprintf(text, sizeof text, "%s  %s%s:%" PRIu32, one->variable, one->in_loop ? "" : "no loop, ",
		*one->file ? profile_base_name(one->file) : "?", one->line);
	fputs("  ", stdout);
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < 0x20)
			*at = '?';
	heddle__print_fitting(&page->terminal, text, heddle__columns_width(columns, COLUMNS) + 2);
	putchar('\n');
}

static bool is_hidden(const struct heddle_advice_page *page, const struct heddle_advice *one)
{
	return time_of(one) * 100 <
		       heddle__least_percent(page->min_percent, page->advices->count) * page->advices->elapsed_us &&
	       !heddle__advice_is_advised(one);
}

void heddle__advice_print_table(const struct heddle_advice_page *page)
{
	struct heddle_column columns[COLUMNS] = {
		[COLUMN_TIME] = {"time", 8, 0, false},
		[COLUMN_AFTER] = {"after", 8, 0, false},
		[COLUMN_SHARE] = {"elapsed %", 9, 2, false},
		[COLUMN_ACCESSES] = {"accesses", 10, 0, false},
		[COLUMN_ELEMENTS] = {"different", 9, 1, false},
		[COLUMN_ADVICE] = {"advice", 8, 0, false},
	};
	size_t hidden = 0;
	heddle__columns_fit(&page->terminal, columns, COLUMNS, heddle__names_least(&page->terminal, 24));
	heddle__columns_print_heading(&page->terminal, columns, COLUMNS, "variable  upc_forall");
	for (size_t i = 0; i < page->advices->count; i++) {
		if (is_hidden(page, &page->advices->items[i]))
			hidden++;
		else
			print_row(page, columns, &page->advices->items[i]);
	}
	if (hidden)
		printf("(%zu line%s below %g %% hidden)\n", hidden, hidden == 1 ? "" : "s",
			heddle__least_percent(page->min_percent, page->advices->count));
	heddle__columns_print_omitted(&page->terminal, columns, COLUMNS);
}

/* ---- sentences ---- */

/* "36,015 gets and 9,147 puts" */
static void describe_accesses(char *text, size_t size, const struct heddle_advice *one)
{
	char gets[32], puts[32];
	heddle__format_count(gets, sizeof gets, one->gets);
	heddle__format_count(puts, sizeof puts, one->puts);
	if (one->gets && one->puts)
		snprintf(text, size, "%s gets and %s puts", gets, puts);
	else
		snprintf(text, size, one->gets ? "%s gets" : "%s puts", one->gets ? gets : puts);
}

static const char *reason(const struct heddle_advice *one)
{
	if (!one->gets)
		return "Each distinct element goes to its owner once, all of an owner in one message.";
	if (one->kind == HEDDLE_ADVISE_CACHE)
		return "Indices need remote data, so elements are brought when first accessed, with their neighbours.";
	return one->known_gets < one->gets || one->guessed_gets
		       ? "Most indices are known before the loop: these elements are brought at once, one message for "
			 "each pair of threads; the others when first accessed."
		       : "Indices are known before the loop: all elements are brought at once, one message for each "
			 "pair of threads.";
}

static void print_advice(const struct heddle_advice_page *page, const struct heddle_advice *one)
{
	char accesses[80], different[32], before[32], after[32], again[96] = "", order[200];
	describe_accesses(accesses, sizeof accesses, one);
	heddle__format_count(different, sizeof different, (uint64_t)elements_of(one));
	if (one->sketched > 0 && one->elements > 0)
		snprintf(again, sizeof again, " of %s different elements, each %.1f times", different,
			(double)(one->gets + one->puts) / elements_of(one));
	heddle__advice_say(page, "%s:%" PRIu32 ", %s: %s%s.%s %s %s would become about %s.\n",
		profile_base_name(one->file), one->line, one->variable, accesses, again,
		heddle__advice_describe_order(order, sizeof order, one), reason(one),
		format_us(before, sizeof before, one->got_us + one->put_us),
		format_us(after, sizeof after, one->after_us[HEDDLE_TYPICAL]));
}

static bool same_loop(const struct heddle_advice *a, const struct heddle_advice *b)
{
	return a->line == b->line && strcmp(a->file, b->file) == 0;
}

bool heddle__advice_begins_loop(const struct heddle_advices *advices, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (heddle__advice_is_advised(&advices->items[i]) &&
			same_loop(&advices->items[i], &advices->items[number]))
			return false;
	return heddle__advice_is_advised(&advices->items[number]);
}

/* Returns the text without its folder: "cc.upc:54: reason" for "/folder/cc.upc:54: reason". */
static const char *without_folder(const char *text)
{
	const char *end = strchr(text, ':'), *at = end ? end : text;
	while (at > text && at[-1] != '/')
		at--;
	return at;
}

/* Prints loops with rows that are worth a sentence, but that heddle tune cannot change: their indices are not known. */
static void print_refused(const struct heddle_advice_page *page)
{
	const struct heddle_advices *advices = page->advices;
	for (size_t i = 0; i < advices->count; i++) {
		const struct heddle_advice *one = &advices->items[i];
		bool said = !one->refused || one->kind != HEDDLE_ADVISE_NOTHING || is_hidden(page, one);
		for (size_t k = 0; k < i && !said; k++)
			said = advices->items[k].refused && strcmp(advices->items[k].refused, one->refused) == 0;
		if (!said)
			heddle__advice_say(page, "heddle tune cannot change %s.\n", without_folder(one->refused));
	}
}

/* Prints rows that heddle tune cannot help with, if they are worth a sentence. */
static void print_by_hand(const struct heddle_advice_page *page)
{
	for (size_t i = 0; i < page->advices->count; i++) {
		const struct heddle_advice *one = &page->advices->items[i];
		if (one->kind != HEDDLE_ADVISE_BLOCKS || is_hidden(page, one))
			continue;
		if (one->in_loop)
			heddle__advice_say(page,
				"%s:%" PRIu32
				", %s: accesses to whole blocks, for which a cache of elements is no help.\n",
				profile_base_name(one->file), one->line, one->variable);
		else
			heddle__advice_say(page,
				"%s:%" PRIu32
				", %s: not in a upc_forall, so heddle tune can't change it: if neighbours "
				"are accessed one after the other, upc_memget brings them at once.\n",
				profile_base_name(one->file), one->line, one->variable);
	}
}

static bool any_advised(const struct heddle_advices *advices)
{
	for (size_t i = 0; i < advices->count; i++)
		if (heddle__advice_is_advised(&advices->items[i]))
			return true;
	return false;
}

void heddle__advice_print_sentences(const struct heddle_advice_page *page)
{
	const struct heddle_advices *advices = page->advices;
	double before = advices->elapsed_us / advices->threads, after = heddle__advices_run(advices);
	char from[32], to[32];
	putchar('\n');
	for (size_t i = 0; i < advices->count; i++)
		if (heddle__advice_is_advised(&advices->items[i]))
			print_advice(page, &advices->items[i]);
	heddle__advice_print_loops(page);
	print_by_hand(page);
	print_refused(page);
	if (page->problem)
		heddle__advice_say(page, "%s. It could not be found out which indices are known before the loop.\n",
			page->problem);
	if (!any_advised(advices)) {
		heddle__advice_say(page, "Neither caching nor coalescing would save 1 %% of the run.\n");
		return;
	}
	heddle__advice_say(page, "The run would take about %s instead of %s, %.1f times as fast.\n",
		format_us(to, sizeof to, after), format_us(from, sizeof from, before), after > 0 ? before / after : 0);
	heddle__advice_print_commands(page);
}
