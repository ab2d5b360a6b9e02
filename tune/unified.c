/* SPDX-License-Identifier: BSD-3-Clause */
/* A unified diff of edits whose places are known: the whole lines of each edit, and three lines of context. */
#include <string.h>

#include "tune/plan.h"

#define CONTEXT 3L

struct part {
	const char *begin, *end; /* whole lines of the source */
	const char *text;        /* the replacement */
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

/* Prints parts whose contexts meet as one hunk. */
static void add_hunk(struct lines *lines, const struct part *parts, int count)
{
	const struct tune_source *source = lines->source;
	const char *before = parts[0].begin, *after = parts[count - 1].end;
	for (long i = 0; i < CONTEXT && before > source->text; i++)
		before = heddle__tune_line_start(source, before - 1);
	for (long i = 0; i < CONTEXT; i++)
		after = line_end(source, after);
	long first = count_lines(source->text, before) + 1, old = count_lines(before, after), more = 0;
	for (int i = 0; i < count; i++)
		more += count_lines(parts[i].text, parts[i].text + strlen(parts[i].text)) -
			count_lines(parts[i].begin, parts[i].end);
	heddle__tune_add_format(&lines->out, "@@ -%ld,%ld +%ld,%ld @@\n", first, old, first + lines->shift, old + more);
	for (int i = 0; i < count; i++) {
		add_lines(&lines->out, ' ', i ? parts[i - 1].end : before, parts[i].begin);
		add_lines(&lines->out, '-', parts[i].begin, parts[i].end);
		add_lines(&lines->out, '+', parts[i].text, parts[i].text + strlen(parts[i].text));
	}
	add_lines(&lines->out, ' ', parts[count - 1].end, after);
	lines->shift += more;
}

/* Returns the edits from *AT on that share lines, extended to whole lines; sets *AT to the edit after them. */
static struct part part_of(const struct tune_change *change, int *at)
{
	const struct tune_source *source = &change->file->source;
	const struct tune_edit *edit = &change->edits[*at];
	struct part part = {.begin = heddle__tune_line_start(source, edit->begin)};
	struct tune_text text = {.work = source->work};
	const char *from = part.begin;
	do {
		edit = &change->edits[(*at)++];
		bool whole = edit->end == heddle__tune_line_start(source, edit->end) && edit->begin == edit->end;
		heddle__tune_add_bytes(&text, from, (size_t)(edit->begin - from));
		heddle__tune_add(&text, edit->text);
		from = edit->end;
		part.end = whole ? edit->end : line_end(source, edit->end);
	} while (*at < change->count && change->edits[*at].begin < part.end);
	heddle__tune_add_bytes(&text, from, (size_t)(part.end - from));
	part.text = text.at;
	return part;
}

const char *heddle__tune_unified(const struct tune_change *change, const char *to)
{
	const struct tune_source *source = &change->file->source;
	struct lines lines = {.source = source, .out = {.work = source->work}};
	struct part *parts = heddle__tune_take(source->work, sizeof(*parts) * (size_t)change->count);
	int count = 0, at = 0;
	heddle__tune_add_format(&lines.out, "--- %s\n+++ %s\n", source->path, to);
	while (at < change->count) {
		struct part next = part_of(change, &at);
		if (count && count_lines(parts[count - 1].end, next.begin) > 2 * CONTEXT) {
			add_hunk(&lines, parts, count);
			count = 0;
		}
		parts[count++] = next;
	}
	add_hunk(&lines, parts, count);
	return lines.out.at;
}
