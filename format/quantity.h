/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads sizes and times as users write them in settings: 256K, 8M; 300ms, 10s. Shared by the measured process and the
 * command. Must not allocate.
 */
#ifndef HEDDLE_FORMAT_QUANTITY_H
#define HEDDLE_FORMAT_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a number of bytes; K, M and G are powers of 1024. False: not a size. Context: any thread, signal. */
bool heddle__read_size(const char *text, uint64_t *bytes);

/* Reads a time in nanoseconds: a decimal number with s, ms, us or ns. False: not a time. Context: as above. */
bool heddle__read_time(const char *text, uint64_t *ns);

/* Reads FROM:TO, two times of which the second is later; without TO, it is UINT64_MAX. Context: as above. */
bool heddle__read_window(const char *text, uint64_t *from_ns, uint64_t *to_ns);

#endif
