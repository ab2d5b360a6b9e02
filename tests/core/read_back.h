/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a profile file by the reader of the heddle command. Separate from core, whose types have the same names. */
#ifndef HEDDLE_TESTS_CORE_READ_BACK_H
#define HEDDLE_TESTS_CORE_READ_BACK_H

#include <stddef.h>
#include <stdint.h>

struct read_back;

/* Returns NULL and sets *error if the reader refuses the file. */
struct read_back *read_back_open(const char *path, int *error);
void read_back_close(struct read_back *file);

const char *read_back_ended_by(const struct read_back *file);
size_t read_back_threads(const struct read_back *file);
/* The number of the index-th thread of the file. */
uint32_t read_back_thread(const struct read_back *file, size_t index);
size_t read_back_nodes(const struct read_back *file);

/* A node of the call-path tree; *event is the event's name for regions, "" for other nodes. */
void read_back_node(const struct read_back *file, uint32_t node, uint32_t *parent, uint32_t *kind, const char **event,
	uint64_t *offset);

/* The value of a metric at a node, for the thread with that number. */
uint64_t read_back_value(const struct read_back *file, uint32_t thread, uint32_t metric, uint32_t node);

#endif
