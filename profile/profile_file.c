/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a profile file. It is read, not mapped: a file cut short by somebody else while we look at it must not become
 * a SIGBUS here.
 */
#include "profile/profile_file.h"

#include "format/ids.h"
#include "profile/errors.h"
#include "profile/intern.h"

#include <endian.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* A compressed file may claim anything; past this it is refused. */
#define DECOMPRESSED_LIMIT ((size_t)8 << 30)

static int read_all(int fd, uint8_t *data, size_t size, size_t *got)
{
	for (*got = 0; *got < size;) {
		ssize_t n = read(fd, data + *got, size - *got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		*got += (size_t)n;
	}
	return 0;
}

static int slurp_fd(struct heddle_file *file, int fd)
{
	struct stat status;
	if (fstat(fd, &status) != 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	if (!S_ISREG(status.st_mode))
		return -HEDDLE_FOREIGN;
	file->data = malloc((size_t)status.st_size + 1);
	if (!file->data)
		return -ENOMEM;
	return read_all(fd, file->data, (size_t)status.st_size, &file->size);
}

static int slurp(struct heddle_file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	int error = slurp_fd(file, fd);
	close(fd);
	return error;
}

static int grow_output(uint8_t **data, size_t *capacity, size_t used)
{
	if (used < *capacity)
		return 0;
	if (*capacity >= DECOMPRESSED_LIMIT)
		return -HEDDLE_TOO_BIG;
	uint8_t *fresh = realloc(*data, *capacity * 2);
	if (!fresh)
		return -ENOMEM;
	*data = fresh;
	*capacity *= 2;
	return 0;
}

static int decompress_into(ZSTD_DCtx *context, struct heddle_file *file, uint8_t **data, size_t *used)
{
	ZSTD_inBuffer in = {.src = file->data, .size = file->size};
	size_t capacity = file->size * 4 + 4096;
	*data = malloc(capacity);
	if (!*data)
		return -ENOMEM;
	for (size_t left = 1; left != 0 || in.pos < in.size;) {
		int error = grow_output(data, &capacity, *used);
		if (error)
			return error;
		ZSTD_outBuffer out = {.dst = *data, .size = capacity, .pos = *used};
		left = ZSTD_decompressStream(context, &out, &in);
		if (ZSTD_isError(left))
			return -HEDDLE_CORRUPTED;
		if (left != 0 && in.pos == in.size && out.pos == *used)
			return -HEDDLE_TRUNCATED;
		*used = out.pos;
	}
	return 0;
}

static int decompress(struct heddle_file *file)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	uint8_t *data = NULL;
	size_t used = 0;
	int error = context ? decompress_into(context, file, &data, &used) : -ENOMEM;
	ZSTD_freeDCtx(context);
	if (error) {
		free(data);
		return error;
	}
	free(file->data);
	file->data = data;
	file->size = used;
	return 0;
}

static bool is_zstd(const struct heddle_file *file)
{
	return file->size >= 4 && memcmp(file->data, "\x28\xb5\x2f\xfd", 4) == 0;
}

static int check_header(const struct heddle_file *file)
{
	struct heddle_file_header header;
	size_t known = file->size < sizeof(header) ? file->size : sizeof(header);
	size_t compared = known < HEDDLE_FILE_MAGIC_SIZE ? known : HEDDLE_FILE_MAGIC_SIZE;
	if (known && memcmp(file->data, HEDDLE_FILE_MAGIC, compared) != 0)
		return -HEDDLE_FOREIGN;
	if (known < sizeof(header))
		return -HEDDLE_TRUNCATED;
	memcpy(&header, file->data, sizeof(header));
	if (le32toh(header.version) > HEDDLE_FILE_VERSION)
		return -HEDDLE_NEWER;
	return le32toh(header.version) == 0 || header.zero != 0 ? -HEDDLE_INCONSISTENT : 0;
}

/* crc32_z of zlib takes a size_t, so no section is too long for it. */
static bool crc_matches(const struct heddle_file_section *section, uint32_t crc)
{
	return crc32_z(crc32_z(0, NULL, 0), section->data, section->size) == crc;
}

static int add_section(struct heddle_file *file, size_t *at)
{
	struct heddle_section_header header;
	if (file->size - *at < sizeof(header))
		return -HEDDLE_TRUNCATED;
	memcpy(&header, file->data + *at, sizeof(header));
	*at += sizeof(header);
	if (le64toh(header.length) > file->size - *at)
		return -HEDDLE_TRUNCATED;
	struct heddle_file_section section = {le32toh(header.type), file->data + *at, le64toh(header.length)};
	*at += section.size;
	if (!crc_matches(&section, le32toh(header.crc32)))
		return -HEDDLE_CORRUPTED;
	int error = heddle__reserve(&file->sections, &file->section_capacity, file->section_count + 1, sizeof(section));
	if (!error)
		file->sections[file->section_count++] = section;
	return error;
}

static int cut(struct heddle_file *file)
{
	size_t at = sizeof(struct heddle_file_header);
	int error;
	do
		error = add_section(file, &at);
	while (!error && file->sections[file->section_count - 1].type != HEDDLE_SECTION_END);
	return !error && at != file->size ? -HEDDLE_INCONSISTENT : error;
}

static int parse(struct heddle_file *file)
{
	int error = is_zstd(file) ? decompress(file) : 0;
	if (!error)
		error = check_header(file);
	if (!error)
		error = cut(file);
	if (error)
		heddle_file_close(file);
	return error;
}

uint32_t heddle_file_version(const char *path)
{
	struct heddle_file_header header;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t got = read(fd, &header, sizeof(header));
	close(fd);
	if (got != (ssize_t)sizeof(header) || memcmp(&header, HEDDLE_FILE_MAGIC, HEDDLE_FILE_MAGIC_SIZE) != 0)
		return 0;
	return le32toh(header.version);
}

int heddle_file_parse(struct heddle_file *file, uint8_t *data, size_t size)
{
	*file = (struct heddle_file){.data = data, .size = size};
	return parse(file);
}

int heddle_file_open(struct heddle_file *file, const char *path)
{
	*file = (struct heddle_file){0};
	int error = slurp(file, path);
	if (!error)
		return parse(file);
	heddle_file_close(file);
	return error;
}

void heddle_file_close(struct heddle_file *file)
{
	free(file->sections);
	free(file->data);
	*file = (struct heddle_file){0};
}

const struct heddle_file_section *heddle_file_only(const struct heddle_file *file, uint32_t type, int *error)
{
	const struct heddle_file_section *found = NULL;
	*error = 0;
	for (size_t i = 0; i < file->section_count; i++) {
		if (file->sections[i].type != type)
			continue;
		if (found)
			*error = -HEDDLE_INCONSISTENT;
		found = &file->sections[i];
	}
	return *error ? NULL : found;
}
