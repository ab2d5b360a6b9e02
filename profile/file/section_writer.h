/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a profile file section by section. A section is one Protocol Buffers message. Concatenated messages form one
 * message with the rows of all, so a long section is written in pieces. After the first error nothing more is written,
 * and the error is kept.
 */
#ifndef HEDDLE_PROFILE_SECTION_WRITER_H
#define HEDDLE_PROFILE_SECTION_WRITER_H

#include "heddle_profile.pb-c.h"

#include <stdint.h>
#include <stdio.h>

/* The number of rows in a piece. */
#define HEDDLE_PIECE ((size_t)1 << 14)

struct profile_section_writer {
	char *path, *aside;
	FILE *file;
	int error;
	long start; /* offset of the current section */
	uint32_t type, crc;
	uint64_t length;
	uint32_t sections, threads;
};

/* Opens a temporary file beside `path`. */
void profile_writer_open(struct profile_section_writer *writer, const char *path);
void profile_writer_begin(struct profile_section_writer *writer, uint32_t type);
void profile_writer_put(struct profile_section_writer *writer, const ProtobufCMessage *piece);
void profile_writer_end(struct profile_section_writer *writer);

/* Writes the END section and renames the file to its name. Returns 0 or the first error; then the file is removed. */
int profile_writer_close(struct profile_section_writer *writer);

#endif
