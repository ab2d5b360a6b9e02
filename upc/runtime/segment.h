/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that UPC threads share: a file in memory that has no name, inherited by each process. */
#ifndef HEDDLE_UPC_RUNTIME_SEGMENT_H
#define HEDDLE_UPC_RUNTIME_SEGMENT_H

#include <stdint.h>

/* Make it; returns its file descriptor, or negative errno. Context: before constructors. */
int hupc__segment_create(int threads, uint64_t size);

/* Map control block and segments of all threads, or the control block alone; 0 or negative errno. The same context. */
int hupc__segment_attach(int file);
int hupc__segment_attach_control(int file);

#endif
