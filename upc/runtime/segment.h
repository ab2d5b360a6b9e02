/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that UPC threads share: an unnamed memory file, inherited by each process. */
#ifndef HEDDLE_UPC_RUNTIME_SEGMENT_H
#define HEDDLE_UPC_RUNTIME_SEGMENT_H

#include <stdint.h>

/* Creates the file; returns its descriptor or a negative errno. Context: before constructors. */
int hupc__segment_create(int threads, uint64_t size);

/* Unmaps the control block: another file's is to be mapped. Context: init. */
void hupc__segment_forget(void);

/*
 * Maps the control block and the segments of all threads, or the control block only; 0 or a negative errno. Context:
 * before constructors.
 */
int hupc__segment_attach(int file);
int hupc__segment_attach_control(int file);

#endif
