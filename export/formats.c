/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of export formats. */
#include "export/formats.h"

#include <string.h>

const struct heddle_export_format *const heddle_export_formats[] = {
	&heddle_export_folded,
	&heddle_export_speedscope,
	NULL,
};

const struct heddle_export_format *heddle_export_find(const char *name)
{
	for (size_t i = 0; heddle_export_formats[i]; i++)
		if (strcmp(heddle_export_formats[i]->name, name) == 0)
			return heddle_export_formats[i];
	return NULL;
}
