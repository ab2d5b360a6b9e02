/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads only the first section, and checks nothing of the rest of the file. */
#include "profile/file/profile_peek.h"

#include "format/ids.h"
#include "profile/base/errors.h"
#include "profile/base/regular_file.h"
#include "profile/file/unpack.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Names and arguments, kinds of events, strings: a few hundred KiB at most. */
#define SECTION_LIMIT ((size_t)64 << 20)

static int read_section(FILE *file, const struct heddle_section_header *header, Heddle__Profile__Process **process)
{
	size_t length = (size_t)le64toh(header->length);
	uint8_t *payload = length <= SECTION_LIMIT ? malloc(length + 1) : NULL;
	int error = 0;
	if (!payload)
		return length <= SECTION_LIMIT ? -ENOMEM : -HEDDLE_TOO_BIG;
	if (fread(payload, 1, length, file) != length)
		error = -HEDDLE_TRUNCATED;
	else if (crc32_z(0, payload, length) != le32toh(header->crc32))
		error = -HEDDLE_CORRUPTED;
	else if ((*process = profile_unpack(&heddle__profile__process__descriptor, length, payload)) == NULL)
		error = -HEDDLE_INCONSISTENT;
	free(payload);
	return error;
}

int profile_peek(const char *path, Heddle__Profile__Process **process)
{
	struct {
		struct heddle_file_header file;
		struct heddle_section_header section;
	} head;
	FILE *file = profile_open_stream(path);
	int error;
	*process = NULL;
	if (!file)
		return -errno;
	if (fread(&head, sizeof(head), 1, file) != 1)
		error = -HEDDLE_TRUNCATED;
	else if (memcmp(head.file.magic, HEDDLE_FILE_MAGIC, HEDDLE_FILE_MAGIC_SIZE) != 0)
		error = -HEDDLE_FOREIGN;
	else if (le32toh(head.file.version) > HEDDLE_FILE_VERSION)
		error = -HEDDLE_NEWER;
	else if (le32toh(head.section.type) != HEDDLE_SECTION_PROCESS)
		error = -HEDDLE_INCONSISTENT;
	else
		error = read_section(file, &head.section, process);
	fclose(file);
	return error;
}

bool profile_is_incomplete(const Heddle__Profile__Process *process)
{
	return strcmp(process->ended_by, "flush") == 0;
}
