/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One profile file as bytes: read as a whole, decompressed if it is zstd, header checked, and split into sections with
 * correct checksums. The contents of sections are decoded by process_decode.h.
 */
#ifndef HEDDLE_PROFILE_PROFILE_FILE_H
#define HEDDLE_PROFILE_PROFILE_FILE_H

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_COMPRESSED_SUFFIX ".heddle.zst"

struct profile_file_section {
	uint32_t type; /* enum heddle_section, or an unknown number */
	const uint8_t *data;
	size_t size;
};

struct profile_file {
	uint8_t *data;
	size_t size;
	struct profile_file_section *sections; /* in the file's order, the END section last */
	size_t section_count, section_capacity;
};

/* Reads and checks a file. Returns 0 or a negative error of errors.h, after which there is nothing to close. */
int profile_file_open(struct profile_file *file, const char *path);
/* Like profile_file_open, but skips the checksums of a file that was opened before. */
int profile_file_reopen(struct profile_file *file, const char *path);
void profile_file_close(struct profile_file *file);

/* Like profile_file_open, for a file's contents, malloc'd. The file owns them, after an error too. */
int profile_file_parse(struct profile_file *file, uint8_t *data, size_t size);

/* Returns the version in the file's header, for messages; 0: there is none. */
uint32_t profile_file_version(const char *path);

/* Returns the only section of a type. NULL: none (*error is 0), or several (*error is -HEDDLE_INCONSISTENT). */
const struct profile_file_section *profile_file_only(const struct profile_file *file, uint32_t type, int *error);

#endif
