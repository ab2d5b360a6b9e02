/* SPDX-License-Identifier: BSD-3-Clause */
/* A unified diff of edits whose places are known: whole lines around each, and three lines of context. */
#include <string.h>

#include "cli/tune/plan.h"

#define CONTEXT 3L

struct hunk {
	const char *begin, *end; /* whole lines of the source */
	const char *text;        /* that replace them */
};

struct lines {
	const struct tune_source *source;
	struct tune_text out;
	long shift; /* lines added so far */
};

static const char *line_end(const struct tune_source *source, const char *at)
{
	const char *end = source->text + source->length;
	while (at < end && *at != '\n')
		at++;
	return at < end ? at + 1 : end;
}

static long count_lines(const char *begin, const char *end)
{
	long count = begin < end && end[-1] != '\n';
	for (; begin < end; begin++)
		count += *begin == '\n';
	return count;
}

static void add_lines(struct tune_text *out, char mark, const char *begin, const char *end)
{
	while (begin < end) {
		const char *next = memchr(begin, '\n', (size_t)(end - begin));
		size_t length = next ? (size_t)(next - begin) + 1 : (size_t)(end - begin);
		heddle__tune_add_bytes(out, &mark, 1);
		heddle__tune_add_bytes(out, begin, length);
		if (!next)
			heddle__tune_add(out, "\n\\ No newline at end of file\n");
		begin += length;
	}
}

static void add_hunk(struct lines *lines, const struct hunk *hunk)
{
	const struct tune_source *source = lines->source;
	const char *before = hunk->begin, *after = hunk->end, *text = hunk->text;
	for (long i = 0; i < CONTEXT && before > source->text; i++)
		before = heddle__tune_line_start(source, before - 1);
	for (long i = 0; i < CONTEXT; i++)
		after = line_end(source, after);
	long first = count_lines(source->text, before) + 1, old = count_lines(before, after);
	long gone = count_lines(hunk->begin, hunk->end), come = count_lines(text, text + strlen(text));
	heddle__tune_add_format(
		&lines->out, "@@ -%ld,%ld +%ld,%ld @@\n", first, old, first + lines->shift, old - gone + come);
	add_lines(&lines->out, ' ', before, hunk->begin);
	add_lines(&lines->out, '-', hunk->begin, hunk->end);
	add_lines(&lines->out, '+', text, text + strlen(text));
	add_lines(&lines->out, ' ', hunk->end, after);
	lines->shift += come - gone;
}

/* Edits from `*at` on that share lines, extended to whole lines; *at is the one behind them. */
static struct hunk hunk_of(const struct tune_change *change, int *at)
{
	const struct tune_source *source = &change->file->source;
	const struct tune_edit *edit = &change->edits[*at];
	struct hunk hunk = {.begin = heddle__tune_line_start(source, edit->begin)};
	struct tune_text text = {.work = source->work};
	const char *from = hunk.begin;
	do {
		edit = &change->edits[(*at)++];
		bool whole = edit->end == heddle__tune_line_start(source, edit->end) && edit->begin == edit->end;
		heddle__tune_add_bytes(&text, from, (size_t)(edit->begin - from));
		heddle__tune_add(&text, edit->text);
		from = edit->end;
		hunk.end = whole ? edit->end : line_end(source, edit->end);
	} while (*at < change->count && change->edits[*at].begin < hunk.end);
	heddle__tune_add_bytes(&text, from, (size_t)(hunk.end - from));
	hunk.text = text.at;
	return hunk;
}

/* Two edits whose contexts meet are one hunk. */
static struct hunk joined(const struct tune_source *source, const struct hunk *a, const struct hunk *b)
{
	struct tune_text text = {.work = source->work};
	heddle__tune_add_format(&text, "%s%.*s%s", a->text, (int)(b->begin - a->end), a->end, b->text);
	return (struct hunk){.begin = a->begin, .end = b->end, .text = text.at};
}

const char *heddle__tune_unified(const struct tune_change *change, const char *to)
{
	const struct tune_source *source = &change->file->source;
	struct lines lines = {.source = source, .out = {.work = source->work}};
	int at = 0;
	struct hunk hunk = hunk_of(change, &at);
	heddle__tune_add_format(&lines.out, "--- %s\n+++ %s\n", source->path, to);
	while (at < change->count) {
		struct hunk next = hunk_of(change, &at);
		if (count_lines(hunk.end, next.begin) <= 2 * CONTEXT) {
			hunk = joined(source, &hunk, &next);
		} else {
			add_hunk(&lines, &hunk);
			hunk = next;
		}
	}
	add_hunk(&lines, &hunk);
	return lines.out.at;
}
