/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing a profile file section by section. A section is one Protocol Buffers message, and messages laid end to end
 * are one message with the rows of all: so a long one is put in pieces. The first error stays, and ends the writing.
 */
#ifndef HEDDLE_PROFILE_SECTION_WRITER_H
#define HEDDLE_PROFILE_SECTION_WRITER_H

#include "heddle_profile.pb-c.h"

#include <stdint.h>
#include <stdio.h>

/* Rows of a piece. */
#define HEDDLE_PIECE ((size_t)1 << 14)

struct heddle_section_writer {
	char *path, *aside;
	FILE *file;
	int error;
	long start; /* of the section at hand */
	uint32_t type, crc;
	uint64_t length;
	uint32_t sections, threads;
};

/* Opens a file beside `path`. */
void heddle__writer_open(struct heddle_section_writer *writer, const char *path);
void heddle__writer_begin(struct heddle_section_writer *writer, uint32_t type);
void heddle__writer_put(struct heddle_section_writer *writer, const ProtobufCMessage *piece);
void heddle__writer_end(struct heddle_section_writer *writer);

/* Writes END and gives the file its name; 0 or the first error, then the file is removed. */
int heddle__writer_close(struct heddle_section_writer *writer);

#endif
