/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One profile file as bytes: read whole (decompressed when it is zstd), header checked, cut into sections whose check
 * sums are right. What the sections say is process_decode.h's business.
 */
#ifndef HEDDLE_PROFILE_PROFILE_FILE_H
#define HEDDLE_PROFILE_PROFILE_FILE_H

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_COMPRESSED_SUFFIX ".heddle.zst"

struct profile_file_section {
	uint32_t type; /* enum heddle_section, or a number unknown here */
	const uint8_t *data;
	size_t size;
};

struct profile_file {
	uint8_t *data;
	size_t size;
	struct profile_file_section *sections; /* in the file's order, the END section last */
	size_t section_count, section_capacity;
};

/* Reads and checks a file; 0 or a negative error of errors.h. After an error nothing is held. */
int profile_file_open(struct profile_file *file, const char *path);
/* The same without check sums, of a file that was opened before. */
int profile_file_reopen(struct profile_file *file, const char *path);
void profile_file_close(struct profile_file *file);

/* The same for a file's contents, malloc'd. The file owns them, after an error too. */
int profile_file_parse(struct profile_file *file, uint8_t *data, size_t size);

/* The version in the file's header, for messages; 0 when there is none. */
uint32_t profile_file_version(const char *path);

/* The only section of a type; NULL with *error 0 when there is none, -HEDDLE_INCONSISTENT when there are several. */
const struct profile_file_section *profile_file_only(const struct profile_file *file, uint32_t type, int *error);

#endif
