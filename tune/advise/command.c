/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commands that follow the advice. heddle tune is run first without output, so that it refuses none of them; loops
 * that it cannot change are printed with the reason.
 */
#include "cli/base/exit_status.h"
#include "cli/base/words.h"
#include "profile/base/base_name.h"
#include "profile/view/view.h"
#include "tune/advise/print.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file's path relative to the current directory, if it is in it. */
static const char *relative(const char *file)
{
	static char here[PATH_MAX];
	size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
	return length > 1 && strncmp(file, here, length) == 0 && file[length] == '/' ? file + length + 1 : file;
}

/* "cc-tuned.upc": in the current directory. */
static void name_result(char *text, size_t size, const char *file)
{
	const char *name = profile_base_name(file), *dot = strrchr(name, '.');
	int stem = dot ? (int)(dot - name) : (int)strlen(name);
	snprintf(text, size, "%.*s-tuned%s", stem, name, dot ? dot : ".upc");
}

/* Prints a command on several lines that a shell reads as one; lines end between words only. */
static void print_shell_line(const struct heddle_advice_page *page, const struct heddle_words *command)
{
	size_t used = 2, width = page->terminal.width;
	fputs("  ", stdout);
	for (size_t i = 0; i < command->count; i++) {
		size_t length = heddle__columns(command->at[i]);
		if (width && used > 6 && used + length + 2 > width) {
			fputs("\\\n      ", stdout);
			used = 6;
		}
		used += length + 1;
		printf("%s%s", command->at[i], i + 1 < command->count ? " " : "");
	}
	putchar('\n');
}

/* A source with advice. */
struct source {
	const struct heddle_advice_page *page;
	const char *file;   /* as the compiler recorded it */
	const char *policy; /* the policy that heddle tune needs to change it, or NULL */
	struct tune_measurement measurement;
	struct tune_work work;
	struct tune_result result;
};

static int ask(struct source *source, const char *policy)
{
	const struct tune_request request = {.path = relative(source->file),
		.loops = &(const struct tune_position){0},
		.measurement = &source->measurement,
		.policy = policy,
		.flags = source->page->flags,
		.quiet = true,
		.output = ""};
	source->result = (struct tune_result){0};
	source->policy = policy;
	return heddle__tune(&source->work, &request, &source->result);
}

/* Returns the next line of a text, without its end; NULL after the last one. Advances *TEXT. */
static const char *next_line(const char **text, int *length)
{
	const char *line = *text;
	if (!line || !*line)
		return NULL;
	*length = (int)strcspn(line, "\n");
	*text = line + *length + (line[*length] == '\n');
	return line;
}

static bool has_word(const char *list, const char *word, size_t length)
{
	for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, word, length) == 0 && (at[length] == ',' || !at[length]))
			return true;
	return false;
}

/* Adds the names in "a, b" to a list such as "c,a". */
static void add_names(struct tune_text *list, const char *names, int length)
{
	for (const char *end = names + length; names < end;) {
		size_t size = strcspn(names, ",\n");
		if (!has_word(list->at, names, size)) {
			heddle__tune_add(list, list->length ? "," : "");
			heddle__tune_add_bytes(list, names, size);
		}
		names += size + strspn(names + size, ", ");
	}
}

/* Adds loops and variables from result.chosen, which has lines such as "examples/cc.upc:54: label, above". */
static void add_chosen(struct source *source, struct heddle_words *command)
{
	struct tune_text variables = {.work = &source->work}, loop;
	const char *text = source->result.chosen, *line;
	int length;
	while ((line = next_line(&text, &length)) != NULL) {
		const char *names = strstr(line, ": "), *name = names;
		while (name > line && name[-1] != '/')
			name--;
		loop = (struct tune_text){.work = &source->work};
		heddle__tune_add_bytes(&loop, name, (size_t)(names - name));
		heddle__words_add(command, "--loop");
		heddle__words_add_quoted(command, loop.at);
		add_names(&variables, names + 2, (int)(line + length - (names + 2)));
	}
	heddle__words_add(command, "--variable");
	heddle__words_add_quoted(command, variables.at);
}

static void print_command(struct source *source)
{
	struct heddle_words command = {0};
	char result[300];
	heddle__words_add(&command, "heddle");
	heddle__words_add(&command, "tune");
	heddle__words_add_quoted(&command, source->page->measurement);
	heddle__words_add_quoted(&command, relative(source->file));
	add_chosen(source, &command);
	if (source->policy) {
		heddle__words_add(&command, "--policy");
		heddle__words_add(&command, source->policy);
	}
	if (source->page->cflags) {
		heddle__words_add(&command, "--cflags");
		heddle__words_add_quoted(&command, source->page->cflags);
	}
	name_result(result, sizeof result, source->file);
	heddle__words_add(&command, "-o");
	heddle__words_add_quoted(&command, result);
	if (!command.failed)
		print_shell_line(source->page, &command);
	heddle__words_free(&command);
}

/* Prints loops that heddle tune cannot change, "FILE:LINE: reason". */
static void print_refused(const struct source *source)
{
	const char *text = source->result.refused, *line;
	int length;
	while ((line = next_line(&text, &length)) != NULL)
		heddle__advice_say(source->page, "heddle tune cannot change it: %.*s\n", length, line);
	if (!source->result.refused && source->work.status)
		heddle__advice_say(source->page, "heddle tune cannot change it: %s\n", source->work.message);
}

static void print_races(const struct source *source)
{
	const struct heddle_advices *advices = source->page->advices;
	for (size_t i = 0; i < advices->count; i++) {
		const struct heddle_advice *one = &advices->items[i];
		if (heddle__advice_is_advised(one) && strcmp(one->file, source->file) == 0 && one->gets && one->puts)
			heddle__advice_say(source->page,
				"%s is read and written at %s:%" PRIu32
				": the command is right only if iterations may see each other's writes later "
				"(--policy, heddle-tune(1)).\n",
				one->variable, profile_base_name(one->file), one->line);
	}
}

/* The number of loops that were changed. */
static size_t count_chosen(const struct source *source, int status)
{
	const char *text = status ? NULL : source->result.chosen;
	size_t count = 0;
	int length;
	while (next_line(&text, &length))
		count++;
	return count;
}

/* Tries without a policy first, and with one if loops were refused. */
static int find_command(struct source *source)
{
	heddle__tune_take_advices(&source->work, source->page->advices, source->file, &source->measurement);
	int status = ask(source, NULL);
	size_t changed = count_chosen(source, status);
	if (!source->result.refused)
		return status;
	status = ask(source, "arbitrary");
	return count_chosen(source, status) > changed ? status : ask(source, NULL);
}

static void print_file(const struct heddle_advice_page *page, const char *file)
{
	struct source *source = calloc(1, sizeof(*source));
	if (!source)
		return;
	source->page = page;
	source->file = file;
	jmp_buf refused;
	source->work.refused = &refused;
	if (setjmp(refused)) { /* memory is exhausted */
		heddle__advice_say(page, "%s\n", source->work.message);
	} else {
		if (find_command(source) == HEDDLE_EXIT_OK) {
			print_command(source);
			if (source->policy)
				print_races(source);
		}
		print_refused(source);
	}
	heddle__tune_free(&source->work);
	free(source);
}

void heddle__advice_print_commands(const struct heddle_advice_page *page)
{
	const struct heddle_advices *advices = page->advices;
	puts("\nNext:");
	for (size_t i = 0; i < advices->count; i++) {
		bool first = heddle__advice_is_advised(&advices->items[i]);
		for (size_t k = 0; k < i; k++)
			first &= !heddle__advice_is_advised(&advices->items[k]) ||
				 strcmp(advices->items[k].file, advices->items[i].file) != 0;
		if (first)
			print_file(page, advices->items[i].file);
	}
}
