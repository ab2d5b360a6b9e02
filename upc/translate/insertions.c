/* SPDX-License-Identifier: BSD-3-Clause */
/* Inserts text into the translated text, and maps positions in the result to positions before the insertions. */
#include <stdlib.h>
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/translate/translate.h"

/* The index of the first insertion in a row or, if the row has none, in the next row that has one. */
static int first_in_row(const struct upc_translation *translation, int row)
{
	int low = 0, high = translation->insertion_count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (translation->insertions[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A position in the text without insertions. */
struct bare_place {
	int column;
	int next;   /* the first insertion that does not end before it */
	int inside; /* how many characters of that insertion are before it */
};

static struct bare_place without_insertions(const struct upc_translation *translation, int row, int column)
{
	int i = first_in_row(translation, row), shift = 0;
	for (; i < translation->insertion_count && translation->insertions[i].row == row; i++) {
		const struct upc_insertion *insertion = &translation->insertions[i];
		int start = insertion->column + shift, length = (int)strlen(insertion->text);
		if (column <= start)
			break;
		if (column < start + length)
			return (struct bare_place){insertion->column, i, column - start};
		shift += length;
	}
	return (struct bare_place){column - shift, i, 0};
}

int upc__translated_column(const struct upc_translation *translation, int row, int column)
{
	return without_insertions(translation, row, column).column;
}

/* At one place, texts that end something are before texts that begin something, and inner ends before outer ones. */
static int compare(const void *a, const void *b)
{
	const struct upc_insertion *left = a, *right = b;
	if (left->row != right->row)
		return left->row < right->row ? -1 : 1;
	if (left->column != right->column)
		return left->column < right->column ? -1 : 1;
	if (left->is_end != right->is_end)
		return left->is_end ? -1 : 1;
	bool less = left->order < right->order;
	return less == left->is_end ? 1 : -1;
}

/* Writes the text again, with all insertions. */
static void apply(struct upc_translation *translation)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		exit(1);
	const char *at = translation->bare_text;
	int row = 0, column = 1;
	for (int i = 0; i < translation->insertion_count; i++) {
		const struct upc_insertion *insertion = &translation->insertions[i];
		const char *from = at;
		for (; row < insertion->row && strchr(at, '\n'); row++, column = 1)
			at = strchr(at, '\n') + 1;
		at += insertion->column - column;
		column = insertion->column;
		fwrite(from, 1, (size_t)(at - from), out);
		fputs(insertion->text, out);
	}
	fputs(at, out);
	fclose(out);
	free(translation->text);
	translation->text = text;
}

/* Inserts the text of one insertion into that of another one, which has grown by *GROWN already. */
static void splice(struct upc_insertion *into, struct upc_insertion *insertion, int at, int *grown)
{
	char *text = upc__format("%.*s%s%s", at + *grown, into->text, insertion->text, into->text + at + *grown);
	*grown += (int)strlen(insertion->text);
	free(into->text);
	free(insertion->text);
	into->text = text;
}

/* Merges a sorted list into the list of the translation. */
static void merge(struct upc_translation *translation, struct upc_insertion *list, int count)
{
	int before = translation->insertion_count, taken = 0, given = 0, spliced = -1, grown = 0;
	struct upc_insertion *all = malloc((size_t)(before + count) * sizeof *all);
	struct bare_place *places = malloc((size_t)count * sizeof *places);
	if (!all || !places)
		exit(1);
	for (int i = 0; i < count; i++)
		places[i] = without_insertions(translation, list[i].row, list[i].column);
	for (int i = 0; i < count; i++) {
		int next = places[i].next;
		if (places[i].inside > 0) {
			grown = spliced == next ? grown : 0;
			spliced = next;
			splice(&translation->insertions[next], &list[i], places[i].inside, &grown);
			continue;
		}
		while (taken < next)
			all[given++] = translation->insertions[taken++];
		all[given] = list[i];
		all[given++].column = places[i].column;
	}
	while (taken < before)
		all[given++] = translation->insertions[taken++];
	free(places);
	free(translation->insertions);
	translation->insertions = all;
	translation->insertion_count = given;
}

void upc__insert(struct upc_translation *translation, struct upc_insertion *list, int count)
{
	if (count == 0)
		return;
	for (int i = 0; i < count; i++)
		list[i].order = i;
	qsort(list, (size_t)count, sizeof *list, compare);
	merge(translation, list, count);
	if (!translation->bare_text) {
		translation->bare_text = translation->text;
		translation->text = NULL;
	}
	apply(translation);
}

static void overwrite(char *at, int row, int column, const char *text)
{
	for (; row > 0 && strchr(at, '\n'); row--)
		at = strchr(at, '\n') + 1;
	for (at += column - 1; *text != '\0';)
		*at++ = *text++;
}

void upc__overwrite(struct upc_translation *translation, int row, int column, const char *text)
{
	overwrite(translation->text, row, column, text);
	if (translation->bare_text)
		overwrite(translation->bare_text, row, upc__translated_column(translation, row, column), text);
}
