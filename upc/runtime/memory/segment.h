/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that UPC threads share: an unnamed memory file, which each process inherits. */
#ifndef HEDDLE_UPC_RUNTIME_SEGMENT_H
#define HEDDLE_UPC_RUNTIME_SEGMENT_H

#include <stdint.h>

/* Creates the file; returns its descriptor or a negative errno. Context: before constructors. */
int hupc__segment_create(int threads, uint64_t size);

/*
 * The index of a heap's blocks by pages of 1 << HUPC__INDEX_SHIFT bytes (heap_block.h), of a thread's heap or of the
 * global heap. Zeroed at program start.
 */
#define HUPC__INDEX_SHIFT 16
uint32_t *hupc__segment_index(uint64_t thread);
uint32_t *hupc__segment_global_index(void);

/* Unmaps the control block, so that another file's can be mapped. Context: init. */
void hupc__segment_forget(void);

/*
 * Maps the control block and the segments of all threads, or only the control block. Returns 0 or a negative errno.
 * Context: before constructors.
 */
int hupc__segment_attach(int file);
int hupc__segment_attach_control(int file);

#endif
