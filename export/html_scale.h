/* SPDX-License-Identifier: BSD-3-Clause */
/* One HTML file that shows what keeps a program from scaling: `heddle scale` for a browser. */
#ifndef HEDDLE_EXPORT_HTML_SCALE_H
#define HEDDLE_EXPORT_HTML_SCALE_H

#include <stdio.h>

/*
 * Writes the page around what the caller writes: tables that need no script, and the data of html/src/scale.ts as JSON.
 * 0, -ENOMEM, or what `write_data` returns; the caller checks ferror().
 */
int export_scale_write(FILE *out, const char *program, void (*write_tables)(const void *context, FILE *out),
	int (*write_data)(const void *context, FILE *out), const void *context);

#endif
