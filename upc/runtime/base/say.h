/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the run-time system: single lines on standard error. */
#ifndef HEDDLE_UPC_RUNTIME_SAY_H
#define HEDDLE_UPC_RUNTIME_SAY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * As snprintf, always terminated, with %s, %c, %d, %u, %x (int), %ld, %lu, %lx and %% only. Returns the length.
 * Context: any, also signal.
 */
size_t hupc__format(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* While this is true, nothing is written: if several processes have the same message, only one writes it. */
extern bool hupc__say_nothing;

/* Writes one line "upc: ...", of at most 1023 characters. Context: any, also signal. */
void hupc__say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void hupc__vsay(const char *prefix, const char *format, va_list arguments);

#endif
