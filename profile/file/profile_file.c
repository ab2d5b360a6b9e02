/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a profile file. It is read, not mapped: if it is truncated meanwhile, access to a mapping would raise SIGBUS.
 * It is read section by section, so that a small file that decompresses to gigabytes, or a big one with holes, is
 * rejected at the first invalid section.
 */
#include "profile/file/profile_file.h"

#include "format/ids.h"
#include "profile/base/errors.h"
#include "profile/base/intern.h"
#include "profile/base/regular_file.h"

#include <endian.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/*
 * A compressed file may have this many times its own size, but at least DECOMPRESSED_LEAST: profiles compress 2 to 20
 * times, and decoding takes many times the decompressed size in memory.
 */
#define DECOMPRESSED_RATIO 64
#define DECOMPRESSED_LEAST ((size_t)4 << 20)

#define CHUNK ((size_t)128 << 10)

/* The source of a file's bytes, and how many were read so far. */
struct source {
	int fd;              /* -1: `data` has all bytes */
	ZSTD_DCtx *context;  /* NULL: not compressed */
	ZSTD_inBuffer input; /* compressed bytes that were read */
	uint8_t *chunk;      /* buffer of `input`; NULL: the caller owns the bytes */
	size_t limit;        /* of the file's decompressed size */
	size_t capacity;     /* of file->data */
	bool ended;          /* nothing follows */
	bool open_frame;     /* of zstd: the frame being decompressed is incomplete */
	bool checked;        /* its checksums were verified before */
};

static int read_some(int fd, uint8_t *data, size_t size, size_t *got)
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

/* Doubles the buffer, whatever size the file announces: memory is allocated only for bytes that were read. */
static int grow(struct profile_file *file, struct source *source, size_t need)
{
	size_t capacity = source->capacity * 2 > CHUNK ? source->capacity * 2 : CHUNK;
	if (source->capacity >= need && file->data)
		return 0;
	if (file->size >= source->limit)
		return -HEDDLE_INFLATED;
	capacity = capacity < source->limit ? capacity : source->limit;
	uint8_t *fresh = realloc(file->data, capacity);
	if (!fresh)
		return -ENOMEM;
	file->data = fresh;
	source->capacity = capacity;
	return 0;
}

static int refill(struct source *source)
{
	source->input = (ZSTD_inBuffer){.src = source->chunk};
	return source->chunk ? read_some(source->fd, source->chunk, CHUNK, &source->input.size) : 0;
}

static int decompress_error(size_t code)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_memory_allocation:
		return -ENOMEM;
	case ZSTD_error_frameParameter_windowTooLarge:
		return -HEDDLE_INFLATED;
	default:
		return -HEDDLE_CORRUPTED;
	}
}

static int decompress_some(struct profile_file *file, struct source *source)
{
	if (source->input.pos == source->input.size) {
		int error = refill(source);
		if (error)
			return error;
		source->ended = source->input.size == 0;
	}
	/* Also called without input: zstd may have kept back output that did not fit. */
	ZSTD_outBuffer out = {.dst = file->data, .size = source->capacity, .pos = file->size};
	size_t left = ZSTD_decompressStream(source->context, &out, &source->input);
	if (ZSTD_isError(left))
		return decompress_error(left);
	if (out.pos != file->size || !source->ended)
		source->open_frame = left != 0;
	source->ended = source->ended && out.pos == file->size;
	file->size = out.pos;
	return source->ended && source->open_frame ? -HEDDLE_TRUNCATED : 0;
}

static int load_some(struct profile_file *file, struct source *source)
{
	size_t got;
	if (source->context)
		return decompress_some(file, source);
	int error = read_some(source->fd, file->data + file->size, source->capacity - file->size, &got);
	source->ended = got == 0;
	file->size += got;
	return error;
}

/* Loads the first `need` bytes, unless the file ends before. */
static int load(struct profile_file *file, struct source *source, size_t need)
{
	int error = 0;
	while (!error && file->size < need && !source->ended) {
		error = grow(file, source, file->size + 1);
		if (!error)
			error = load_some(file, source);
	}
	return error;
}

static int check_header(const struct profile_file *file)
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
static bool crc_matches(const uint8_t *data, size_t size, uint32_t crc)
{
	return crc32_z(crc32_z(0, NULL, 0), data, size) == crc;
}

/* These sections are mandatory, but their messages may be empty. */
static bool may_be_empty(uint32_t type)
{
	return type == HEDDLE_SECTION_MODULES || type == HEDDLE_SECTION_TREE;
}

static bool is_second(const struct profile_file *file, uint32_t type)
{
	bool single = type == HEDDLE_SECTION_PROCESS || may_be_empty(type);
	for (size_t i = 0; single && i < file->section_count; i++)
		if (file->sections[i].type == type)
			return true;
	return false;
}

/* Adds the section at *at. Its data pointer is set later, when the buffer no longer moves. */
static int add_section(struct profile_file *file, struct source *source, size_t *at)
{
	struct heddle_section_header header;
	int error = load(file, source, *at + sizeof(header));
	if (error)
		return error;
	if (file->size - *at < sizeof(header))
		return -HEDDLE_TRUNCATED;
	memcpy(&header, file->data + *at, sizeof(header));
	*at += sizeof(header);
	struct profile_file_section section = {.type = le32toh(header.type), .size = le64toh(header.length)};
	if ((section.size == 0 && !may_be_empty(section.type)) || is_second(file, section.type))
		return -HEDDLE_INCONSISTENT;
	if (section.size > source->limit - *at)
		return source->context ? -HEDDLE_INFLATED : -HEDDLE_TRUNCATED;
	error = load(file, source, *at + section.size);
	if (error)
		return error;
	if (section.size > file->size - *at)
		return -HEDDLE_TRUNCATED;
	if (!source->checked && !crc_matches(file->data + *at, section.size, le32toh(header.crc32)))
		return -HEDDLE_CORRUPTED;
	*at += section.size;
	error = profile_reserve(&file->sections, &file->section_capacity, file->section_count + 1, sizeof(section));
	if (!error)
		file->sections[file->section_count++] = section;
	return error;
}

/* Each section is checked before more is loaded, so that a bad file is rejected early. */
static int cut(struct profile_file *file, struct source *source)
{
	size_t at = sizeof(struct heddle_file_header);
	int error = load(file, source, at);
	if (!error)
		error = check_header(file);
	while (!error && !(file->section_count && file->sections[file->section_count - 1].type == HEDDLE_SECTION_END))
		error = add_section(file, source, &at);
	if (!error)
		error = load(file, source, at + 1);
	if (!error && file->size != at)
		error = -HEDDLE_INCONSISTENT;
	return error;
}

static void point_sections(struct profile_file *file)
{
	size_t at = sizeof(struct heddle_file_header);
	for (size_t i = 0; i < file->section_count; i++) {
		at += sizeof(struct heddle_section_header);
		file->sections[i].data = file->data + at;
		at += file->sections[i].size;
	}
}

static int parse(struct profile_file *file, struct source *source)
{
	int error = cut(file, source);
	if (error)
		profile_file_close(file);
	else
		point_sections(file);
	return error;
}

static bool is_zstd(const uint8_t *data, size_t size)
{
	return size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0;
}

/* Returns an upper limit of what `size` compressed bytes may decompress to. */
static size_t decompressed_limit(uint64_t size)
{
	if (size > SIZE_MAX / DECOMPRESSED_RATIO)
		return SIZE_MAX;
	return size * DECOMPRESSED_RATIO > DECOMPRESSED_LEAST ? size * DECOMPRESSED_RATIO : DECOMPRESSED_LEAST;
}

static int parse_compressed(struct profile_file *file, struct source *source)
{
	source->context = ZSTD_createDCtx();
	int error = source->context ? parse(file, source) : -ENOMEM;
	ZSTD_freeDCtx(source->context);
	return error;
}

uint32_t profile_file_version(const char *path)
{
	struct heddle_file_header header;
	int fd = profile_open_regular(path);
	if (fd < 0)
		return 0;
	ssize_t got = read(fd, &header, sizeof(header));
	close(fd);
	if (got != (ssize_t)sizeof(header) || memcmp(&header, HEDDLE_FILE_MAGIC, HEDDLE_FILE_MAGIC_SIZE) != 0)
		return 0;
	return le32toh(header.version);
}

int profile_file_parse(struct profile_file *file, uint8_t *data, size_t size)
{
	struct source source = {.fd = -1, .limit = size, .capacity = size, .ended = true};
	*file = (struct profile_file){.data = data, .size = size};
	if (!is_zstd(data, size))
		return parse(file, &source);
	*file = (struct profile_file){0};
	source = (struct source){.fd = -1, .limit = decompressed_limit(size), .input = {.src = data, .size = size}};
	int error = parse_compressed(file, &source);
	free(data);
	return error;
}

/*
 * Returns the number of bytes outside of holes, or enough of them; `size` if the file system does not report holes.
 * Moves the file's position.
 */
static uint64_t written_bytes(int fd, uint64_t size)
{
	uint64_t written = 0;
	off_t at = 0;
	while ((uint64_t)at < size && decompressed_limit(written) < size) {
		off_t data = lseek(fd, at, SEEK_DATA);
		if (data < 0)
			return errno == ENXIO ? written : size;
		at = lseek(fd, data, SEEK_HOLE);
		if (at <= data)
			return size;
		written += (uint64_t)(at - data);
	}
	return written;
}

/*
 * True if a file consists mostly of holes, which read as zeros. If it has many blocks on disk, it does not. Few blocks
 * may also mean that their number lags behind, as for new files on ZFS and Lustre; then its holes are searched.
 */
static bool is_hollow(int fd, const struct stat *status)
{
	uint64_t stored = (uint64_t)status->st_blocks * 512, size = (uint64_t)status->st_size;
	return stored != 0 && size > decompressed_limit(stored) && size > decompressed_limit(written_bytes(fd, size));
}

static int open_compressed(struct profile_file *file, int fd, const struct stat *status, bool checked)
{
	struct source source = {.fd = fd,
		.limit = decompressed_limit((uint64_t)status->st_size),
		.chunk = malloc(CHUNK),
		.checked = checked};
	int error = source.chunk ? parse_compressed(file, &source) : -ENOMEM;
	free(source.chunk);
	return error;
}

static int open_regular(struct profile_file *file, int fd, const struct stat *status, bool checked)
{
	uint8_t start[4];
	size_t got;
	int error = read_some(fd, start, sizeof(start), &got);
	bool hollow = !error && !is_zstd(start, got) && is_hollow(fd, status);
	if (!error && lseek(fd, 0, SEEK_SET) != 0)
		error = -errno;
	if (error)
		return error;
	if (is_zstd(start, got))
		return open_compressed(file, fd, status, checked);
	/* Reads one byte more than the known size, to detect a growing file. */
	struct source source = {.fd = fd, .limit = (size_t)status->st_size + 1, .checked = checked};
	return hollow ? -HEDDLE_HOLLOW : parse(file, &source);
}

static int open_file(struct profile_file *file, const char *path, bool checked)
{
	struct stat status;
	*file = (struct profile_file){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	int error = fstat(fd, &status) != 0    ? -errno
		    : S_ISDIR(status.st_mode)  ? -EISDIR
		    : !S_ISREG(status.st_mode) ? -HEDDLE_FOREIGN
					       : open_regular(file, fd, &status, checked);
	close(fd);
	return error;
}

int profile_file_open(struct profile_file *file, const char *path)
{
	return open_file(file, path, false);
}

int profile_file_reopen(struct profile_file *file, const char *path)
{
	return open_file(file, path, true);
}

void profile_file_close(struct profile_file *file)
{
	free(file->sections);
	free(file->data);
	*file = (struct profile_file){0};
}

const struct profile_file_section *profile_file_only(const struct profile_file *file, uint32_t type, int *error)
{
	const struct profile_file_section *found = NULL;
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
