/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the profile file of this process (format/heddle_profile.proto). */
#ifndef HEDDLE_CORE_WRITER_H
#define HEDDLE_CORE_WRITER_H

#include <stdint.h>

/*
 * Writes everything measured so far; replaces a file that this process flushed earlier as a whole. Measurement must be
 * frozen, at the measured tick `now`. Returns 0 or -errno. Context: any thread, signal.
 */
int heddle__write_profile(const char *ended_by, uint64_t now);

#endif
