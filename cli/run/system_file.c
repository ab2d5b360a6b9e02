/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads single lines; a file that cannot be read is an empty one, never an error. */
#include "cli/run/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heddle__first_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	line[0] = '\0';
	if (!file)
		return;
	if (!fgets(line, (int)size, file))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

bool heddle__file_says(const char *path, const char *key, const char *word)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;
	if (!file)
		return false;
	while (!found && getline(&line, &size, file) > 0)
		found = strncmp(line, key, strlen(key)) == 0 && strstr(line, word);
	free(line);
	fclose(file);
	return found;
}
