/* SPDX-License-Identifier: BSD-3-Clause */
/* Compilers tell the names of files as they were given; where a program is run, they may mean nothing. */
#include "profile/source_text.h"

#include "profile/regular_file.h"
#include "profile/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST ((long)64 << 20)

static char *read_stream(FILE *stream)
{
	struct stat status;
	if (fstat(fileno(stream), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > LARGEST)
		return NULL;
	char *text = malloc((size_t)status.st_size + 1);
	if (text)
		text[fread(text, 1, (size_t)status.st_size, stream)] = '\0';
	return text;
}

static char *read_path(const char *path)
{
	FILE *stream = profile_open_stream(path);
	char *text = stream ? read_stream(stream) : NULL;
	if (stream)
		fclose(stream);
	return text;
}

/* directory/file, or (NULL) file; *name gets what could be read. */
static char *try(const char *directory, int length, const char *file, char **name)
{
	char *path, *text = NULL;
	int made = directory ? asprintf(&path, "%.*s/%s", length, directory, file) : asprintf(&path, "%s", file);
	if (made < 0)
		return NULL;
	text = read_path(path);
	if (text && name)
		*name = path;
	else
		free(path);
	return text;
}

char *profile_source_read(const struct profile_measurement *measurement, const char *file, char **path)
{
	char *text = try(NULL, 0, file, path);
	for (size_t p = 0; !text && p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error || *file == '/')
			continue;
		const char *start = process->info->start_directory, *program = process->info->program;
		const char *slash = strrchr(program, '/');
		if (*start)
			text = try(start, (int)strlen(start), file, path);
		if (!text && slash)
			text = try(program, (int)(slash - program), file, path);
		if (!text && slash)
			text = try(program, (int)(slash - program), profile_base_name(file), path);
	}
	return text;
}
