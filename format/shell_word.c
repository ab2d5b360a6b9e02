/* SPDX-License-Identifier: BSD-3-Clause */
/* Between single quotes every character is literal; a single quote is written '\''. Runs in signal handlers. */
#include "format/shell_word.h"

#include <string.h>

char *heddle__shell_word(char *word, size_t size, const char *text)
{
	static const char unquoted[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+,:@%=-";
	size_t length = strlen(text), used = 0;
	if (length > 0 && length < size && text[strspn(text, unquoted)] == '\0') {
		memcpy(word, text, length + 1);
		return word;
	}
	word[used++] = '\'';
	for (; *text != '\0' && used + 6 < size; text++) {
		if (*text == '\'') {
			memcpy(word + used, "'\\'", 3);
			used += 3;
		}
		word[used++] = *text;
	}
	word[used++] = '\'';
	word[used] = '\0';
	return word;
}
