/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profile files from a few lines of text, for tests. Words are separated by blanks, TEXT extends to the end of the
 * line, and # starts a comment. Lines:
 *
 *   process FIELD TEXT                    program, host, ended_by, sample_source, sample_clock, note, ... or a number
 *   argument TEXT      phase TEXT      string TEXT (the same as phase)
 *   event ID MODEL CATEGORY NAME LABEL-TEXT
 *   role NUMBER                           of the last event, enum heddle_event_role
 *   generated                             the last event's name is a generated one
 *   module ID ROLE BUILD-ID-HEX|- PATH-TEXT
 *   model ID NAME                         without such lines, models are those of old files
 *   model-field FIELD TEXT                of the last model: label, state, rank, ranks, ...
 *   model-code KIND PATTERN SHOWN|-       of the last model; KIND as in ids.h (OUTLINED, ...)
 *   module-field FIELD VALUE              of the last module: model
 *   sampled-by SIGNALS CPU-NS NAME-TEXT   a source of samples
 *   node PARENT KIND EVENT MODULE OFFSET  numbered from 0; KIND as in ids.h (FRAME, REGION, ...); OFFSET hexadecimal
 *   source PARENT EVENT STRING LINE       a REGION node at a line of a source file
 *   thread ID OPENMP-NUMBER ROLE-TEXT
 *   thread-field FIELD VALUE              of the last thread: rank, ...
 *   heddle N                              samples_in_heddle of the last thread
 *   counter NAME                          the first one is metric 1024, ...
 *   value METRIC NODE VALUE               of the last thread, nodes ascending; METRIC by name or number
 *   distribution NODE ARGUMENT TEXT COUNT MINIMUM MAXIMUM SUM BUCKET...    of the last thread
 *   exchange COMMUNICATOR PARTNER KIND BUCKET MESSAGES BYTES NS    of the last thread; as in the format
 *
 * Lines for invalid files:
 *   version N     end SECTIONS THREADS    no-end    raw-parent N    raw-node N    raw-value N (row of the last column)
 */
#ifndef HEDDLE_TESTS_PROFILE_TEXT_H
#define HEDDLE_TESTS_PROFILE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Returns the bytes of a file; free() them. Returns NULL, and prints the line, if a line cannot be read. */
uint8_t *profile_from_text(const char *text, size_t *size);

/* Writes the file to a path. Returns 0 or -1. */
int write_profile_from_text(const char *text, const char *path);

#endif
