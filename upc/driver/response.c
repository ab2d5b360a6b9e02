/* SPDX-License-Identifier: BSD-3-Clause */
/* Response files: @FILE among the arguments is replaced by the words of FILE, as with gcc and clang. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

#define MOST_FILES 2000 /* files that contain themselves end here */

/*
 * The next word of *AT, without its quotes: one kind of quotes may contain the other, and a backslash quotes the next
 * character everywhere. NULL: none. The caller frees it.
 */
static char *take_word(const char **at)
{
	const char *text = *at + strspn(*at, " \t\n\v\f\r");
	char *word = *text == '\0' ? NULL : upc__format("%s", text);
	size_t length = 0;
	char quote = '\0';
	for (; word && *text != '\0' && (quote != '\0' || !isspace((unsigned char)*text)); text++) {
		if (*text == '\\' && text[1] != '\0')
			word[length++] = *++text;
		else if (*text == quote)
			quote = '\0';
		else if (quote == '\0' && (*text == '"' || *text == '\''))
			quote = *text;
		else
			word[length++] = *text;
	}
	if (word)
		word[length] = '\0';
	*at = text;
	return word;
}

/* Returns false after a message. */
static bool expand(struct arguments *all, const char *argument, int *files)
{
	if (*argument != '@') {
		upc__argument(all, argument);
		return true;
	}
	char *text = ++*files <= MOST_FILES ? upc__read_file(argument + 1) : NULL;
	bool good = text;
	if (*files > MOST_FILES)
		fprintf(stderr, "heddle-upcc1: error: %s: too many nested files of options; does one include itself?\n",
			argument);
	else if (!good)
		fprintf(stderr, "heddle-upcc1: error: cannot read '%s', a file of options\n", argument + 1);
	const char *at = text;
	for (char *word; good && (word = take_word(&at));)
		good = expand(all, word, files);
	free(text);
	return good;
}

bool upc__expand_responses(int *count, char ***arguments)
{
	struct arguments all = {0};
	int files = 0;
	for (int i = 0; i < *count; i++)
		if (!expand(&all, (*arguments)[i], &files))
			return false;
	*count = all.count;
	*arguments = (char **)all.list;
	return true;
}
