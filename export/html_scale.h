/* SPDX-License-Identifier: BSD-3-Clause */
/* One HTML file that shows what limits a program's scaling: `heddle scale` for a browser. */
#ifndef HEDDLE_EXPORT_HTML_SCALE_H
#define HEDDLE_EXPORT_HTML_SCALE_H

#include <stdio.h>

/*
 * Writes the page. The callbacks write tables that need no script, and the data of html/src/scale.ts as JSON. Returns
 * 0, -ENOMEM, or the result of `write_data`; the caller checks ferror().
 */
int export_scale_write(FILE *out, const char *program, void (*write_tables)(const void *context, FILE *out),
	int (*write_data)(const void *context, FILE *out), const void *context);

#endif
